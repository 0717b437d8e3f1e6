"""The evidence for a proposal, by doing it: sample files read by old readers and engines, and saved by older builds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.compat.compiled import compiled_readers
from coli_conformance.compat.examined import Examined, examine
from coli_conformance.compat.older_save import Saved
from coli_conformance.compat.readers import Reader, modelled
from coli_conformance.corpus.agreed_records import boundary_records, reading_cases
from coli_conformance.corpus.meaning import History, history, inside
from coli_conformance.corpus.target import Target
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import Transport
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.records.checkout import NotHereError, c_engine
from coli_conformance.runner import run
from coli_spec.model import RecordType

PYTHON_ENGINE = "coli_reference.engine:ReferenceEngine"
_FAILURES_TOLD = 5


@dataclass(frozen=True, slots=True)
class OldReaderEvidence:
    """What one old reader made of the sample files; `differing` are those it read otherwise than their lines mean."""

    name: str
    files: int
    differing: int


@dataclass(frozen=True, slots=True)
class EngineEvidence:
    """What one engine made of the cases that read past the record.

    `failures` says for each that did not pass what was seen; `unsupported` are those whose roles it does not claim.
    `absent` says why it could not be asked, and is None where it was.
    """

    name: str
    passed: int = 0
    unsupported: int = 0
    failures: tuple[str, ...] = ()
    absent: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was seen. `absent_loops` says why a compiled loop is not among `old_readers`.

    `history` holds the record, `saved` is what older builds make of it by a load and a save.
    """

    old_readers: tuple[OldReaderEvidence, ...]
    absent_loops: tuple[str, ...]
    engines: tuple[EngineEvidence, ...]
    history: str
    saved: tuple[Saved, ...]
    failures: tuple[str, ...]
    complete: bool


def gather(record: RecordType, others: Iterable[Transport] = ()) -> Evidence:
    """Gather the evidence for a record type that is not agreed yet; `others` are engines besides the reference ones."""
    target = Target()
    cases = tuple(reading_cases(record, target))
    files = sorted({item.data for case in cases for item in case.setup if item.data is not None})
    with compiled_readers() as (compiled, absent):
        readers = (*modelled(), *compiled)
        examined = examine(files, readers, None, None)
    old = tuple(_old_reader(reader, examined) for reader in readers)
    sample = history(target, *inside(target, (3, 2, 5), (4, 1, 8))).inserted(2, boundary_records(record, target)[-1])
    (kept,) = examine([sample.text.encode()], modelled(), None, target.engine_id)
    references = (_python(cases), _c(cases))
    engines = (*references, *(_asked(transport, cases) for transport in others))
    return Evidence(
        old_readers=old,
        absent_loops=absent,
        engines=engines,
        history=sample.text,
        saved=kept.saved,
        failures=(*_old_failures(old, examined), *_engine_failures(engines), *_save_failures(kept, sample)),
        complete=all(engine.absent is None for engine in references),
    )


def _old_reader(reader: Reader, examined: Sequence[Examined]) -> OldReaderEvidence:
    differing = sum(
        bool(reading.recovery.differences)
        for one in examined
        for reading in one.readings
        if reader.name in reading.outcome.readers
    )
    return OldReaderEvidence(reader.name, len(examined), differing)


def _python(cases: Sequence[Case]) -> EngineEvidence:
    with open_python(PYTHON_ENGINE, in_process=True, name="the Python engine") as transport:
        return _asked(transport, cases)


def _c(cases: Sequence[Case]) -> EngineEvidence:
    from coli_conformance.engines.command import open_command  # noqa: PLC0415 - where there is no C engine, not needed

    try:
        with (
            c_engine() as program,
            open_command(
                (str(program),), name="the C engine", environment={}, jobs=1, timeout=10.0, wrap=()
            ) as transport,
        ):
            return _asked(transport, cases)
    except NotHereError as reason:
        return EngineEvidence("the C engine", absent=str(reason))


def _asked(transport: Transport, cases: Sequence[Case]) -> EngineEvidence:
    finished = run(transport, cases, on_result=lambda *_: None)
    by_status = {status: [result for result in finished.results if result.status is status] for status in Status}
    passed, unsupported = len(by_status[Status.PASS]), len(by_status[Status.UNSUPPORTED])
    failed = [result for result in finished.results if result.status not in {Status.PASS, Status.UNSUPPORTED}]
    return EngineEvidence(finished.engine.name, passed, unsupported, tuple(map(_seen, failed)))


def _seen(result: Result) -> str:
    said = result.findings[0].sentence if result.findings else result.detail
    return f"{result.case_id}: {result.status.word}. {said}".rstrip()


def _old_failures(old: Iterable[OldReaderEvidence], examined: Sequence[Examined]) -> list[str]:
    failures = [
        f"{reader.name}: {reader.differing} of {reader.files} sample files are read otherwise than meant (G05, W15)"
        for reader in old
        if reader.differing
    ]
    undefined = sum(bool(one.undefined) for one in examined)
    if undefined:
        failures.append(f"{undefined} sample files hold a number outside its C type (W03)")
    return failures


def _engine_failures(engines: Iterable[EngineEvidence]) -> list[str]:
    failures = []
    for engine in engines:
        if engine.absent is None and not engine.passed and not engine.failures:
            failures.append(f"{engine.name}: it claims no role by which a case could be asked of it")
        failures += [f"{engine.name}: {sentence}" for sentence in engine.failures[:_FAILURES_TOLD]]
        if (left := len(engine.failures) - _FAILURES_TOLD) > 0:
            failures.append(f"{engine.name}: {left} more cases did not pass")
    return failures


def _save_failures(examined: Examined, sample: History) -> list[str]:
    """Return a sentence unless every older build's save drops the record and keeps the data records (G06)."""
    failures = []
    for saved in examined.saved:
        gone = [record for _, record in saved.erased if record[0] >= 0]
        if gone or not set(sample.unknown) <= {record for _, record in saved.erased}:
            failures.append(f"{saved.builds}: its save does not drop the record alone (G06)")
    return failures

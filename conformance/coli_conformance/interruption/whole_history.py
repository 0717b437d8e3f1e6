"""Whether one whole history stands at the path: the judge of interrupted saves (W16, W17, W24)."""

from __future__ import annotations

from dataclasses import replace

from coli_conformance.case import Case, FileExpectation, Outcome, WrittenHistory
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.escape import cut, shown_bytes
from coli_conformance.judge.files import judge_file
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status

_SHOWN = 60


def is_whole(data: bytes, written: WrittenHistory) -> bool:
    """Tell whether `data` is the history that was meant, in whatever form is legal."""
    expected = FileExpectation(HISTORY, "W22", history=written)
    return not judge_file(expected, Observation(b"", files={HISTORY: data}))


def killed_result(case: Case, observation: Observation) -> Result:
    """Return the result of an engine that was killed in its save: one of the case's outcomes must stand at the path."""
    for outcome in case.outcomes:
        if not any(judge_file(expected, observation) for expected in outcome.files):
            return Result(case.id, Status.PASS)
    data = observation.files.get(HISTORY)
    stands = "there is no history any more" if data is None else f"{HISTORY} is {described(data)}"
    sentence = (
        f"{case.why.partition(',')[0]}, the engine left neither the old history nor the new one: {stands}. Write the "
        "new one to a file beside it, close that, and rename it over the old one"
    )
    finding = Finding(
        case.clauses[0],
        sentence,
        path=HISTORY,
        line=1 if data else None,
        expected=_expected(case.outcomes),
        seen="nothing" if data is None else f"{len(data)} bytes",
    )
    return Result(case.id, Status.FAIL, broken=case.clauses[:1], findings=(finding,), detail=sentence)


def failed_result(case: Case, observation: Observation) -> Result:
    """Return the result of an engine of which a call failed.

    That the save succeeded all the same comes into question only where the whole new history stands at the path.
    """
    written = next((item.history for outcome in case.outcomes for item in outcome.files if item.history), None)
    if written is not None and not is_whole(observation.files.get(HISTORY, b""), written):
        case = replace(case, outcomes=case.outcomes[:1])
    return judge(case, observation)


def described(data: bytes) -> str:
    """Return in words how long a history is and how it ends."""
    if not data:
        return "0 bytes long"
    last = cut(shown_bytes(data[-_SHOWN:].rstrip(b"\n").rpartition(b"\n")[2]), _SHOWN)
    return f"{len(data)} bytes long, its last line `{last}`"


def _expected(outcomes: tuple[Outcome, ...]) -> str:
    sizes = []
    for outcome in outcomes:
        (expected,) = outcome.files
        size = len(expected.history.canonical_bytes if expected.history else expected.data or b"")
        sizes.append(f"the {outcome.name} one, {size} bytes")
    return " or ".join(sizes)

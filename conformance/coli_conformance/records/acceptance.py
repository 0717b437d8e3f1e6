"""Entering a proposal in the registry: evidence first, then the declaration, all that is generated, and the proof."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from coli_conformance import regular_file
from coli_conformance.corpus.agreed_records import reading_cases, writing_cases
from coli_conformance.corpus.session import CORPUS_VERSION
from coli_conformance.corpus.target import Target
from coli_conformance.records import c_table, registry_entry
from coli_conformance.records.checkout import c_engine, root
from coli_conformance.records.evidence import PYTHON_ENGINE
from coli_conformance.records.proposal import Proposal
from coli_conformance.records.stamp import evidence_path, read_stamp, suite_digest
from coli_conformance.reports import output
from coli_spec import load_from
from coli_spec.model import RecordType, Spec, SpecError

_SECONDS = 900
_MOST_SAID = 2000
_LARGEST_PAGE = 1 << 24
_MAIN = "import sys; from coli_conformance.cli import main; sys.exit(main(sys.argv[1:]))"


class RefusedError(Exception):
    """A proposal that cannot be accepted as things stand; the text is a sentence that says what to do."""


def check_evidence(proposal: Proposal) -> None:
    """Raise RefusedError unless there is evidence for this very proposal and this suite, and it holds (G07)."""
    path = evidence_path(proposal.path)
    again = f"gather it with `coli-conformance records check {proposal.path}`"
    if not path.exists():
        raise RefusedError(f"{path}: there is no evidence for the proposal (G07); {again}")
    try:
        stamp = read_stamp(regular_file.read(path, _LARGEST_PAGE).decode("utf-8", "replace"))
    except regular_file.UnusableFileError as error:
        raise RefusedError(f"{error}, so it is no evidence (G07); {again}") from error
    if stamp is None:
        raise RefusedError(f"{path}: the page does not end with the stamp of evidence (G07); {again}")
    if stamp.proposal != proposal.digest:
        raise RefusedError(f"{path}: the evidence is stale, the proposal has changed since (G07); {again}")
    if stamp.suite != suite_digest():
        raise RefusedError(f"{path}: the evidence is stale, the registry or the suite has changed since (G07); {again}")
    if stamp.verdict == "fails":
        raise RefusedError(f"{path}: the evidence does not hold (G07); the page says what failed")
    if stamp.verdict == "incomplete":
        raise RefusedError(
            f"{path}: the evidence lacks one of the two reference engines (G07); gather it in a checkout, with make "
            "and a C compiler"
        )


def accept(proposal: Proposal, spec: Spec) -> tuple[str, ...]:
    """Enter a proposal that keeps every rule; return the ids of the cases that it brings.

    The registry and the C engine's table are written, what is generated from the declaration is generated again, and
    both reference engines play the new cases. Raises RefusedError, with everything as it was, where any of this fails,
    and NotHereError in an installed suite.
    """
    check_evidence(proposal)
    top = root()
    record = proposal.record_type(spec, since=CORPUS_VERSION + 1)
    registry, table = top / "spec" / "coli_spec" / "records.yaml", top / c_table.PATH
    before = {path: path.read_text(encoding="utf-8") for path in (registry, table)}
    ids = tuple(case.id for cases in (writing_cases, reading_cases) for case in cases(record, Target()))
    try:
        _enter(record, registry, table)
        _suite(top, "vectors", "generate")
        _prove(top, ids)
    except BaseException:
        for path, content in before.items():
            output.write(path, content)
        _suite(top, "vectors", "generate")
        raise
    return ids


def _enter(record: RecordType, registry: Path, table: Path) -> None:
    """Write the record into the registry and the C engine's table, and see that the registry says what was meant."""
    output.write(registry, registry.read_text(encoding="utf-8").rstrip("\n") + "\n" + registry_entry.text(record))
    try:
        spec = load_from(registry.parent)
    except SpecError as error:
        raise RefusedError(f"the registry could not be read with the new entry in it ({error})") from error
    if record.number is None or spec.record(record.number) != record:
        raise RefusedError(f"the entry of {record.name} does not read back from {registry} as it was proposed")
    output.write(table, c_table.text(spec))


def _prove(top: Path, ids: Sequence[str]) -> None:
    """Have both reference engines play the new cases, in processes that know the new declaration (G07)."""
    chosen = [word for case_id in ids for word in ("--case", case_id)]
    _suite(top, "run", *chosen, "--strict", "--engine", f"python:{PYTHON_ENGINE}")
    with c_engine() as program:
        _suite(top, "run", *chosen, "--strict", "--", str(program))


def _suite(top: Path, *arguments: str) -> None:
    """Run the suite anew, for a process reads the declaration once. Raises RefusedError unless it ends with 0."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _MAIN, *arguments],
            cwd=top,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RefusedError(f"`{arguments[0]}` with the new record did not end within {_SECONDS} s") from error
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()[:_MOST_SAID]
        raise RefusedError(
            f"with the record in the registry, `coli-conformance {arguments[0]}` ended with status {done.returncode}, "
            f"and everything was put back. It said:\n{said}"
        )

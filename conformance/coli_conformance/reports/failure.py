"""What is kept of a failing case: enough to show it, cut out while its files are still at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from coli_conformance.broken_clauses import broken_by, clause_levels
from coli_conformance.case import Case
from coli_conformance.escape import cut, shown_bytes, shown_text
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.reports.excerpt import ShownLine, excerpt

_ROOM = 92
_WORDS = 3
"""Lines of standard error shown from its beginning, and from its end."""


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding with the lines it is about; `source` says what they are, such as `wrote .coli_usage`, or is empty."""

    finding: Finding
    source: str
    lines: tuple[ShownLine, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failing case. `clause` is the one it is shown under; `last_words` are lines of standard error
    where those matter.

    `times` of `rounds` is how often it failed in a run that repeats.
    """

    case: Case
    result: Result
    clause: str
    findings: tuple[ShownFinding, ...]
    last_words: tuple[str, ...]
    times: int = 1


def failure(case: Case, result: Result, observation: Observation | None) -> Failure:
    """Return what is to be kept of `case`, which failed; all text in it that an engine supplied is escaped."""
    return Failure(
        case=case,
        result=result,
        clause=home_clause(case, result),
        findings=tuple(_shown(case, finding, observation) for finding in result.findings),
        last_words=_last_words(result, observation),
    )


def again(earlier: Failure) -> Failure:
    """Return `earlier` as failed once more."""
    return replace(earlier, times=earlier.times + 1)


def home_clause(case: Case, result: Result) -> str:
    """Return the clause under which the case is shown: the one it is about where it broke that, else a must it broke.

    Where it broke no must either, it is the first of all that it broke.
    """
    broken = broken_by(case, result)
    if case.clauses[0] in broken:
        return case.clauses[0]
    levels = clause_levels()
    return next((clause for clause in broken if levels[clause] == "must"), broken[0])


def _shown(case: Case, finding: Finding, observation: Observation | None) -> ShownFinding:
    path = finding.path or _read_before(case, finding)
    given = next((item for item in case.setup if item.path == path), None)
    left = observation.files.get(path) if observation is not None and finding.path else None
    name = shown_text(path)
    if given is not None and given.link_to is not None:
        source = f"{name}: a hard link made by the case to {shown_text(given.link_to)} as it was before the session"
        return _cut_out(finding, source, left) if left is not None else ShownFinding(finding, source, ())
    if left is not None:
        unchanged = given is not None and given.data == left
        return _cut_out(finding, f"{name}: as the case made it, unchanged" if unchanged else f"wrote {name}", left)
    if given is None or given.data is None:
        return ShownFinding(finding, f"{name}: an empty folder made by the case" if given is not None else "", ())
    return _cut_out(finding, f"was given {name}", given.data)


def _cut_out(finding: Finding, source: str, data: bytes) -> ShownFinding:
    source += "" if data else ", zero bytes"
    return ShownFinding(finding, source, excerpt(data, finding.line, finding.column, finding.width, _ROOM))


def _read_before(case: Case, finding: Finding) -> str:
    """Return the path of the file that was read last before a wrong answer, which the answer is about; "" for none."""
    if finding.step is not None:
        for step in reversed(case.steps[: finding.step + 1]):
            verb, _, argument = step.partition(" ")
            if verb in {"load", "trust", "pairs"}:
                return argument.split(" ")[0]
    return ""


def _last_words(result: Result, observation: Observation | None) -> tuple[str, ...]:
    """Return the first and the last lines of standard error: what went wrong first, and what it ended with."""
    if observation is None or result.status is Status.FAIL:
        return ()
    lines = [cut(shown_bytes(text), _ROOM) for text in observation.stderr.splitlines() if text.strip()]
    left_out = len(lines) - 2 * _WORDS
    if left_out <= 1:
        return tuple(lines)
    return (*lines[:_WORDS], f"... {left_out} more lines ...", *lines[-_WORDS:])

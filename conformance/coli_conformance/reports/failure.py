"""What is kept of a failing case: enough to show it, cut out while its files are still at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import coli_spec
from coli_conformance.case import Case
from coli_conformance.escape import cut, shown_bytes, shown_text
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.reports.excerpt import ShownLine, excerpt

_ROOM = 92
_LAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding with the lines it is about; `source` says whose they are, such as `wrote .coli_usage`, or is empty."""

    finding: Finding
    source: str
    lines: tuple[ShownLine, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A failing case. `clause` is the one it is shown under; `last_words` the end of standard error where that matters.

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
        clause=main_clause(case, result),
        findings=tuple(_shown(case, finding, observation) for finding in result.findings),
        last_words=_last_words(result, observation),
    )


def again(earlier: Failure) -> Failure:
    """Return `earlier` as failed once more."""
    return replace(earlier, times=earlier.times + 1)


def main_clause(case: Case, result: Result) -> str:
    """Return the clause under which the case is shown: the first must it broke, else the first of all it broke."""
    levels = {clause.id: clause.level for clause in coli_spec.load().clauses}
    broken = result.broken or case.clauses
    return next((clause for clause in broken if levels[clause] == "must"), broken[0])


def _shown(case: Case, finding: Finding, observation: Observation | None) -> ShownFinding:
    verb, path = _about(case, finding, observation)
    data: bytes | None = None
    if verb == "wrote" and observation is not None:
        data = observation.files.get(path)
    elif path:
        data = next((item.data for item in case.setup if item.path == path), None)
    if data is None:
        return ShownFinding(finding, "", ())
    source = f"{verb} {shown_text(path)}" + ("" if data else ", zero bytes")
    return ShownFinding(finding, source, excerpt(data, finding.line, finding.column, finding.width, _ROOM))


def _about(case: Case, finding: Finding, observation: Observation | None) -> tuple[str, str]:
    """Return `wrote` or `was given`, and the path of the file that the finding is about, or "" for none."""
    if finding.path:
        written = observation is not None and finding.path in observation.files
        return ("wrote" if written else "was given"), finding.path
    if finding.step is None:
        return "", ""
    # A wrong answer is about the file read last before it.
    for step in reversed(case.steps[: finding.step + 1]):
        verb, _, argument = step.partition(" ")
        if verb in {"load", "trust", "pairs"}:
            return "was given", argument.split(" ")[0]
    return "", ""


def _last_words(result: Result, observation: Observation | None) -> tuple[str, ...]:
    if observation is None or result.status is Status.FAIL:
        return ()
    lines = [text for text in observation.stderr[-4096:].splitlines() if text.strip()]
    return tuple(cut(shown_bytes(text), _ROOM) for text in lines[-_LAST_WORDS:])

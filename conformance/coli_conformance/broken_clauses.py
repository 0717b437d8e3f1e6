"""Which clauses a failed result speaks against: the one reading of `Result.broken` that score and reports share."""

from __future__ import annotations

import coli_spec
from coli_conformance.case import Case
from coli_conformance.judge.verdict import Result, Status


def broken_by(case: Case, result: Result) -> tuple[str, ...]:
    """Return the clauses that `result`, in which `case` failed, speaks against; the case's first where it names none.

    A may clause is one of them only where nothing else was broken: elsewhere its behaviours say nothing.
    """
    levels = clause_levels()
    above_may = tuple(clause for clause in result.broken if levels[clause] != "may")
    return above_may or result.broken or case.clauses[:1]


def breaks_a_must(result: Result) -> bool:
    """Tell whether `result` counts as a must whatever the level of its case."""
    levels = clause_levels()
    return result.status is Status.CRASH or any(levels[clause] == "must" for clause in result.broken)


def clause_levels() -> dict[str, str]:
    """Return the level of each clause, in the declared order."""
    return {clause.id: clause.level for clause in coli_spec.load().clauses}

"""The kill matrix: which faulty engine is shown by which cases, and which clauses it reddens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import coli_spec
from coli_conformance import faults
from coli_conformance.case import Case
from coli_conformance.selftest.play import Played, is_large


@dataclass(frozen=True, slots=True)
class Row:
    """One fault in the matrix.

    `clause` is the one it is about, `shown_by` the cases about that clause that saw it broken, `of` how many cases
    about it there are, large ones counted where they were played. `also_red` are the other clauses that any case saw
    broken, in the declared order; `promised` those that the fault declares beside the first.
    """

    fault: str
    wrong: str
    clause: str
    shown_by: tuple[str, ...]
    of: int
    also_red: tuple[str, ...]
    promised: tuple[str, ...]


def rows(played: Sequence[Played], cases: Sequence[Case]) -> tuple[Row, ...]:
    """Return a row for each fault played, by clause in the declared order, then by name."""
    declared = [clause.id for clause in coli_spec.load().clauses]
    by_id = {case.id: case for case in cases}
    made = [_row(one, by_id, declared) for one in played]
    return tuple(sorted(made, key=lambda row: (declared.index(row.clause), row.fault)))


def _row(played: Played, cases: Mapping[str, Case], declared: Sequence[str]) -> Row:
    fault = faults.fault(played.name)
    first, *others = faults.breaks(fault)
    about = [case for case in cases.values() if case.clauses[0] == first and (played.with_large or not is_large(case))]
    red = {clause for broken in played.broken.values() for clause in broken}
    return Row(
        fault=played.name,
        wrong=fault.__doc__ or "",
        clause=first,
        shown_by=tuple(case.id for case in about if first in played.broken.get(case.id, ())),
        of=len(about),
        also_red=tuple(clause for clause in declared if clause in red and clause != first),
        promised=tuple(others),
    )

"""The kill matrix and the verdict on the corpus as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import coli_spec
from coli_conformance.case import Case
from coli_conformance.reports.lines import Line, line, wrapped
from coli_conformance.selftest.adequacy import EXEMPT
from coli_conformance.selftest.matrix import Row
from coli_conformance.selftest.play import LARGE_ENGINE, LARGE_INPUT

_NAME_WIDTH = 46


def matrix_lines(rows: Sequence[Row], width: int) -> Iterator[Line]:
    """Yield the matrix by clause: each fault with how many cases about the clause saw it and what else was red."""
    for clause in coli_spec.load().clauses:
        about = [row for row in rows if row.clause == clause.id]
        if not about:
            continue
        yield line()
        yield line((clause.id, "id"), f"  {clause.level:<6}  {clause.area.title}")
        for row in about:
            shown = f"{len(row.shown_by)} of {row.of}"
            also = f"  also {' '.join(row.also_red)}" if row.also_red else ""
            yield from _hung(f"  {row.fault:<{_NAME_WIDTH}} ", (shown, "" if row.shown_by else "bad"), also, width)
            yield from wrapped(row.wrong, width, "      ", "faint")


def shown_lines(rows: Sequence[Row], width: int) -> Iterator[Line]:
    """Yield, for a few faults looked at alone, the cases about their clause that showed them."""
    for row in rows:
        yield line()
        yield line((row.fault, "id"), f"  is shown by {len(row.shown_by)} of {row.of} cases about {row.clause}")
        yield from wrapped("  ".join(row.shown_by), width, "  ")


def verdict_lines(
    rows: Sequence[Row], cases: Sequence[Case], problems: Sequence[str], not_asked: dict[str, str], width: int
) -> Iterator[Line]:
    """Yield what was left out and why, then the verdict: adequate, or each thing that is missing."""
    yield line()
    left_out = [f"{name}: {reason}" for name, reason in (EXEMPT | not_asked).items()]
    yield from wrapped(f"Not held to have cases and faults: {'; '.join(left_out)}.", width)
    yield from wrapped(
        f"A case was played against a fault only where it reaches a step that the fault replaces. Cases of more than "
        f"{LARGE_INPUT:,} bytes of input or {LARGE_ENGINE:,} counters were left out for faults that others show.",
        width,
    )
    yield line()
    for problem in problems:
        yield from wrapped(f"inadequate: {problem}", width, "  ", "bad")
    shown = sum(bool(row.shown_by) for row in rows)
    text = f"{shown} of {len(rows)} faults are shown by the {len(cases)} cases"
    if problems:
        many = "one thing is" if len(problems) == 1 else f"{len(problems)} things are"
        yield from wrapped(f"inadequate: {text}, and {many} missing.", width, meaning="bad")
    else:
        yield from wrapped(f"adequate: {text}, the sound engine passes them all, the control fault is caught.", width)


def _hung(head: str, shown: tuple[str, str], also: str, width: int) -> Iterator[Line]:
    """Yield one line, or two where the clauses at its end do not fit."""
    if len(head) + len(shown[0]) + len(also) <= width:
        yield line(head, shown, (also, "faint"))
        return
    yield line(head, shown)
    yield from wrapped(also.strip(), width, "      ", "faint")

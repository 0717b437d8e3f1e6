"""Versions of one engine side by side: what each writes and reads, and in which one something first broke.

What a version reads is judged by sound files alone: a file that breaks the contract says nothing about its reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coli_conformance.matrix.cells import Cell, CellStatus, Engine, Matrix, worst

Side = Literal["writes", "reads"]


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One scenario of one family on one side; `statuses` stand in the order of the family's versions.

    `first_broken` names each version in which something broke that has partners (readers of what it writes, writers of
    what it reads) for which no earlier version failed, with those partners; "every version" stands for a partner with
    which none passes.
    """

    scenario: str
    side: Side
    statuses: tuple[CellStatus, ...]
    first_broken: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Family:
    """The versions of one engine, in the order they are listed, and a row for each scenario they take part in."""

    name: str
    versions: tuple[str, ...]
    rows: tuple[VersionRow, ...]


EVERY_VERSION = "every version"


def families(matrix: Matrix) -> tuple[Family, ...]:
    """Return each family of two versions or more, in the order in which they are listed."""
    names = dict.fromkeys(engine.family for engine in matrix.engines if engine.family is not None)
    found = []
    for name in names:
        members = [engine for engine in matrix.engines if engine.family == name]
        if len(members) > 1:
            versions = tuple(engine.version or engine.name for engine in members)
            found.append(Family(name, versions, tuple(_rows(matrix, members, versions))))
    return tuple(found)


def _rows(matrix: Matrix, members: Sequence[Engine], versions: tuple[str, ...]) -> Iterator[VersionRow]:
    sides: tuple[tuple[Side, Callable[[Cell], str], Callable[[Cell], str]], ...] = (
        ("writes", lambda cell: cell.writer, lambda cell: cell.reader),
        ("reads", lambda cell: cell.reader, lambda cell: cell.writer),
    )
    for side, own, partner_of in sides:
        for scenario, _ in matrix.scenarios:
            by_version: list[dict[str, CellStatus]] = [
                {
                    partner_of(cell): cell.status
                    for cell in matrix.cells
                    if cell.scenario == scenario
                    and own(cell) == engine.name
                    and not (side == "reads" and cell.written.breaches)
                }
                for engine in members
            ]
            statuses = tuple(worst(cells.values()) for cells in by_version)
            if set(statuses) != {CellStatus.UNSUPPORTED}:
                yield VersionRow(scenario, side, statuses, _first_broken(by_version, versions))


def _first_broken(
    by_version: Sequence[dict[str, CellStatus]], versions: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    broken: dict[str, list[str]] = {}
    for partner in dict.fromkeys(partner for cells in by_version for partner in cells):
        seen = [cells.get(partner, CellStatus.UNSUPPORTED) for cells in by_version]
        if CellStatus.FAIL in seen:
            where = versions[seen.index(CellStatus.FAIL)] if CellStatus.PASS in seen else EVERY_VERSION
            broken.setdefault(where, []).append(partner)
    order = (*versions, EVERY_VERSION)
    return tuple((where, tuple(broken[where])) for where in sorted(broken, key=order.index))

"""The two guards that shipped behind the loop: which records get past them, at given dimensions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coli_conformance.case import Record
from coli_conformance.compat.sound_reading import SoundReading
from coli_reference.history import DIMENSIONS
from coli_spec.model import Dimensions

GUARDS = {
    "bounds": "layer and expert bounds checked",
    "rows": "layer bound implied by a row's absence",
}
"""Each guard in words."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The reader's own dimensions, where they are known from, and the layers for which it has a row."""

    dimensions: Dimensions
    source: str
    rows: frozenset[int]


def shape_of(meant: SoundReading, asked: Dimensions | None) -> Shape | None:
    """Return the shape of the reader that a file is meant for; None where nothing says it.

    The dimensions are `asked`, else those of the file's first -1 record, else the smallest that hold every record
    meant. No history names the rows that were dropped: a reader is taken to have a row where the file credits one.
    """
    rows = frozenset(layer for layer, _, _ in meant.credited)
    if asked is not None:
        return Shape(asked, "as given", rows)
    declared = next((record for record in meant.records if record[0] == DIMENSIONS), None)
    if declared is not None:
        return Shape(Dimensions(*declared[1:]), "declared by its -1 record", rows)
    if not rows:
        return None
    most = Dimensions(max(rows), max(expert for _, expert, _ in meant.credited) + 1)
    return Shape(most, "the smallest that hold what is meant", rows)


def admitted(records: Iterable[Record], guard: str, shape: Shape) -> list[Record]:
    """Return the records that get past a guard, a key of GUARDS, and into the counters (R10)."""
    sizes = shape.dimensions
    past = []
    for record in records:
        layer, expert, _ = record
        has_row = layer in shape.rows if guard == "rows" else layer <= sizes.n_layers
        if layer >= 0 and has_row and 0 <= expert < sizes.n_experts:
            past.append(record)
    return past

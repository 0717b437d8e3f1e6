"""What a save by an older build erases, shown by doing it: load with the old loop, save as it did (G06, W25)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import coli_spec
from coli_conformance.case import Record as Triple
from coli_conformance.compat.guards import Shape, admitted
from coli_conformance.compat.sound_reading import SoundReading
from coli_reference import old_reader
from coli_reference.history import DIMENSIONS, IDENTITY, Record, header_records, render

_COUNTER_VALUES = 1 << 32
"""So many values has the uint32 of an old counter: past the last it starts again at 0."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A history as a build of one period saves it over one that it loaded.

    `builds` says which build in words. `erased` are the records, by line number of the old file, that are not in the
    new one; `added` those of the new one that were not in the old.
    """

    builds: str
    data: bytes
    erased: tuple[tuple[int, Triple], ...]
    added: tuple[Triple, ...]


def unknown_to_older_builds(meant: SoundReading) -> tuple[tuple[int, Triple], ...]:
    """Return the header records beyond -1 and -2, each with its line number."""
    known = (DIMENSIONS, IDENTITY)
    return tuple((line, record) for line, record in meant.by_line.items() if record[0] < 0 and record[0] not in known)


def load_and_save(data: bytes, meant: SoundReading, shape: Shape | None, engine_id: int | None) -> tuple[Saved, ...]:
    """Return what becomes of a history when a build from before the header, or a later one, loads and saves it.

    The later one writes the two agreed header records; it is left out where its `engine_id` is not known (None). No
    shape is that of a file that means no data.
    """
    counters: Counter[tuple[int, int]] = Counter()
    if shape is not None:
        for layer, expert, count in admitted(old_reader.records(data), "bounds", shape):
            counters[layer, expert] += count
    kept = (Record(layer, expert, count % _COUNTER_VALUES) for (layer, expert), count in sorted(counters.items()))
    records = [record for record in kept if record.third != 0]
    saved = [_saved("a build from before the header", records, meant)]
    if engine_id is not None:
        header = []
        if shape is not None and records:
            sizes = (shape.dimensions.n_layers, shape.dimensions.n_experts)
            header = header_records(sizes, coli_spec.load().format_version, engine_id)
        saved.append(_saved("a build that writes records -1 and -2 alone", [*header, *records], meant))
    return tuple(saved)


def _saved(builds: str, records: list[Record], meant: SoundReading) -> Saved:
    after: Counter[Triple] = Counter(records)
    erased = []
    for line, record in meant.by_line.items():
        if after[record]:
            after[record] -= 1
        else:
            erased.append((line, record))
    return Saved(builds, render(records), tuple(erased), tuple(sorted(after.elements())))

"""What a reader does with numbers outside the field ranges: never another number (R21)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import header, inside, render, slug
from coli_conformance.corpus.reader_outcomes import REFUSED, Reading, case_of_readings
from coli_conformance.corpus.target import Target

_TURN = 1 << 32
"""What a number wraps by where it is stored in 32 bits."""
_PATH = ".coli_usage"


def _shifted(record: Record, position: int, by: int) -> Record:
    """Return `record` with `by` added to the field at index `position`."""
    first, second, third = (value + (by if index == position else 0) for index, value in enumerate(record))
    return first, second, third


def r21_count_out_of_range(target: Target) -> Iterator[Case]:
    """R21: a count outside 0..4294967295 is refused, ends the reading, is skipped or saturates, and never wraps."""
    field = coli_spec.load().fields[2]
    good = inside(target, (0, 1, 5))
    for count in field.beyond():
        bad = inside(target, (0, 0, count))
        if bad[0][:2] == good[0][:2]:
            continue
        legal = [[REFUSED], [Reading()], [Reading(good)]]
        if count > field.maximum:
            saturated = inside(target, (0, 0, field.maximum))
            legal += [[Reading((*saturated, *good))], [Reading((*bad, *good))]]
        yield case_of_readings(
            target,
            f"R21-count-{slug(count)}",
            "Wrapped at 32 bits, a count becomes another number; kept exactly, or at the largest count, it does not.",
            {_PATH: render((*bad, *good))},
            [("", readings) for readings in legal],
        )


def r21_layer_or_expert_out_of_range(target: Target) -> Iterator[Case]:
    """R21: a layer or expert outside int32 is never credited to one of the engine's own."""
    good = inside(target, (0, 1, 5))
    alias = (0, 0, 7)
    if target.n_experts == 1:
        return
    ends = (coli_spec.load().fields[0].maximum, coli_spec.load().fields[0].minimum)
    for position, name in enumerate(("layer", "expert")):
        for turn in (_TURN, -_TURN, 1 << 64, -(1 << 64)):
            bad = _shifted(alias, position, turn)
            legal = [[REFUSED], [Reading()], [Reading(good)]]
            # A reader without bounds has somewhere to put them: as they are, or at the end of the range.
            if bad[0] >= 0:
                saturated = _shifted(bad, position, ends[turn < 0] - bad[position])
                legal += [[Reading((bad, *good))], [Reading((saturated, *good))]]
            yield case_of_readings(
                target,
                f"R21-{name}-{slug(bad[position])}",
                f"Wrapped at 32 bits this is {name} {alias[position]}, which never had the count.",
                {_PATH: render((bad, *good))},
                [("", readings) for readings in legal],
            )


def r21_header_out_of_range(target: Target) -> Iterator[Case]:
    """R21: a number in the header that wraps to the right value is not taken for it.

    One file can be read for good reasons, its line being skipped. So there are two: one whose number would wrap to a
    wrong value, and then one whose number would wrap to the right value. Only a reader that wraps treats them unlike.
    """
    dimensions, identity = header(target)
    records = {
        "first-field": (dimensions, 0, -_TURN),
        "n_layers": (dimensions, 1, _TURN),
        "n_experts": (dimensions, 2, _TURN),
        "version": (identity, 1, _TURN),
        "id": (identity, 2, _TURN),
        "id-negative": (identity, 2, -_TURN),
        "id-64-bits": (identity, 2, 1 << 64),
    }
    for name, (record, position, turn) in records.items():
        data = inside(target, (3, 2, 5))
        right = _shifted(record, position, turn)
        # The first field's wrong value would be another record type, so there the dimensions are wrong instead.
        wrong = _shifted(right, 2 if position == 0 else position, 1)
        in_front = (dimensions,) if record == identity else ()
        yield case_of_readings(
            target,
            f"R21-{name}-{slug(right[position])}",
            "A reader that refuses the first file and reads the second has wrapped a number into the right one.",
            {
                "wrong.txt": render((*in_front, wrong, *data)),
                "right.txt": render((*in_front, right, *data)),
            },
            [("", [reading, reading]) for reading in (REFUSED, Reading(), Reading(data))],
        )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r21_count_out_of_range,
    r21_layer_or_expert_out_of_range,
    r21_header_out_of_range,
)

"""What is said of one history: the table of differences, the totals, undefined fields, what an older save erases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import coli_spec
from coli_conformance.case import Record
from coli_conformance.compat.dense_block import DenseBlock
from coli_conformance.compat.examined import Examined, Reading
from coli_conformance.compat.guards import GUARDS, admitted
from coli_conformance.compat.older_save import Saved
from coli_conformance.compat.recovery import Difference, Kind
from coli_conformance.compat.sound_reading import credits_something, shown, total
from coli_conformance.compat.table import table_lines
from coli_conformance.escape import cut, shown_text
from coli_conformance.reports.lines import Line, line, wrapped

_INDENT = "  "
_SHOWN_FIELDS = 4
_SHOWN_ERASED = 6
_FIELD_ROOM = 40


def history_lines(name: str, examined: Examined, width: int) -> Iterator[Line]:
    """Yield everything there is to say of the history called `name`; one line where all readers recover it."""
    sum_ = _sum(examined.meant.credited)
    if not any(reading.recovery.differences for reading in examined.readings):
        text = f"{shown_text(name)}: every old reader recovers what is meant, {sum_}"
        yield line((text, "" if examined.undefined else "good"))
    else:
        yield line(
            (shown_text(name), "id"), f": {sum_}, by its lines" if examined.meant.credited else ": no line means data"
        )
    shown_before: set[tuple[Difference, ...]] = set()
    for reading in examined.readings:
        yield from _reading_lines(examined, reading, shown_before, width)
    yield from undefined_lines(examined, width)
    yield from erased_lines(examined.saved, width)


def _reading_lines(
    examined: Examined, reading: Reading, shown_before: set[tuple[Difference, ...]], width: int
) -> Iterator[Line]:
    """Yield the table and the totals of one group; no second table for the same differences on defined ground."""
    recovery = reading.recovery
    if not recovery.differences:
        return
    everyone = len(examined.readings) == 1
    readers = "every old reader" if everyone else ", ".join(reading.outcome.readers)
    key = recovery.defined_differences
    if key not in shown_before:
        yield line()
        yield from table_lines(examined, reading, "every old reader sees" if everyone else "an old reader sees")
    shown_before.add(key)
    yield line()
    recovered = [record for record in reading.outcome.records if credits_something(record)]
    counts = Counter(difference.kind for difference in recovery.differences)
    kinds = ", ".join(
        f"{counts[kind]} {kind.value}" for kind in (Kind.INVENTED, Kind.CHANGED, Kind.LOST) if counts[kind]
    )
    open_ = "" if recovery.defined_differences else " (all of it where C leaves the outcome undefined)"
    yield from wrapped(f"{readers}: recovered {_sum(recovered)}; {kinds}{open_}", width, _INDENT)
    yield from _guard_lines(examined, recovered, width)


def _guard_lines(examined: Examined, recovered: Sequence[Record], width: int) -> Iterator[Line]:
    shape = examined.shape
    if shape is None:
        yield from wrapped(
            "No dimensions are known, so no guard is applied; give them with --dims.", width, _INDENT * 2
        )
        return
    where = {
        "bounds": f"{shape.dimensions.text}, {shape.source}",
        "rows": "a row where the file means data",
    }
    for guard, words in GUARDS.items():
        past = admitted(recovered, guard, shape)
        owed = admitted(examined.meant.credited, guard, shape)
        verdict = "as meant" if Counter(past) == Counter(owed) else f"meant {_sum(owed)}"
        yield from wrapped(f"{words} ({where[guard]}): credited {_sum(past)}; {verdict}", width, _INDENT * 2)


def undefined_lines(examined: Examined, width: int) -> Iterator[Line]:
    """Yield, for the first fields outside their C type, what the readers were measured to make of them."""
    if not examined.undefined:
        return
    types = coli_spec.load().fields
    lines = {
        index: read.first_line for index, read in enumerate(examined.readings[0].recovery.reads) if not read.defined
    }
    yield line()
    for field in examined.undefined[:_SHOWN_FIELDS]:
        what = f"undefined: line {lines[field.record]}, field {field.position}: {cut(field.text, _FIELD_ROOM)}"
        yield from wrapped(
            f"{what} does not fit {types[field.position - 1].name}; C leaves open what becomes of it. Measured:",
            width,
            _INDENT,
        )
        seen: dict[int, list[str]] = {}
        for reading in examined.readings:
            value = reading.outcome.records[field.record][field.position - 1]
            seen.setdefault(value, []).extend(reading.outcome.readers)
        for value, readers in seen.items():
            yield from wrapped(f"{value:>11}  {', '.join(readers)}", width, _INDENT * 2)
    if (left := len(examined.undefined) - _SHOWN_FIELDS) > 0:
        yield line(_INDENT, f"and {left} more such field{'s' if left > 1 else ''}")


def erased_lines(saved: Sequence[Saved], width: int) -> Iterator[Line]:
    """Yield what became of the history when an older build loaded and saved it, as a difference of records."""
    for save in saved:
        yield line()
        kept = save.data.count(b"\n")
        size = "zero bytes" if not kept else "1 record" if kept == 1 else f"{kept} records"
        yield from wrapped(f"erased by a load and a save of {save.builds}, which leaves {size}:", width, _INDENT)
        for number, record in save.erased[:_SHOWN_ERASED]:
            yield line(_INDENT * 2, (f"{number:>5} ", "faint"), (f"- {shown(record)}", "weak"))
        if (left := len(save.erased) - _SHOWN_ERASED) > 0:
            yield line(_INDENT * 2, f"      and {left} more")
        for record in save.added[:_SHOWN_ERASED]:
            yield line(_INDENT * 2, "      ", f"+ {shown(record)}")
        if (left := len(save.added) - _SHOWN_ERASED) > 0:
            yield line(_INDENT * 2, f"      and {left} more")


def _sum(records: Sequence[Record]) -> str:
    number = f"{len(records)} record" + ("" if len(records) == 1 else "s")
    return f"{number}, total {total(records)}" if records else number


def dense_lines(name: str, block: DenseBlock, width: int) -> Iterator[Line]:
    """Yield what there is to say of an IKU1 file."""
    if block.broken is not None:
        text = f"IKU1, inkling's binary layout, and broken: {block.broken}. Every old reader recovers no record of it."
    elif not block.counters:
        text = "IKU1, inkling's binary layout, without a count: no old reader loses anything by recovering no record."
    else:
        text = (
            f"IKU1, inkling's binary layout, {block.counters} counters, total {block.total}: every old reader "
            "recovers no record, in silence, and starts as if there were no history."
        )
    yield from wrapped(f"{shown_text(name)}: {text}", width)

"""A record type on the terminal: everything that is declared about it."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.reports.lines import Line, line, wrapped
from coli_spec.model import Field, RecordType

_INDENT = " " * 15


def record_lines(record: RecordType, width: int) -> Iterator[Line]:
    """Yield the record type: what it is for, its fields with ranges and packing, and what is lost without it."""
    number = "" if record.number is None else f"{record.number} "
    since = "" if record.since is None else f", its cases since corpus {record.since}"
    yield line((f"{number}{record.name}", "id"), f"  {record.status}{since}")
    yield from wrapped(record.purpose, width, "  ")
    for field in record.fields:
        yield line()
        yield from _field(field, width)
    yield line()
    yield from _labelled("placement", record.placement, width)
    yield from _labelled("how many", record.multiplicity, width)
    if record.most is not None:
        yield from _labelled("at most", record.most.text, width)
    yield from _labelled("skipped", record.loss, width)
    if record.erased is not None:
        yield from _labelled("erased", record.erased, width)
    if record.writers or record.readers:
        yield from _labelled("written by", "; ".join(record.writers), width)
        yield from _labelled("read by", "; ".join(record.readers), width)


def _field(field: Field, width: int) -> Iterator[Line]:
    yield line(f"  field {field.position}  ", (field.name, "id"), (f"  {field.type.name}", "faint"))
    yield from wrapped(field.meaning, width, " " * 11)
    if field.declared is None:
        return
    yield from wrapped(f"from {field.declared.minimum.text} to {field.declared.maximum.text}", width, " " * 11)
    packing = field.declared.packing
    if packing is not None:
        parts = ", ".join(f"{part.name} {part.minimum.text}..{part.maximum.text}" for part in packing.parts)
        yield from wrapped(f"packed: {packing.formula.text}, with {parts}", width, " " * 11)


def _labelled(label: str, text: str, width: int) -> Iterator[Line]:
    for number, content in enumerate(wrapped(text, width, _INDENT)):
        yield line("  ", (f"{label:<13}", "faint"), content[1]) if not number else content

"""The entry of a record type in records.yaml, as text that the loader reads back as the same record type."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from coli_spec.formula import Formula
from coli_spec.model import Field, RecordType

_WIDTH = 110


def text(record: RecordType) -> str:
    """Return the entry, a blank line before it, to stand at the end of the list of records."""
    return "\n" + "".join(f"{line}\n" for line in _lines(record))


def _lines(record: RecordType) -> Iterator[str]:
    yield f"  - number: {record.number}"
    yield f"    name: {record.name}"
    yield "    fields:"
    for field in record.fields:
        yield from _field(field)
    yield from _folded("    placement:", record.placement)
    yield from _folded("    multiplicity:", record.multiplicity)
    if record.most is not None:
        yield _inline("    most:", record.most)
    yield f"    status: {record.status}"
    if record.since is not None:
        yield f"    since: {record.since}"
    yield from _folded("    purpose:", record.purpose)
    yield from _folded("    loss:", record.loss)
    if record.erased is not None:
        yield from _folded("    erased:", record.erased)
    for key, names in (("writers", record.writers), ("readers", record.readers)):
        if names:
            yield f"    {key}:"
            for name in names:
                yield from _folded("      -", name)


def _field(field: Field) -> Iterator[str]:
    yield f"      - name: {field.name}"
    yield from _folded("        meaning:", field.meaning)
    if field.declared is None:
        return
    yield _inline("        minimum:", field.declared.minimum)
    yield _inline("        maximum:", field.declared.maximum)
    packing = field.declared.packing
    if packing is None:
        return
    yield _inline("        formula:", packing.formula)
    yield "        parts:"
    for part in packing.parts:
        yield f"          - name: {part.name}"
        yield _inline("            minimum:", part.minimum)
        yield _inline("            maximum:", part.maximum)


def _inline(head: str, formula: Formula) -> str:
    """Return a key with a formula, in quotes where it begins with a minus, which YAML might take for a list."""
    return f"{head} '{formula.text}'" if formula.text.startswith("-") else f"{head} {formula.text}"


def _folded(head: str, content: str) -> Iterator[str]:
    """Yield a key with its text in a folded block, in which no character of the text means anything to YAML."""
    yield f"{head} >-"
    indent = " " * (len(head) - len(head.lstrip(" ")) + 2)
    yield from textwrap.wrap(
        content,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

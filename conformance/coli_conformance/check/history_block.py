"""A block of data records at once, where every line is the canonical one of the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from coli_conformance.check.declared_lines import NumberForm, number_form, separator, symbols
from coli_conformance.check.digits import MOST_DIGITS, Bools, Bytes, Integers, numbers

_GRAMMAR = "history"


@dataclass(frozen=True, slots=True)
class DataBlock:
    """The records of a block, a layer, an expert and a count each; `crlf` says that line ends are CRLF."""

    layers: Integers
    experts: Integers
    counts: Integers
    crlf: bool

    @property
    def lines(self) -> int:
        """How many lines the block has."""
        return len(self.layers)


@cache
def _declared() -> tuple[tuple[NumberForm, int], ...]:
    """Return the form of each number of a data record, and the byte that ends it."""
    names = symbols(_GRAMMAR, "data_record")
    return tuple(
        (number_form(_GRAMMAR, number), separator(_GRAMMAR, end))
        for number, end in zip(names[::2], names[1::2], strict=True)
    )


def parse(data: bytes) -> DataBlock | None:
    """Return the records of whole lines, or None where any line is not a canonical data record or ends in CRLF.

    A block in which every line ends in CRLF is read as well. Ranges are not judged, but for numbers of more than 18
    digits, which are None.
    """
    if b"\r" in data:
        unix = data.replace(b"\r\n", b"\n")
        if len(data) - len(unix) != unix.count(b"\n"):
            return None
        return _parsed(unix, crlf=True)
    return _parsed(data, crlf=False)


def _parsed(data: bytes, *, crlf: bool) -> DataBlock | None:
    text = np.frombuffer(data, np.uint8)
    declared = _declared()
    is_end = text < ord("0")
    ends = np.flatnonzero(is_end)
    if len(ends) % len(declared) or not len(ends) or text.max() > ord("9"):
        return None
    lengths = np.empty_like(ends)
    lengths[0] = ends[0]
    np.subtract(ends[1:], ends[:-1] + 1, out=lengths[1:])
    if lengths.min() < 1 or lengths.max() > MOST_DIGITS:
        return None
    if _is_padded(text, is_end) and not all(form.padded for form, _ in declared):
        return None
    columns = []
    for position, (form, end) in enumerate(declared):
        field_ends = np.ascontiguousarray(ends[position :: len(declared)])
        if not (text[field_ends] == end).all():
            return None
        values = numbers(text, field_ends, np.ascontiguousarray(lengths[position :: len(declared)]))
        if not form.zero and not values.all():
            return None
        columns.append(values)
    layers, experts, counts = columns
    return DataBlock(layers, experts, counts, crlf)


def _is_padded(text: Bytes, is_end: Bools) -> bool:
    """Tell whether some number has a 0 in front of other digits."""
    is_zero = text == ord("0")
    if is_zero[0] and not is_end[1]:
        return True
    return bool((is_end[:-2] & is_zero[1:-1] & ~is_end[2:]).any())

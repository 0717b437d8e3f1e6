"""A block of trace lines at once, where every line has the grammar, and no expert twice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from coli_conformance.check.declared_lines import decimal_form, number_form, separator
from coli_conformance.check.digits import MOST_DIGITS, Bools, Bytes, Integers, numbers

_GRAMMAR = "trace"
_HEAD = ("CALL", "ROW", "LAYER")
_LF, _SP, _COLON, _POINT, _MINUS, _OTHER = range(6)
_KINDS = 6
_NEVER = 1 << 30
_LARGEST_GATE_DIGITS = 38
"""So many digits before the point are finite as a 32-bit float whatever they are."""


@dataclass(frozen=True, slots=True)
class TraceBlock:
    """The lines of a block: call, row, layer and number of experts of each, and all experts in the order of the file.

    `more_decimals` says that some gate has more decimals than the fewest a gate may have, `crlf` that all line ends are
    CRLF.
    """

    calls: Integers
    rows: Integers
    layers: Integers
    experts: Integers
    widths: Integers
    more_decimals: bool
    crlf: bool

    @property
    def lines(self) -> int:
        """How many lines the block has."""
        return len(self.calls)


@cache
def _kinds() -> Any:
    """Return the kind of every byte: which separator it is, if any."""
    kinds = np.full(256, _OTHER, np.int8)
    kinds[separator(_GRAMMAR, "LF")] = _LF
    kinds[separator(_GRAMMAR, "SP")] = _SP
    kinds[separator(_GRAMMAR, "COLON")] = _COLON
    kinds[ord(".")] = _POINT
    if decimal_form(_GRAMMAR, "GATE").signed:
        kinds[ord("-")] = _MINUS
    return kinds


@cache
def _fewest_digits() -> Any:
    """Return how many digits stand at least between a separator and the next, by kind * _KINDS + next kind.

    In front of a minus stands none at all: it begins a gate.
    """
    fewest = np.full((_KINDS, _KINDS), _NEVER, np.int64)
    fewest[_LF, _SP] = fewest[_SP, _SP] = fewest[_SP, _COLON] = 1
    fewest[_COLON, _POINT] = fewest[_MINUS, _POINT] = 1
    fewest[_COLON, _MINUS] = 0
    fewest[_POINT, _SP] = fewest[_POINT, _LF] = decimal_form(_GRAMMAR, "GATE").fewest_decimals
    return fewest.ravel()


def parse(data: bytes) -> TraceBlock | None:
    """Return the decisions of whole lines, or None where any line needs a look.

    A block in which every line ends in CRLF is read as well. A line needs a look where it has not the grammar, an
    expert twice, a number of more than 18 digits, or a gate that may not be finite. How calls and rows go on, and
    ranges, are not judged.
    """
    if b"\r" not in data:
        return _parsed(data, crlf=False)
    unix = data.replace(b"\r\n", b"\n")
    return _parsed(unix, crlf=True) if len(data) - len(unix) == unix.count(b"\n") else None


def _parsed(data: bytes, *, crlf: bool) -> TraceBlock | None:
    text = np.frombuffer(data, np.uint8)
    is_mark = (text - np.uint8(ord("0"))) > 9
    marks = np.flatnonzero(is_mark)
    kinds = _kinds()[text[marks]]
    before = np.empty_like(kinds)
    before[0], before[1:] = _LF, kinds[:-1]
    digits = np.empty_like(marks)
    digits[0] = marks[0]
    np.subtract(marks[1:], marks[:-1] + 1, out=digits[1:])
    steps = before * np.int8(_KINDS) + kinds
    if (digits < _fewest_digits()[steps]).any() or digits[kinds == _MINUS].any():
        return None
    line_ends = np.flatnonzero(kinds == _LF)
    begins = np.empty_like(line_ends)
    begins[0], begins[1:] = 0, line_ends[:-1] + 1
    two_blanks = steps == _SP * _KINDS + _SP
    if np.count_nonzero(two_blanks) != 2 * len(line_ends):
        return None
    if not (two_blanks[begins + 1].all() and two_blanks[begins + 2].all()):
        return None
    colons = np.flatnonzero(kinds == _COLON)
    if _has_padding(text, is_mark) or _is_too_long(digits, before):
        return None
    calls, rows, layers = (numbers(text, marks[begins + at], digits[begins + at]) for at in range(len(_HEAD)))
    experts = numbers(text, marks[colons], digits[colons])
    widths = np.diff(np.searchsorted(colons, line_ends), prepend=0)
    if _has_twice(experts, widths):
        return None
    more = ((before == _POINT) & (digits > decimal_form(_GRAMMAR, "GATE").fewest_decimals)).any()
    return TraceBlock(calls, rows, layers, experts, widths, bool(more), crlf)


def _has_padding(text: Bytes, is_mark: Bools) -> bool:
    """Tell whether a number begins with a 0 that is not all of it, which no terminal of the grammar allows."""
    if any(number_form(_GRAMMAR, name).padded for name in (*_HEAD, "EXPERT")):
        raise AssertionError("the grammar allows zeros in front of numbers, and this reader of blocks does not")
    is_zero = text == ord("0")
    if is_zero[0] and not is_mark[1]:
        return True
    begins = is_mark[:-2] & (text[:-2] != ord("."))
    return bool((begins & is_zero[1:-1] & ~is_mark[2:]).any())


def _is_too_long(digits: Integers, before: Any) -> bool:
    """Tell whether a number has too many digits for 64 bits, or a gate too many to be finite for certain."""
    if int(digits.max()) <= MOST_DIGITS:
        return False
    in_gate = (before == _COLON) | (before == _MINUS)
    decimal = before == _POINT
    return bool((digits[in_gate] > _LARGEST_GATE_DIGITS).any() or (digits[~in_gate & ~decimal] > MOST_DIGITS).any())


def _has_twice(experts: Integers, widths: Integers) -> bool:
    """Tell whether a line names an expert twice."""
    width = int(widths[0])
    if (widths == width).all():
        chosen = np.sort(experts.reshape(-1, width), axis=1)
        return bool((chosen[:, 1:] == chosen[:, :-1]).any())
    lines = np.repeat(np.arange(len(widths)), widths)
    order = np.lexsort((experts, lines))
    lines, experts = lines[order], experts[order]
    return bool(((lines[1:] == lines[:-1]) & (experts[1:] == experts[:-1])).any())

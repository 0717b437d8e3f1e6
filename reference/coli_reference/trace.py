"""The trace stream: routing decisions to lines, and a strict reader of the lines (T01-T12, C03)."""

import math
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

Choices = tuple[tuple[int, float], ...]

# 18 digits fit a 64-bit counter; longer texts are no number an engine could have counted to.
_NUMBER = rb"[0-9]{1,18}"
# The largest 32-bit float has 39 digits before the point.
_GATE = rb"-?[0-9]{1,39}\.[0-9]{4,18}"
_IS_NUMBER = re.compile(_NUMBER)
_IS_GATE = re.compile(_GATE)
_LINE = re.compile(rb"(%s) (%s) (%s)((?: %s:%s)+)\n" % (_NUMBER, _NUMBER, _NUMBER, _NUMBER, _GATE))
_FIELDS = ("call", "row", "layer")


def nearest_float32(gate: float) -> float:
    """Return the 32-bit float nearest to `gate`, which an engine applies; beyond its range, infinity."""
    try:
        (nearest,) = struct.unpack("<f", struct.pack("<f", gate))
    except OverflowError:
        return math.copysign(math.inf, gate)
    return float(nearest)


def is_finite(gate: float) -> bool:
    """Tell whether the gate, as a 32-bit float, is a number that may reach the trace (T12)."""
    return math.isfinite(nearest_float32(gate))


def line(call: int, row: int, layer: int, choices: Sequence[tuple[int, float]]) -> bytes:
    """Return the line of one decision; choices are (expert, finite gate) as selected (T01, T04-T06, T10).

    Python's formatting writes `.` whatever the locale (T09).
    """
    pairs = " ".join(f"{expert}:{nearest_float32(gate):.4f}" for expert, gate in choices)
    return f"{call} {row} {layer} {pairs}\n".encode("ascii")


class TraceWriter:
    """A trace file, opened anew (T10); each line is in the file when `write` returns.

    Opening and writing raise OSError when the path does not allow it (T11).
    """

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("wb")  # noqa: SIM115 - it stays open for as long as the engine runs

    def write(self, text: bytes) -> None:
        """Append one line."""
        self._file.write(text)
        self._file.flush()

    def close(self) -> None:
        """Close the file; what could not be written was reported by `write` already."""
        with suppress(OSError):
            self._file.close()


class TraceError(ValueError):
    """A trace that cannot be read; the text names the line and, where there is one, the column."""


class TraceRow(NamedTuple):
    """One line of a trace: choices are (expert, gate) in selection order."""

    call: int
    row: int
    layer: int
    choices: Choices


def _complaint(text: bytes) -> tuple[int, str]:
    """Return the column and the words for the first thing wrong with a line that does not fit the grammar."""
    fields = text.removesuffix(b"\n").split(b" ")
    column = 1
    for position, field in enumerate(fields):
        if position < len(_FIELDS):
            if not _IS_NUMBER.fullmatch(field):
                return column, f"the {_FIELDS[position]} is not a plain number of 0 or more"
        else:
            expert, colon, gate = field.partition(b":")
            if not _IS_NUMBER.fullmatch(expert):
                return column, "the expert id is not a plain number of 0 or more"
            if not colon:
                return column + len(expert), "the expert has no `:` and gate"
            if not _IS_GATE.fullmatch(gate):
                return column + len(expert) + 1, "the gate is not a decimal with four digits after the point"
        column += len(field) + 1
    if len(fields) <= len(_FIELDS):
        return column - 1, "the line ends before its first expert and gate"
    return column - 1, "the line has no line end; the trace was cut there"


def parse_line(text: bytes, number: int) -> TraceRow:
    """Return what line `number` (from 1, LF included) says; raise TraceError when it breaks T01 or T06."""
    found = _LINE.fullmatch(text)
    if found is None:
        column, complaint = _complaint(text)
        raise TraceError(f"line {number}, column {column}: {complaint} (T01); write the trace again")
    call, row, layer, pairs = found.groups()
    split = (pair.split(b":") for pair in pairs.split())
    choices = tuple((int(expert), float(gate)) for expert, gate in split)
    return TraceRow(int(call), int(row), int(layer), choices)


def read(lines: Iterable[bytes]) -> Iterator[TraceRow]:
    """Yield the rows of a trace in order, reading line by line; raise TraceError at a malformed one."""
    for number, text in enumerate(lines, start=1):
        yield parse_line(text, number)

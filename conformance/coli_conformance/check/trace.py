"""Checking a trace, line by line or block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coli_conformance.check import codes_trace as codes
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Level
from coli_conformance.check.finding import Finding, Place, in_line
from coli_conformance.check.scan import Checked
from coli_conformance.check.sniff import is_csv
from coli_conformance.check.source import Endless
from coli_conformance.check.trace_line import read
from coli_conformance.check.trace_state import TraceState

if TYPE_CHECKING:
    from coli_conformance.check.tally import Tally
    from coli_conformance.check.trace_block import TraceBlock

_LINES = 20
_FEWEST = 2


class TraceChecker:
    """What is known of a trace after some of its lines."""

    def __init__(self, asked: Asked, tally: Tally | None = None) -> None:
        self._tally = tally
        self.state = TraceState(asked.only_size)
        self._told_more_decimals = False
        self._told_crlf = False

    def parse(self, data: bytes) -> TraceBlock | None:
        """Return a block of sound lines, or None; see `scan.LineChecker`."""
        from coli_conformance.check.trace_block import parse  # noqa: PLC0415 - small files go without numpy

        return parse(data)

    def admit(self, parsed: TraceBlock) -> bool:
        """Take a block where all of it is sound; see `scan.LineChecker`."""
        untold = (parsed.more_decimals and not self._told_more_decimals) or (parsed.crlf and not self._told_crlf)
        if untold:
            return False
        if not self.state.admit_block(parsed):
            return False
        if self._tally is not None:
            self._tally.add_decisions(parsed)
        return True

    def line(self, content: bytes, number: int, *, ended: bool) -> Checked:
        """Take one line; see `scan.LineChecker`."""
        said = read(content, ended=ended, only=number == 1)
        places = sorted((*said.faults, *self.state.admit(said)), key=lambda place: place.column)
        self._told_crlf |= any(place.code is codes.TRACE_CRLF for place in places)
        self._told_more_decimals |= any(place.code is codes.TRACE_MORE_DECIMALS for place in places)
        wrong = [place.code for place in places if place.code is not codes.TRACE_CRLF]
        if self._tally is not None:
            self._tally.add_decision(said)
        keeps = ended and all(code.level is not Level.ERROR for code in wrong)
        kept = content.removesuffix(b"\r") + b"\n" if keeps else b""
        return Checked([in_line(place, number, content) for place in places], kept)

    def endless(self, line: Endless, number: int) -> Finding:
        """Take a line too long to be one; see `scan.LineChecker`."""
        sentence = f"a line of {line.length} bytes; a decision takes a few hundred"
        return in_line(Place(codes.TRACE_ENDLESS, 1, 1, sentence), number, line.head)

    def finish(self, lines: int, first_line: bytes) -> Iterator[Finding]:
        """Yield what is wrong with the whole, once all of its lines were taken."""
        del first_line
        if not lines:
            yield in_line(Place(codes.TRACE_EMPTY, 1, 1, "the trace is empty"), 1, b"")


def foreign(first: bytes) -> Finding | None:
    """Return the finding about a file of another tool, by its first bytes: no line has a gate.

    One line is enough where it is such CSV as a trace would be, else it takes several.
    """
    lines = [line for line in first.split(b"\n")[:_LINES] if line.strip()]
    if any(b":" in line for line in lines) or (len(lines) < _FEWEST and not any(map(is_csv, lines))):
        return None
    if all(b"," in line for line in lines):
        sentence = "values set apart by commas, as another tool writes them"
    elif all(len(line.split()) > _FEWEST and all(part.isdigit() for part in line.split()) for line in lines):
        sentence = "lines of integers without gates, such as `<layer> <expert> ...`, as another tool writes them"
    else:
        return None
    return in_line(Place(codes.FOREIGN_TRACE, 1, max(1, len(lines[0])), sentence), 1, lines[0])

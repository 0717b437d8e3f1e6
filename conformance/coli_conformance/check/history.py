"""Checking a text history, line by line or block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coli_conformance.check import codes_records, codes_text
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Code, Level
from coli_conformance.check.finding import Finding, Place, in_line
from coli_conformance.check.history_header import HeaderState
from coli_conformance.check.history_line import HistoryLine, read
from coli_conformance.check.history_records import RecordState
from coli_conformance.check.scan import Checked
from coli_conformance.check.source import Endless

if TYPE_CHECKING:
    from coli_conformance.check.history_block import DataBlock
    from coli_conformance.check.tally import Tally

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class HistoryChecker:
    """What is known of a history after some of its lines."""

    def __init__(self, asked: Asked, tally: Tally | None = None) -> None:
        self._tally = tally
        self.header = HeaderState(asked)
        self.records = RecordState()
        self._told_crlf = False
        self._suspicious = False

    def parse(self, data: bytes) -> DataBlock | None:
        """Return a block of canonical data records, or None; see `scan.LineChecker`."""
        from coli_conformance.check.history_block import parse  # noqa: PLC0415 - small files go without numpy

        return parse(data)

    def admit(self, parsed: DataBlock) -> bool:
        """Take a block where all of it is sound; see `scan.LineChecker`."""
        if parsed.crlf and not self._told_crlf:
            return False
        if not self.records.admit_block(parsed, self.header.dimensions):
            return False
        if self._tally is not None:
            self._tally.add_counts(parsed.layers, parsed.experts, parsed.counts)
        return True

    def line(self, content: bytes, number: int, *, ended: bool) -> Checked:
        """Take one line; see `scan.LineChecker`."""
        start = 1
        places: list[Place] = []
        if number == 1 and content.startswith(_BYTE_ORDER_MARK):
            start += len(_BYTE_ORDER_MARK)
            sentence = "a byte-order mark, the bytes EF BB BF, stands before the first record"
            places.append(Place(codes_text.BYTE_ORDER_MARK, 1, len(_BYTE_ORDER_MARK), sentence))
        said = read(content[start - 1 :], ended=ended)
        self.header.attempt(said.first)
        faults, accepted = self._admit(said)
        shift = start - 1
        places += [Place(at.code, at.column + shift, at.width, at.sentence) for at in (*said.faults, *faults)]
        places.sort(key=lambda place: place.column)
        self._told_crlf |= any(place.code is codes_text.CRLF for place in places)
        self._suspicious |= bool(said.first) and not said.sound
        kept = b" ".join(str(field.value).encode() for field in said.records[0]) + b"\n" if accepted else b""
        return Checked([in_line(place, number, content) for place in places], kept)

    def _admit(self, said: HistoryLine) -> tuple[list[Place], bool]:
        """Return what is wrong with the records of a line in this file, and whether a strict reader accepts it."""
        faults: list[Place] = []
        accepted = said.sound
        for fields in said.records:
            if fields[0].value < 0:
                places, keeps = self.header.admit(fields, self.records.any)
            else:
                places = list(self.records.admit(fields, self.header.dimensions))
                keeps = all(place.code.level is not Level.ERROR for place in places)
                if keeps and self._tally is not None:
                    self._tally.add(*(field.value for field in fields))
            faults += places
            accepted &= keeps
        return faults, accepted

    def endless(self, line: Endless, number: int) -> Finding:
        """Take a line too long to be one; see `scan.LineChecker`."""
        self._suspicious = True
        if (at := line.head.find(b"\r")) >= 0:
            sentence = f"a carriage return without a line feed, in a line of {line.length} bytes"
            return in_line(Place(codes_text.LONE_CARRIAGE_RETURN, at + 1, 1, sentence), number, line.head)
        sentence = f"a line of {line.length} bytes; a record takes at most a few dozen"
        return in_line(Place(codes_text.ENDLESS_LINE, 1, 1, sentence), number, line.head)

    def finish(self, lines: int, first_line: bytes) -> Iterator[Finding]:
        """Yield what is wrong with the whole, once all of its lines were taken, at the first of them."""
        if self._tally is not None:
            self._tally.dimensions, self._tally.identity = self.header.declared, self.header.identity
        if not lines:
            return
        if not self.records.any:
            if not self._suspicious:
                sentence = "no count follows; an empty history has zero bytes (W08)"
                yield _at_first(first_line, codes_records.NO_COUNTS, sentence)
            return
        missing = self.header.missing()
        if missing is not None:
            yield _at_first(first_line, *missing)


def _at_first(first_line: bytes, code: Code, sentence: str) -> Finding:
    return in_line(Place(code, 1, max(1, len(first_line)), sentence), 1, first_line)

"""Checking a table of pairs, line by line (C02)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from coli_conformance.check import codes_pairs as codes
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Level
from coli_conformance.check.declared_lines import terminals
from coli_conformance.check.finding import Finding, Place, in_line
from coli_conformance.check.scan import Checked
from coli_conformance.check.source import Endless
from coli_conformance.check.trace_line import Part
from coli_reference.pairs import LAYERS_AHEAD, MOST_PARTNERS

if TYPE_CHECKING:
    from coli_conformance.check.tally import Tally

_PART = re.compile(rb"[^ \t\r]++")
_STRANGE_SPACING = re.compile(rb"[\t\r]|^ |  | $|^$")
_MOST_DIGITS = 18
_HEAD = ("LAYER", "AHEAD", "EXPERT")


class PairsChecker:
    """What is known of a table after some of its lines; never read in blocks, for tables are small."""

    def __init__(self, asked: Asked, tally: Tally | None = None) -> None:
        self._tally = tally
        self._size = asked.only_size
        self._forms = {name: re.compile(text.encode()) for name, text in terminals("pairs").items()}
        self._declared: Part | None = None
        self._last = (-1, -1, -1)

    def parse(self, data: bytes) -> None:
        """Read no block at once; see `scan.LineChecker`."""
        del data

    def admit(self, parsed: object) -> bool:
        """Take no block at once; see `scan.LineChecker`."""
        del parsed
        return False

    def line(self, content: bytes, number: int, *, ended: bool) -> Checked:
        """Take one line; see `scan.LineChecker`."""
        if not ended and number == 1:
            sentence = "the first line does not end; there is no line feed in the file"
            places = [Place(codes.PAIRS_HEADER, len(content) + 1, 1, sentence)]
        elif not ended:
            sentence = "the last line has no newline; it may be cut here"
            places = [Place(codes.PAIRS_CUT, len(content) + 1, 1, sentence)]
            # A cut line may end in any way, but a carriage return is in no line of a table.
            places[:0] = self._spacing(content) if b"\r" in content else ()
        else:
            places = list(self._spacing(content))
            parts = [Part(found[0], found.start() + 1) for found in _PART.finditer(content)]
            places += self._first(parts, content) if number == 1 else self._pairs(parts)
            places.sort(key=lambda place: place.column)
        errors = any(place.code.level is Level.ERROR for place in places)
        return Checked([in_line(place, number, content) for place in places], b"" if errors else content + b"\n")

    @staticmethod
    def _spacing(content: bytes) -> Iterator[Place]:
        strange = _STRANGE_SPACING.search(content)
        if strange is not None:
            column = strange.start() + (2 if strange[0] == b"  " else 1)
            yield Place(codes.PAIRS_SPACING, column, 1, "something other than one blank between two parts of the line")

    def _is(self, name: str, text: bytes) -> bool:
        return len(text) <= _MOST_DIGITS and self._forms[name].fullmatch(text) is not None

    def _first(self, parts: list[Part], content: bytes) -> Iterator[Place]:
        if len(parts) != 3 or not self._is("MAGIC", parts[0].text):
            sentence = "the first line is not the magic word, a version and a number of lines"
            yield Place(codes.PAIRS_HEADER, 1, max(1, len(content)), sentence)
            return
        _, version, lines = parts
        if not self._is("VERSION", version.text):
            current = self._forms["VERSION"].pattern.decode()
            sentence = f"version {version.shown}; the current one is {current}"
            yield Place(codes.PAIRS_VERSION, version.column, len(version.text), sentence)
        if self._is("N_LINES", lines.text):
            self._declared = lines
        else:
            sentence = f"the number of lines is {lines.shown}, which is no plain number"
            yield Place(codes.PAIRS_NUMBER, lines.column, len(lines.text), sentence)

    def _pairs(self, parts: list[Part]) -> Iterator[Place]:
        wrong = False
        for name, part in zip(_HEAD, parts, strict=False):
            if self._is(name, part.text):
                continue
            wrong = True
            if name == "AHEAD" and part.text.isdigit():
                allowed = " or ".join(map(str, LAYERS_AHEAD))
                sentence = f"{part.shown} layers ahead; {allowed} are looked at"
                yield Place(codes.PAIRS_AHEAD, part.column, len(part.text), sentence)
            else:
                sentence = f"the {name.lower()} is {part.shown}, which is no plain number"
                yield Place(codes.PAIRS_NUMBER, part.column, len(part.text), sentence)
        if parts and len(parts) <= len(_HEAD):
            end = parts[-1].column + len(parts[-1].text)
            yield Place(codes.PAIRS_NO_PARTNER, end, 1, "the line ends before its first partner")
        if len(parts) >= len(_HEAD) and not wrong:
            yield from self._place(parts)
        if self._tally is not None:
            self._tally.records += 1
            self._tally.selections += max(0, len(parts) - len(_HEAD))
        yield from self._partners(parts[len(_HEAD) :])

    def _place(self, parts: list[Part]) -> Iterator[Place]:
        """Yield what is wrong with the first three fields of a line in this place of the table."""
        layer, ahead, expert = (int(part.text) for part in parts[: len(_HEAD)])
        if (layer, ahead, expert) <= self._last:
            sentence = f"{layer} {ahead} {expert} stands behind {' '.join(map(str, self._last))}"
            yield Place(codes.PAIRS_ORDER, parts[0].column, len(parts[0].text), sentence)
        self._last = layer, ahead, expert
        if self._size is not None and layer + ahead > self._size.n_layers:
            sentence = f"{ahead} above layer {layer} is outside 0..{self._size.n_layers}"
            yield Place(codes.PAIRS_BOUNDS, parts[0].column, len(parts[0].text), sentence)
        yield from self._bounds(parts[2])

    def _bounds(self, expert: Part) -> Iterator[Place]:
        if self._size is not None and int(expert.text) >= self._size.n_experts:
            sentence = f"expert {expert.shown} is outside 0..{self._size.n_experts - 1}"
            yield Place(codes.PAIRS_BOUNDS, expert.column, len(expert.text), sentence)

    def _partners(self, parts: list[Part]) -> Iterator[Place]:
        chosen: set[int] = set()
        last: tuple[int, int] | None = None
        for index, part in enumerate(parts):
            text, _, count = part.text.partition(b":")
            if not (self._is("EXPERT", text) and self._is("COUNT", count)):
                sentence = f"{part.shown} is not a partner's id, a colon, and a count above 0"
                yield Place(codes.PAIRS_NUMBER, part.column, len(part.text), sentence)
                continue
            if index == MOST_PARTNERS:
                sentence = f"{len(parts)} partners; a line names at most {MOST_PARTNERS}"
                yield Place(codes.PAIRS_PARTNERS, part.column, len(part.text), sentence)
            partner = int(text)
            yield from self._bounds(Part(text, part.column))
            rank = (-int(count), partner)
            if partner in chosen:
                sentence = f"partner {partner} stands on this line already"
                yield Place(codes.PAIRS_SAME_PARTNER, part.column, len(part.text), sentence)
            elif last is not None and rank < last:
                sentence = f"partner {partner} stands behind one that comes after it by count, then by id"
                yield Place(codes.PAIRS_PARTNER_ORDER, part.column, len(part.text), sentence)
            chosen.add(partner)
            last = rank

    def endless(self, line: Endless, number: int) -> Finding:
        """Take a line too long to be one; see `scan.LineChecker`."""
        sentence = f"a line of {line.length} bytes; one takes a few hundred"
        return in_line(Place(codes.PAIRS_ENDLESS, 1, 1, sentence), number, line.head)

    def finish(self, lines: int, first_line: bytes) -> Iterator[Finding]:
        """Yield what is wrong with the whole, once all of its lines were taken."""
        if not lines:
            sentence = "the table is empty, and has not even its first line"
            yield in_line(Place(codes.PAIRS_HEADER, 1, 1, sentence), 1, b"")
        elif self._declared is not None and int(self._declared.text) != lines - 1:
            part = self._declared
            sentence = f"{part.shown} lines are declared, and {lines - 1} follow"
            yield in_line(Place(codes.PAIRS_LINE_COUNT, part.column, len(part.text), sentence), 1, first_line)

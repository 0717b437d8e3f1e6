"""The search's own reading of a text history, so strict that what it takes for sound is sound to every reader.

It shares no code with the engines it is used against. Text that it does not take for sound can still be sound; then
less is asked of an engine, never the wrong thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from operator import le

import coli_spec
from coli_conformance.case import Record

_FIELDS = coli_spec.load().fields
_LOWEST = tuple(field.minimum for field in _FIELDS)
_HIGHEST = tuple(field.maximum for field in _FIELDS)
COUNT_MAX = _HIGHEST[2]

_NUMBER = rb"(0|-?[1-9][0-9]{0,9})"
_COUNT = rb"(0|[1-9][0-9]{0,9})"
_SOUND_LINE = re.compile(rb"[ \t]*%b[ \t]+%b[ \t]+%b[ \t]*\r?" % (_NUMBER, _NUMBER, _COUNT))
_BLANK_LINE = re.compile(rb"[ \t]*\r?")
_CANONICAL = re.compile(rb"(?:%b %b %b\n)*" % (_NUMBER, _NUMBER, _COUNT))
_THREE_INTEGERS = re.compile(rb"^[ \t]*([+-]?[0-9]+)[ \t]+([+-]?[0-9]+)[ \t]+([+-]?[0-9]+)[ \t]*\r?$", re.MULTILINE)
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NEVER_TOLD_APART = re.compile(rb"[0-9]{26}|_|[\0\x80-\xff]")
"""Text in which readers may legally see other numbers than the digits that stand there."""


@dataclass(frozen=True, slots=True)
class Text:
    """The records of a history up to its first line that is not sound; `sound` where there is no such line.

    A sound line is blank, or holds three plain decimal integers in the ranges of their fields, with any blanks and tabs
    around them. It ends in LF, CR LF, CR at the end of the file, or at that end itself (R12). `canonical`: the text is
    spaced as a writer spaces it (W18).
    """

    records: tuple[Record, ...]
    sound: bool
    canonical: bool


@dataclass(frozen=True, slots=True)
class MostCredited:
    """The most that is credited to a place; those in `full` may also be at the largest count, for a count beyond it."""

    most: Counter[tuple[int, int]]
    full: frozenset[tuple[int, int]]


def read(data: bytes) -> Text:
    """Return what the lines of `data` say, any bytes."""
    if _CANONICAL.fullmatch(data):
        numbers = list(map(int, data.split()))
        records = list(zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True))
        sound = next((index for index, record in enumerate(records) if not in_range(record)), len(records))
        return Text(tuple(records[:sound]), sound=sound == len(records), canonical=True)
    return _read_line_by_line(data)


def _read_line_by_line(data: bytes) -> Text:
    records: list[Record] = []
    *lines, last = data.split(b"\n")
    for line in (*lines, last):
        found = _SOUND_LINE.fullmatch(line)
        if found is None:
            if _BLANK_LINE.fullmatch(line) and (line is not last or not last.endswith(b"\r")):
                continue
            return Text(tuple(records), sound=False, canonical=False)
        record = int(found[1]), int(found[2]), int(found[3])
        if not in_range(record):
            return Text(tuple(records), sound=False, canonical=False)
        records.append(record)
    return Text(tuple(records), sound=True, canonical=False)


def in_range(record: Record) -> bool:
    """Tell whether each number is in the range of its field."""
    return all(map(le, _LOWEST, record)) and all(map(le, record, _HIGHEST))


def has_out_of_range(data: bytes) -> bool:
    """Tell whether a line is three integers of which one is outside its field (R21)."""
    return any(
        not field.holds(_value(text))
        for match in _THREE_INTEGERS.finditer(data)
        for field, text in zip(_FIELDS, match.groups(), strict=True)
    )


def most_credited(data: bytes, admits: Callable[[int, int], bool]) -> MostCredited | None:
    """Return the most that a legal reader of malformed text credits to each place that `admits` a count.

    Whatever it does at a malformed line, stop, skip it, take its first three fields or fall out of step (R23), a record
    that it credits is three integers that stand one behind the other in the file, none of which was turned into another
    number (R21). None where the text itself leaves open which numbers it holds.
    """
    if _NEVER_TOLD_APART.search(data):
        return None
    numbers = [_value(text) for text in _INTEGER.findall(data)]
    most: Counter[tuple[int, int]] = Counter()
    full: set[tuple[int, int]] = set()
    for layer, expert, count in zip(numbers, numbers[1:], numbers[2:], strict=False):
        if count > COUNT_MAX and admits(layer, expert):
            full.add((layer, expert))
        elif count > 0 and admits(layer, expert):
            most[layer, expert] += count
    return MostCredited(most, frozenset(full))


def _value(text: bytes) -> int:
    """Return the number; where it has thousands of digits, one that is as far out of every range."""
    return int(text[:30])

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
_SOUND_LINE = re.compile(rb"%b[ \t]+%b[ \t]+%b[ \t]*" % (_NUMBER, _NUMBER, _COUNT))
_BLANK_LINE = re.compile(rb"[ \t]*")
_CANONICAL = re.compile(rb"(?:%b %b %b\n)*" % (_NUMBER, _NUMBER, _COUNT))
_THREE_INTEGERS = re.compile(rb"^[ \t]*([+-]?[0-9]+)[ \t]+([+-]?[0-9]+)[ \t]+([+-]?[0-9]+)[ \t]*\r?$", re.MULTILINE)
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NEVER_TOLD_APART = re.compile(rb"[0-9]{26}|_|[\0\x80-\xff]")
"""Text in which readers may legally see other numbers than the digits that stand there."""


@dataclass(frozen=True, slots=True)
class Text:
    """The records of a history up to its first line that is not sound; `sound` where there is no such line.

    A sound line is blank, or holds three plain decimal integers in the ranges of their fields, with runs of blanks and
    tabs between and behind them, ended by LF, CR LF, or the end of the file (R12). `canonical`: it is spaced as a
    writer spaces it (W18).
    """

    records: tuple[Record, ...]
    sound: bool
    canonical: bool


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
    for line in (*(line[:-1] if line.endswith(b"\r") else line for line in lines), last):
        found = _SOUND_LINE.fullmatch(line)
        if found is None:
            if _BLANK_LINE.fullmatch(line):
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


def most_credited(data: bytes, admits: Callable[[int, int], bool]) -> tuple[Counter[tuple[int, int]], bool] | None:
    """Return the most that a legal reader of malformed text credits to each place that `admits` a count.

    Whatever it does at a malformed line, stop, skip it, take its first three fields or fall out of step (R23), a record
    that it credits is three integers that stand one behind the other in the file, none of which was turned into another
    number (R21); a count too large may stay at the largest, and then the flag says that there is no limit. None where
    the text itself leaves open which numbers it holds.
    """
    if _NEVER_TOLD_APART.search(data):
        return None
    numbers = [_value(text) for text in _INTEGER.findall(data)]
    most: Counter[tuple[int, int]] = Counter()
    for layer, expert, count in zip(numbers, numbers[1:], numbers[2:], strict=False):
        if count > 0 and admits(layer, expert):
            if count > COUNT_MAX:
                return most, True
            most[layer, expert] += count
    return most, False


def _value(text: bytes) -> int:
    """Return the number; where it has thousands of digits, one that is as far out of every range."""
    return int(text[:30])

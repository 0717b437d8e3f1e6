"""Record for record: what an old reader recovered from a file, and where that is not what the lines mean (W15)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from coli_conformance.case import Record
from coli_conformance.compat.sound_reading import SoundReading, credits_something

_NUMBER = re.compile(rb"[-+]?[0-9]+")
_NUMBERS = re.compile(rb"(?:[-+]?[0-9]++)++")
_NOT_SPACE = re.compile(rb"[^ \t\n\v\f\r]")


class Kind(Enum):
    """How a recovered record differs from what the lines mean; the value is the word in reports."""

    LOST = "lost"
    """A line means it, and it was not recovered from that line."""
    INVENTED = "invented"
    """It was put together from several lines, or from the rest of a line behind its record."""
    CHANGED = "changed"
    """It was read from the beginning of one line, and that line means nothing."""


@dataclass(frozen=True, slots=True)
class Read:
    """One record that the loop parsed, header records included.

    `first_line` and `last_line`, from 1, are those of its first and third field; `behind` says that its line holds a
    record before it. `defined`: every field fits its type in C, so that every platform parses the same.
    """

    record: Record
    first_line: int
    last_line: int
    behind: bool
    defined: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """One record that credits something and was lost, invented or changed; lost ones are shown as they were meant."""

    kind: Kind
    record: Record
    first_line: int
    last_line: int
    defined: bool


@dataclass(frozen=True, slots=True)
class Recovery:
    """What an old reader recovered. `stopped` is the line at which a conversion failed, None at the end of the file."""

    reads: tuple[Read, ...]
    differences: tuple[Difference, ...]
    stopped: int | None

    @property
    def defined_differences(self) -> tuple[Difference, ...]:
        """The differences that no platform can be excused for."""
        return tuple(difference for difference in self.differences if difference.defined)


def recover(data: bytes, meant: SoundReading, records: Sequence[Record], undefined: Iterable[int]) -> Recovery:
    """Hold `records`, all that a reader parsed from `data` in order, against what the lines mean.

    `undefined` are the indexes of those with a field whose outcome C leaves undefined. Header records and records with
    count 0 credit nothing: an old reader drops them, so none of them is ever lost or invented.
    """
    reads, end = _placed(data, records, frozenset(undefined))
    faithful = {
        read.first_line
        for read in reads
        if read.first_line == read.last_line and meant.by_line.get(read.first_line) == read.record
    }
    differences = [
        Difference(Kind.LOST, record, line, line, defined=True)
        for line, record in meant.by_line.items()
        if credits_something(record) and line not in faithful
    ]
    differences += _not_meant(reads, faithful)
    differences.sort(key=lambda difference: difference.first_line)
    return Recovery(reads, tuple(differences), _stopped_behind(data, end))


def stopped(data: bytes, records: int) -> int | None:
    """Return the line at which the loop stopped that parsed so many `records` from `data`; None at the end of it."""
    last = next(islice(_NUMBER.finditer(data), 3 * records - 1, None)) if records else None
    return _stopped_behind(data, last.end() if last else 0)


def _stopped_behind(data: bytes, end: int) -> int | None:
    """Return the line of the first byte behind `end` that is not converted; None where there is none.

    One or two numbers are left over there where the last record lacks a field.
    """
    rest = _NOT_SPACE.search(data, end)
    if rest is None or all(_NUMBERS.fullmatch(text) for text in data[end:].split(maxsplit=3)):
        return None
    return data.count(b"\n", 0, rest.start()) + 1


def _not_meant(reads: Iterable[Read], faithful: frozenset[int] | set[int]) -> Iterator[Difference]:
    for read in reads:
        alone = read.first_line == read.last_line and not read.behind
        if (alone and read.first_line in faithful) or not credits_something(read.record):
            continue
        kind = Kind.CHANGED if alone else Kind.INVENTED
        yield Difference(kind, read.record, read.first_line, read.last_line, read.defined)


def _placed(data: bytes, records: Sequence[Record], undefined: frozenset[int]) -> tuple[tuple[Read, ...], int]:
    """Return each record with its lines, and the offset behind the last one.

    All that the loop converts are white space and numbers, so its fields are the first numbers of the file.
    """
    reads: list[Read] = []
    numbers = _NUMBER.finditer(data)
    line, end, line_before = 1, 0, 0
    for index, record in enumerate(records):
        fields = [next(numbers) for _ in record]
        first_line = line + data.count(b"\n", end, fields[0].start())
        line = first_line + data.count(b"\n", fields[0].start(), fields[-1].end())
        end = fields[-1].end()
        reads.append(Read(record, first_line, line, first_line == line_before, index not in undefined))
        line_before = line
    return tuple(reads), end

"""The sound reading of a history: what its lines mean to a reader that takes each for itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from coli_conformance.case import Record
from coli_reference.history import parse_line


def credits_something(record: Record) -> bool:
    """Tell whether a counter may grow by this record: it is no header record, and its count is not 0."""
    return record[0] >= 0 and record[2] != 0


def total(records: Iterable[Record]) -> int:
    """Return the sum of the counts of the records that credit something."""
    return sum(record[2] for record in records if credits_something(record))


def shown(record: Record) -> str:
    """Return the record as its canonical line, without the LF."""
    return "{} {} {}".format(*record)


@dataclass(frozen=True)
class SoundReading:
    """The records a history's lines mean, by line number from 1, in the order of the file.

    A line means a record where it is three plain integers, each in its field's range (W02, W03), with the freedom
    that R12 gives: blanks, tabs, CR before LF. Any other line means nothing, and costs no other line its meaning.
    """

    by_line: Mapping[int, Record]

    @cached_property
    def records(self) -> list[Record]:
        """All records, header records included."""
        return list(self.by_line.values())

    @cached_property
    def credited(self) -> list[Record]:
        """The records that credit something."""
        return [record for record in self.by_line.values() if credits_something(record)]


def sound_reading(data: bytes) -> SoundReading:
    """Return the sound reading of a history's bytes; any bytes are good."""
    by_line: dict[int, Record] = {}
    for number, text in enumerate(data.split(b"\n"), start=1):
        record = parse_line(text)
        if record is not None:
            by_line[number] = record
    return SoundReading(by_line)

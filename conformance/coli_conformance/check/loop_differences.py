"""What the loop of an old reader makes of the records that a history's text says, place by place (W15)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from coli_conformance.case import Record
from coli_conformance.check.history_fields import Field
from coli_conformance.compat.sound_reading import credits_something, shown

_NUMBER = rb"([-+]?[0-9]++)"
_BLANK = rb"[ \t\r\v\f]"
_SAID = re.compile(_BLANK + b"*+" + (_BLANK + b"++").join([_NUMBER] * 3) + rb"(?![^ \t\r\v\f\n])")
"""Three integers of one line, each a whole field."""
_READ = re.compile(rb"\s*+" + rb"\s*+".join([_NUMBER] * 3))
"""Three numbers as the loop converts them: a sign ends the number before it, and a line end is a blank."""
_FEW_DIGITS = 18
"""So short a number is converted as it stands; Python refuses those of thousands of digits."""


class Fate(Enum):
    """How a record of the text and one of the loop differ; the value is the verb that sentences have for it."""

    INVENTED = "invents"
    """The loop puts it together from several lines, or from the middle of one, and no record stands there."""
    MISREAD = "misreads"
    """It stands at the beginning of one line. Either the line says no record, or it says other values."""
    LOST = "loses"
    """The text says it, and the loop reads no record there."""


@dataclass(frozen=True, slots=True)
class LoopDifference:
    """One record that is lost, invented or misread, named for a sentence; it ends in `last_line`."""

    fate: Fate
    last_line: int
    name: str


def differences(data: bytes, records: Sequence[Record], undefined: frozenset[int]) -> list[LoopDifference]:
    """Hold `records`, all that the loop parsed from `data` in order, against what the text says, in its order.

    A line says a record for every three integers from its beginning on, each with the value that is written; so does a
    line that breaches a rule of the format. `undefined` are the indexes of those whose outcome C leaves undefined.
    Header records and records with count 0 credit nothing, so none of them is lost or invented; other values than
    those written are a difference all the same.
    """
    said = dict(_said(data))
    found = list(_of_reads(data, records, undefined, said))
    found += (
        (start, LoopDifference(Fate.LOST, line, f"`{_written(record)}`"))
        for start, (line, record) in said.items()
        if credits_something(_value(record))
    )
    return [difference for _, difference in sorted(found, key=lambda entry: entry[0])]


def _said(data: bytes) -> Iterator[tuple[int, tuple[int, re.Match[bytes]]]]:
    """Yield the records of the text by the offset of their first field, each with its line."""
    line, at = 1, 0
    while True:
        record = _SAID.match(data, at)
        if record is not None:
            yield record.start(1), (line, record)
            at = record.end()
            continue
        at = data.find(b"\n", at) + 1
        if not at:
            return
        line += 1


def _of_reads(
    data: bytes, records: Sequence[Record], undefined: frozenset[int], said: dict[int, tuple[int, re.Match[bytes]]]
) -> Iterator[tuple[int, LoopDifference]]:
    """Yield the differences of what the loop read, and take out of `said` what it read in the same place."""
    line, counted, end = 1, 0, 0
    # All that the loop converts are white space and numbers, so its records are the first numbers of the file.
    for index, (record, read) in enumerate(zip(records, _READ.finditer(data), strict=False)):
        begins = not end or b"\n" in data[end : read.start(1)]
        start, end = read.start(1), read.end()
        there = said.get(start)
        meant = there[1] if there is not None and there[1].end() == end else None
        if meant is not None:
            del said[start]
            if _value(meant) == record:
                continue
        elif not credits_something(record):
            continue
        line += data.count(b"\n", counted, end)
        counted = end
        where = " on 64-bit Linux" if index in undefined else ""
        if meant is not None:
            name = f"`{_written(meant)}` as `{shown(record)}`{where}"
            yield start, LoopDifference(Fate.MISREAD, line, name)
        else:
            fate = Fate.MISREAD if begins and data.find(b"\n", start, end) < 0 else Fate.INVENTED
            yield start, LoopDifference(fate, line, f"`{shown(record)}`{where}")


def _value(record: re.Match[bytes]) -> Record:
    """Return the values that are written, of any size."""
    first, second, third = (int(text) if len(text) <= _FEW_DIGITS else Field(text, 1).value for text in record.groups())
    return first, second, third


def _written(record: re.Match[bytes]) -> str:
    return " ".join(Field(text, 1).shown for text in record.groups())

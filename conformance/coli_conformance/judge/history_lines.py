"""Cutting a written history into lines and fields, with what a line most likely meant.

One fault should not look like five: a line with a field too many still says the record in its first three.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from coli_conformance.case import Record
from coli_conformance.judge.verdict import Finding

_FIELD = re.compile(rb"[^ \t\r\n\v\f]+")
_READ_AS_INTEGER = re.compile(rb"[-+]?[0-9]+")
_MOST_DIGITS = 4000
_HUGE: int = 10**_MOST_DIGITS


class Line(NamedTuple):
    """One line that is not blank: the file it stands in, its number from 1, its bytes, and its fields.

    `values` are those of the fields that an old reader reads as integers (digits, perhaps with a sign), and None for
    the others. `records` are those the line most likely meant: each whole triple of integers, or the first of four
    fields.
    """

    path: str
    number: int
    raw: bytes
    fields: tuple[bytes, ...]
    values: tuple[int | None, ...]
    records: tuple[Record, ...]

    @property
    def shown(self) -> str:
        """The line as text, with anything unprintable escaped."""
        return b" ".join(self.fields).decode("ascii", "backslashreplace")

    @property
    def begins_with_record(self) -> bool:
        """Whether the first three fields are integers."""
        return len(self.values) >= 3 and None not in self.values[:3]

    def value(self, index: int) -> int | None:
        """Return the value of the field at `index`, None where there is none or it is no integer."""
        return self.values[index] if index < len(self.values) else None

    def finding(self, clause: str, sentence: str, index: int, expected: str) -> Finding:
        """Return a finding that points at the field at `index`, or at the last one where the line is shorter."""
        at = min(index, len(self.fields) - 1)
        column = [match.start() + 1 for match in _FIELD.finditer(self.raw)][at]
        return Finding(
            clause,
            f"line {self.number}: {sentence}",
            path=self.path,
            line=self.number,
            column=column,
            width=len(self.fields[at]),
            expected=expected,
            seen=self.shown,
        )


def shown(field: bytes) -> str:
    """Return a field as text, with anything unprintable escaped, at most 40 characters of it."""
    return field[:40].decode("ascii", "backslashreplace")


def cut(data: bytes, path: str) -> list[Line]:
    """Return the lines of the history `path` that are not blank."""
    lines = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        fields = tuple(raw.split())
        if fields:
            values = tuple(map(_value, fields))
            lines.append(Line(path, number, raw, fields, values, _records(values)))
    return lines


def _value(field: bytes) -> int | None:
    """Return the value of an integer; beyond 4,000 digits, where Python refuses to convert, a number of that size."""
    if not _READ_AS_INTEGER.fullmatch(field):
        return None
    if len(field) <= _MOST_DIGITS:
        return int(field)
    return -_HUGE if field.startswith(b"-") else _HUGE


def _records(values: tuple[int | None, ...]) -> tuple[Record, ...]:
    whole = len(values) // 3 if len(values) % 3 == 0 else min(1, len(values) // 3)
    triples = (values[at : at + 3] for at in range(0, whole * 3, 3))
    return tuple(
        (first, second, third)
        for first, second, third in triples
        if first is not None and second is not None and third is not None
    )

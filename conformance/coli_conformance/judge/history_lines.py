"""Cutting a written history into lines and fields, with what a line most likely meant.

One fault should not look like five: a line with a field too many still says the record in its first three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coli_conformance.case import Record
from coli_conformance.judge.verdict import Finding

_FIELD = re.compile(rb"[^ \t\r\n\v\f]+")
_READ_AS_INTEGER = re.compile(rb"[-+]?[0-9]+")
_MOST_DIGITS = 4000


@dataclass(frozen=True, slots=True)
class Field:
    """One field as written: its bytes and the column of its first byte, from 1."""

    text: bytes
    column: int

    @property
    def is_integer(self) -> bool:
        """Whether an old reader reads it as an integer: digits, perhaps with a sign."""
        return _READ_AS_INTEGER.fullmatch(self.text) is not None

    @property
    def value(self) -> int:
        """The value of an integer; beyond 4,000 digits, where Python refuses to convert, a number of that size."""
        digits = self.text.lstrip(b"+-")
        value = int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
        return -value if self.text.startswith(b"-") else value

    @property
    def shown(self) -> str:
        """The field as text, with anything unprintable escaped, at most 40 characters of it."""
        return self.text[:40].decode("ascii", "backslashreplace")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: the file it stands in, its number from 1 and its fields."""

    path: str
    number: int
    fields: tuple[Field, ...]

    @property
    def shown(self) -> str:
        """The line as text, with anything unprintable escaped."""
        return b" ".join(field.text for field in self.fields).decode("ascii", "backslashreplace")

    @property
    def begins_with_record(self) -> bool:
        """Whether the first three fields are integers."""
        return len(self.fields) >= 3 and all(field.is_integer for field in self.fields[:3])

    def text(self, index: int) -> bytes:
        """Return the bytes of the field at `index`, empty where there is none."""
        return self.fields[index].text if index < len(self.fields) else b""

    def value(self, index: int) -> int | None:
        """Return the value of the field at `index`, None where there is none or it is no integer."""
        field = self.fields[index] if index < len(self.fields) else None
        return field.value if field is not None and field.is_integer else None

    def records(self) -> Iterator[Record]:
        """Yield the records the line most likely meant: each whole triple of integers, or the first of four fields."""
        whole = len(self.fields) // 3 if len(self.fields) % 3 == 0 else min(1, len(self.fields) // 3)
        for at in range(0, whole * 3, 3):
            first, second, third = self.fields[at : at + 3]
            if first.is_integer and second.is_integer and third.is_integer:
                yield first.value, second.value, third.value

    def finding(self, clause: str, sentence: str, index: int, expected: str) -> Finding:
        """Return a finding that points at the field at `index`, or at the last one where the line is shorter."""
        field = self.fields[min(index, len(self.fields) - 1)]
        return Finding(
            clause,
            f"line {self.number}: {sentence}",
            path=self.path,
            line=self.number,
            column=field.column,
            width=len(field.text),
            expected=expected,
            seen=self.shown,
        )


def cut(data: bytes, path: str) -> list[Line]:
    """Return the lines of the history `path` that are not blank."""
    lines = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        fields = tuple(Field(match[0], match.start() + 1) for match in _FIELD.finditer(line))
        if fields:
            lines.append(Line(path, number, fields))
    return lines

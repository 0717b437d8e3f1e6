"""Cutting a written history into records line by line, and saying what is wrong with the form of each line.

Clauses W02 (three fields), W03 (plain decimal integers in range), W23 (one record a line) and, where asked, W18
(canonical bytes). What a line most likely meant is still handed on, so that one fault does not look like five.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import coli_spec
from coli_conformance.case import Record
from coli_conformance.judge.verdict import Finding
from coli_reference import old_reader

_FIELD = re.compile(rb"[^ \t\r\n\v\f]+")
_SIGNED = re.compile(rb"-?[0-9]+")
_UNSIGNED = re.compile(rb"[0-9]+")
_READ_AS_INTEGER = re.compile(rb"[-+]?[0-9]+")
_PATTERNS = (_SIGNED, _SIGNED, _UNSIGNED)
_ORDINAL = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Field:
    """One field as written: its bytes and the column of its first byte, from 1."""

    text: bytes
    column: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: its number from 1 and its fields."""

    number: int
    fields: tuple[Field, ...]

    @property
    def shown(self) -> str:
        """The line as text, with anything unprintable escaped."""
        return b" ".join(field.text for field in self.fields).decode("ascii", "backslashreplace")

    def values(self) -> Iterator[Record]:
        """The records the line most likely meant: each whole triple of plain integers, or the first three of four
        fields."""
        whole = len(self.fields) // 3 if len(self.fields) % 3 == 0 else min(1, len(self.fields) // 3)
        for at in range(0, whole * 3, 3):
            texts = [field.text for field in self.fields[at : at + 3]]
            if all(_READ_AS_INTEGER.fullmatch(text) for text in texts):
                first, second, third = (_integer(text) for text in texts)
                yield first, second, third


def _integer(text: bytes) -> int:
    """Return the value of a plain integer of any length (Python's own limit on digits would raise)."""
    digits = text.lstrip(b"+-")
    value = int(digits[-4000:]) if len(digits) <= 4000 else 10**4000
    return -value if text.startswith(b"-") else value


def cut(data: bytes) -> list[Line]:
    """Return the lines of a history that are not blank."""
    lines = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        fields = tuple(Field(match[0], match.start() + 1) for match in _FIELD.finditer(line))
        if fields:
            lines.append(Line(number, fields))
    return lines


def judge_form(path: str, lines: list[Line]) -> Iterator[Finding]:
    """Yield what is wrong with the fields of each line: their number, what they are, their ranges."""
    for line in lines:
        misfits = list(_not_integers(path, line))
        yield from misfits
        count = len(line.fields)
        starts_with_record = all(_READ_AS_INTEGER.fullmatch(field.text) for field in line.fields[:3])
        if count != 3 and (not misfits or (count > 3 and starts_with_record)):
            yield _wrong_count(path, line, count)


def _wrong_count(path: str, line: Line, count: int) -> Finding:
    if count > 3 and count % 3 == 0:
        return Finding(
            "W23",
            f"line {line.number} holds {count // 3} records; every record has a line of its own",
            path=path,
            line=line.number,
            column=line.fields[3].column,
            width=len(line.fields[3].text),
            expected="one record",
            seen=line.shown,
        )
    if count > 3:
        return Finding(
            "W02",
            f"line {line.number} has {count} fields: readers already shipped take the rest for the start of the next "
            "record, and invent one from it",
            path=path,
            line=line.number,
            column=line.fields[3].column,
            width=len(line.fields[3].text),
            expected="three fields",
            seen=line.shown,
        )
    return Finding(
        "W02",
        f"line {line.number} has {count} field{'s' if count > 1 else ''}: readers already "
        "shipped fill it up from the next line",
        path=path,
        line=line.number,
        column=line.fields[-1].column,
        width=len(line.fields[-1].text),
        expected="three fields",
        seen=line.shown,
    )


def _not_integers(path: str, line: Line) -> Iterator[Finding]:
    """Yield a finding for the first field that is no plain integer, else for each that leaves its range (W03)."""
    types = coli_spec.load().fields
    for index, field in enumerate(line.fields):
        position = index % 3
        if not _PATTERNS[position].fullmatch(field.text):
            yield _no_plain_integer(path, line, field, position)
            return
    for index, field in enumerate(line.fields[:3]):
        type_ = types[index]
        if not type_.holds(_integer(field.text)):
            shown = field.text[:40].decode()
            how = "%u" if index == 2 else "%d"
            yield Finding(
                "W03",
                f"line {line.number}: {shown} does not fit the {_ORDINAL[index]} field ({type_.name}); readers already "
                f"shipped parse it with {how} and see {_as_old_readers_see(field.text, index)}",
                path=path,
                line=line.number,
                column=field.column,
                width=len(field.text),
                expected=f"{type_.minimum}..{type_.maximum}",
                seen=shown,
            )


def _as_old_readers_see(text: bytes, index: int) -> str:
    """Return what old readers make of a field that leaves its range, where each platform has its own opinion."""
    alone = b" ".join(text if position == index else b"0" for position in range(3))
    seen = {platform: old_reader.records(alone, platform)[0][index] for platform in ("glibc64", "ilp32")}
    return f"{seen['glibc64']} on 64-bit Linux, {seen['ilp32']} on Windows and 32-bit systems"


def _no_plain_integer(path: str, line: Line, field: Field, position: int) -> Finding:
    shown = field.text[:40].decode("ascii", "backslashreplace")
    if position == 2 and _SIGNED.fullmatch(field.text):
        what = f"the third field carries a sign ({shown}); it is unsigned"
    elif line.fields[0].text.startswith(b"#"):
        what = "a comment; readers already shipped stop here and lose every record after it"
    else:
        what = f"`{shown}` is no plain decimal integer; readers already shipped stop here and lose what comes after"
    return Finding(
        "W03",
        f"line {line.number}: {what}",
        path=path,
        line=line.number,
        column=field.column,
        width=len(field.text),
        expected="a plain decimal integer",
        seen=shown,
    )


def judge_canonical(path: str, data: bytes, canonical: bytes) -> Iterator[Finding]:
    """Yield the first place where the bytes are not the canonical ones (W18)."""
    if data == canonical:
        return
    seen_lines, wanted_lines = data.split(b"\n"), canonical.split(b"\n")
    pairs = enumerate(zip_longest(seen_lines, wanted_lines), start=1)
    number, seen, wanted = next((number, seen, wanted) for number, (seen, wanted) in pairs if seen != wanted)
    yield Finding(
        "W18",
        f"line {number} is not canonical: one space between fields, LF, a final newline, ascending layer, then expert",
        path=path,
        line=number,
        column=1,
        width=max(1, len(seen or b"")),
        expected=_shown(wanted),
        seen=_shown(seen),
    )


def _shown(line: bytes | None) -> str:
    """Return a line with what cannot be seen made visible; None is the line that is not there."""
    if line is None:
        return "the end of the file, with no newline"
    return line.decode("ascii", "backslashreplace").replace("\r", "\\r").replace("\t", "\\t")

"""One line of a history: the record it says, and everything that is wrong with its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coli_conformance.check import codes_fields, codes_text
from coli_conformance.check.finding import Place
from coli_conformance.check.history_fields import Field, begins_comment, form_faults, no_number, range_faults

_FIELD = re.compile(rb"[^ \t\r\v\f]++")
_SINGLE_SPACED = re.compile(rb"[^ \t]++(?: [^ \t]++)*+")
_VERTICAL = re.compile(rb"[\v\f]")
_FIELDS = 3


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """What one line says. `records` are the whole records on it, three fields each, all in range; mostly one.

    `first` is the text of its first field, also where the rest is no record; empty for a blank line. `sound` says
    that the line is one record which a strict reader accepts (R12): nothing about it is an error.
    """

    records: tuple[tuple[Field, Field, Field], ...]
    first: bytes
    faults: tuple[Place, ...]
    sound: bool


def read(content: bytes, *, ended: bool) -> HistoryLine:
    """Return what a line says; `content` is without its LF, which the last line of a file may lack (not `ended`)."""
    fields = tuple(Field(found[0], found.start() + 1) for found in _FIELD.finditer(content))
    spacing = tuple(_spacing(content, fields, ended))
    if not ended:
        spacing += (_cut(content, len(fields)),)
    if not fields:
        return HistoryLine((), b"", spacing, sound=False)
    misfit = next(_misfits(fields), None)
    count = len(fields)
    alone = b"\r" not in content.removesuffix(b"\r")
    faults: tuple[Place, ...] = () if misfit is None else (misfit,)
    whole = count >= _FIELDS and all(field.is_integer for field in fields[:_FIELDS])
    if count < _FIELDS and misfit is None and ended:
        faults += (_missing(content, count),)
    elif count > _FIELDS and whole and not (misfit and begins_comment(fields[_FIELDS])) and alone:
        faults += (_surplus(fields),)
    forms = tuple(form_faults(fields)) if misfit is None else ()
    several = count // _FIELDS if misfit is None and count % _FIELDS == 0 else min(1, count // _FIELDS)
    written = tuple(_records(fields, several)) if whole else ()
    ranges = tuple(fault for record in written for fault in range_faults(record))
    records = tuple(record for record in written if not tuple(range_faults(record))) if ranges else written
    alone = alone and _VERTICAL.search(content) is None
    sound = misfit is None and count == _FIELDS and bool(records) and alone
    return HistoryLine(records, fields[0].text, (*spacing, *faults, *ranges, *forms), sound)


def _records(fields: tuple[Field, ...], several: int) -> Iterator[tuple[Field, Field, Field]]:
    for at in range(0, several * _FIELDS, _FIELDS):
        first, second, third = fields[at : at + _FIELDS]
        yield first, second, third


def _misfits(fields: tuple[Field, ...]) -> Iterator[Place]:
    """Yield the fields that are no integers; an old reader stops at the first, so the others mean nothing."""
    for index, field in enumerate(fields):
        if begins_comment(field):
            sentence = "a comment; records are all that a history may hold"
            yield Place(codes_fields.COMMENT, field.column, len(field.text), sentence)
        elif not field.is_integer:
            yield no_number(field, index % _FIELDS + 1, fields[0].text)


def _missing(content: bytes, count: int) -> Place:
    number = "one field" if count == 1 else f"{count} fields"
    end = len(content.rstrip(b" \t\r")) + 1
    return Place(codes_fields.MISSING_FIELD, end, 1, f"{number} on this line; every record has three")


def _surplus(fields: tuple[Field, ...]) -> Place:
    surplus = fields[_FIELDS]
    if len(fields) % _FIELDS == 0 and all(field.is_integer for field in fields):
        sentence = f"{len(fields) // _FIELDS} records on one line; every record has a line of its own"
        return surplus.place(codes_fields.SEVERAL_RECORDS, sentence)
    sentence = f"{len(fields)} fields on this line; every record has three, and nothing may follow them"
    return surplus.place(codes_fields.FOURTH_FIELD, sentence)


def _cut(content: bytes, count: int) -> Place:
    if count == _FIELDS:
        sentence = "the last line has no newline, so that its number may have gone on"
    else:
        sentence = "the last line has no newline and is no whole record; it was cut here"
    return Place(codes_text.NO_FINAL_NEWLINE, len(content) + 1, 1, sentence)


def _spacing(content: bytes, fields: tuple[Field, ...], ended: bool) -> Iterator[Place]:
    """Yield what stands between the fields and around them that is not one blank."""
    body = content.removesuffix(b"\r") if ended else content
    if len(body) < len(content):
        yield Place(codes_text.CRLF, len(content), 1, "the line ends in CRLF")
    if (at := body.find(b"\r")) >= 0:
        sentence = "a carriage return without a line feed; a reader that goes by lines sees none end here"
        yield Place(codes_text.LONE_CARRIAGE_RETURN, at + 1, 1, sentence)
    if (vertical := _VERTICAL.search(body)) is not None:
        name = "a vertical tab" if vertical[0] == b"\v" else "a form feed"
        yield Place(codes_text.FORM_FEED, vertical.start() + 1, 1, f"{name} where one blank belongs")
    if not fields:
        yield Place(codes_text.BLANK_LINE, 1, 1, "a blank line")
    elif not _SINGLE_SPACED.fullmatch(body):
        single = _SINGLE_SPACED.match(body)
        at = single.end() + (body[single.end() : single.end() + 1] == b" ") if single else 0
        column = min(at + 1, len(body))
        yield Place(codes_text.BLANKS, column, 1, "more than one blank, a tab, or blanks around the record")

"""Why a field of a history is not the number that belongs there, and where the fault begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import coli_spec
from coli_conformance.check import codes_fields, codes_text
from coli_conformance.check.code import Code
from coli_conformance.check.finding import Place
from coli_reference import old_reader
from coli_reference.identity import engine_id

_INTEGER = re.compile(rb"-?[0-9]++")
_MOST_DIGITS = 4000
_ORDINAL = ("first", "second", "third")
_SHOWN = 40
_COMMENT = (b"#", b"//", b";", b"/*", b"--")

_FORMS: tuple[tuple[re.Pattern[bytes], Code], ...] = (
    (re.compile(rb"[-+]?0[xX][0-9a-fA-F]*+"), codes_fields.HEXADECIMAL),
    (re.compile(rb"[-+]?[0-9]++(?:[,_'][0-9]++)++"), codes_fields.DIGIT_SEPARATOR),
    (re.compile(rb"[-+]?[0-9]*+\.[0-9]*+"), codes_fields.DECIMAL_POINT),
    (re.compile(rb"[-+]?[0-9.]++[eE][-+]?[0-9]++"), codes_fields.EXPONENT),
    (re.compile(rb"\+[0-9]++"), codes_fields.PLUS_SIGN),
)
"""The forms that people write numbers in, and the code of each; tried in this order."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field as written: its bytes, and the column of the first, from 1."""

    text: bytes
    column: int

    @property
    def is_integer(self) -> bool:
        """Whether it is digits, perhaps behind a minus."""
        return _INTEGER.fullmatch(self.text) is not None

    @property
    def value(self) -> int:
        """The value of an integer; beyond 4,000 digits, where Python refuses to convert, a number of that size."""
        digits = self.text.lstrip(b"-0") or b"0"
        value = int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
        return -value if self.text.startswith(b"-") else value

    @property
    def shown(self) -> str:
        """The text, at most 40 characters of it."""
        text = self.text.decode("ascii", "backslashreplace")
        return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."

    def place(self, code: Code, sentence: str) -> Place:
        """Return the fault that is this whole field."""
        return Place(code, self.column, len(self.text), sentence)


def begins_comment(field: Field) -> bool:
    """Tell whether a comment of any common language begins with the field."""
    return field.text.startswith(_COMMENT)


def no_number(field: Field, position: int, record: bytes) -> Place:
    """Return the fault of a field that is no integer; `position` is 1, 2 or 3, `record` the first field of its line."""
    for at, byte in enumerate(field.text):
        if (code := strange_byte(byte)) is not None:
            return Place(code, field.column + at, 1, f"a byte of value 0x{byte:02x} stands in field {position}")
    shape = next((code for pattern, code in _FORMS if pattern.fullmatch(field.text)), None)
    if shape is not None:
        return field.place(shape, f"field {position} is {field.shown}; write it as a plain decimal integer")
    if position == 3 and record == b"%d" % identity_number():
        name = field.shown
        return field.place(
            codes_fields.NAME_FOR_ID,
            f"field 3 is {name} where an id belongs; FNV-1a of these bytes is {engine_id(name)}",
        )
    return field.place(codes_fields.NOT_A_NUMBER, f"field {position} is {field.shown}, which is no number")


def strange_byte(byte: int) -> Code | None:
    """Return the code of a byte that no text of records has, or None for a printable character of ASCII."""
    if byte == 0:
        return codes_text.NUL_BYTE
    if byte < 0x20 or byte == 0x7F:
        return codes_text.CONTROL_BYTE
    return codes_text.NOT_ASCII if byte >= 0x80 else None


def identity_number() -> int:
    """Return the number of the header record that names the writer."""
    return _number_of("identity")


def dimensions_number() -> int:
    """Return the number of the header record that has the dimensions."""
    return _number_of("dimensions")


def _number_of(name: str) -> int:
    return next(record.number for record in coli_spec.load().records if record.name == name and record.number)


def form_faults(fields: tuple[Field, ...]) -> Iterator[Place]:
    """Yield needless zeros and signs of zero: the same value to every shipped reader, and not canonical (W18)."""
    for field in fields:
        digits = field.text.lstrip(b"-")
        if len(digits) > 1 and digits.startswith(b"0"):
            yield field.place(codes_fields.LEADING_ZERO, f"{field.shown} has zeros in front that mean nothing")
        elif field.text == b"-0":
            yield field.place(codes_fields.MINUS_ZERO, "-0 is 0; the sign makes it look like a header record")


def range_faults(fields: tuple[Field, ...]) -> Iterator[Place]:
    """Yield the integers of a record that its field types do not hold (W03)."""
    for index, (field, type_) in enumerate(zip(fields, coli_spec.load().fields, strict=False)):
        value = field.value
        if type_.holds(value):
            continue
        if index == 2 and field.text.startswith(b"-"):
            yield field.place(codes_fields.SIGNED_COUNT, f"field 3 is {field.shown}; it is unsigned and has no sign")
            continue
        hint = ""
        if index == 1 and fields[0].text == b"%d" % identity_number():
            hint = f"; the id belongs in field 3 (W06), and field 2 is the version {coli_spec.load().format_version}"
        yield field.place(
            codes_fields.OUT_OF_RANGE,
            f"field {index + 1}: {field.shown} does not fit {type_.minimum}..{type_.maximum} ({type_.name}); old "
            f"readers parse it with {'%d' if type_.signed else '%u'} and store {_stored(field.text, index)}{hint}",
        )


def _stored(text: bytes, index: int) -> str:
    """Return what old readers make of a number out of range, on two platforms that disagree."""
    alone = b" ".join(text if position == index else b"0" for position in range(3))
    seen = {platform: old_reader.records(alone, platform)[0][index] for platform in ("glibc64", "ilp32")}
    return f"{seen['glibc64']} on 64-bit Linux, {seen['ilp32']} on 32-bit systems"

"""What the loop of the old reader parses from a file, on each C library it was shipped with (W15).

The loop is ``while(fscanf(f,"%d %d %u",&l,&e,&c)==3)`` over a file opened in text mode. C says what it does
with numbers that fit ``int``, ``int`` and ``unsigned``. Beyond those types each C library has its own answer,
before the low 32 bits are stored:

=========  ====================  =========================================================
platform   %d                    %u
=========  ====================  =========================================================
glibc64    saturates at 64 bits  magnitude beyond 64 bits: all ones; else negated if minus
musl       as its %u             as glibc64
ilp32      saturates at 32 bits  magnitude beyond 32 bits: all ones; else negated if minus
windows    saturates at 32 bits  magnitude saturates at 32 bits; then negated if minus
=========  ====================  =========================================================

``glibc64`` is glibc with a 64-bit ``long``, in either byte order; ``ilp32`` is glibc with a 32-bit one. The
row ``windows`` is what a mingw-w64 program was measured to do on the C runtime of Wine 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

# One more than the largest int and unsigned on every platform below: facts about C, not about the format.
_INT_LIMIT = 1 << 31
_UNSIGNED_LIMIT = 1 << 32

# All that conversions can take from the front of a file: digits, the six characters of isspace in the C
# locale, and signs with a digit right behind them. The first byte of any other kind fails the conversion that
# meets it, and with it the loop. A zero byte is such a byte. So is Ctrl-Z, hence it makes no difference that
# text mode on Windows ends the file there. Nor does it that CR LF becomes LF: both are white space, and so is
# a lone CR.
_CONVERTIBLE = re.compile(rb"[0-9 \t-\r]*+(?:[+-][0-9][0-9 \t-\r]*+)*+")

# 2**64 has 20 digits. What has more is beyond the widest type of every platform, where only its sign matters.
_MOST_DIGITS = 20

_Conversion = Callable[[int], int]


class UndefinedField(NamedTuple):
    """A field whose outcome C leaves undefined.

    `record` is an index into what :func:`records` returns, counted from 0; `position` is 1, 2 or 3; `text` is
    the field as it stands in the file.
    """

    record: int
    position: int
    text: str


def records(data: bytes, platform: str = "glibc64") -> list[tuple[int, int, int]]:
    """Return every record that the old reader parses from a file's bytes, in order (W15).

    Negative layers are included: dropping them is what the loop's body does. The first two numbers are in
    -2147483648..2147483647, the third in 0..4294967295, whatever the file says. Any bytes are good; reading
    ends where a conversion fails, and three numbers of which one is missing are no record.

    Raises ValueError for a platform that is not one of `PLATFORMS`.
    """
    if platform not in _CONVERSIONS:
        raise ValueError(
            f"no model of the old reader is called {platform!r}; choose one of {', '.join(PLATFORMS)} (W15)"
        )
    convert_signed, convert_unsigned = _CONVERSIONS[platform]
    fields = _fields(data)
    layers, experts, counts = fields[0::3], fields[1::3], fields[2::3]
    # A history repeats its numbers: to convert each distinct text once is what makes this quick.
    signed = {text: _stored_in_int(convert_signed(_value(text))) for text in {*layers, *experts}}
    unsigned = {text: _stored_in_unsigned(convert_unsigned(_value(text))) for text in set(counts)}
    return [
        (signed[layer], signed[expert], unsigned[count])
        for layer, expert, count in zip(layers, experts, counts, strict=True)
    ]


def leaves_defined_ground(data: bytes) -> list[UndefinedField]:
    """Return the fields whose outcome C leaves undefined, in the order of the file (W15, R21).

    Where the list is empty, every platform parses the same records. A first or second field is listed when
    its value does not fit a 32-bit ``int``, a third when its magnitude does not fit a 32-bit ``unsigned``.

    A third field with a minus is outside the format's range and breaches W03, yet up to that magnitude it is
    not listed: C defines it as negation in ``unsigned``, so that every old reader makes 4294967291 of -5, and
    that must not be excused as a matter of platforms. Fields of a record that is never completed are not
    listed either: the loop drops them whatever they became.
    """
    fields = _fields(data)
    undefined_signed = {text for text in {*fields[0::3], *fields[1::3]} if not _fits_int(_value(text))}
    undefined_unsigned = {text for text in set(fields[2::3]) if not _fits_unsigned(abs(_value(text)))}
    if not undefined_signed and not undefined_unsigned:
        return []
    by_position = (undefined_signed, undefined_signed, undefined_unsigned)
    return [
        UndefinedField(index // 3, index % 3 + 1, text.decode("ascii"))
        for index, text in enumerate(fields)
        if text in by_position[index % 3]
    ]


def _fields(data: bytes) -> list[bytes]:
    """Return the texts of the fields of every complete record, three by three."""
    convertible = _CONVERTIBLE.match(data)
    taken = convertible[0] if convertible else b""
    # A sign also ends the number before it: "3-2 5" is three numbers.
    fields = taken.replace(b"+", b" +").replace(b"-", b" -").split()
    return fields[: len(fields) - len(fields) % 3]


def _value(text: bytes) -> int:
    """Return a field's value as written; 2**64 with its sign stands for every longer number.

    Python refuses to convert numbers of some thousands of digits, and is slow before that.
    """
    if len(text) <= _MOST_DIGITS:
        return int(text)
    digits = text.lstrip(b"+-0") or b"0"
    magnitude = int(digits) if len(digits) <= _MOST_DIGITS else 1 << 64
    return -magnitude if text.startswith(b"-") else magnitude


def _fits_int(value: int) -> bool:
    return -_INT_LIMIT <= value < _INT_LIMIT


def _fits_unsigned(value: int) -> bool:
    return 0 <= value < _UNSIGNED_LIMIT


def _stored_in_int(value: int) -> int:
    """Keep the low bits of a value, as an assignment to ``int`` does."""
    return (value + _INT_LIMIT) % (2 * _INT_LIMIT) - _INT_LIMIT


def _stored_in_unsigned(value: int) -> int:
    """Keep the low bits of a value, as an assignment to ``unsigned`` does: -5 becomes 4294967291."""
    return value % _UNSIGNED_LIMIT


def _strtol(value: int, bits: int) -> int:
    """Convert like strtol with a ``long`` of that width: what does not fit becomes the nearer end."""
    limit = 1 << (bits - 1)
    return max(-limit, min(value, limit - 1))


def _strtoul(value: int, bits: int) -> int:
    """Convert like strtoul with a ``long`` of that width: what does not fit becomes all ones, sign lost."""
    all_ones = (1 << bits) - 1
    return value if abs(value) <= all_ones else all_ones


def _saturate_either_side(value: int) -> int:
    """Convert like %u on Windows: a magnitude that does not fit becomes all ones, and keeps its minus."""
    all_ones = _UNSIGNED_LIMIT - 1
    return max(-all_ones, min(value, all_ones))


# The conversions of %d and of %u. musl reads both with one unsigned 64-bit scan.
_CONVERSIONS: dict[str, tuple[_Conversion, _Conversion]] = {
    "glibc64": (partial(_strtol, bits=64), partial(_strtoul, bits=64)),
    "musl": (partial(_strtoul, bits=64), partial(_strtoul, bits=64)),
    "ilp32": (partial(_strtol, bits=32), partial(_strtoul, bits=32)),
    "windows": (partial(_strtol, bits=32), _saturate_either_side),
}

PLATFORMS: tuple[str, ...] = tuple(_CONVERSIONS)

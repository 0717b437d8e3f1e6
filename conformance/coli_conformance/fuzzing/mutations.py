"""Byte-level mutation: what becomes of files that are cut, glued, hit by a bit flip or edited by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import coli_spec

_FIELDS = coli_spec.load().fields
_NUMBERS = tuple(sorted({str(value).encode() for field in _FIELDS for value in (*field.boundaries(), *field.beyond())}))
"""Numbers inside the field ranges at their ends, and outside them where a reader might wrap."""
_WORDS = (
    *(b"x", b"#", b"# note", b"glm_moe_dsa", b"+1", b"--1", b"-", b"1.5", b".5", b"1e3", b"0x10", b"1,000", b"007"),
    *(b"-0", b"nan", b"%n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1a", b"\f", b"\v", b"IKU1", b"9" * 40),
)
_TELLING_BYTES = b" \t\r\n\0-+.#0123456789x\xff\x1a"
_NUMBER = re.compile(rb"-?[0-9]+")
_LONGEST_RUN = 5000


def mutated(chance: Random, data: bytes, other: bytes) -> bytes:
    """Return `data` after one to four mutations; `other` is a second file, to be spliced in."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        data = chance.choice(_MUTATIONS)(chance, data, other)
    return data


def _place(chance: Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def _flip_bit(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes((data[at] ^ (1 << chance.randrange(8)),)) + data[at + 1 :]


def _insert(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    at = _place(chance, data)
    put = bytes((chance.choice(_TELLING_BYTES),)) if chance.random() < 0.5 else chance.choice(_WORDS)
    return data[:at] + put + data[at:]


def _insert_run(chance: Random, data: bytes, other: bytes) -> bytes:
    """Insert one byte many times over: long numbers, long lines, blocks of zero bytes."""
    del other
    at = _place(chance, data)
    return data[:at] + bytes((chance.choice(b"90 x\0\n"),)) * chance.randint(20, _LONGEST_RUN) + data[at:]


def _delete(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    at = _place(chance, data)
    return data[:at] + data[at + chance.choice((1, 1, 2, 5, 20)) :]


def _cut_off(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    return data[: _place(chance, data)]


def _splice(chance: Random, data: bytes, other: bytes) -> bytes:
    return data[: _place(chance, data)] + other[_place(chance, other) :]


def _change_number(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    found = list(_NUMBER.finditer(data[:10_000]))
    if not found:
        return data
    number = chance.choice(found)
    return data[: number.start()] + chance.choice(_NUMBERS) + data[number.end() :]


def _wrap_number(chance: Random, data: bytes, other: bytes) -> bytes:
    """Add turns of 32 or 64 bits to a number: a reader that wraps sees no difference (R21)."""
    del other
    found = [number for number in _NUMBER.finditer(data[:10_000]) if len(number[0]) < 20]
    if not found:
        return data
    number = chance.choice(found)
    wrapped = int(number[0]) + chance.choice((1 << 32, -(1 << 32), 1 << 64, 3 << 32))
    return data[: number.start()] + b"%d" % wrapped + data[number.end() :]


def _replace_number(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    found = list(_NUMBER.finditer(data[:10_000]))
    if not found:
        return data
    number = chance.choice(found)
    return data[: number.start()] + chance.choice(_WORDS) + data[number.end() :]


def _fourth_field(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    lines[at] += b" %d" % chance.choice((0, 1, 3, 7, 99))
    return b"\n".join(lines)


def _repeat_line(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join((*lines[:at], *lines[at : at + 1] * chance.choice((2, 2, 3, 40)), *lines[at + 1 :]))


def _swap_lines(chance: Random, data: bytes, other: bytes) -> bytes:
    del other
    lines = data.split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


_Mutation = Callable[[Random, bytes, bytes], bytes]
_MUTATIONS: tuple[_Mutation, ...] = (
    *(_flip_bit, _insert, _insert, _insert_run, _delete, _cut_off, _splice),
    *(_change_number, _change_number, _wrap_number, _wrap_number, _replace_number, _fourth_field, _repeat_line),
    _swap_lines,
)

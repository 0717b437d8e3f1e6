"""Which kind of file some bytes are the beginning of."""

from __future__ import annotations

import re

from coli_conformance.check.code import Kind
from coli_reference.iku1 import MAGIC

_WORDS = 12
_LINES = 20
_TEXT = re.compile(rb"[\t\n\r\x20-\x7e]*+")
_PAIRS = b"COLIPAIRS"
_TRACE_LINE = re.compile(rb"[ \t]*+[^ \t:]++[ \t]++[^ \t:]++[ \t]++[^ \t:]++[ \t]++[^ \t]*:")
_CSV_LINE = re.compile(rb'[ \t]*+"?[\w.+-]++"?(?:[ \t]*+,[ \t]*+"?[\w.+-]++"?){3,}+[ \t]*+\r?')
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def kind_of(first: bytes) -> Kind:
    """Return the kind of a file by its first bytes; what is like none of the others is a history."""
    if first.startswith((MAGIC, MAGIC[::-1])) and not is_text_with_magic(first):
        return Kind.IKU1
    if first.startswith(_PAIRS):
        return Kind.PAIRS
    lines = [line for line in first.split(b"\n")[:_LINES] if line.strip()]
    with_gates = sum(_TRACE_LINE.match(line) is not None for line in lines)
    is_trace = with_gates * 2 > len(lines) or (bool(lines) and all(is_csv(line) for line in lines))
    return Kind.TRACE if is_trace else Kind.HISTORY


def is_csv(line: bytes) -> bool:
    """Tell whether a line is four or more numbers or words set apart by commas, as another tool's trace has them."""
    return _CSV_LINE.fullmatch(line) is not None


def is_text_with_magic(first: bytes) -> bool:
    """Tell whether a file begins with the magic of IKU1 and goes on as text: its dimensions would be printable."""
    return first.startswith(MAGIC) and len(first) > len(MAGIC) and _TEXT.fullmatch(first[:_WORDS]) is not None


def is_utf_16(first: bytes) -> bool:
    """Tell whether a file is UTF-16, by its byte-order mark or by every other byte of its beginning being zero."""
    if first.startswith(_UTF_16):
        return True
    some = first[:64]
    return len(some) >= 4 and (not any(some[1::2]) or not any(some[::2])) and any(some)

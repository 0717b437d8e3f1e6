"""Checking an IKU1 block: its header, its size, and whether it holds any count; of the rest nothing can be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import coli_spec
from coli_conformance.check import codes_iku1 as codes
from coli_conformance.check.asked import Asked, is_possible
from coli_conformance.check.code import Code
from coli_conformance.check.finding import Finding, Place, in_line
from coli_conformance.check.source import Source
from coli_reference.iku1 import writer
from coli_spec.iku1 import HEADER_BYTES, MAGIC_BYTES, WORD_BYTES, Header, parse_header
from coli_spec.model import Dimensions

if TYPE_CHECKING:
    from coli_conformance.check.tally import Tally

_SHOWN = 16


@dataclass(frozen=True, slots=True)
class Measured:
    """A file measured in one pass: its first bytes, its size, and whether a byte of the block's counts is not zero."""

    start: bytes
    size: int
    any_count: bool


def measure(source: Source, tally: Tally | None = None) -> Measured:
    """Read a source to its end; memory does not depend on what it declares (I05)."""
    size, any_count = 0, False
    end = _end_of_counts(source.first)
    for chunk in source.chunks():
        counts = chunk[max(0, HEADER_BYTES - size) : max(0, end - size)]
        any_count = any_count or counts.count(0) < len(counts)
        size += len(chunk)
        if tally is not None:
            tally.add_block(source.first, counts)
    return Measured(source.first[:_SHOWN], size, any_count)


def _end_of_counts(first: bytes) -> int:
    """Return the offset behind the last count that the header declares; what follows it is none (I07)."""
    if len(first) < HEADER_BYTES or not first.startswith(MAGIC_BYTES):
        return HEADER_BYTES
    return parse_header(first[:HEADER_BYTES]).file_bytes


def findings(block: Measured, asked: Asked) -> Iterator[Finding]:
    """Yield everything that is wrong with a measured file which begins with the magic, in either byte order."""
    for place in _places(block, asked):
        offset = place.column - 1
        sentence = f"byte {offset}: {place.sentence}"
        shown = block.start if offset < len(block.start) or block.size <= _SHOWN else b""
        yield in_line(Place(place.code, place.column, place.width, sentence), 1, shown)


def _places(block: Measured, asked: Asked) -> Iterator[Place]:
    if block.start.startswith(MAGIC_BYTES[::-1]):
        yield _at(codes.BYTE_ORDER, 0, WORD_BYTES, "the magic is there with its bytes in the opposite order")
        return
    if not block.start.startswith(MAGIC_BYTES):
        yield _at(codes.NO_MAGIC, 0, WORD_BYTES, f"the magic, the bytes {MAGIC_BYTES.hex(' ')}, is not here")
        return
    yield _at(codes.DENSE_LAYOUT, 0, WORD_BYTES, f"the magic of IKU1, the binary layout of {writer()}")
    if block.size < HEADER_BYTES:
        yield _at(codes.CUT_HEADER, block.size, 1, f"the file ends here; its header takes {HEADER_BYTES} bytes")
        return
    if asked.engine is not None and asked.engine != writer():
        yield _at(codes.OTHER_READER, 0, WORD_BYTES, f"{asked.engine} refuses this layout unless the path is typed")
    header = parse_header(block.start)
    if not is_possible(header.n_layers, header.n_experts):
        yield _impossible(header)
        return
    yield from _sizes(header, asked)
    if block.size < header.file_bytes:
        yield _at(
            codes.CUT_BLOCK, block.size, 1, f"the file ends here; {_words(header)} take {header.file_bytes} bytes"
        )
    elif block.size > header.file_bytes:
        more = block.size - header.file_bytes
        yield _at(codes.LONG_BLOCK, header.file_bytes, more, f"the block ends here; {more} more bytes follow")
    if not block.any_count:
        yield _at(codes.EMPTY_BLOCK, HEADER_BYTES, 1, "every count from here on is zero")


def _at(code: Code, offset: int, width: int, sentence: str) -> Place:
    return Place(code, offset + 1, width, sentence)


def _words(header: Header) -> str:
    return f"{header.n_layers} layers of {header.n_experts} experts"


def _impossible(header: Header) -> Place:
    """Return the fault of dimensions no model has; often they are those of one, in the other byte order."""
    n_layers, n_experts = (
        int.from_bytes(size.to_bytes(WORD_BYTES, "little"), "big") for size in (header.n_layers, header.n_experts)
    )
    if is_possible(n_layers, n_experts):
        sentence = f"{_words(header)}, which is {n_layers} of {n_experts} with the bytes in the opposite order"
        return _at(codes.BYTE_ORDER, WORD_BYTES, 2 * WORD_BYTES, sentence)
    sentence = f"{_words(header)} are no model's; they would take {header.file_bytes} bytes"
    return _at(codes.IMPOSSIBLE_BLOCK, WORD_BYTES, 2 * WORD_BYTES, sentence)


def _sizes(header: Header, asked: Asked) -> Iterator[Place]:
    """Yield what is wrong with dimensions that are not those asked for, or those of the engine that writes IKU1."""
    own = coli_spec.load().engine(writer())
    sizes = asked.sizes or (own.dimensions if own is not None else ())
    declared = Dimensions(header.n_layers, header.n_experts)
    if Dimensions(header.n_experts, header.n_layers) in sizes and declared not in sizes:
        sentence = f"{_words(header)}; the other way round they are {writer()}'s"
        yield _at(codes.SWAPPED_DIMENSIONS, WORD_BYTES, 2 * WORD_BYTES, sentence)
    elif asked.sizes and declared not in asked.sizes:
        sentence = f"{declared.text}, and the engine has {asked.sizes_text}"
        yield _at(codes.OTHER_BLOCK, WORD_BYTES, 2 * WORD_BYTES, sentence)

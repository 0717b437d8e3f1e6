"""IKU1, inkling's dense binary layout: declared once, with a reader and a writer (I01 to I08).

Importing this module imports construct, so callers import it where they need it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

import construct

MAGIC = 0x31554B49

_WORD = construct.Int32ul
_HEADER = construct.Struct("magic" / _WORD, "n_layers" / _WORD, "n_experts" / _WORD)
_LARGEST_WORD = (1 << (8 * _WORD.sizeof())) - 1

WORD_BYTES = int(_WORD.sizeof())
HEADER_BYTES = int(_HEADER.sizeof())
MAGIC_BYTES = bytes(_WORD.build(MAGIC))


class Iku1Error(ValueError):
    """Bytes that are no IKU1, or counts that do not fit it; the text is a sentence to act on."""


@dataclass(frozen=True, slots=True)
class Header:
    """The dimensions a block declares, each in 0..4294967295; rows run from 0 to n_layers - 1."""

    n_layers: int
    n_experts: int

    @property
    def file_bytes(self) -> int:
        """The size of the file these dimensions ask for, header included."""
        return HEADER_BYTES + self.n_layers * self.n_experts * WORD_BYTES


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the layout as documents show it; a size of None depends on the dimensions."""

    name: str
    offset: int
    size: int | None
    type: str


def layout() -> tuple[Part, ...]:
    """Return the parts of the layout in file order, with offsets and sizes in bytes."""
    parts: list[Part] = []
    offset = 0
    for member in _HEADER.subcons:
        size = int(member.sizeof())
        parts.append(Part(str(member.name), offset, size, f"uint{8 * size}"))
        offset += size
    return (*parts, Part("counts", offset, None, f"uint{8 * WORD_BYTES}[n_layers][n_experts]"))


def parse_header(data: bytes) -> Header:
    """Return the header at the start of the bytes, whatever follows it.

    Raises Iku1Error where fewer than 12 bytes are there (I06) or the magic is another.
    """
    start = data[:HEADER_BYTES]
    magic = start[:WORD_BYTES]
    if not MAGIC_BYTES.startswith(magic):
        raise Iku1Error(
            f"the file begins with the bytes {magic.hex()}, not with {MAGIC_BYTES.hex()} ('IKU1'); "
            "it is of another layout, so read it as text (I01)"
        )
    if len(start) < HEADER_BYTES:
        raise Iku1Error(
            f"the IKU1 header takes {HEADER_BYTES} bytes and the file ends after {len(start)}; "
            "it was cut off, so restore it from a whole copy (I06)"
        )
    fields = _HEADER.parse(start)
    return Header(int(fields.n_layers), int(fields.n_experts))


@dataclass(frozen=True, slots=True)
class Block:
    """The dense counts of an open file, read row by row; nothing is read before it is asked for."""

    stream: BinaryIO
    header: Header
    trailing_bytes: int
    """Bytes in the file after the block (I07)."""

    def row(self, layer: int) -> tuple[int, ...]:
        """Return the n_experts counts of a row in 0..n_layers-1.

        Raises Iku1Error for another row, and where the file no longer holds the whole row.
        """
        if not 0 <= layer < self.header.n_layers:
            raise Iku1Error(f"there is no row {layer} in a block of {self.header.n_layers} layers (I08)")
        row_bytes = self.header.n_experts * WORD_BYTES
        self.stream.seek(HEADER_BYTES + layer * row_bytes)
        data = self.stream.read(row_bytes)
        if len(data) < row_bytes:
            raise Iku1Error(
                f"row {layer} takes {row_bytes} bytes and {len(data)} could be read; "
                "the file shrank while it was open, so read it again (I06)"
            )
        return tuple(construct.Array(self.header.n_experts, _WORD).parse(data))

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Yield every row in order."""
        for layer in range(self.header.n_layers):
            yield self.row(layer)


def open_block(stream: BinaryIO, size: int) -> Block:
    """Return the block of a seekable file of `size` bytes, having read its header only.

    Raises Iku1Error for a header that is none, for a dimension of zero, and for a file shorter than its
    dimensions say (I06). The size is compared before anything is read or allocated for them (I05).
    """
    stream.seek(0)
    header = parse_header(stream.read(HEADER_BYTES))
    if header.n_layers == 0 or header.n_experts == 0:
        raise Iku1Error(
            f"the header declares {header.n_layers} layers of {header.n_experts} experts; "
            "no model has a dimension of zero, so the file is damaged (I03)"
        )
    if size < header.file_bytes:
        raise Iku1Error(
            f"{header.n_layers} layers of {header.n_experts} experts take {header.file_bytes} bytes "
            f"and the file has {size}; it was cut off or its header is damaged (I06)"
        )
    return Block(stream, header, size - header.file_bytes)


def build(n_layers: int, n_experts: int, counts: Mapping[tuple[int, int], int]) -> bytes:
    """Return the bytes of a file with these counts by (layer, expert); the others are zero.

    Raises Iku1Error for a dimension or count that does not fit 32 bits unsigned, or a counter outside them.
    """
    for name, value in (("n_layers", n_layers), ("n_experts", n_experts)):
        if not 0 < value <= _LARGEST_WORD:
            raise Iku1Error(f"{name} is {value}; it must be in 1..{_LARGEST_WORD} (I03)")
    for (layer, expert), count in counts.items():
        if not (0 <= layer < n_layers and 0 <= expert < n_experts):
            raise Iku1Error(
                f"layer {layer}, expert {expert} is outside a block of {n_layers} layers "
                f"of {n_experts} experts; IKU1 has no MTP row (I08)"
            )
        if not 0 <= count <= _LARGEST_WORD:
            raise Iku1Error(
                f"the count {count} of layer {layer}, expert {expert} does not fit 0..{_LARGEST_WORD} (I01)"
            )
    file = io.BytesIO(bytes(Header(n_layers, n_experts).file_bytes))
    file.write(_HEADER.build({"magic": MAGIC, "n_layers": n_layers, "n_experts": n_experts}))
    for (layer, expert), count in counts.items():
        file.seek(HEADER_BYTES + (layer * n_experts + expert) * WORD_BYTES)
        file.write(_WORD.build(count))
    return file.getvalue()

"""Binary data as rows of hex with what they mean: word by word for IKU1, sixteen bytes a row for any other."""

from __future__ import annotations

from dataclasses import dataclass

_ROW_BYTES = 16


@dataclass(frozen=True, slots=True)
class HexRow:
    """One row: its offset in bytes, the bytes in hex, the same as printable characters, and what they mean."""

    offset: int
    data: str
    characters: str
    meaning: str


@dataclass(frozen=True, slots=True)
class HexDump:
    """Rows in the order of the file; `more` says what is not among them."""

    rows: tuple[HexRow, ...]
    more: str


def is_binary(data: bytes) -> bool:
    """Tell whether `data` says more in hex than as text: it begins as IKU1 does, or holds a zero byte."""
    from coli_spec.iku1 import MAGIC_BYTES  # noqa: PLC0415 - it imports construct

    return data.startswith(MAGIC_BYTES) or b"\0" in data


def hex_dump(data: bytes, most: int) -> HexDump:
    """Return the first rows of `data`, at most `most`; counters of zero in IKU1 are left out."""
    from coli_spec import iku1  # noqa: PLC0415 - it imports construct

    if not data.startswith(iku1.MAGIC_BYTES):
        offsets = range(0, min(len(data), most * _ROW_BYTES), _ROW_BYTES)
        left = len(data) - most * _ROW_BYTES
        rows = (_row(offset, data[offset : offset + _ROW_BYTES], "") for offset in offsets)
        return HexDump(tuple(rows), f"{left} more bytes" if left > 0 else "")
    words = [offset for offset in range(0, len(data), iku1.WORD_BYTES) if _says_something(data, offset)]
    rows = (
        _row(offset, data[offset : offset + iku1.WORD_BYTES], _iku1_meaning(data, offset)) for offset in words[:most]
    )
    left = len(words) - most
    more = [f"{left} more words"] if left > 0 else []
    return HexDump(tuple(rows), "; ".join([*more, "counters of zero are left out"]))


def _says_something(data: bytes, offset: int) -> bool:
    """Tell whether the word at `offset` is one of the header, or no counter of zero."""
    from coli_spec import iku1  # noqa: PLC0415 - it imports construct

    return offset < iku1.HEADER_BYTES or data[offset : offset + iku1.WORD_BYTES] != bytes(iku1.WORD_BYTES)


def _row(offset: int, data: bytes, meaning: str) -> HexRow:
    characters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)
    return HexRow(offset, data.hex(" "), characters, meaning)


def _iku1_meaning(data: bytes, offset: int) -> str:
    """Return what the word at `offset` says: a part of the header, or a counter with its layer and expert."""
    from coli_spec import iku1  # noqa: PLC0415 - it imports construct

    word = data[offset : offset + iku1.WORD_BYTES]
    if len(word) < iku1.WORD_BYTES:
        return "cut off within a word"
    value = int.from_bytes(word, "little")
    for part in iku1.layout():
        if part.size is not None and part.offset == offset:
            return f"{part.name}: {word.decode('ascii')}" if offset == 0 else f"{part.name}: {value}"
    header = iku1.parse_header(data)
    if offset >= header.file_bytes:
        return f"{value}, behind the block"
    layer, expert = divmod((offset - iku1.HEADER_BYTES) // iku1.WORD_BYTES, header.n_experts)
    return f"layer {layer}, expert {expert}: {value}"

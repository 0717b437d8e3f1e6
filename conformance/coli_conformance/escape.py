"""Showing what an engine or a file supplied: nothing it holds may move the cursor, colour the screen or end a line."""

from __future__ import annotations

_NAMED = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x5C: "\\\\"}
_SHOWN_BYTES = tuple(_NAMED.get(byte, chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}") for byte in range(256))


def shown_bytes(data: bytes) -> str:
    r"""Return `data` as printable ASCII: `\t`, `\n`, `\r`, `\\`, and `\x1b` for all else that is not printable."""
    return "".join(_SHOWN_BYTES[byte] for byte in data)


def shown_text(text: str) -> str:
    r"""Return `text` on one line with everything unprintable as `\x1b`, `\u202e` or `\U000e0001`.

    Unprintable is what `str.isprintable` says: control characters, line ends, marks that turn the direction of
    writing, lone surrogates. A backslash stays as it is, for the text may already be escaped.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text)


def cut(text: str, room: int) -> str:
    """Return `text`, or where it is longer than `room` characters its beginning and `...`, `room` in all."""
    return text if len(text) <= room else text[: max(room - 3, 0)] + "..."


def _escaped(character: str) -> str:
    number = ord(character)
    if number in _NAMED:
        return _NAMED[number]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

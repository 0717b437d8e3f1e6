"""The bytes of a small IKU1 file, each with the part of the layout it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from coli_spec import iku1

SMALL = (2, 3)
"""The layers and experts of the file that is shown."""
SMALL_COUNTS = {(0, 1): 5, (1, 0): 258, (1, 2): 4_294_967_295}
"""Its counters that are not zero, by layer and expert; 258 shows the byte order."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the file: where it stands, its bytes, the number they are, and what that number says."""

    offset: int
    data: bytes
    value: int
    meaning: str


def small_file() -> bytes:
    """Return the file that is shown."""
    return iku1.build(*SMALL, SMALL_COUNTS)


def words() -> tuple[Word, ...]:
    """Return the words of the file that is shown, in order."""
    data = small_file()
    names = [part.name for part in iku1.layout() if part.size is not None]
    _, n_experts = SMALL
    found = []
    for index, offset in enumerate(range(0, len(data), iku1.WORD_BYTES)):
        raw = data[offset : offset + iku1.WORD_BYTES]
        if index < len(names):
            meaning = names[index]
        else:
            layer, expert = divmod(index - len(names), n_experts)
            meaning = f"counts[{layer}][{expert}]: layer {layer}, expert {expert}"
        found.append(Word(offset, raw, int.from_bytes(raw, "little"), meaning))
    return tuple(found)


def dump() -> str:
    """Return the annotated dump, a word on a line: offset in hex, bytes, printable characters, number, meaning."""
    return "\n".join(
        f"{word.offset:08x}  {word.data.hex(' ')}  {_printable(word.data)}  {_value(word):>10}  {word.meaning}"
        for word in words()
    )


def _value(word: Word) -> str:
    return f"0x{word.value:08x}" if word.meaning == "magic" else str(word.value)


def _printable(data: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)

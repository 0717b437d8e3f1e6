"""The lines of a file around the place that is wrong, escaped, with where the caret goes."""

from __future__ import annotations

from dataclasses import dataclass

from coli_conformance.escape import cut, shown_bytes

_BEFORE = 2
_AFTER = 1
_LEAD = 24


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line of a file: its number from 1, its escaped text, and the caret as offset and width in characters."""

    number: int
    text: str
    caret: tuple[int, int] | None = None


def excerpt(data: bytes, line: int | None, column: int | None, width: int, room: int) -> tuple[ShownLine, ...]:
    """Return the lines of `data` around `line`, or its first lines where that is None, none longer than `room`.

    `line` and `column` count from 1, `column` and `width` are in bytes; a column past the end of the line, where
    something is missing, gets a caret behind it. A place past the last line shows the last lines.
    """
    first = max(1, (line if line is not None else 1) - _BEFORE)
    last = line + _AFTER if line is not None else first + _BEFORE + _AFTER
    shown: list[ShownLine] = []
    number, start = 1, 0
    while start < len(data) and number <= last:
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if number >= first:
            shown.append(_shown(number, data[start:end], column if number == line else None, width, room))
        number, start = number + 1, end + 1
    return tuple(shown)


def _shown(number: int, content: bytes, column: int | None, width: int, room: int) -> ShownLine:
    """Return one line; where it is too long, the part of it from shortly before the column."""
    at = column - 1 if column is not None else 0
    skipped = at - _LEAD if len(content) > room and at > _LEAD else 0
    lead = "..." if skipped else ""
    text = cut(lead + shown_bytes(content[skipped : skipped + room]), room)
    if column is None:
        return ShownLine(number, text)
    offset = len(lead) + len(shown_bytes(content[skipped:at]))
    caret = len(shown_bytes(content[at : at + min(width, room)])) or 1
    offset = min(offset, room - 1)
    return ShownLine(number, text, (offset, max(1, min(caret, room - offset))))

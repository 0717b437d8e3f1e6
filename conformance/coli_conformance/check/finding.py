"""One thing that `check` found: its code, its place in the file, and the part of the line that is shown."""

from __future__ import annotations

from dataclasses import dataclass

from coli_conformance.check.code import Code

_SHOWN = 400
_BEFORE = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A fault within one line: `column` counts bytes from 1, and stands behind the line where something is missing.

    `sentence` says what is wrong just here; nothing in it is escaped yet.
    """

    code: Code
    column: int
    width: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in a file. `shown` are some bytes of the line around it, the first of them at `shown_column`."""

    code: Code
    line: int
    column: int
    width: int
    sentence: str
    shown: bytes
    shown_column: int = 1


def in_line(place: Place, line: int, content: bytes, first_column: int = 1) -> Finding:
    """Return the finding at `place` of line number `line`.

    `content` is the line without its LF, or a part of it whose first byte stands at `first_column`.
    """
    start = max(0, place.column - first_column - _BEFORE)
    shown = content[start : start + _SHOWN]
    return Finding(place.code, line, place.column, place.width, place.sentence, shown, first_column + start)

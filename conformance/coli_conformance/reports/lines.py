"""Lines of a terminal report as pieces of text with a meaning, written plainly or in colour."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable
from typing import TextIO

Piece = tuple[str, str]
"""Text, already escaped, and its meaning: a key of STYLES, or "" for ordinary text."""
Line = tuple[Piece, ...]

STYLES = {
    "bad": "bold red",
    "weak": "yellow",
    "good": "green",
    "id": "bold",
    "caret": "bold red",
    "faint": "dim",
    "again": "cyan",
}
"""How each meaning looks on a terminal."""

WIDEST = 110
_NARROWEST = 60


def line(*pieces: str | Piece) -> Line:
    """Return a line of `pieces`; a bare string is ordinary text."""
    return tuple((piece, "") if isinstance(piece, str) else piece for piece in pieces)


def wrapped(text: str, width: int, indent: str = "", meaning: str = "") -> list[Line]:
    """Return `text` as lines no wider than `width`, each after `indent`; a word that is wider stays whole."""
    parts = textwrap.wrap(text, max(width - len(indent), 20), break_long_words=False, break_on_hyphens=False)
    return [line(indent, (part, meaning)) for part in parts]


def plain(content: Line) -> str:
    """Return the line without its meanings, and without blanks at its end."""
    return "".join(text for text, _ in content).rstrip()


def width_of(stream: TextIO) -> int:
    """Return how wide lines on `stream` may be: the terminal's width, never above WIDEST."""
    if not stream.isatty():
        return WIDEST
    return max(_NARROWEST, min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST))


def is_colourful(stream: TextIO) -> bool:
    """Tell whether `stream` is a terminal that wants colours and symbols."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in {None, "", "dumb"}


def write(lines: Iterable[Line], stream: TextIO) -> None:
    """Write `lines` to `stream`, in colour where it is a terminal that wants it. No markup is ever read."""
    if not is_colourful(stream):
        for content in lines:
            stream.write(plain(content) + "\n")
        stream.flush()
        return
    from rich.console import Console  # noqa: PLC0415 - a program that reads the output does not pay for it
    from rich.text import Text  # noqa: PLC0415 - as above

    console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for content in lines:
        console.print(Text.assemble(*((text, STYLES.get(meaning, "")) for text, meaning in content)))

"""What every kind of finding declares of itself: its permanent word, clause, level, advice, and an example of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """A kind of file; the value is the word that `--kind` takes."""

    HISTORY = "history"
    IKU1 = "iku1"
    TRACE = "trace"
    PAIRS = "pairs"


class Level(Enum):
    """How much a finding weighs; an error or a warning makes the exit status 1, a note does not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Example:
    """A small file in which the finding stands at `line` and `column`, from 1, checked for `engine` and `dims`."""

    data: bytes
    line: int
    column: int
    engine: str | None = None
    dims: str | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding. `name` is permanent; `clause` is the rule it is about.

    `what` says what is wrong and `do` what to do about it. `old_reader` is what the loop in binaries already shipped
    makes of a history from there on; it is empty for files that no such loop is meant to read. `once` findings are
    told at the first place of a file alone.
    """

    name: str
    kind: Kind
    clause: str
    level: Level
    what: str
    do: str
    old_reader: str = ""
    once: bool = False
    example: Example | None = None

"""The result of one case, and nothing that depends on how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """What a case came to. The value is the word in reports, the symbol is for terminals."""

    PASS = ("pass", "✓")
    FAIL = ("fail", "✗")
    CRASH = ("crash", "☠")
    TIMEOUT = ("timeout", "⌛")
    PROTOCOL = ("protocol", "?")
    UNSUPPORTED = ("unsupported", "-")
    NOT_RUN = ("not-run", " ")
    KNOWN_FAILING = ("known-failing", "k")
    UNEXPECTED_PASS = ("unexpected-pass", "!")

    def __init__(self, word: str, symbol: str) -> None:
        self.word = word
        self.symbol = symbol


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was not as it must be: the clause it breaks and a sentence a person can act on.

    Where it is about bytes, `path` names the file and `line`, `column`, `width` (1-based, in bytes) the place in it;
    where it is about an answer, `step` is the index of the command. `expected` and `seen` are short texts to stand
    side by side.
    """

    clause: str
    sentence: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    width: int = 1
    step: int | None = None
    expected: str | None = None
    seen: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on one case. `broken` are the clauses seen broken, the case's own first; empty when it passed."""

    case_id: str
    status: Status
    broken: tuple[str, ...] = ()
    behaviour: str | None = None
    findings: tuple[Finding, ...] = ()
    detail: str = ""

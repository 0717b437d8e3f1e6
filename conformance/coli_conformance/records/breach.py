"""One rule that a proposal breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Breach:
    """The clauses it breaks, the first one first, the line of the proposal, from 1, and a sentence on what to do."""

    clauses: tuple[str, ...]
    line: int
    sentence: str

"""A line on the terminal that says how far a search is, or the shrinking of one case."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from coli_conformance.fuzzing.asking import Answered
from coli_conformance.fuzzing.search import Findings
from coli_conformance.fuzzing.shrinking import shrinking_words
from coli_conformance.reports.late_line import LateLine

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

_EVERY = 0.2
"""Seconds between two looks of the line."""


class SearchProgress(LateLine):
    """Shows on `stream`, where it is a terminal, what a search has come to so far; gone when it is left."""

    def __init__(self, stream: TextIO, seconds: float | None, count: int | None) -> None:
        super().__init__(stream, _columns, patience=0)
        self._limit = f" s of {seconds:g} s" if seconds is not None else f" s, to {count} inputs"
        self._shown = 0.0

    def on_input(self, found: Findings, seconds: float) -> None:
        """Show the line anew, now and then, and with it what is being shrunk."""
        if time.monotonic() - self._shown >= _EVERY:
            self._shown = time.monotonic()
            inputs, differences = found.inputs.total(), len(found.differences)
            under_way = f"; {found.shrinking}" if found.shrinking is not None else ""
            self.show(description=f"{seconds:.0f}{self._limit}, {inputs} inputs, {differences} differences{under_way}")


class ShrinkProgress(LateLine):
    """Shows on `stream`, where it is a terminal, how small one case is by now; gone when it is left."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream, _columns)

    def on_try(self, smallest: Answered, tries: int) -> None:
        """Show the line anew."""
        self.show(description=shrinking_words(smallest, tries))


def _columns() -> Sequence[ProgressColumn]:
    from rich.progress import SpinnerColumn, TextColumn  # noqa: PLC0415 - only a terminal pays for it

    return SpinnerColumn(), TextColumn("{task.description}")

"""A line on the terminal that says how far a search is."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from coli_conformance.fuzzing.search import Findings
from coli_conformance.reports.lines import is_colourful

if TYPE_CHECKING:
    from rich.progress import Progress

_EVERY = 0.2
"""Seconds between two looks of the line."""


class SearchProgress:
    """Shows on `stream`, where it is a terminal, what a search has come to so far; gone when it is left."""

    def __init__(self, stream: TextIO, seconds: float | None, count: int | None) -> None:
        self._stream = stream
        self._limit = f" of {seconds:g} s" if seconds is not None else f" s, to {count} inputs"
        self._wanted = is_colourful(stream)
        self._shown = 0.0
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        """Show nothing yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line off the terminal."""
        if self._bar is not None:
            self._bar.stop()

    def on_input(self, found: Findings, seconds: float) -> None:
        """Show the line anew, now and then."""
        if not self._wanted or time.monotonic() - self._shown < _EVERY:
            return
        self._shown = time.monotonic()
        if self._bar is None:
            self._bar = self._started()
        text = f"{seconds:.0f}{self._limit}, {found.inputs.total()} inputs, {len(found.differences)} differences"
        self._bar.update(self._bar.task_ids[0], description=text)

    def _started(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it
        from rich.progress import Progress, SpinnerColumn, TextColumn  # noqa: PLC0415 - as above

        bar = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), console=Console(file=self._stream), transient=True
        )
        bar.add_task("", total=None)
        bar.start()
        return bar

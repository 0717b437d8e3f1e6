"""A line on the terminal that says how far a run is, once it lasts longer than a second."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from coli_conformance.reports.lines import is_colourful

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


class RunProgress:
    """Shows on `stream`, where it is a terminal, how many of `total` results there are; gone when it is left."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream = stream
        self._total = total
        self._done = 0
        self._failed = 0
        self._wanted = is_colourful(stream)
        self._begin = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        """Begin to count the time."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line off the terminal."""
        if self._bar is not None:
            self._bar.stop()

    def expect(self, more: int) -> None:
        """Add `more` results to those that are to come."""
        self._total += more
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=self._total)

    def step(self, failed: bool) -> None:
        """Count one more result."""
        self._done += 1
        self._failed += failed
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._begin < _PATIENCE:
                return
            self._bar = self._started()
        self._bar.update(self._bar.task_ids[0], completed=self._done, failed=self._failed)

    def _started(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only a run of more than a second pays for it
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - as above

        bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]} failing"),
            console=Console(file=self._stream),
            transient=True,
        )
        bar.add_task("cases", total=self._total, failed=self._failed)
        bar.start()
        return bar

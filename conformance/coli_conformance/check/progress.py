"""A line on the terminal that says how much of a large file is read, once that lasts longer than a second."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from coli_conformance.reports.lines import is_colourful

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


class ReadingProgress:
    """Shows on `stream`, where it is a terminal, how many bytes were read; gone when it is left."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._wanted = is_colourful(stream)
        self._begin = time.monotonic()
        self._done = 0
        self._bar: Progress | None = None
        self.total: int | None = None
        """How many bytes there are to read, where that is known."""

    def __enter__(self) -> Self:
        """Begin to count the time."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line off the terminal."""
        if self._bar is not None:
            self._bar.stop()

    def advance(self, number: int) -> None:
        """Count so many more bytes."""
        self._done += number
        if not self._wanted:
            return
        if self._bar is None:
            if time.monotonic() - self._begin < _PATIENCE:
                return
            self._bar = self._started()
        self._bar.update(self._bar.task_ids[0], completed=self._done)

    def _started(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only a file of more than a second pays for it
        from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn  # noqa: PLC0415 - as above

        bar = Progress(
            BarColumn(), DownloadColumn(), TransferSpeedColumn(), console=Console(file=self._stream), transient=True
        )
        bar.add_task("bytes", total=self.total)
        bar.start()
        return bar

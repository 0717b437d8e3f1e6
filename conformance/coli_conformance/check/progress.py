"""A line on the terminal that says how much of a large file is read, once that lasts longer than a second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from coli_conformance.reports.late_line import LateLine

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class ReadingProgress(LateLine):
    """Shows on `stream`, where it is a terminal, how many bytes were read; gone when it is left."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream, _columns)
        self._done = 0
        self.total: int | None = None
        """How many bytes there are to read, where that is known."""

    def advance(self, number: int) -> None:
        """Count so many more bytes."""
        self._done += number
        self.show(total=self.total, completed=self._done)


def _columns() -> Sequence[ProgressColumn]:
    from rich.progress import BarColumn, DownloadColumn, TransferSpeedColumn  # noqa: PLC0415 - only a large file pays

    return BarColumn(), DownloadColumn(), TransferSpeedColumn()

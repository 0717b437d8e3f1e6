"""A line of progress on a terminal: not there at first, gone at the end, and nowhere but on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from coli_conformance.reports.lines import is_colourful

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

PATIENCE = 1.0
"""Seconds after which something has lasted long enough to say how far it is."""


class LateLine:
    """Shows `columns` on `stream`, where it is a terminal, from `patience` seconds on; gone when it is left.

    `columns` is called when the line is first shown, so that whoever is done before that does not import them.
    """

    def __init__(
        self, stream: TextIO, columns: Callable[[], Sequence[ProgressColumn]], patience: float = PATIENCE
    ) -> None:
        self._stream = stream
        self._columns = columns
        self._wanted = is_colourful(stream)
        self._from = time.monotonic() + patience
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

    def show(self, **fields: Any) -> None:
        """Show the line with these fields of its one task (total, completed, description or a column's own)."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], **fields)
        elif self._wanted and time.monotonic() >= self._from:
            self._bar = self._started(fields)

    def _started(self, fields: dict[str, Any]) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only what lasts longer than that pays for it
        from rich.progress import Progress  # noqa: PLC0415 - as above

        bar = Progress(*self._columns(), console=Console(file=self._stream), transient=True)
        bar.add_task(**{"description": "", "total": None, **fields})
        bar.start()
        return bar

"""A line on the terminal that says how far a run is, once it lasts longer than a second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from coli_conformance.reports.late_line import LateLine

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class RunProgress(LateLine):
    """Shows on `stream`, where it is a terminal, how many of `total` results there are; gone when it is left."""

    def __init__(self, stream: TextIO, total: int) -> None:
        super().__init__(stream, _columns)
        self._total = total
        self._done = 0
        self._failed = 0

    def expect(self, more: int) -> None:
        """Add `more` results to those that are to come."""
        self._total += more

    def step(self, failed: bool) -> None:
        """Count one more result."""
        self._done += 1
        self._failed += failed
        self.show(total=self._total, completed=self._done, failed=self._failed)


def _columns() -> Sequence[ProgressColumn]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn  # noqa: PLC0415 - only a long run pays for it

    return BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[failed]} failing")

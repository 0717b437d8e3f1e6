"""The control fault: an engine so wrong that a suite which does not catch it catches nothing."""
# ruff: noqa: ARG002 - the parameters are those that the driver protocol gives

from collections.abc import Iterable, Sequence
from typing import ClassVar

import coli_spec


class SaysOkAndDoesNothing:
    """Claims every role, answers `ok` to every command, and neither counts, reads nor writes anything."""

    roles: ClassVar[frozenset[str]] = frozenset(role.name for role in coli_spec.load().roles)

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        """Begin nothing."""

    def drop(self, layer: int) -> None:
        """Drop nothing."""

    def route(self, layer: int, row: int, choices: Sequence[tuple[int, float]]) -> None:
        """Count and trace nothing."""

    def endcall(self) -> None:
        """End nothing."""

    def add(self, layer: int, expert: int, count: int) -> None:
        """Add nothing."""

    def load(self, path: str) -> int:
        """Accept whatever is there as a history that is empty."""
        return 0

    def trust(self, path: str) -> int:
        """Accept whatever is there as a history that is empty."""
        return 0

    def counts(self) -> Iterable[tuple[int, int, int]]:
        """Have no counter above zero."""
        return ()

    def save(self, path: str) -> None:
        """Write nothing."""

    def dense(self, path: str) -> None:
        """Write nothing."""

    def pin(self, value: str) -> None:
        """Take no history."""

    def pairs(self, trace: str, out: str) -> None:
        """Build nothing."""

    def record(self, number: int, second: int, third: int) -> None:
        """Remember nothing."""

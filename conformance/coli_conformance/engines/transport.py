"""A way to an engine: what it is, what playing cases gives, and why there is none."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from coli_conformance.engines.fixed import ANYTHING, Fixed

if TYPE_CHECKING:
    from types import TracebackType

    from coli_conformance.case import Case
    from coli_conformance.judge.observation import Observation


class EngineUnusable(Exception):  # noqa: N818 - the name says what is true of the engine
    """The engine did not start, did not speak the protocol, or claimed no role.

    The text is a sentence to show. Lines that follow it quote the engine, each escaped.
    """


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """What is known of an engine before the first case.

    `command` has its files made absolute. `roles` are the claimed ones that the spec declares. `kind` says in
    words how it is reached. `fixed` is what it says it was built for. `one_read`: all it can do is to read one file
    from zero and show the counters, and it says no total. `ignored` are the words it claims that are no roles.
    """

    name: str
    command: tuple[str, ...]
    roles: frozenset[str]
    kind: str
    fixed: Fixed = ANYTHING
    one_read: bool = False
    ignored: tuple[str, ...] = ()


class Transport(Protocol):
    """A way to an engine. It is a context manager; closing leaves no process running and no file behind."""

    @property
    def description(self) -> EngineDescription:
        """What the engine is and claims."""

    @property
    def spawns(self) -> int:
        """The number of processes started so far, the one that asked for the roles included."""

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        """Play every case exactly once; yield what was seen of each, in the order given.

        Closing the iterator early kills what is running.
        """

    def close(self) -> None:
        """End every process and remove every folder. It may be called twice."""

    def __enter__(self) -> Self:
        """Return the transport itself."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close it."""

"""The fast transport: one process plays many cases, where the driver offers that a second `init` starts truly fresh."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from types import TracebackType
from typing import Self

from coli_conformance.case import Case
from coli_conformance.engines.children import Children
from coli_conformance.engines.conversation import DriverConversation
from coli_conformance.engines.events import Events
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.process_per_case import ProcessPerCase
from coli_conformance.engines.shared_process import SharedProcess
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.judge.observation import Ending, Observation


class Reusable:
    """Plays cases in `jobs` processes that live on, and those that are `alone` in a process each.

    What a process does wrong costs it the case in play: it is killed, and the next case starts another. `children` and
    `folders` are its own from here on: it closes them.
    """

    def __init__(
        self,
        description: EngineDescription,
        invocation: Invocation,
        jobs: int,
        children: Children,
        folders: CaseFolders,
        spawns: int = 0,
    ) -> None:
        self.description = description
        self._spawns = spawns
        self._invocation = invocation
        self._jobs = jobs
        self._children = children
        self._folders = folders
        self._one_process: Reusable | None = None
        self.alone = ProcessPerCase(description, DriverConversation(invocation), jobs, children, folders)
        """The same engine with a process for every case, to compare with; what it starts is counted here."""

    @property
    def spawns(self) -> int:
        """The number of processes started so far."""
        return self._spawns + self.alone.spawns + (self._one_process.spawns if self._one_process else 0)

    def in_one_process(self) -> Reusable:
        """Return the same engine with one process at a time, so that cases follow on each other as given.

        Its `play` begins a process of its own. What it starts is counted here, and closing this one closes it.
        """
        if self._one_process is None:
            self._one_process = Reusable(self.description, self._invocation, 1, self._children, self._folders)
        return self._one_process

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        """Play every case; yield in the order given. See `Transport.play`."""
        cases = tuple(cases)
        alone = self.alone.play(case for case in cases if case.alone)
        shared = self._play_shared([case for case in cases if not case.alone])
        try:
            for case in cases:
                yield next(alone if case.alone else shared)
        finally:
            alone.close()
            shared.close()

    def close(self) -> None:
        """Kill what a process left behind outside its group, and remove every folder."""
        self.alone.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _play_shared(self, cases: list[Case]) -> Generator[tuple[Case, Observation], None, None]:
        events = Events()
        busy: list[SharedProcess] = []
        seen: dict[int, Observation] = {}
        started = 0
        try:
            for due, case in enumerate(cases):
                while due not in seen:
                    while len(busy) < self._jobs and started < len(cases):
                        self._begin(None, started, cases, events, busy, seen)
                        started += 1
                    if due in seen:
                        break
                    events.wait(min(process.next_look for process in busy) - time.monotonic())
                    for process in tuple(busy):
                        observation = process.finished(last=started == len(cases))
                        if observation is None:
                            continue
                        busy.remove(process)
                        seen[process.position] = observation
                        if process.alive:
                            self._begin(process, started, cases, events, busy, seen)
                            started += 1
                left = time.monotonic()
                yield case, seen.pop(due)
                away = time.monotonic() - left
                for process in busy:
                    process.postpone(away)
        finally:
            for process in busy:
                process.end()

    def _begin(
        self,
        process: SharedProcess | None,
        position: int,
        cases: list[Case],
        events: Events,
        busy: list[SharedProcess],
        seen: dict[int, Observation],
    ) -> None:
        """Give the case at `position` to `process`, or to a new one; where that fails it is seen as not started."""
        try:
            if process is None:
                path = self._folders.make()
                self._spawns += 1
                process = SharedProcess(self._invocation, events, self._children, path)
            process.begin(cases[position], position)
        except OSError as error:
            if process is not None:
                process.end()
            detail = f"The engine could not be started: {error}."
            seen[position] = Observation(b"", ending=Ending.NOT_STARTED, exit_status=None, detail=detail)
        else:
            busy.append(process)

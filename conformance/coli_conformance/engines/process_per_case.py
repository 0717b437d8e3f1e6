"""The plain transport: a process of its own for every case, several at once in one event loop."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from coli_conformance.case import Case
from coli_conformance.engines import EngineDescription, folder
from coli_conformance.engines.children import Children
from coli_conformance.engines.conversation import Conversation
from coli_conformance.engines.events import Events
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.process import STDOUT_LIMIT, EngineProcess
from coli_conformance.judge.observation import Ending, Observation

_AHEAD = 256
"""Cases that may be finished before an earlier, slower one; it bounds what is kept for yielding in order."""


@dataclass(slots=True)
class _Playing:
    case: Case
    path: str
    folder_identity: tuple[int, int] | None
    process: EngineProcess
    timeout: float


class ProcessPerCase:
    """Plays each case in a fresh process and a fresh folder, `jobs` at a time.

    `conversation` says what is started for a case and what its output means. `children` and `folders` are its own from
    here on: it closes them.
    """

    def __init__(
        self,
        description: EngineDescription,
        conversation: Conversation,
        jobs: int,
        children: Children,
        folders: CaseFolders,
        spawns: int = 0,
    ) -> None:
        self.description = description
        self.spawns = spawns
        self._conversation = conversation
        self._jobs = jobs
        self._folders = folders
        self._children = children

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        """Play every case; yield in the order given. See `Transport.play`."""
        events = Events()
        waiting = enumerate(cases)
        playing: dict[int, _Playing] = {}
        seen: dict[int, tuple[Case, Observation]] = {}
        due = 0
        all_started = False
        try:
            while True:
                while not all_started and len(playing) < self._jobs and len(seen) < _AHEAD:
                    position, case = next(waiting, (-1, None))
                    if case is None:
                        all_started = True
                        break
                    self._start(case, position, events, playing, seen)
                if due in seen:
                    left = time.monotonic()
                    yield seen.pop(due)
                    away = time.monotonic() - left
                    for one in playing.values():
                        one.process.deadline += away
                    due += 1
                elif playing:
                    self._wait(events, playing, seen)
                else:
                    return
        finally:
            for one in playing.values():
                one.process.end()
                folder.remove(one.path)

    def close(self) -> None:
        """Kill what a process left behind outside its group, and remove every folder."""
        self._children.close()
        self._folders.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(
        self,
        case: Case,
        position: int,
        events: Events,
        playing: dict[int, _Playing],
        seen: dict[int, tuple[Case, Observation]],
    ) -> None:
        path = ""
        invocation = self._conversation.invocation(case)
        try:
            path = self._folders.make()
            identity = folder.identity(path)
            folder.fill(path, case.setup)
            self.spawns += 1
            process = EngineProcess(
                invocation,
                events,
                self._children,
                path,
                case.environment,
                case.file_size_limit,
                stdout_limit(case),
            )
        except OSError as error:
            if path:
                folder.remove(path)
            detail = f"The engine could not be started: {error}."
            seen[position] = (
                case,
                Observation(b"", ending=Ending.NOT_STARTED, exit_status=None, detail=detail),
            )
            return
        playing[position] = _Playing(case, path, identity, process, invocation.timeout)
        process.send(self._conversation.sent(case), last=True)

    def _wait(self, events: Events, playing: dict[int, _Playing], seen: dict[int, tuple[Case, Observation]]) -> None:
        """Wait until something happens, and move what has come to its end from `playing` to `seen`."""
        events.wait(min(one.process.next_look for one in playing.values()) - time.monotonic())
        now = time.monotonic()
        for position, one in list(playing.items()):
            one.process.look(now)
            if one.process.over or now >= one.process.deadline:
                del playing[position]
                seen[position] = one.case, self._finish(one)

    def _finish(self, one: _Playing) -> Observation:
        process = one.process
        ending, detail = how_it_ended(process, one.timeout)
        exit_status = process.end()
        if process.flooded:  # also seen only in what was left in the pipes
            ending, detail = Ending.FLOODED, process.flooded
        contents = folder.take(one.path, one.folder_identity)
        folder.remove(one.path)
        seen = Observation(
            stdout=bytes(process.out),
            stderr=bytes(process.err),
            ending=ending,
            exit_status=exit_status,
            files=contents.files,
            oddities=contents.oddities,
            detail=detail,
        )
        return self._conversation.understood(one.case, seen)


def stdout_limit(case: Case) -> int:
    """Return how many bytes of answers are read: plenty, and twice what is right where that is more."""
    longest = max((sum(map(len, outcome.answers)) for outcome in case.outcomes), default=0)
    return max(STDOUT_LIMIT, 2 * longest)


def how_it_ended(process: EngineProcess, timeout: float) -> tuple[Ending, str]:
    """Return the ending of a process that is `over` or past its deadline, and a sentence where it needs one."""
    if process.flooded:
        return Ending.FLOODED, process.flooded
    if process.exited:
        return Ending.EXITED, ""
    return Ending.TIMEOUT, f"It was still running after {timeout:g} s and was killed."

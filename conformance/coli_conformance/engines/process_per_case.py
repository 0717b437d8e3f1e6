"""The plain transport: a process of its own for every case, several at once in one event loop."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from coli_conformance.case import Case
from coli_conformance.engines import folder
from coli_conformance.engines.children import Children
from coli_conformance.engines.conversation import Conversation
from coli_conformance.engines.events import Events
from coli_conformance.engines.fence import without_surplus
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.limits import MIB, Limits
from coli_conformance.engines.process import EngineProcess
from coli_conformance.engines.removal import remove
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.interrupts import undisturbed
from coli_conformance.judge.observation import Ending, Observation

_AHEAD = 256
_AHEAD_SIZE = 24 * MIB
"""Cases that may be finished before an earlier, slower one, and the bytes that are kept of them to yield in order."""


@dataclass(slots=True)
class _Playing:
    case: Case
    path: str
    folder_identity: tuple[int, int] | None
    process: EngineProcess


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

    def invocation(self, case: Case) -> Invocation:
        """Return how the process for `case` is started, for who has more to do with it than to play the case."""
        return self._conversation.invocation(case)

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
                while not all_started and len(playing) < self._jobs and not _far_ahead(seen):
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
                remove(one.path)

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
        what = "The folder of the case could not be made"
        invocation = self._conversation.invocation(case)
        try:
            path = self._folders.make()
            identity = folder.identity(path)
            folder.fill(path, case.setup)
            self.spawns += 1
            what = "The engine could not be started"
            with undisturbed:
                process = EngineProcess(
                    invocation,
                    events,
                    self._children,
                    path,
                    case.environment,
                    case.file_size_limit,
                    stdout_limit(case, invocation.limits),
                )
                playing[position] = _Playing(case, path, identity, process)
        except OSError as error:
            if path:
                remove(path)
            detail = f"{what}: {error}."
            seen[position] = (
                case,
                Observation(b"", ending=Ending.NOT_STARTED, exit_status=None, detail=detail),
            )
            return
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
        exit_status = process.end()
        # The folder is read before the next case starts: with one job at a time no engine can touch another's.
        ending, detail = process.how_it_ended()
        contents = folder.take(one.path, one.folder_identity)
        remove(one.path)
        seen = Observation(
            stdout=without_surplus(bytes(process.out), len(one.case.steps) + 1),
            stderr=bytes(process.err),
            ending=ending,
            exit_status=exit_status,
            files=contents.files,
            oddities=contents.oddities,
            detail=detail,
        )
        return self._conversation.understood(one.case, seen)


def stdout_limit(case: Case, limits: Limits) -> int:
    """Return how many bytes of answers are read: plenty, and twice what is right where that is more."""
    return max([limits.output, *(2 * len(outcome.stdout) for outcome in case.outcomes)])


def _far_ahead(seen: Mapping[int, tuple[Case, Observation]]) -> bool:
    """Tell whether no case should be started before an earlier one has come to its end."""
    sizes = (len(one.stdout) + sum(map(len, one.files.values())) for _, one in seen.values())
    return len(seen) >= _AHEAD or sum(sizes) > _AHEAD_SIZE

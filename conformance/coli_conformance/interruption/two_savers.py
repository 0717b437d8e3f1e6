"""Two engines that save to one path at once (W24): held at each call of a save in turn, and left to race.

Whoever looks at the path at any time must find a whole history, and at the end that of one of the two.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from coli_conformance.case import Case, WrittenHistory
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.engines import folder
from coli_conformance.engines.children import Children
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.removal import remove
from coli_conformance.interruption import cases as made
from coli_conformance.interruption.calls import NOT_REACHED
from coli_conformance.interruption.dialogue import Dialogue
from coli_conformance.interruption.ids import TWO_SAVERS
from coli_conformance.interruption.whole_history import described, is_whole
from coli_conformance.judge.observation import Ending
from coli_conformance.judge.verdict import Finding, Result, Status

ROUNDS = 50
"""Saves of each engine where they race."""
_PATIENCE = 0.5
"""Seconds in which the second engine saves while the first is held; one that waits for a lock then gets it."""
_LARGEST = 1 << 20


@dataclass(slots=True)
class _Path:
    """The path, with what may stand there; `wrong` is a sentence on the first thing seen that may not."""

    path: str
    old: bytes
    first: WrittenHistory
    second: WrittenHistory
    wrong: str = ""

    def look(self, when: str) -> None:
        """Look at the path, while the engines are at work or after."""
        data = self._read()
        if self.wrong or data == self.old:
            return
        if data is None:
            self.wrong = f"{when}, there was no {HISTORY} at all; an engine that looks then starts from nothing"
        elif not self._is_of_one(data):
            self.wrong = f"{when}, {HISTORY} was the whole history of neither engine: {described(data)}"

    def look_at_last(self, saved: bool) -> None:
        """Look when both have answered; `saved`: at least one of them said so, and the old history may not stand."""
        self.look("After both had saved")
        if saved and not self.wrong and self._read() == self.old:
            self.wrong = f"After both had saved, the old {HISTORY} still stood there"

    def _is_of_one(self, data: bytes) -> bool:
        if data in {self.first.canonical_bytes, self.second.canonical_bytes}:
            return True
        return is_whole(data, self.first) or is_whole(data, self.second)

    def _read(self) -> bytes | None:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            return os.read(descriptor, _LARGEST)
        finally:
            os.close(descriptor)


def results(invocation: Invocation, target: Target, cases: Sequence[Case]) -> Iterator[tuple[Case, Result]]:
    """Yield each of `cases` with its result; their engines are started as `invocation` says."""
    with closing(CaseFolders()) as folders, closing(Children()) as children:
        for case in cases:
            path = folders.make()
            folder.fill(path, case.setup)
            yield case, _result(case, invocation, target, children, path)
            remove(path)


def _result(case: Case, invocation: Invocation, target: Target, children: Children, path: str) -> Result:
    other = made.saving(target, base=3_000_000_000, step=2)
    watched = _Path(f"{path}/{HISTORY}", made.old_history(target), made.saving(target).written(), other.written())
    engines: list[Dialogue] = []
    try:
        for session, environment in ((case.steps, case.environment), (other.steps, {})):
            engines.append(Dialogue(invocation, children, path, environment))
            engines[-1].ask(session[:-1])
        for engine in engines:
            if not engine.wait():
                return _stopped(case, engine)
        if case.id == TWO_SAVERS:
            _race(engines, watched)
        elif not _held(engines, watched):
            return Result(case.id, Status.UNSUPPORTED, detail=NOT_REACHED)
        for engine in engines:
            if not engine.wait():
                return _stopped(case, engine)
        watched.look_at_last(any(answer.startswith("ok") for engine in engines for answer in engine.answers))
    except OSError as error:
        return Result(case.id, Status.CRASH, case.clauses[:1], detail=f"The engine could not be started: {error}.")
    finally:
        for engine in engines:
            engine.end()
    if not watched.wrong:
        return Result(case.id, Status.PASS)
    sentence = f"{watched.wrong}. Give every save a temporary name of its own, and rename it over the old file"
    finding = Finding(case.clauses[0], sentence, path=HISTORY)
    return Result(case.id, Status.FAIL, case.clauses[:1], findings=(finding,), detail=sentence)


def _held(engines: Sequence[Dialogue], watched: _Path) -> bool:
    """Have the second engine save while the first is held at a call; tell whether the first came to that."""
    first, second = engines
    first.ask([f"save {HISTORY}"])
    if not first.wait_until_held():
        return False
    watched.look("While one engine was saving")
    second.ask([f"save {HISTORY}"])
    second.wait(_PATIENCE)
    watched.look("While one engine was saving and another had saved")
    os.kill(first.pid, signal.SIGCONT)
    return True


def _race(engines: Sequence[Dialogue], watched: _Path) -> None:
    """Have both engines save many times, and look at the path all the while."""
    for engine in engines:
        engine.ask([f"save {HISTORY}"] * ROUNDS)
    while not all(engine.done or engine.late for engine in engines):
        watched.look("While two engines were saving")
        for engine in engines:
            engine.look(0)


def _stopped(case: Case, engine: Dialogue) -> Result:
    """Return the result where an engine did not answer all that it was asked."""
    ending, detail = engine.end()
    status = Status.TIMEOUT if ending is Ending.TIMEOUT else Status.CRASH
    sentence = f"One of two engines that saved to the same path did not answer. {detail}"
    return Result(case.id, status, case.clauses[:1], detail=sentence)

"""A process that plays one case after another, and what is seen of each."""

from __future__ import annotations

import time

from coli_conformance.case import Case
from coli_conformance.engines import folder
from coli_conformance.engines.children import Children
from coli_conformance.engines.conversation import commands
from coli_conformance.engines.events import Events
from coli_conformance.engines.fence import FENCE, AnswerCount, without_fence, without_surplus
from coli_conformance.engines.greeting import HELLO, after_greeting
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.process import EngineProcess
from coli_conformance.engines.process_per_case import stdout_limit
from coli_conformance.engines.removal import remove
from coli_conformance.judge.observation import Ending, Observation


class SharedProcess:
    """One process with one working folder, which is emptied after every case.

    Raises OSError where it cannot be started. `end` has to be called when it is not wanted any more; `alive`
    tells whether it can play another case.
    """

    def __init__(self, invocation: Invocation, events: Events, children: Children, path: str) -> None:
        self.alive = True
        self.position = -1
        self._invocation = invocation
        self._path = path
        self._identity = folder.identity(path)
        self._greeting = HELLO
        self._answers = 0
        self._count = AnswerCount(0)
        self._closing = False
        self._process = EngineProcess(invocation, events, children, path)
        self._process.listen()

    @property
    def next_look(self) -> float:
        """When `finished` has to be asked again at the latest, whatever events come; on the monotonic clock."""
        return self._process.next_look

    def postpone(self, seconds: float) -> None:
        """Move the deadline, for time in which nobody looked."""
        self._process.deadline += seconds

    def begin(self, case: Case, position: int) -> None:
        """Lay out a case's files and send its commands. Raises OSError where the files cannot be written."""
        folder.fill(self._path, case.setup)
        self.position = position
        self._answers = len(case.steps) + bool(self._greeting)
        self._count = AnswerCount(self._answers + 1)
        text = self._greeting + commands(case) + FENCE
        self._process.start_over(text, self._invocation.timeout, stdout_limit(case, self._invocation.limits))

    def finished(self, *, last: bool) -> Observation | None:
        """Return what was seen of the case in play once it has come to its end, and None before.

        With `last` the input is ended after the case, and the case has not come to its end before the process
        has.
        """
        process = self._process
        now = time.monotonic()
        process.look(now)
        self._count.scan(process.out)
        if process.over or now >= process.deadline:
            return self._ended()
        if self._closing:
            return None
        answers = self._count.before_fence(process.out)
        breach = self._count.garbage or (self._count.enough and answers is None)
        if answers is None and not breach:
            return None
        if last or breach or answers is None:
            # After a breach nobody can tell where the next case would begin. It is not cut short, for how much of what
            # is still to come had come by now would be chance.
            self._closing = True
            process.send(b"", last=True)
            return None
        return self._answered(answers)

    def end(self) -> None:
        """Kill the process and remove its folder. It may be called twice."""
        if self.alive:
            self.alive = False
            self._process.end()
            remove(self._path)

    def _answered(self, answers: bytes) -> Observation:
        """Return what was seen of a case after which the process lives on."""
        contents = folder.take(self._path, self._identity)
        seen = self._observation(answers, Ending.EXITED, None, contents)
        if not contents.emptied or self._process.has_moved(self._identity):
            self.end()
        self._greeting = b""
        return seen

    def _ended(self) -> Observation:
        """Return what was seen of a case in which the process ended, or has to."""
        status = self._process.end()
        ending, detail = self._process.how_it_ended()
        return self._last_seen(ending, status, detail)

    def _last_seen(self, ending: Ending, status: int | None, detail: str) -> Observation:
        self.alive = False
        contents = folder.take(self._path, self._identity)
        remove(self._path)
        self._count.scan(self._process.out)
        answers = self._count.before_fence(self._process.out)
        if answers is None:
            answers = without_surplus(without_fence(self._process.out), self._answers)
        return self._observation(answers, ending, status, contents, detail)

    def _observation(
        self, answers: bytes, ending: Ending, status: int | None, contents: folder.Contents, detail: str = ""
    ) -> Observation:
        return Observation(
            stdout=after_greeting(answers) if self._greeting else answers,
            stderr=bytes(self._process.err),
            ending=ending,
            exit_status=status,
            files=contents.files,
            oddities=contents.oddities,
            detail=detail,
        )

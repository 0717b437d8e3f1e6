"""A dialogue with a running engine: commands sent when they are wanted, answers waited for."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from coli_conformance.engines.children import Children
from coli_conformance.engines.events import Events
from coli_conformance.engines.greeting import HELLO
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.process import EngineProcess
from coli_conformance.judge.observation import Ending
from coli_conformance.protocol import split_answers

_STEP = 0.002
"""Seconds between two looks where no answer wakes the wait earlier."""


class Dialogue:
    """An engine that was started in `folder` and has been greeted. Raises OSError where it cannot be started.

    `end` has to be called in any case.
    """

    def __init__(
        self,
        invocation: Invocation,
        children: Children,
        folder: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._events = Events()
        self._process = EngineProcess(invocation, self._events, children, folder, environment)
        self._process.listen()
        self._invocation = invocation
        self._ending: tuple[Ending, str] | None = None
        self._expected = 1
        self._process.send(HELLO, last=False)
        self.wait()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, commands: Sequence[str]) -> None:
        """Send `commands`, each of which is owed one answer; those to earlier ones are forgotten."""
        self._expected = len(commands)
        text = "".join(f"{command}\n" for command in commands).encode()
        self._process.start_over(text, self._invocation.timeout, self._invocation.limits.output)

    @property
    def answers(self) -> list[str]:
        """The final lines of the answers that came so far to what was asked last."""
        answers, _ = split_answers(bytes(self._process.out))
        return [answer.rpartition(b"\n")[2].decode("ascii", "backslashreplace") for answer in answers]

    @property
    def done(self) -> bool:
        """Whether every answer has come, or none will come any more."""
        enough_lines = self._process.out.count(b"\n") >= self._expected
        return self._process.over or (enough_lines and len(self.answers) >= self._expected)

    @property
    def late(self) -> bool:
        """Whether the time for what was asked last is over."""
        return time.monotonic() >= self._process.deadline

    def look(self, seconds: float) -> None:
        """Take what has come, or comes within `seconds`."""
        self._events.wait(seconds)
        self._process.look(time.monotonic())

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for all answers, at most `seconds`, or else the time for a case; tell whether they came."""
        deadline = self._process.deadline if seconds is None else time.monotonic() + seconds
        while not self.done and time.monotonic() < deadline:
            self.look(min(_STEP, deadline - time.monotonic()))
        return len(self.answers) >= self._expected

    def wait_until_held(self) -> bool:
        """Wait until the program that starts the engine has stopped itself; tell whether it has."""
        while not (self.done or self.late):
            if os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
                return True
            self.look(_STEP)
        return False

    def peak_memory(self) -> int | None:
        """Return the most bytes of memory the process has had so far; None where the system does not tell."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        except OSError:
            return None
        lines = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return next((int(line.split()[1]) * 1024 for line in lines), None)

    def end(self) -> tuple[Ending, str]:
        """Kill the engine and all of its group; return how it had ended by then, and a sentence on it."""
        if self._ending is None:
            by_itself = self._process.exited
            status = self._process.end()
            ending, detail = self._process.how_it_ended()
            if by_itself and not detail:
                detail = f"It ended with status {status} before it had answered."
            self._ending = ending, detail
        return self._ending

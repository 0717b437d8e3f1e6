"""One running process of an engine: started, fed, listened to, and ended with all it started itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping

from coli_conformance.engines.events import READABLE, WRITABLE, Events
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.limits import file_size_limit
from coli_conformance.judge.observation import Ending

STDOUT_LIMIT = 16 * 1024 * 1024
STDERR_LIMIT = 16 * 1024 * 1024
STDERR_KEPT = 64 * 1024
"""Bytes. Beyond a limit the process is killed as FLOODED; of standard error only the beginning is kept."""

EXIT_IS_AN_EVENT = hasattr(os, "pidfd_open")
"""Whether the end of a process wakes the poll. Elsewhere than on Linux it is looked for every LOOK_EVERY seconds."""
LOOK_EVERY = 0.01

_CHUNK = 1 << 16
_CLOSED = -1


class EngineProcess:
    """A process in a group of its own, started in `folder`, its streams watched by `events`.

    Raises OSError where it cannot be started. `end` has to be called in any case, and is the only thing that frees what it
    holds. `out` and `err` grow while `events` is waited on.
    """

    def __init__(
        self,
        invocation: Invocation,
        events: Events,
        folder: str,
        environment: Mapping[str, str] | None = None,
        size_limit: int | None = None,
        stdout_limit: int = STDOUT_LIMIT,
    ) -> None:
        self.out = bytearray()
        self.err = bytearray()
        self.deadline = time.monotonic() + invocation.timeout
        self.exited = False
        self.flooded = ""
        self._events = events
        self._stdout_limit = stdout_limit
        self._stderr_size = 0
        self._unsent = b""
        self._more_to_come = True
        self._stdin_watched = False
        self._wait_status: int | None = None
        child_in, self._stdin = os.pipe()
        self._stdout, child_out = os.pipe()
        self._stderr, child_err = os.pipe()
        try:
            self.pid = _spawn(invocation, folder, (child_in, child_out, child_err), environment, size_limit)
        except OSError:
            for descriptor in (self._stdin, self._stdout, self._stderr):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (child_in, child_out, child_err):
                os.close(descriptor)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        events.watch(self._stdout, READABLE, self._read_stdout)
        events.watch(self._stderr, READABLE, self._read_stderr)
        self._pidfd = _CLOSED
        if EXIT_IS_AN_EVENT:
            self._pidfd = os.pidfd_open(self.pid)
            events.watch(self._pidfd, READABLE, self._note_exit)

    def send(self, commands: bytes, *, last: bool) -> None:
        """Write `commands`, now as far as the pipe takes them and later the rest; `last` ends the engine's input."""
        self._unsent += commands
        self._more_to_come = not last
        self._write_stdin()

    def look(self) -> None:
        """Notice that the process has ended where no event tells of it."""
        if self._pidfd == _CLOSED and not self.exited:
            reaped, status = os.waitpid(self.pid, os.WNOHANG)
            if reaped:
                self._wait_status = status
                self.exited = True

    def end(self) -> int:
        """Kill what is left of the process and its group, take what it had written, and free everything.

        Returns the exit status, negative for a signal. The group is killed while the ended process still holds its number,
        so that no stranger's group can have it.
        """
        _kill_group(self.pid)
        if self._wait_status is None:
            if not self.exited:
                os.kill(self.pid, signal.SIGKILL)  # it may have moved to another group
            self._wait_status = os.waitpid(self.pid, 0)[1]
        # What the process wrote is in the pipes by now. A child that holds them open is not waited for.
        if self._stdout != _CLOSED:
            self._read_stdout()
        if self._stderr != _CLOSED:
            self._read_stderr()
        self._close_stdin()
        self._close_stdout()
        self._close_stderr()
        if self._pidfd != _CLOSED:
            self._close_pidfd()
        return os.waitstatus_to_exitcode(self._wait_status)

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for: it has exited or written too much."""
        return self.exited or bool(self.flooded)

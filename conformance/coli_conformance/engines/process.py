"""One running process of an engine: started, fed, listened to, and ended with all it started itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping

from coli_conformance.engines import process_table
from coli_conformance.engines.children import Children, kill
from coli_conformance.engines.events import READABLE, WRITABLE, Events
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.start import CLOSED, open_pidfd, spawn
from coli_conformance.engines.watch import Breach, Watch, file_too_large, flooded, late
from coli_conformance.interrupts import undisturbed
from coli_conformance.judge.observation import Ending

STDERR_KEPT = 64 * 1024
FLOOD_KEPT = 64 * 1024
"""Bytes. Of standard error only the beginning is kept, and so of standard output beyond its limit."""

_LOOK_EVERY = 0.01
"""Seconds between two looks for the end of a process where no event tells of it (elsewhere than on Linux)."""

_PATIENCE = 0.005
"""Seconds. Most cases are over by then with their answers in the pipe; to be woken for each answer costs more than the
answers take. Whoever wants them as they come calls `listen`."""

_CHUNK = 1 << 16


class EngineProcess:
    """A process in a session of its own, started in `folder`, watched by `events` and accounted for in `children`.

    Raises OSError where it cannot be started. `end` has to be called in any case, and is the only thing that
    frees what it holds. `out` and `err` grow while `events` is waited on. `size_limit` is that of the case for
    files; `stdout_limit` goes before the one among the invocation's limits.
    """

    def __init__(
        self,
        invocation: Invocation,
        events: Events,
        children: Children,
        folder: str,
        environment: Mapping[str, str] | None = None,
        size_limit: int | None = None,
        stdout_limit: int | None = None,
    ) -> None:
        self.out = bytearray()
        self.err = bytearray()
        now = time.monotonic()
        self.deadline = now + invocation.timeout
        self.exited = False
        self.breach: Breach | None = None
        """The limit that was broken, for which the process has to be killed."""
        self._events = events
        self._children = children
        self._listen_at = now + _PATIENCE
        self._listening = False
        self._timeout = invocation.timeout
        self._limits = invocation.limits
        self._size_limit = size_limit
        self._stdout_limit = self._limits.output if stdout_limit is None else stdout_limit
        self._stderr_size = 0
        self._unsent = b""
        self._more_to_come = True
        self._stdin_watched = False
        self._wait_status: int | None = None
        with undisturbed:
            self.pid = self._start(invocation, folder, environment)
            children.started(self.pid)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._watch = Watch(
            self.pid, folder, self._limits, invocation.timeout, children, own_file_limit=size_limit is not None
        )
        self._pidfd = open_pidfd(self.pid)
        if self._pidfd != CLOSED:
            events.watch(self._pidfd, READABLE, self._note_exit)

    def _start(self, invocation: Invocation, folder: str, environment: Mapping[str, str] | None) -> int:
        child_in, self._stdin = os.pipe()
        self._stdout, child_out = os.pipe()
        self._stderr, child_err = os.pipe()
        streams = (child_in, child_out, child_err)
        try:
            return spawn(invocation, folder, streams, environment, self._size_limit)
        except OSError:
            for descriptor in (self._stdin, self._stdout, self._stderr):
                os.close(descriptor)
            raise
        finally:
            for descriptor in streams:
                os.close(descriptor)

    def send(self, commands: bytes, *, last: bool) -> None:
        """Write `commands`, now as far as the pipe takes them and later the rest; `last` ends the engine's input."""
        self._unsent += commands
        self._more_to_come = not last
        self._write_stdin()

    def start_over(self, commands: bytes, timeout: float, stdout_limit: int) -> None:
        """Forget what was written so far and send the next session's commands, with its own time and limit."""
        self.out.clear()
        self.err.clear()
        self._stderr_size = 0
        self._stdout_limit = stdout_limit
        self._watch.start_over()
        self.deadline = time.monotonic() + timeout
        self.send(commands, last=False)

    def listen(self) -> None:
        """Take what the process writes as it comes."""
        self._listening = True
        self._events.watch(self._stdout, READABLE, self._read_stdout)
        self._events.watch(self._stderr, READABLE, self._read_stderr)

    @property
    def next_look(self) -> float:
        """When `look` has something to do at the latest, whatever events come; on the monotonic clock."""
        if self._pidfd == CLOSED and not self.exited:
            return time.monotonic() + _LOOK_EVERY
        at = min(self.deadline, self._watch.due)
        return at if self._listening else min(at, self._listen_at)

    def look(self, now: float) -> None:
        """Do what no event calls for: listen after a while, look at limits, notice an exit that is no event here."""
        if not self._listening and not self.exited and now >= self._listen_at:
            self.listen()
        if self._pidfd == CLOSED and not self.exited:
            reaped, status = os.waitpid(self.pid, os.WNOHANG)
            if reaped and not os.WIFSTOPPED(status):  # which a process shows that made this one its tracer
                self._wait_status = status
                self.exited = True
        if not self.over and now >= self._watch.due:
            self.breach = self._watch.look(now)

    def end(self) -> int:
        """Kill what is left of the process and its group, take what it had written, and free everything.

        Returns the exit status, negative for a signal. Where an event told of the end, the group is killed while
        the ended process still holds its number, so that no stranger's group can have it.
        """
        with undisturbed:
            kill(self.pid)
            if self._wait_status is None:
                self._wait_status = self._children.reap(self.pid)
            self._children.ended(self.pid)
            # What the process wrote is in the pipes by now. A child that holds them open is not waited for.
            while self._stdout != CLOSED and self._read_stdout():
                pass
            while self._stderr != CLOSED and self._read_stderr():
                pass
            self._close_stdin()
            self._close_stdout()
            self._close_stderr()
            self._close_pidfd()
            self._children.sweep()
        return os.waitstatus_to_exitcode(self._wait_status)

    def has_moved(self, folder: tuple[int, int] | None) -> bool:
        """Tell whether it stands in another folder than the one of that identity, where the system tells."""
        return process_table.AVAILABLE and process_table.working_folder(self.pid) != folder

    def how_it_ended(self) -> Breach:
        """Return the ending of a process that `end` was called for, and a sentence where it needs one."""
        if self.breach is not None:
            return self.breach
        if not self.exited:
            return late(self._timeout)
        if self._wait_status is not None and os.waitstatus_to_exitcode(self._wait_status) == -signal.SIGXFSZ:
            size = self._limits.file if self._size_limit is None else self._size_limit
            return Ending.EXITED, file_too_large(size, of_the_case=self._size_limit is not None)
        return Ending.EXITED, ""

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for: it has exited or broken a limit."""
        return self.exited or self.breach is not None

    def _note_exit(self) -> None:
        self.exited = True
        self._close_pidfd()

    def _read_stdout(self) -> bool:
        """Take one chunk; tell whether there may be more at once."""
        chunk = _read(self._stdout)
        if chunk is None:
            return False
        if not chunk:
            self._close_stdout()
            return False
        self.out += chunk
        if len(self.out) > self._stdout_limit:
            self.breach = flooded("standard output", self._stdout_limit)
            del self.out[FLOOD_KEPT:]
            return False
        return True

    def _read_stderr(self) -> bool:
        """Take one chunk, keep the beginning of the whole; tell whether there may be more at once."""
        chunk = _read(self._stderr)
        if chunk is None:
            return False
        if not chunk:
            self._close_stderr()
            return False
        self._stderr_size += len(chunk)
        self.err += chunk[: STDERR_KEPT - len(self.err)]
        if self._stderr_size > self._limits.output:
            self.breach = flooded("standard error", self._limits.output)
            return False
        return True

    def _write_stdin(self) -> None:
        if self._stdin == CLOSED:  # it closed its end earlier; it gets no more
            return
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            if not self._stdin_watched:
                self._events.watch(self._stdin, WRITABLE, self._write_stdin)
                self._stdin_watched = True
            return
        except BrokenPipeError:  # it closed its input or ended; what it answered tells the rest
            self._unsent = b""
            self._more_to_come = False
        if not self._more_to_come:
            self._close_stdin()
        elif self._stdin_watched:
            self._events.forget(self._stdin)
            self._stdin_watched = False

    def _close_stdin(self) -> None:
        if self._stdin != CLOSED:
            if self._stdin_watched:
                self._events.forget(self._stdin)
                self._stdin_watched = False
            os.close(self._stdin)
            self._stdin = CLOSED

    def _close_stdout(self) -> None:
        if self._stdout != CLOSED:
            if self._listening:
                self._events.forget(self._stdout)
            os.close(self._stdout)
            self._stdout = CLOSED

    def _close_stderr(self) -> None:
        if self._stderr != CLOSED:
            if self._listening:
                self._events.forget(self._stderr)
            os.close(self._stderr)
            self._stderr = CLOSED

    def _close_pidfd(self) -> None:
        if self._pidfd != CLOSED:
            self._events.forget(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = CLOSED


def _read(descriptor: int) -> bytes | None:
    """Return what a pipe holds, b"" at its end, None when there is nothing now."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None

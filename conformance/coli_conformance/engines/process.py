"""One running process of an engine: started, fed, listened to, and ended with all it started itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress

from coli_conformance.engines.children import Children
from coli_conformance.engines.events import READABLE, WRITABLE, Events
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.limits import file_size_limit

STDOUT_LIMIT = 16 * 1024 * 1024
STDERR_LIMIT = 16 * 1024 * 1024
STDERR_KEPT = 64 * 1024
"""Bytes. Beyond a limit the process is killed as FLOODED; of standard error only the beginning is kept."""

_LOOK_EVERY = 0.01
"""Seconds between two looks for the end of a process where no event tells of it (elsewhere than on Linux)."""

_PATIENCE = 0.005
"""Seconds. Most cases are over by then with their answers in the pipe; to be woken for each answer costs more than the
answers take. Whoever wants them as they come calls `listen`."""

_CHUNK = 1 << 16
_CLOSED = -1


class EngineProcess:
    """A process in a group of its own, started in `folder`, watched by `events` and accounted for in `children`.

    Raises OSError where it cannot be started. `end` has to be called in any case, and is the only thing that
    frees what it holds. `out` and `err` grow while `events` is waited on.
    """

    def __init__(
        self,
        invocation: Invocation,
        events: Events,
        children: Children,
        folder: str,
        environment: Mapping[str, str] | None = None,
        size_limit: int | None = None,
        stdout_limit: int = STDOUT_LIMIT,
    ) -> None:
        self.out = bytearray()
        self.err = bytearray()
        now = time.monotonic()
        self.deadline = now + invocation.timeout
        self.exited = False
        self.flooded = ""
        self._events = events
        self._children = children
        self._listen_at = now + _PATIENCE
        self._listening = False
        self.stdout_limit = stdout_limit
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
        children.started(self.pid)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._pidfd = _open_pidfd(self.pid)
        if self._pidfd != _CLOSED:
            events.watch(self._pidfd, READABLE, self._note_exit)

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
        self.stdout_limit = stdout_limit
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
        if self._pidfd == _CLOSED and not self.exited:
            return time.monotonic() + _LOOK_EVERY
        return self.deadline if self._listening else min(self.deadline, self._listen_at)

    def look(self, now: float) -> None:
        """Do what no event calls for: listen after a while, and notice an exit that is no event here."""
        if not self._listening and not self.exited and now >= self._listen_at:
            self.listen()
        if self._pidfd == _CLOSED and not self.exited:
            reaped, status = os.waitpid(self.pid, os.WNOHANG)
            if reaped:
                self._wait_status = status
                self.exited = True

    def end(self) -> int:
        """Kill what is left of the process and its group, take what it had written, and free everything.

        Returns the exit status, negative for a signal. Where an event told of the end, the group is killed while
        the ended process still holds its number, so that no stranger's group can have it.
        """
        _kill_group(self.pid)
        if self._wait_status is None:
            if not self.exited:  # it may have moved to another group
                with suppress(PermissionError):
                    os.kill(self.pid, signal.SIGKILL)
            self._wait_status = os.waitpid(self.pid, 0)[1]
        self._children.ended(self.pid)
        # What the process wrote is in the pipes by now. A child that holds them open is not waited for.
        while self._stdout != _CLOSED and self._read_stdout():
            pass
        while self._stderr != _CLOSED and self._read_stderr():
            pass
        held_open = (self._stdout, self._stderr) != (_CLOSED, _CLOSED)
        self._close_stdin()
        self._close_stdout()
        self._close_stderr()
        self._close_pidfd()
        if held_open:
            self._children.sweep()
        return os.waitstatus_to_exitcode(self._wait_status)

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for: it has exited or written too much."""
        return self.exited or bool(self.flooded)

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
        if len(self.out) > self.stdout_limit:
            self.flooded = f"It wrote more than {self.stdout_limit} bytes to standard output and was killed."
        return not self.flooded

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
        if self._stderr_size > STDERR_LIMIT:
            self.flooded = f"It wrote more than {STDERR_LIMIT} bytes to standard error and was killed."
        return not self.flooded

    def _write_stdin(self) -> None:
        if self._stdin == _CLOSED:  # it closed its end earlier; it gets no more
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
        if self._stdin != _CLOSED:
            if self._stdin_watched:
                self._events.forget(self._stdin)
                self._stdin_watched = False
            os.close(self._stdin)
            self._stdin = _CLOSED

    def _close_stdout(self) -> None:
        if self._stdout != _CLOSED:
            if self._listening:
                self._events.forget(self._stdout)
            os.close(self._stdout)
            self._stdout = _CLOSED

    def _close_stderr(self) -> None:
        if self._stderr != _CLOSED:
            if self._listening:
                self._events.forget(self._stderr)
            os.close(self._stderr)
            self._stderr = _CLOSED

    def _close_pidfd(self) -> None:
        if self._pidfd != _CLOSED:
            self._events.forget(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = _CLOSED


def _spawn(
    invocation: Invocation,
    folder: str,
    streams: tuple[int, int, int],
    environment: Mapping[str, str] | None,
    size_limit: int | None,
) -> int:
    """Start the command in `folder` and return its process id.

    This process stands in `folder` for the moment of the start, since a spawned process begins where its
    parent is. The signal of a file too large stays ignored, as Python has it, where the case limits the size:
    the write then fails (W17).
    """
    defaults = [signal.SIGPIPE] if size_limit is not None else [signal.SIGPIPE, signal.SIGXFSZ]
    home = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(folder)
        with file_size_limit(size_limit):
            return os.posix_spawn(
                invocation.command[0],
                invocation.command,
                {**invocation.environment, **environment} if environment else invocation.environment,
                file_actions=[(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)],
                setpgroup=0,
                setsigdef=defaults,
            )
    finally:
        os.fchdir(home)
        os.close(home)


def _open_pidfd(pid: int) -> int:
    """Return a descriptor that tells of the end of a process, _CLOSED where the system has none."""
    if not hasattr(os, "pidfd_open"):
        return _CLOSED
    try:
        return os.pidfd_open(pid)
    except OSError:  # an older kernel, or a container that does not allow it
        return _CLOSED


def _kill_group(group: int) -> None:
    # PermissionError is what macOS says of a group that holds nothing but an ended process.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _read(descriptor: int) -> bytes | None:
    """Return what a pipe holds, b"" at its end, None when there is nothing now."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None

"""The processes a run started, and what they left behind outside their own group."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TASKS = Path("/proc/self/task")


class Children:
    """Keeps account of the engine's processes and kills strays: descendants that went to a group of their own.

    For that, this process takes in orphaned descendants while the account is open (Linux; elsewhere strays are not
    found). What was a child of this process before, or is in its own process group, is never touched.
    """

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._takes_in_orphans_already = _takes_in_orphans()
        _take_in_orphans(wanted=True)
        self._before = _children()

    def started(self, pid: int) -> None:
        """Note a process that is the engine itself."""
        self._running.add(pid)

    def ended(self, pid: int) -> None:
        """Note that it has been waited for."""
        self._running.discard(pid)

    def sweep(self) -> None:
        """Kill and wait for every stray, and for those that come to light as strays die."""
        own_group = os.getpgrp()
        while strays := [pid for pid in _children() - self._before - self._running if _group(pid) != own_group]:
            for pid in strays:
                try:
                    os.kill(pid, signal.SIGKILL)
                except PermissionError:  # it runs as somebody else by now, and is beyond our reach
                    self._before.add(pid)
                    continue
                except ProcessLookupError:
                    pass
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def close(self) -> None:
        """Sweep a last time, processes of the engine whose start was interrupted included."""
        self._running.clear()
        self.sweep()
        _take_in_orphans(wanted=self._takes_in_orphans_already)


def _children() -> set[int]:
    """Return the children of this process; none where the system does not tell."""
    found: set[int] = set()
    for task in _TASKS.glob("*/children"):
        with suppress(OSError):
            found.update(map(int, task.read_text("ascii").split()))
    return found


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _takes_in_orphans() -> bool:
    if not _TASKS.is_dir():
        return False
    import ctypes  # noqa: PLC0415 - slow to import, and only Linux needs it

    answer = ctypes.c_int()
    ctypes.CDLL(None).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(answer.value)


def _take_in_orphans(*, wanted: bool) -> None:
    if not _TASKS.is_dir():
        return
    import ctypes  # noqa: PLC0415

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)

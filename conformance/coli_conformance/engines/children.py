"""The processes a run started, and what they left behind outside their own group."""

from __future__ import annotations

import os
import signal
import time
import weakref
from contextlib import suppress

from coli_conformance.engines import process_table
from coli_conformance.interrupts import undisturbed

_WALL = 0x40000000
"""Wait for threads too (Linux); the standard library has no name for it."""
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37

_PATIENCE = 5.0
"""Seconds that are spent at the end on killing what keeps starting new processes, or does not die at once."""


_accounts: list[set[int]] = []
"""The engines that run now, for each account that is open: what one of them has started is no stray for another."""


class Children:
    """Keeps account of the engine's processes and kills strays: descendants that are in no session of a running engine.

    For that, this process takes in orphaned descendants while an account is open (Linux; elsewhere strays are not
    found). Every engine has a session of its own, which no process of it can leave for the session of the suite: so
    what was a child of this process before, or is in its own session, is never touched.
    """

    def __init__(self) -> None:
        self._running: set[int] = set()
        self._before = process_table.children()
        with undisturbed:
            takes_in_orphans_already = _takes_in_orphans()
            _take_in_orphans(wanted=True)
            _accounts.append(self._running)
            # Also called when this program ends, whatever interrupt kept `close` from being reached.
            self._close = weakref.finalize(
                self, _close, os.getpid(), self._running, self._before, takes_in_orphans_already
            )

    def started(self, pid: int) -> None:
        """Note a process that is the engine itself."""
        self._running.add(pid)

    def ended(self, pid: int) -> None:
        """Note that it has been waited for."""
        self._running.discard(pid)

    def reap(self, pid: int) -> int:
        """Wait for an engine that was killed; see `reap`."""
        return reap(pid, self._before)

    def orphans_of(self, pid: int) -> list[int]:
        """Return the orphaned processes that a running engine has left in its own session."""
        candidates = process_table.children() - self._before - self._running
        return [child for child in candidates if process_table.session(child) == pid]

    def sweep(self) -> None:
        """Kill the strays there are now, and wait for those that have ended. Others come to light as these die."""
        _sweep(self._before)

    def close(self) -> None:
        """Kill everything that is left, processes of the engine whose start was interrupted included."""
        with undisturbed:  # else it could be taken as done, and not be
            self._close()


def _close(owner: int, running: set[int], before: set[int], takes_in_orphans_already: bool) -> None:
    if os.getpid() != owner:  # a copy of the suite's process, which has started nothing itself
        return
    with undisturbed:
        for pid in running:
            kill(pid)
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            reap(pid, before)
        _accounts[:] = [account for account in _accounts if account is not running]
        give_up = time.monotonic() + _PATIENCE
        while _sweep(before) and time.monotonic() < give_up:
            time.sleep(0.001)
        if not _accounts:
            _take_in_orphans(wanted=takes_in_orphans_already)


def reap(pid: int, before: set[int]) -> int:
    """Wait for a process that was killed, and return its wait status; strays that keep it from ending are killed.

    A process can be kept from ending by who traces it: a stray of its own, or this very process, which any of its
    threads can make its tracer. Where it is not over after a few seconds, this is given up: it is taken as killed.
    """
    give_up = time.monotonic() + _PATIENCE
    pause = 0.0
    while True:
        try:
            waited, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:  # it was waited for already
            return signal.SIGKILL
        if waited and (os.WIFEXITED(status) or os.WIFSIGNALED(status)):
            return status
        if time.monotonic() > give_up:
            return signal.SIGKILL
        if pause:
            _release_threads(pid)
            _kill_session(pid, process_table.children() - before)
            _sweep(before)
        time.sleep(pause)
        pause = min(2 * pause + 0.0002, 0.02)


def _release_threads(pid: int) -> None:
    """Take note of the end of threads that made this process their tracer: the process is not over before that."""
    for thread in process_table.threads(pid) - {pid}:
        with suppress(ChildProcessError):
            os.waitpid(thread, os.WNOHANG | _WALL)


def _kill_session(session: int, candidates: set[int]) -> None:
    """Kill those of the candidates that a killed engine left in its own session, but in another group."""
    for pid in candidates - {session}:
        if process_table.session(pid) == session:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def kill(group: int) -> None:
    """Kill every process of a group."""
    # PermissionError is what macOS says of a group that holds nothing but an ended process.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _sweep(before: set[int]) -> bool:
    """Kill and wait for strays, which may take a moment to end; tell whether there were any."""
    if _has_no_children():
        return False
    children = process_table.children()
    before &= children
    candidates = children.difference(before, *_accounts)
    if not candidates:
        return False
    sound = {os.getsid(0)}.union(*_accounts)
    strays = [pid for pid in candidates if process_table.session(pid) not in sound]
    for pid in strays:
        try:
            os.kill(pid, signal.SIGKILL)
        except PermissionError:  # it runs as somebody else by now, and is beyond our reach
            before.add(pid)
        except ProcessLookupError:
            pass
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return bool(strays)


def _has_no_children() -> bool:
    """Tell whether there is nothing to look for, as mostly after a case: to ask costs little, to look far more."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _takes_in_orphans() -> bool:
    if not process_table.AVAILABLE:
        return False
    import ctypes  # noqa: PLC0415 - slow to import, and only Linux needs it

    answer = ctypes.c_int()
    ctypes.CDLL(None).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0)
    return bool(answer.value)


def _take_in_orphans(*, wanted: bool) -> None:
    if not process_table.AVAILABLE:
        return
    import ctypes  # noqa: PLC0415

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)

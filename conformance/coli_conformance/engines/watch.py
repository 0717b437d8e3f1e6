"""Looking now and then at what a running engine uses, for the limits that the system does not enforce."""

from __future__ import annotations

import time

from coli_conformance.engines import folder, process_table
from coli_conformance.engines.children import Children
from coli_conformance.engines.limits import Limits, cpu_limit, in_mib
from coli_conformance.engines.removal import MOST_ENTRIES
from coli_conformance.judge.observation import Ending

FIRST_LOOK = 0.02
"""Seconds. A case of a sound engine is mostly over by then, and costs nothing here."""
_BETWEEN_LOOKS = 0.02
_SHARE = 20
"""A look may take one part in so many of the time: the next is later where it took longer."""

Breach = tuple[Ending, str]
"""How a process that went beyond a limit ended, and a sentence that names the limit."""


class Watch:
    """Looks at one engine, started as `pid` in the folder at `path`.

    `timeout` in seconds is that of a case, by which the processor time is limited. `own_file_limit`: the case
    limits the size of files itself.
    """

    def __init__(
        self, pid: int, path: str, limits: Limits, timeout: float, children: Children, *, own_file_limit: bool
    ) -> None:
        self.due = time.monotonic() + FIRST_LOOK
        """When the next look has to be taken; on the monotonic clock."""
        self._pid = pid
        self._path = path
        self._limits = limits
        self._cpu_limit = cpu_limit(limits, timeout)
        self._children = children
        self._largest_file = None if own_file_limit else limits.file
        self._cpu_before: float | None = 0.0

    def start_over(self) -> None:
        """Count processor time anew, from the next look on."""
        self._cpu_before = None

    def look(self, now: float) -> Breach | None:
        """Return what limit is broken at the moment, if one is, and kill strays meanwhile."""
        self._children.sweep()
        breach = self._in_folder() or self._in_processes()
        after = time.monotonic()
        self.due = after + max(_BETWEEN_LOOKS, _SHARE * (after - now))
        return breach

    def _in_processes(self) -> Breach | None:
        if not process_table.AVAILABLE:
            return None
        limits = self._limits
        used = process_table.usage([self._pid, *self._children.orphans_of(self._pid)], limits.processes)
        if self._cpu_before is None:
            self._cpu_before = used.cpu
        cpu = used.cpu - self._cpu_before
        if used.processes > limits.processes:
            return _killed("processes", f"It had more than {limits.processes} processes at once")
        if used.memory > limits.memory:
            return _killed("memory", f"It held {in_mib(used.memory)} of memory, more than {in_mib(limits.memory)}")
        if used.most_files >= limits.files:
            return _killed("files", f"It had {limits.files} files open at once, which is all it may")
        if cpu > self._cpu_limit:
            return Ending.TIMEOUT, _sentence("cpu", f"It used {cpu:.3g} s of processor time")
        return None

    def _in_folder(self) -> Breach | None:
        room = folder.room_taken(self._path)
        if self._largest_file is not None and room.largest >= self._largest_file:
            return _killed("file", f"It wrote a file of {in_mib(room.largest)}, which is as large as one may be")
        if room.size > self._limits.folder:
            allowed = in_mib(self._limits.folder)
            return _killed("folder", f"Its folder took {in_mib(room.size)}, more than {allowed}")
        if room.entries > MOST_ENTRIES:
            return _killed("folder", f"Its folder had more than {MOST_ENTRIES} entries")
        return None


def late(timeout: float) -> Breach:
    """Return what is to be said of a process that is past its deadline."""
    return Ending.TIMEOUT, _sentence("wall", f"It was still running after {timeout:g} s")


def file_too_large(size: int, *, of_the_case: bool) -> str:
    """Return a sentence for a process that the system ended because of a file of more than `size` bytes."""
    what = f"It was ended by SIGXFSZ, writing a file beyond {in_mib(size)}"
    return f"{what}, all that the case allows." if of_the_case else f"{what} (limit `file`)."


def flooded(stream: str, size: int) -> Breach:
    """Return what is to be said of a process that wrote more than `size` bytes to `stream`."""
    return Ending.FLOODED, _sentence("output", f"It wrote more than {size} bytes to {stream}")


def _killed(limit: str, what: str) -> Breach:
    return Ending.OVER_LIMIT, _sentence(limit, what)


def _sentence(limit: str, what: str) -> str:
    return f"{what} and was killed (limit `{limit}`)."

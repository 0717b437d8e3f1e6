"""What the system's process table says of an engine: which processes it has, and what they use together."""

# Looked at every few milliseconds while an engine runs; os is measurably quicker here than pathlib.
# ruff: noqa: PTH208

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

_TASKS = "/proc/self/task"
_READ = 1 << 16

AVAILABLE = os.path.isdir(_TASKS)  # noqa: PTH112 - as above
"""Whether this system has such a table (Linux)."""

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")

# Positions in /proc/PID/stat behind the name of the program, which may itself hold blanks and parentheses.
_CPU_TIMES = slice(11, 15)
_RESIDENT = 21


@dataclass(frozen=True, slots=True)
class Usage:
    """What some processes use together: processor time in seconds, that of children they waited for included, and
    resident memory in bytes. `most_files` is the largest number of open files that one of them has.
    """

    processes: int
    cpu: float
    memory: int
    most_files: int


def children(pid: int | str = "self") -> set[int]:
    """Return the children of a process, ended ones that nobody has waited for included; none where that is not told."""
    found: set[int] = set()
    try:
        tasks = os.listdir(f"/proc/{pid}/task") if AVAILABLE else []
    except OSError:  # it has ended
        return found
    for task in tasks:
        found.update(map(int, _read(f"/proc/{pid}/task/{task}/children").split()))
    return found


def threads(pid: int) -> set[int]:
    """Return the threads of a process, by number, the first one's being that of the process; none where not told."""
    try:
        return set(map(int, os.listdir(f"/proc/{pid}/task"))) if AVAILABLE else set()
    except OSError:  # it has ended
        return set()


def session(pid: int) -> int | None:
    """Return the session that a process belongs to; None where there is no such process any more."""
    try:
        return os.getsid(pid)
    except OSError:
        return None


def working_folder(pid: int) -> tuple[int, int] | None:
    """Return the identity (`folder.identity`) of the folder a process stands in; None where that is not told."""
    try:
        found = os.stat(f"/proc/{pid}/cwd")  # noqa: PTH116 - as above
    except OSError:
        return None
    return found.st_dev, found.st_ino


def usage(pids: Iterable[int], most: int) -> Usage:
    """Return what `pids` and all their descendants use. Beyond `most` processes no more are looked for."""
    waiting = list(pids)
    seen: set[int] = set()
    cpu = memory = most_files = 0
    while waiting and len(seen) <= most:
        pid = waiting.pop()
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        if pid in seen or len(fields) <= _RESIDENT:
            continue
        seen.add(pid)
        cpu += sum(map(int, fields[_CPU_TIMES]))
        memory += int(fields[_RESIDENT]) * _PAGE
        most_files = max(most_files, _open_files(pid))
        waiting.extend(children(pid))
    return Usage(len(seen), cpu / _TICK, memory, most_files)


def _open_files(pid: int) -> int:
    try:
        # The size of this folder is the number of files (Linux 6.2), which costs nothing however many they are.
        return os.stat(f"/proc/{pid}/fd").st_size or len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH116 - as above
    except OSError:  # it has ended, or runs as somebody else
        return 0


def _read(path: str) -> bytes:
    """Return what the system says there, or b"" where the process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    text = b""
    try:
        while chunk := os.read(descriptor, _READ):
            text += chunk
    except OSError:
        return b""
    finally:
        os.close(descriptor)
    return text

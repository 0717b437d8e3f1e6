"""Resource limits an engine runs under: their defaults, and those that the system itself enforces."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What all the processes of an engine together may use in one case; the time-out stands in `Invocation`.

    `cpu` is in seconds of processor time, and CPU_TIMES the time-out where it is None. `memory` is resident memory,
    `file` the size of any file, `folder` the space that the working folder takes and `output` what is written to
    standard output or to standard error, all in bytes. `files` counts the files one process has open, `processes` the
    processes. The system enforces `file` and `files`; the others are looked at every few milliseconds (Linux alone
    tells of `cpu`, `memory` and `processes`). An address-space limit would be exact, and would kill every engine that
    is built with a sanitizer.
    """

    cpu: float | None = None
    memory: int = 1024 * MIB
    file: int = 256 * MIB
    folder: int = 512 * MIB
    files: int = 1024
    processes: int = 64
    output: int = 4 * MIB


DEFAULT_LIMITS = Limits()

CPU_TIMES = 4
"""A sound engine may use several cores: it gets so many times the time-out of processor time."""


def cpu_limit(limits: Limits, timeout: float) -> float:
    """Return the seconds of processor time for a case whose time-out is `timeout` seconds."""
    return CPU_TIMES * timeout if limits.cpu is None else limits.cpu


def in_mib(size: int) -> str:
    """Return a number of bytes in words."""
    return f"{size / MIB:.4g} MiB" if size >= MIB else f"{size} bytes"


@contextmanager
def file_size_limit(size: int | None) -> Iterator[None]:
    """Hold this process, and what it starts meanwhile, to files of `size` bytes (the default if None) and no core.

    The limits are set here around the start of an engine rather than on the engine once it runs: a driver
    that is a script has perhaps started the real engine by then. Only soft limits are touched, so that they
    can be put back.
    """
    with _soft_limits({resource.RLIMIT_FSIZE: DEFAULT_LIMITS.file if size is None else size, resource.RLIMIT_CORE: 0}):
        yield


@contextmanager
def inherited_limits(limits: Limits, file_size: int | None) -> Iterator[None]:
    """Let what is started meanwhile inherit the limits that the system enforces; `file_size` goes before `file`."""
    size = limits.file if file_size is None else file_size
    with _soft_limits({resource.RLIMIT_FSIZE: size, resource.RLIMIT_NOFILE: limits.files, resource.RLIMIT_CORE: 0}):
        yield


@contextmanager
def _soft_limits(wanted: Mapping[int, int]) -> Iterator[None]:
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    try:
        for kind, limit in wanted.items():
            soft, hard = before[kind]
            lower = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            if lower != soft:
                resource.setrlimit(kind, (lower, hard))
        yield
    finally:
        for kind, limits in before.items():
            resource.setrlimit(kind, limits)

"""Starting one process of an engine: its folder, streams, session, signals and inherited limits."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.limits import inherited_limits

CLOSED = -1
"""Stands for a descriptor that there is not, or not any more."""


def spawn(
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
        with inherited_limits(invocation.limits, size_limit):
            return os.posix_spawn(
                invocation.command[0],
                invocation.command,
                {**invocation.environment, **environment} if environment else invocation.environment,
                file_actions=[(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)],
                setsid=True,
                setsigmask=[],
                setsigdef=defaults,
            )
    finally:
        os.fchdir(home)
        os.close(home)


def open_pidfd(pid: int) -> int:
    """Return a descriptor that tells of the end of a process, CLOSED where the system has none."""
    if not hasattr(os, "pidfd_open"):
        return CLOSED
    try:
        return os.pidfd_open(pid)
    except OSError:  # an older kernel, or a container that does not allow it
        return CLOSED

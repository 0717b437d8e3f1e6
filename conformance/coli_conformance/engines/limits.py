"""Resource limits an engine runs under: no core files, and files of a bounded size."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes; a file that an engine writes without end stops here where the case sets no limit of its own."""


@contextmanager
def file_size_limit(size: int | None) -> Iterator[None]:
    """Hold this process, and what it starts meanwhile, to files of `size` bytes (LARGEST_FILE if None) and no
    core.

    The limits are set here around the start of an engine rather than on the engine once it runs: a driver
    that is a script has perhaps started the real engine by then. Only soft limits are touched, so that they
    can be put back.
    """
    file_size = resource.getrlimit(resource.RLIMIT_FSIZE)
    core = resource.getrlimit(resource.RLIMIT_CORE)
    wanted = LARGEST_FILE if size is None else size
    if file_size[1] != resource.RLIM_INFINITY:
        wanted = min(wanted, file_size[1])
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, core[1]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (wanted, file_size[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, file_size)
        resource.setrlimit(resource.RLIMIT_CORE, core)

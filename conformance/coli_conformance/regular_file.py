"""Reading a whole file that somebody named: never one that has no end, keeps a reader waiting, or fills the memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class UnusableFileError(Exception):
    """A file that cannot be read whole; the text names it and says why, without a full stop, for advice to follow."""


def read(path: Path, largest: int) -> bytes:
    """Return the bytes of the regular file at `path`, at most `largest` (bytes) of them.

    Raises UnusableFileError for anything else: what is missing or may not be read, a folder, a pipe, a device, a larger
    file, and a path that the system can have no file under.
    """
    try:
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb", closefd=True) as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise UnusableFileError(f"{path}: this is no regular file")
            data = stream.read(largest + 1)
    except IsADirectoryError as error:
        raise UnusableFileError(f"{path}: this is a folder") from error
    except OSError as error:
        raise UnusableFileError(f"{path}: the file cannot be read ({error.strerror})") from error
    except ValueError as error:  # a NUL or half a surrogate pair, which only a path that a file supplied can have
        raise UnusableFileError(f"{path}: the file cannot be read ({error})") from error
    if len(data) > largest:
        raise UnusableFileError(f"{path}: the file has more than {largest >> 20} MiB")
    return data

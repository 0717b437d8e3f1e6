"""Reading a whole file that somebody named: never one that has no end, keeps a reader waiting, or fills the memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from coli_conformance.escape import shown_text
from coli_spec.unblocked import without_waiting


class UnusableFileError(Exception):
    """A file that cannot be read whole; the text names it and says why, without a full stop, for advice to follow."""


def read(path: Path, largest: int) -> bytes:
    """Return the bytes of the regular file at `path`, at most `largest` (bytes) of them.

    Raises UnusableFileError for anything else: what is missing or may not be read, a folder, a pipe, a device, a larger
    file, and a path that no file can have.
    """
    try:
        with open(path, "rb", opener=without_waiting) as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise UnusableFileError(f"{shown_text(str(path))}: this is no regular file")
            # What has nothing to give at once is no file either, though the system calls /proc/kmsg one.
            data = stream.read(largest + 1) or b"" if found.st_size <= largest else bytes(0)
    except IsADirectoryError as error:
        raise UnusableFileError(f"{shown_text(str(path))}: this is a folder") from error
    except OSError as error:
        raise UnusableFileError(f"{shown_text(str(path))}: the file cannot be read ({error.strerror})") from error
    except ValueError as error:  # a NUL or a lone surrogate, which a path that stands in a file may hold
        raise UnusableFileError(f"{shown_text(str(path))}: no file can have this name ({error})") from error
    if max(len(data), found.st_size) > largest:
        raise UnusableFileError(f"{shown_text(str(path))}: the file has more than {largest} bytes")
    return data

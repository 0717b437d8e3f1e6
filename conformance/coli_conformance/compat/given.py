"""The files that `compat` is given by name: read whole, and refused with a sentence where that cannot be."""

from __future__ import annotations

import stat
from pathlib import Path

LARGEST = 16 * 1024 * 1024
"""Bytes. The model keeps every record in memory; ten times the fullest history of the largest known engine."""


class FileError(Exception):
    """A file that cannot be read as a history; the text is a sentence that names it."""


def read(path: Path) -> bytes:
    """Return the bytes of a regular file of at most LARGEST bytes, else raise FileError. Nothing else is opened."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder" if path.is_dir() else "no regular file"
            raise FileError(f"{path}: this is {what}; name a history file, such as .coli_usage.")
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"{path}: the file cannot be read ({error.strerror}); name a history file.") from error
    if len(data) > LARGEST:
        raise FileError(
            f"{path}: the file has more than {LARGEST >> 20} MiB, and no engine's history comes near that; cut it "
            "at the end of a line and give the part in question."
        )
    return data

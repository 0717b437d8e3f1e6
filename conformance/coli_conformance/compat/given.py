"""The files that `compat` is given by name: read whole, and refused with a sentence where that cannot be."""

from __future__ import annotations

from pathlib import Path

from coli_conformance import regular_file

LARGEST = 16 * 1024 * 1024
"""Bytes. The model keeps every record in memory; ten times the fullest history of the largest known engine."""


class FileError(Exception):
    """A file that cannot be read as a history; the text is a sentence that names it."""


def read(path: Path) -> bytes:
    """Return the bytes of a regular file of at most LARGEST bytes, else raise FileError."""
    try:
        return regular_file.read(path, LARGEST)
    except regular_file.UnusableFileError as error:
        raise FileError(
            f"{error}; name a history file, such as .coli_usage, or whole lines of one that is larger."
        ) from error

"""Report files: known to be writable before the engine is run, and never left half-written."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from coli_conformance.interrupts import undisturbed


class OutputError(Exception):
    """A path that a report cannot be written to; the message is a sentence that names it."""


def check(path: Path) -> None:
    """Raise OutputError where no report could be written to `path`, leaving nothing behind."""
    try:
        if path.is_dir():
            raise OutputError(f"{path}: this is a folder; name a file for the report.")
        if _is_special(path):
            return
        with undisturbed:
            handle, name = tempfile.mkstemp(prefix=".report-", dir=_target(path).parent)
            os.close(handle)
            Path(name).unlink()
    except OSError as error:
        raise OutputError(f"{path}: no report can be written here ({error.strerror}); name another path.") from error


def write(path: Path, text: str) -> None:
    """Make `path` hold `text`, UTF-8: written beside it, then renamed over it. Raises OutputError.

    What is no regular file, such as a terminal or a pipe, is written to directly.
    """
    try:
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
            return
        with undisturbed:
            _replace(_target(path), text)
    except OSError as error:
        raise OutputError(f"{path}: the report could not be written ({error.strerror}).") from error


def _target(path: Path) -> Path:
    """Return the file behind the links that `path` may be. Raises OSError where they lead in a circle."""
    try:
        return path.resolve()
    except RuntimeError as error:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error


def _replace(target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=".report-", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the file is open already
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()

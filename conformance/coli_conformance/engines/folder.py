"""The working folder of a case: made, filled, read when the engine has ended, and emptied whatever is in it."""

# A run makes and reads tens of thousands of files; os is measurably quicker here than pathlib.
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH108, PTH120

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field

from coli_conformance.case import SetupFile

LARGEST_READ = 64 * 1024 * 1024
LARGEST_READ_IN_ALL = 256 * 1024 * 1024
MOST_ENTRIES = 10_000
"""Bytes of one file, bytes of all files, and entries that are read back; what is beyond is an oddity."""

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a block device"),
    (stat.S_ISCHR, "a character device"),
)


class CaseFolders:
    """The folders of one run, numbered, below a root of their own in the temporary folder."""

    def __init__(self) -> None:
        self._root = tempfile.mkdtemp(prefix="coli-conformance-")
        self._made = 0

    def make(self) -> str:
        """Make a fresh empty folder and return its path. Raises OSError."""
        self._made += 1
        path = f"{self._root}/{self._made}"
        os.mkdir(path, 0o700)
        return path

    def close(self) -> None:
        """Remove every folder and the root."""
        remove(self._root)


@dataclass(slots=True)
class Contents:
    """What was found in a folder: `files` by path relative to it, and a word on each thing that is not a
    readable file.

    `emptied` tells whether the folder is still there and nothing is left in it.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    oddities: dict[str, str] = field(default_factory=dict)
    emptied: bool = True
    size: int = 0
    entries: int = 0


def fill(folder: str, setup: Sequence[SetupFile]) -> None:
    """Put the files of `setup` into `folder`, in order. Raises OSError."""
    for item in setup:
        path = f"{folder}/{item.path}"
        if "/" in item.path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        if item.folder:
            os.mkdir(path)
        elif item.link_to is not None:
            os.link(f"{folder}/{item.link_to}", path)
        else:
            _write(path, item.data or b"")


def identity(folder: str) -> tuple[int, int] | None:
    """Return what tells this very folder from one put in its place; None where there is no folder."""
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def take(folder: str, expected: tuple[int, int] | None) -> Contents:
    """Read everything in `folder` and remove it, leaving the folder empty. `expected` is its identity.

    Links are not followed, and nothing that could block is opened. What cannot be removed stays for `remove`.
    """
    contents = Contents()
    if expected is None or identity(folder) != expected:
        contents.oddities["."] = "the working folder was deleted or replaced"
        contents.emptied = False
        return contents
    _take(folder, "", contents)
    return contents


def remove(path: str) -> None:
    """Remove whatever is at `path`, with all below it, also where permissions were taken away. Never raises OSError."""
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        _unlink(path)
    except OSError:
        for parent, folders, _ in os.walk(path):
            for name in folders:
                _unlock(f"{parent}/{name}")
        _unlock(path)
        shutil.rmtree(path, ignore_errors=True)


def _take(folder: str, prefix: str, contents: Contents) -> None:
    try:
        entries = list(os.scandir(folder))
    except PermissionError:
        _unlock(folder)
        entries = list(os.scandir(folder))
    for entry in entries:
        contents.entries += 1
        if contents.entries > MOST_ENTRIES:
            contents.oddities["."] = f"more than {MOST_ENTRIES} entries; the rest was not read"
            contents.emptied = False
            return
        name = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            contents.oddities[name] = "a folder"
            _take(entry.path, f"{name}/", contents)
            remove(entry.path)
            contents.emptied &= identity(entry.path) is None
        else:
            _read(entry, name, contents)
            contents.emptied &= _unlink(entry.path)


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def _read(entry: os.DirEntry[str], name: str, contents: Contents) -> None:
    """Read one thing that is not a folder into `contents`, or say there what it is."""
    try:
        if not entry.is_file(follow_symlinks=False):
            mode = entry.stat(follow_symlinks=False).st_mode
            contents.oddities[name] = next((word for is_kind, word in _KINDS if is_kind(mode)), "no regular file")
            return
        descriptor = os.open(entry.path, _OPEN)
        try:
            size = os.fstat(descriptor).st_size
            if size > LARGEST_READ:
                contents.oddities[name] = f"{size} bytes long, more than the {LARGEST_READ} that are read of one file"
            elif contents.size + size > LARGEST_READ_IN_ALL:
                contents.oddities[name] = f"not read: all files have more than {LARGEST_READ_IN_ALL} bytes"
            else:
                contents.size += size
                contents.files[name] = os.read(descriptor, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        contents.oddities[name] = f"could not be read: {error.strerror}"


def _unlink(path: str) -> bool:
    """Remove what is no folder; tell whether it is gone. What stays is tried again with its whole folder."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _unlock(folder: str) -> None:
    try:
        if not stat.S_ISLNK(os.lstat(folder).st_mode):
            os.chmod(folder, 0o700)
    except OSError:  # gone, or not ours: what follows meets the same error and deals with it
        return

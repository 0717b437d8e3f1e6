"""The working folder of a case: made, filled, read when the engine has ended, and emptied whatever is in it."""

# A run makes and reads tens of thousands of files; os is measurably quicker here than pathlib.
# ruff: noqa: PTH102, PTH103, PTH120

from __future__ import annotations

import os
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from coli_conformance.case import SetupFile
from coli_conformance.engines.limits import MIB
from coli_conformance.engines.mounts import mounts_below
from coli_conformance.engines.removal import MOST_ENTRIES, entries, remove, unlink
from coli_conformance.interrupts import undisturbed

LARGEST_READ = 24 * MIB
LARGEST_READ_IN_ALL = 32 * MIB
MOST_LEVELS = 64
"""Bytes of one file, bytes of all files and levels of folders that are read back; what is beyond is an oddity.

A history of the largest sessions that cases have takes a few megabytes.
"""

_BLOCK = 512
"""Bytes in the unit of `st_blocks`, whatever the file system."""

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
        with undisturbed:
            self._root = tempfile.mkdtemp(prefix="coli-conformance-")
            # Also called when this program ends, whatever interrupt kept `close` from being reached.
            self._close = weakref.finalize(self, _close, os.getpid(), self._root)
        self._made = 0

    def make(self) -> str:
        """Make a fresh empty folder and return its path. Raises OSError."""
        self._made += 1
        path = f"{self._root}/{self._made}"
        try:
            os.mkdir(path, 0o700)
        except FileNotFoundError:  # an engine has removed the root as well
            os.makedirs(path, 0o700)
        return path

    def close(self) -> None:
        """Remove every folder and the root."""
        with undisturbed:  # else it could be taken as done, and not be
            self._close()


def _close(owner: int, root: str) -> None:
    if os.getpid() == owner:  # a copy of the suite's process has to leave the folders alone
        with undisturbed:
            remove(root)
            if os.path.lexists(root):
                sentence = "could not be removed: what an engine did there is stronger. Remove it by hand."
                print(f"coli-conformance: the temporary folder {root} {sentence}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Room:
    """How much a folder holds: the bytes it takes on the disk, those of its largest file, and its entries."""

    size: int
    largest: int
    entries: int


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
    _take(folder, "", contents, cache(lambda: mounts_below(folder)))
    return contents


def room_taken(path: str) -> Room:
    """Return how much room everything below `path` takes; beyond MOST_ENTRIES no more is looked for."""
    size = largest = number = 0
    folders = [path]
    while folders and number <= MOST_ENTRIES:
        for entry in entries(folders.pop()) or ():
            number += 1
            if number > MOST_ENTRIES:
                break
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:  # it is gone again
                continue
            size += found.st_blocks * _BLOCK
            if stat.S_ISDIR(found.st_mode):
                folders.append(entry.path)
            elif stat.S_ISREG(found.st_mode):
                largest = max(largest, found.st_size)
    return Room(size, largest, number)


def _take(folder: str, prefix: str, contents: Contents, mounts: Callable[[], frozenset[str]]) -> None:
    """Take what is in `folder`, at `prefix` from the folder of the case, whose `mounts` are asked for once."""
    found = entries(folder) if prefix.count("/") <= MOST_LEVELS else None
    if found is None:
        contents.oddities[prefix.removesuffix("/") or "."] = "a folder that could not be read, or is too deep"
        contents.emptied = False
        return
    for entry in found:
        contents.entries += 1
        if contents.entries > MOST_ENTRIES:
            contents.oddities["."] = f"more than {MOST_ENTRIES} entries; the rest was not read"
            contents.emptied = False
            return
        name = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            if entry.path in mounts():
                contents.oddities[name] = "a mount point, which is left as it is"
                contents.emptied = False
                continue
            contents.oddities[name] = "a folder"
            _take(entry.path, f"{name}/", contents, mounts)
            remove(entry.path)
            contents.emptied &= identity(entry.path) is None
        else:
            _read(entry, name, contents)
            contents.emptied &= unlink(entry.path)


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

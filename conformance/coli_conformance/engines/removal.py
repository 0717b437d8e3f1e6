"""Removing what an engine left in a folder, however deep, locked or held it is."""

# As in `folder`: os is measurably quicker here than pathlib.
# ruff: noqa: PTH101, PTH104, PTH106, PTH108

from __future__ import annotations

import os
import secrets
import stat
import time
from contextlib import suppress
from itertools import islice

from coli_conformance.engines.mounts import mounts_below

MOST_ENTRIES = 10_000
"""Entries of a folder that are looked at in one go."""
_PATIENCE = 30.0
"""Seconds that are spent on emptying a folder."""


def remove(path: str) -> None:
    """Remove whatever is at `path`, with all below it, also where permissions were taken away. Never raises OSError."""
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        unlink(path)
    except OSError:
        _empty(path)
        with suppress(OSError):
            os.rmdir(path)


def _empty(path: str) -> None:
    """Remove all there is in a folder, however deep it is: folders are brought up until each has none in it.

    What cannot be removed, or comes faster than it goes, is left after a while.
    """
    own = f"{path}/.{secrets.token_hex(8)}-"
    give_up = time.monotonic() + _PATIENCE
    brought_up = 0
    mounts = mounts_below(path)
    progress = True
    while progress and time.monotonic() < give_up:
        progress = False
        for entry in entries(path) or ():
            if not entry.is_dir(follow_symlinks=False):
                progress |= unlink(entry.path)
                continue
            if any(mount == entry.path or mount.startswith(f"{entry.path}/") for mount in mounts):
                continue
            for inner in entries(entry.path) or ():
                if inner.is_dir(follow_symlinks=False):
                    _unlock(inner.path)
                    brought_up += 1
                    progress |= _moved(inner.path, f"{own}{brought_up}")
                else:
                    progress |= unlink(inner.path)
            with suppress(OSError):
                os.rmdir(entry.path)
                progress = True


def _moved(path: str, to: str) -> bool:
    try:
        os.rename(path, to)
    except OSError:
        return False
    return True


def entries(path: str) -> list[os.DirEntry[str]] | None:
    """Return what is in a folder; None where it cannot be listed."""
    for attempt in (_unlock, None):
        try:
            with os.scandir(path) as entries:
                return list(islice(entries, MOST_ENTRIES + 1))
        except PermissionError:
            if attempt is not None:
                attempt(path)
        except OSError:
            return None
    return None


def unlink(path: str) -> bool:
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

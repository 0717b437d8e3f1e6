"""Which engine it was: a digest over its files, so that a report can tell whether it is still the same one."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

_CHUNK = 1 << 20
"""Bytes of a file that are in memory at once: a word of a command may name a model of gigabytes."""


def engine_digest(command: Sequence[str], *, python_class: bool) -> str:
    """Return SHA-256, in hex, over the files that `command` names, in their order.

    Of a Python engine, whose last word is MODULE:CLASS, the files of the module's whole package count, none of which is
    run for it. What those files load in turn, such as shared libraries, does not count.
    """
    files = [Path(word) for word in command if _is_file(word)]
    if python_class:
        files += _modules(command[-1].partition(":")[0])
    digest = hashlib.sha256()
    for file in files:
        for piece in _pieces(file):
            digest.update(piece)
    return digest.hexdigest()


def _pieces(path: Path) -> Iterator[bytes]:
    """Yield the length of what stands for a file, in eight bytes, and then that: its contents, or its name."""
    try:
        with path.open("rb") as file:
            yield os.fstat(file.fileno()).st_size.to_bytes(8, "big")
            while chunk := file.read(_CHUNK):
                yield chunk
    except OSError:  # a program may be there to be run and not to be read
        name = str(path).encode()
        yield len(name).to_bytes(8, "big")
        yield name


def _modules(module: str) -> list[Path]:
    """Return the files of the package that `module` is in, or of the module where it is in none."""
    top = module.partition(".")[0]
    try:
        found = PathFinder.find_spec(top, [str(Path.cwd()), *sys.path]) or find_spec(top)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    folders = [Path(folder) for folder in found.submodule_search_locations or ()]
    if folders:
        return sorted(path for folder in folders for path in folder.rglob("*.py"))
    return [Path(found.origin)] if found.origin and _is_file(found.origin) else []


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # too long for a path, or holding a NUL: not the name of a file
        return False

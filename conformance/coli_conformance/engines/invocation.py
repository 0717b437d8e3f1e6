"""The command an engine is started with: its words made absolute, and the environment it gets."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.escape import shown_bytes

_LONGEST_FIRST_LINE = 256
"""Bytes of the first line of a script that are looked at, as many as the system does."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """How a process is started. `command[0]` is an absolute path; `timeout` is in seconds for one case."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    timeout: float
    limits: Limits = DEFAULT_LIMITS


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of an engine: PATH, a locale that changes no byte, and what the manifest adds."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", **environment}


def absolute(command: Sequence[str]) -> tuple[str, ...]:
    """Return `command` so that it works in any folder.

    The first word is looked up as a shell does; any other that names an existing file is made absolute.
    Raises EngineUnusable where the first word names nothing that can be run.
    """
    if not command:
        raise EngineUnusable("There is no command to start the engine with. Write it after `--`.")
    return _program(command[0]), *(_file(word) for word in command[1:])


def why_not_started(program: str, error: OSError) -> str:
    """Return the end of a sentence on why `program`, a file that is there and executable, could not be started."""
    try:
        with Path(program).open("rb") as file:
            first_line = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        first_line = b""
    if error.errno == errno.ENOENT and first_line.startswith(b"#!"):
        interpreter = first_line[2:].rstrip(b"\n").lstrip(b" \t").split(b" ")[0]
        remedy = "Save it with LF at the ends of lines." if b"\r" in interpreter else "Install it, or correct the line."
        return f"its first line names the interpreter `{shown_bytes(interpreter)}`, and there is no such file. {remedy}"
    if error.errno == errno.ENOENT:
        return "it was built for another system, whose loader is not on this machine. Build it here."
    return f"{error.strerror}. A script needs `#!` and its interpreter in its first line."


def _program(word: str) -> str:
    found = shutil.which(word)
    if found is not None:
        return str(Path(found).absolute())
    path = Path(word)
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except OSError:  # too long for a path
        is_folder = is_there = False
    if is_folder:
        raise EngineUnusable(f"`{word}` cannot be started: it is a folder. Name the driver in it.")
    if not is_there:
        program = word.partition(" ")[0]
        if program != word and shutil.which(program) is not None:
            raise EngineUnusable(
                f"`{word}` cannot be started: no file has that name. Leave out the quotation marks around it, so that "
                f"`{program}` is the command and the rest its arguments."
            )
        where = "no such file" if os.sep in word else "no such file in PATH"
        raise EngineUnusable(f"`{word}` cannot be started: {where}. Build the driver first, or correct its path.")
    if os.sep not in word:
        raise EngineUnusable(
            f"`{word}` cannot be started: it is not in PATH. Write ./{word} for the one in this folder."
        )
    raise EngineUnusable(
        f"`{word}` cannot be started: it is not executable. Run chmod +x on it, or name its interpreter."
    )


def _file(word: str) -> str:
    try:
        return str(Path(word).absolute()) if Path(word).is_file() else word
    except (OSError, ValueError):  # too long for a path, or holding a NUL: not the name of a file
        return word

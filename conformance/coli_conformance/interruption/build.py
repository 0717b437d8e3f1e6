"""Builds `interrupt.c`, by which an engine's calls on files are failed, held or never returned from."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path
from shutil import which

from coli_conformance.escape import shown_bytes
from coli_conformance.interruption.calls import LOG, logged

ENVIRONMENT = "COLI_INTERRUPT"
"""Tells the program what to do, such as `kill 3`."""
_SECONDS = 60
_SHOWN = 400
_TRIED = ["sh", "-c", "echo tried > probe"]


class CannotInterrupt(Exception):  # noqa: N818 - the name says what is true of this machine
    """An engine's calls cannot be interrupted here; the text is a sentence that says why and what would help."""


def built(folder: Path) -> Path:
    """Build the program in `folder`, see that it works on this machine, and return its path.

    Raises CannotInterrupt.
    """
    if sys.platform != "linux":
        raise CannotInterrupt(f"The calls of an engine can be interrupted on Linux only, and this is {sys.platform}.")
    if which("cc") is None:
        raise CannotInterrupt("The program that interrupts saves is built with a C compiler, and there is no `cc`.")
    program = folder / "interrupt"
    with resources.as_file(resources.files("coli_conformance.interruption") / "interrupt.c") as source:
        command = ["cc", "-std=c11", "-O1", os.fspath(source), "-o", os.fspath(program)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)
    if done.returncode != 0:
        raise CannotInterrupt(f"`cc` could not build the program that interrupts saves: {_said(done.stderr)}")
    with tempfile.TemporaryDirectory(dir=folder) as tried:
        done = subprocess.run(
            [os.fspath(program), *_TRIED],
            cwd=tried,
            env={**os.environ, ENVIRONMENT: "watch"},
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
        log = Path(tried) / LOG
        seen = {(call.word, call.names) for call in logged(log.read_bytes())} if log.exists() else set()
    if done.returncode != 0 or not seen.issuperset({("open", ("probe",)), ("write", ("probe",))}):
        said = _said(done.stderr) if done.returncode != 0 else "the names of the files a program writes stay hidden"
        raise CannotInterrupt(
            f"This system does not let the calls of an engine be interrupted: {said}. It takes Linux 5.5 or later, and "
            "a container that allows seccomp."
        )
    return program


def _said(stderr: bytes) -> str:
    return shown_bytes(stderr.strip()[:_SHOWN]) or "it said nothing"

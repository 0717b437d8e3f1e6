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
_SOURCES = ("interrupt.c", "file_calls.c", "file_calls.h")
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
    for name in _SOURCES:
        (folder / name).write_bytes((resources.files("coli_conformance.interruption") / name).read_bytes())
    sources = [os.fspath(folder / name) for name in _SOURCES if name.endswith(".c")]
    command = ["cc", "-std=c11", "-O1", *sources, "-o", os.fspath(program)]
    done = _finished(command, folder)
    if done.returncode != 0:
        raise CannotInterrupt(f"`cc` could not build the program that interrupts saves: {_said(done.stderr)}")
    with tempfile.TemporaryDirectory(dir=folder) as tried:
        done = _finished([os.fspath(program), *_TRIED], Path(tried))
        log = Path(tried) / LOG
        seen = {(call.word, call.names) for call in logged(log.read_bytes())} if log.exists() else set()
    if done.returncode != 0 or not seen.issuperset({("open", ("probe",)), ("write", ("probe",))}):
        said = _said(done.stderr) if done.returncode != 0 else "the names of the files a program writes stay hidden"
        raise CannotInterrupt(
            f"This system does not let the calls of an engine be interrupted: {said}. It takes Linux 5.5 or later, and "
            "a container that allows seccomp."
        )
    return program


def _finished(command: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, ENVIRONMENT: "watch"}
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInterrupt(f"The program that interrupts saves could not be built or started: {error}.") from error


def _said(stderr: bytes) -> str:
    return shown_bytes(stderr.strip()[:_SHOWN]) or "it said nothing"

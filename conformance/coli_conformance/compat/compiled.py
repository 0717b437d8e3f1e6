"""The old loop itself, compiled for the platforms whose compilers are here: evidence beside the model (W15)."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from coli_conformance.case import Record
from coli_conformance.compat.readers import Reader

_SECONDS = 120
_SHOWN = 200


class LoopAbsent(Exception):  # noqa: N818 - nothing is wrong
    """This machine has not what a compiled loop takes; the text is a sentence that names what is missing."""


class LoopError(Exception):
    """A loop that could not be compiled, or did not run to its end; the text is a sentence with what was said."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How to compile and run the loop for one platform; `platform` is the model's name for it."""

    compiler: str
    platform: str
    words: str
    flags: tuple[str, ...] = ()
    emulator: str | None = None


TOOLCHAINS = (
    Toolchain("cc", "glibc64", "glibc, 64-bit long"),
    Toolchain("musl-gcc", "musl", "musl", ("-static",)),
    Toolchain("i686-linux-gnu-gcc", "ilp32", "glibc, 32-bit long", ("-static",)),
    Toolchain("s390x-linux-gnu-gcc", "glibc64", "glibc, 64-bit long, big-endian", ("-static",), "qemu-s390x"),
    Toolchain(
        "x86_64-w64-mingw32-gcc",
        "windows",
        "Windows program",
        # Otherwise mingw-w64 puts a scanf of its own before that of the C runtime.
        ("-D__USE_MINGW_ANSI_STDIO=0",),
        "wine",
    ),
)
"""Every way to build the loop that the model was measured against."""


@dataclass(frozen=True, slots=True)
class CompiledLoop:
    """The old loop as a program, which reads many files in one run."""

    command: tuple[str, ...]
    toolchain: Toolchain

    @property
    def name(self) -> str:
        """What the reader is called in reports."""
        return f"built by {self.toolchain.compiler}"

    def read(self, files: Sequence[bytes]) -> list[list[Record]]:
        """Return every record that the program parses from each of the files.

        Raises LoopAbsent where this machine cannot run it, and LoopError where it does not run to its end.
        """
        frames = b"".join(len(data).to_bytes(4, "little") + data for data in files)
        try:
            done = subprocess.run(
                [*self.command, "--batch"], input=frames, capture_output=True, timeout=_SECONDS, check=False
            )
        except OSError as error:
            raise LoopAbsent(
                f"{self.toolchain.words}: this machine does not run what {self.toolchain.compiler} builds "
                f"({error.strerror})"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise LoopError(f"{self.name}: it did not end within {_SECONDS} s") from error
        if done.returncode != 0:
            raise LoopError(f"{self.name}: it ended with status {done.returncode}. It said: {_said(done.stderr)}")
        *parsed, rest = _parsed(done.stdout)
        if rest or len(parsed) != len(files):
            raise LoopError(f"{self.name}: it answered for {len(parsed)} of {len(files)} files")
        return parsed


def _parsed(stdout: bytes) -> list[list[Record]]:
    """Return the records of each frame, and last what stands behind the last frame."""
    parsed: list[list[Record]] = [[]]
    for line in stdout.decode("ascii").splitlines():
        if line == ".":
            parsed.append([])
        else:
            first, second, third = map(int, line.split())
            parsed[-1].append((first, second, third))
    return parsed


def build(toolchain: Toolchain, folder: Path) -> CompiledLoop:
    """Compile the loop into `folder` and see that it runs. Raises LoopAbsent and LoopError."""
    words = toolchain.words
    for program in (toolchain.compiler, toolchain.emulator):
        if program is not None and shutil.which(program) is None:
            raise LoopAbsent(f"{words}: {program} is not on this machine")
    if toolchain.compiler == "cc" and (platform.libc_ver()[0] != "glibc" or sys.maxsize < 1 << 32):
        raise LoopAbsent(f"{words}: cc does not build for it on this machine")
    program_path = folder / f"old_reader-{toolchain.compiler}.exe"
    with resources.as_file(resources.files("coli_reference") / "old_reader.c") as source:
        command = [toolchain.compiler, "-O1", *toolchain.flags, os.fspath(source), "-o", os.fspath(program_path)]
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise LoopError(f"{words}: {toolchain.compiler} could not build the loop. It said: {_said(done.stderr)}")
    loop = CompiledLoop((*([toolchain.emulator] if toolchain.emulator else []), os.fspath(program_path)), toolchain)
    loop.read([])
    return loop


@contextmanager
def compiled_readers() -> Iterator[tuple[tuple[Reader, ...], tuple[str, ...]]]:
    """Yield the readers that could be compiled here, and a sentence for each that could not.

    The programs are gone afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="coli-compat-") as name:
        readers: list[Reader] = []
        absent: list[str] = []
        for toolchain in TOOLCHAINS:
            try:
                loop = build(toolchain, Path(name))
            except (LoopAbsent, LoopError) as reason:
                absent.append(str(reason))
            else:
                readers.append(Reader(loop.name, loop.read))
        yield tuple(readers), tuple(absent)


def _said(stderr: bytes) -> str:
    return ascii(stderr[:_SHOWN].decode("utf-8", "backslashreplace").strip())

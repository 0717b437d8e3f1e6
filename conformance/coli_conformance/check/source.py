"""A file or standard input in pieces that end at line ends, in memory that does not grow with it."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

BLOCK = 256 * 1024
"""Bytes of a block, and the length from which a line is endless. Larger blocks leave the processor's caches."""
KEPT = 1024 * 1024
"""Bytes: a file up to this size is kept, for what is said of it as a whole."""
STANDARD_INPUT = "-"
_ENDLESS_SHOWN = 4096


class SourceError(Exception):
    """An input that cannot be read; the text is a sentence that names it."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, with LF behind the last."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Tail:
    """The last line of a file, which has no LF."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Endless:
    """A line of BLOCK bytes or more: its beginning, and how many bytes it has without its LF."""

    head: bytes
    length: int


Piece = Block | Tail | Endless


class Source:
    """One input, read once from its beginning; `name` is how findings call it."""

    def __init__(self, path: Path, advance: Callable[[int], None] | None = None) -> None:
        """Open the input and read its first bytes; `advance` is told of every number of bytes handed out.

        Raises SourceError for what is missing, cannot be read or is no regular file; standard input may be anything.
        """
        self.is_standard_input = str(path) == STANDARD_INPUT
        self.name = "standard input" if self.is_standard_input else str(path)
        try:
            self._stream = self._opened(path)
            self._before = os.fstat(self._stream.fileno())
            self.first = self._filled()
        except OSError as error:
            why = error.strerror or error
            raise SourceError(f"{self.name}: it cannot be read ({why}); name a file that can.") from error
        self._advance = advance
        self.done = 0
        """How many bytes were handed out."""
        self._kept: bytearray | None = bytearray()

    def _opened(self, path: Path) -> BinaryIO:
        if self.is_standard_input:
            if sys.stdin is None:
                raise SourceError(f"{self.name}: it is closed; name a file, or give it a stream such as with `<`.")
            return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder" if path.is_dir() else "no regular file"
            raise SourceError(f"{self.name}: this is {what}; name a file, or give a stream as standard input and `-`.")
        return path.open("rb", buffering=0)

    def __enter__(self) -> Self:
        """Return the source itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._stream.close()

    @property
    def size(self) -> int | None:
        """Bytes the file had when it was opened; None for standard input, which may be a pipe."""
        return None if self.is_standard_input else self._before.st_size

    @property
    def whole(self) -> bytes | None:
        """All bytes that were handed out, or None where they are more than KEPT."""
        return None if self._kept is None else bytes(self._kept)

    def changed(self) -> bool:
        """Tell whether the file is not as it was opened, by its size or the time it was written."""
        now = os.fstat(self._stream.fileno())
        before = self._before
        return stat.S_ISREG(now.st_mode) and (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns)

    def _filled(self) -> bytes:
        """Return the next BLOCK bytes, or what is left; a pipe hands them out in whatever parts they were written."""
        data = self._read(BLOCK)
        if len(data) in {0, BLOCK}:
            return data
        parts = [data]
        left = BLOCK - len(data)
        while left and (data := self._read(left)):
            parts.append(data)
            left -= len(data)
        return b"".join(parts)

    def _read(self, most: int) -> bytes:
        """Return what one read gives, nothing at the end alone; a stream that would rather not wait is waited for."""
        while (data := self._stream.read(most)) is None:
            select.select([self._stream], [], [])
        return data

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of the input, BLOCK of them at a time but for the last."""
        data = self.first
        while data:
            self.done += len(data)
            if self._advance is not None:
                self._advance(len(data))
            if self._kept is not None:
                self._kept += data
                if len(self._kept) > KEPT:
                    self._kept = None
            yield data
            try:
                data = self._filled()
            except OSError as error:
                raise SourceError(
                    f"{self.name}: reading it failed after {self.done} bytes ({error.strerror}); copy it and try again."
                ) from error

    def pieces(self) -> Iterator[Piece]:
        """Yield the input in whole lines, at the same places however it comes. No piece is longer than twice BLOCK."""
        rest = b""
        endless: Endless | None = None
        for chunk in self.chunks():
            data = chunk
            if endless is not None:
                end = data.find(b"\n")
                endless = Endless(endless.head, endless.length + (len(data) if end < 0 else end))
                if end < 0:
                    continue
                yield endless
                endless, data = None, data[end + 1 :]
            data = rest + data
            # A chunk has no room for an endless line and its LF: only a line that began before it can be one.
            if rest and (end := data.find(b"\n", len(rest))) >= BLOCK:
                yield Endless(data[:_ENDLESS_SHOWN], end)
                data = data[end + 1 :]
            cut = data.rfind(b"\n") + 1
            if cut:
                yield Block(data[:cut])
            rest = data[cut:]
            if len(rest) >= BLOCK:
                endless, rest = Endless(rest[:_ENDLESS_SHOWN], len(rest)), b""
        if endless is not None:
            yield endless
        elif rest:
            yield Tail(rest)

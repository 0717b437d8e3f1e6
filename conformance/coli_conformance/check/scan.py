"""Reading a text file for its faults: whole blocks where all is well, line by line around what is not."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

from coli_conformance.check.collected import Collected
from coli_conformance.check.finding import Finding
from coli_conformance.check.source import BLOCK, Block, Endless, Piece, Source

_LINE_BY_LINE = 1024
"""Bytes: a block up to this size is not worth reading at once."""
_SMALL_FILE = 2 * BLOCK
_AHEAD = 4
_FREED_AT_ONCE = 30 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one line: its findings, and the line as a strict reader accepts it, or nothing."""

    findings: Sequence[Finding]
    kept: bytes = b""


class Parsed(Protocol):
    """A block that was read at once."""

    @property
    def lines(self) -> int:
        """How many lines the block has."""


ParsedT = TypeVar("ParsedT", bound=Parsed)


class LineChecker(Protocol[ParsedT]):
    """What is known of a file so far, and what a further line or block adds to it."""

    def parse(self, data: bytes) -> ParsedT | None:
        """Return whole lines read at once, or None where any of them needs a look; may run in another thread."""

    def admit(self, parsed: ParsedT) -> bool:
        """Take a block as sound and return True; or return False, and remember nothing of it."""

    def line(self, content: bytes, number: int, *, ended: bool) -> Checked:
        """Take one line without its LF; the last line of a file may have none, and is not `ended`."""

    def endless(self, line: Endless, number: int) -> Finding:
        """Take a line too long to be one."""


Salvage = Callable[[bytes], None]
LeftOut = Callable[[int, Sequence[Finding]], None]


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where accepted lines go, and who is told about the others, by number and findings."""

    keep: Salvage
    leave_out: LeftOut


def scan(source: Source, checker: LineChecker[ParsedT], found: Collected, keeping: Keeping | None = None) -> int:
    """Read a source to its end, all findings into `found`, and return how many lines it has.

    Raises Enough where `found` does, and SourceError where reading fails.
    """
    number = 0
    for piece, parsed in _read_ahead(source, checker.parse):
        if isinstance(piece, Endless):
            number += 1
            finding = checker.endless(piece, number)
            found.add(finding)
            if keeping is not None:
                keeping.leave_out(number, [finding])
        elif isinstance(piece, Block):
            number += _block(piece.data, parsed, number, checker, found, keeping)
        else:
            number += 1
            _line(piece.data, number, checker, found, keeping, ended=False)
    return number


def _block(
    data: bytes,
    parsed: ParsedT | None,
    before: int,
    checker: LineChecker[ParsedT],
    found: Collected,
    keeping: Keeping | None,
) -> int:
    """Take a block behind `before` lines, and return how many lines it has."""
    if parsed is not None and checker.admit(parsed):
        if keeping is not None:
            keeping.keep(data.replace(b"\r\n", b"\n"))
        return parsed.lines
    if len(data) <= _LINE_BY_LINE or (middle := data.find(b"\n", len(data) // 2) + 1) in {0, len(data)}:
        lines = data.split(b"\n")[:-1]
        for number, content in enumerate(lines, start=before + 1):
            _line(content, number, checker, found, keeping, ended=True)
        return len(lines)
    lines_read = 0
    for half in (data[:middle], data[middle:]):
        again = checker.parse(half) if len(half) > _LINE_BY_LINE else None
        lines_read += _block(half, again, before + lines_read, checker, found, keeping)
    return lines_read


def _line(
    content: bytes,
    number: int,
    checker: LineChecker[ParsedT],
    found: Collected,
    keeping: Keeping | None,
    *,
    ended: bool,
) -> None:
    checked = checker.line(content, number, ended=ended)
    if keeping is not None:
        if checked.kept:
            keeping.keep(checked.kept)
        else:
            keeping.leave_out(number, checked.findings)
    for finding in checked.findings:
        found.add(finding)


def _read_ahead(source: Source, parse: Callable[[bytes], ParsedT | None]) -> Iterator[tuple[Piece, ParsedT | None]]:
    """Yield the pieces of a source, blocks parsed; those of a large source in other threads while others are judged."""
    pieces = source.pieces()
    workers = min(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if len(source.first) < BLOCK or (source.size is not None and source.size <= _SMALL_FILE):
        for piece in pieces:
            yield piece, None
    elif workers == 1:
        _keep_freed_memory()
        for piece in pieces:
            yield piece, parse(piece.data) if isinstance(piece, Block) else None
    else:
        _keep_freed_memory()
        with ThreadPoolExecutor(workers) as threads:
            yield from _in_threads(pieces, parse, threads)


def _keep_freed_memory() -> None:
    """Let glibc keep what a block took for the next block, as it does once a larger piece was freed.

    Else it hands the memory back and asks for it again, which takes a third of the time. Nothing is written to the
    piece, so that it takes no memory either.
    """
    bytearray(_FREED_AT_ONCE)


def _in_threads(
    pieces: Iterable[Piece], parse: Callable[[bytes], ParsedT | None], threads: ThreadPoolExecutor
) -> Iterator[tuple[Piece, ParsedT | None]]:
    waiting: deque[tuple[Piece, Future[ParsedT | None] | None]] = deque()
    for piece in pieces:
        waiting.append((piece, threads.submit(parse, piece.data) if isinstance(piece, Block) else None))
        if len(waiting) > _AHEAD:
            first, future = waiting.popleft()
            yield first, future.result() if future else None
    for first, future in waiting:
        yield first, future.result() if future else None

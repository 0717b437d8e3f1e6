"""The matrix on a terminal: a table of writers and readers, what failed and why, versions, the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from coli_conformance import __version__
from coli_conformance.escape import cut, shown_text
from coli_conformance.matrix.cells import Cell, CellStatus, Matrix, Pair
from coli_conformance.matrix.versions import Family, VersionRow, families
from coli_conformance.reports.excerpt import excerpt
from coli_conformance.reports.lines import Line, Piece, line, wrapped

_MEANINGS = {CellStatus.PASS: "good", CellStatus.FAIL: "bad", CellStatus.UNSUPPORTED: "faint"}
_GAP = 2
_SIDE = len("writes") + _GAP
_LONGEST_NAME = 40


def matrix_lines(matrix: Matrix, width: int) -> Iterator[Line]:
    """Yield the whole report as lines no wider than `width`, where words allow."""
    gold_files = len(matrix.writers) - sum(engine.writes for engine in matrix.engines)
    head = (
        f"coli-conformance {__version__}: {_count(len(matrix.writers) - gold_files, 'writer')} and "
        f"{_count(gold_files, 'gold file')}, each read by {_count(len(matrix.readers), 'reader')}, in "
        f"{_count(len(matrix.scenarios), 'scenario')}"
    )
    yield from wrapped(head, width)
    yield line()
    yield from _table(matrix, width)
    yield line()
    for writer in matrix.writers:
        yield from _failures(matrix, writer, width)
    yield from _unsupported(matrix, width)
    for family in families(matrix):
        yield from _family(family, width)
    yield from _sum(matrix, width)


def _table(matrix: Matrix, width: int) -> Iterator[Line]:
    """Yield the table; where it is too wide even so, the readers are numbered and the numbers explained below."""
    rows = [[matrix.pair(writer, reader) for reader in matrix.readers] for writer in matrix.writers]
    columns = list(zip(*rows, strict=True))
    writers = [_name(writer) for writer in matrix.writers]
    readers = [_name(reader) for reader in matrix.readers]
    first = max(map(len, ("written by", *writers))) + _GAP
    numbered = first + sum(_room(name, column) for name, column in zip(readers, columns, strict=True)) > width
    heads = [f"[{number}]" for number in range(1, len(readers) + 1)] if numbered else readers
    rooms = [_room(head, column) for head, column in zip(heads, columns, strict=True)]
    yield line("  ", (f"{'written by':<{first}}", "faint"), *_cells([(head, "faint") for head in heads], rooms))
    for writer, pairs in zip(writers, rows, strict=True):
        cells = _cells([(pair.words, _MEANINGS[pair.status]) for pair in pairs], rooms)
        yield line("  ", f"{writer:<{first}}", *cells)
    if numbered:
        yield line()
        for head, name in zip(heads, readers, strict=True):
            yield line("  ", (f"{head:>5} ", "faint"), name)


def _room(head: str, column: Sequence[Pair]) -> int:
    return max(len(head), *(len(pair.words) for pair in column)) + _GAP


def _cells(pieces: Sequence[Piece], rooms: Sequence[int]) -> list[Piece]:
    return [(f"{text:<{room}}", meaning) for (text, meaning), room in zip(pieces, rooms, strict=True)]


def _failures(matrix: Matrix, writer: str, width: int) -> Iterator[Line]:
    """Yield what failed with the files of one writer: for each group of readers that failed in the same scenarios and
    say the same of the first of them, that one with its file, and the others by name."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    firsts: dict[tuple[str, tuple[str, ...]], Cell] = {}
    for reader in matrix.readers:
        failed = matrix.pair(writer, reader).of(CellStatus.FAIL)
        if failed:
            key = failed[0].reason, tuple(cell.scenario for cell in failed)
            groups.setdefault(key, []).append(_name(reader))
            firsts[key] = failed[0]
    for key, readers in groups.items():
        yield from _failure(firsts[key], readers, key[1][1:], width)


def _failure(first: Cell, readers: Sequence[str], others: Sequence[str], width: int) -> Iterator[Line]:
    title, *more = wrapped(f"{_name(first.writer)} read by {', '.join(readers)}: {first.scenario}", width - 8, "", "id")
    yield line("  ", ("fail", "bad"), "  ", *title[1:])
    for rest in more:
        yield line(" " * 8, *rest[1:])
    yield from wrapped(shown_text(first.reason), width, "    ")
    for breach in first.written.breaches:
        yield from wrapped(f"The file itself: {shown_text(breach)}", width, "    ", "weak")
    for shown in excerpt(first.written.data or b"", None, None, 1, width - 12):
        yield line("    ", (f"{shown.number:>4} | ", "faint"), shown.text)
    if others:
        yield from wrapped(f"So also: {', '.join(others)}", width, "    ", "faint")
    yield line()


def _unsupported(matrix: Matrix, width: int) -> Iterator[Line]:
    """Yield what was not supported, each reason once for all the cells of a scenario that it took."""
    cells = [cell for cell in matrix.cells if cell.status is CellStatus.UNSUPPORTED]
    who = sorted({(_blamed(cell.reason, cell.writer, cell.reader), cell.scenario, cell.reason) for cell in cells})
    for (name, reason), group in groupby(who, key=lambda one: (one[0], one[2])):
        where = ", ".join(dict.fromkeys(scenario for _, scenario, _ in group))
        text = f"not supported  {_name(name)}, {where}: {shown_text(reason)}"
        yield from wrapped(text, width, "  ", "faint")
    if who:
        yield line()


def _blamed(reason: str, writer: str, reader: str) -> str:
    return writer if reason.startswith("the writer") else reader


def _family(family: Family, width: int) -> Iterator[Line]:
    """Yield a line for each group of scenarios in which the versions came to the same, the scenarios below it."""
    groups: dict[tuple[str, tuple[CellStatus, ...], str], list[str]] = {}
    for row in family.rows:
        groups.setdefault((row.side, row.statuses, first_broken_text(row)), []).append(row.scenario)
    versions = [_name(version) for version in family.versions]
    rooms = [max(len(version), len(CellStatus.UNSUPPORTED.word)) + _GAP for version in versions]
    heads = _cells([(version, "faint") for version in versions], rooms)
    yield line("  ", (f"versions of {_name(family.name)}", "id"))
    yield line("    ", " " * _SIDE, *heads, ("first broken in", "faint"))
    before = 4 + _SIDE + sum(rooms)
    for (side, statuses, broken), scenarios in groups.items():
        cells = _cells([(status.word, _MEANINGS[status]) for status in statuses], rooms)
        said, *more = wrapped(broken or "-", max(width, before + 30), " " * before)
        yield line("    ", f"{side:<{_SIDE}}", *cells, *said[1:])
        yield from more
        yield from wrapped(", ".join(scenarios), width, " " * 8, "faint")
    yield line()


def first_broken_text(row: VersionRow) -> str:
    """Return `1.2 (read by old 64, mine); every version (read by theirs)`, or "" where nothing is broken."""
    by = "read by" if row.side == "writes" else "written by"
    return "; ".join(
        f"{_name(version)} ({by} {', '.join(map(_name, partners))})" for version, partners in row.first_broken
    )


def _sum(matrix: Matrix, width: int) -> Iterator[Line]:
    failed = matrix.count(CellStatus.FAIL)
    words = [f"{matrix.count(status)} {status.word}" for status in CellStatus if matrix.count(status)]
    verdict = f"{_count(failed, 'cell')} failed" if failed else "every supported cell passed"
    if not matrix.count(CellStatus.PASS) and not failed:
        verdict = "nothing was verified, so nothing is passed"
    text = f"{verdict}: of {len(matrix.cells)} cells {', '.join(words)}."
    yield from wrapped(text, width, "  ", "bad" if failed else "good")


def _name(name: str) -> str:
    return cut(shown_text(name), _LONGEST_NAME)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

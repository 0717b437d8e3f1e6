"""What the matrix is made of: files as writers left them, and cells, one for each writer, reader and scenario."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from coli_conformance.case import Record
from coli_conformance.corpus.target import Target


class CellStatus(Enum):
    """What a cell came to. The value is the word in reports, the symbol is for the page."""

    PASS = ("pass", "✓")
    FAIL = ("fail", "✗")
    UNSUPPORTED = ("unsupported", "○")

    def __init__(self, word: str, symbol: str) -> None:
        self.word = word
        self.symbol = symbol


@dataclass(frozen=True)
class Written:
    """What a writer left behind in one scenario, and what it must mean to a reader with `target`'s identity.

    `data` is None where there is no file to read; `reason` then says why, and `supported` is False where the writer
    does not claim to do this at all. `roles` are what a reader needs besides `load`. `breaches` are the clauses the
    file was seen to break, each with a sentence.
    """

    writer: str
    scenario: str
    target: Target
    meant: tuple[Record, ...]
    data: bytes | None
    reason: str = ""
    supported: bool = True
    roles: tuple[str, ...] = ()
    breaches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """What one reader made of one written file. `reason` is a sentence unless it passed."""

    written: Written
    reader: str
    status: CellStatus
    reason: str = ""

    @property
    def writer(self) -> str:
        """The name of the writer."""
        return self.written.writer

    @property
    def scenario(self) -> str:
        """The name of the scenario."""
        return self.written.scenario


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine as the matrix played it. `family` and `version` are None where it is no version of another."""

    name: str
    kind: str
    command: tuple[str, ...]
    roles: tuple[str, ...]
    writes: bool
    reads: bool
    family: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class Matrix:
    """Every cell. `writers` are the engines that write, then the gold files; `scenarios` are names with their why."""

    engines: tuple[Engine, ...]
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    scenarios: tuple[tuple[str, str], ...]
    cells: tuple[Cell, ...]

    def pair(self, writer: str, reader: str) -> Pair:
        """Return the cells of one writer and one reader, in the order of the scenarios."""
        return Pair(tuple(cell for cell in self.cells if (cell.writer, cell.reader) == (writer, reader)))

    def count(self, status: CellStatus) -> int:
        """Return how many cells came to this."""
        return sum(cell.status is status for cell in self.cells)


@dataclass(frozen=True)
class Pair:
    """The cells of one writer with one reader."""

    cells: tuple[Cell, ...]

    @property
    def status(self) -> CellStatus:
        """The status of the pair; see `worst`."""
        return worst(cell.status for cell in self.cells)

    def of(self, status: CellStatus) -> tuple[Cell, ...]:
        """Return the cells that came to this."""
        return tuple(cell for cell in self.cells if cell.status is status)

    @property
    def words(self) -> str:
        """The pair in a few characters: `pass 12`, `FAIL 3/12`, or `-` where nothing is supported."""
        supported = len(self.cells) - len(self.of(CellStatus.UNSUPPORTED))
        if self.status is CellStatus.FAIL:
            return f"FAIL {len(self.of(CellStatus.FAIL))}/{supported}"
        return f"pass {supported}" if supported else "-"


def worst(statuses: Iterable[CellStatus]) -> CellStatus:
    """Return what several cells come to: a failure wins, then a pass; unsupported where there is nothing else."""
    seen = set(statuses)
    return next(
        (status for status in (CellStatus.FAIL, CellStatus.PASS) if status in seen),
        CellStatus.UNSUPPORTED,
    )

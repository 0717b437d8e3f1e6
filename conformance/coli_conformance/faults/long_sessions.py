"""Engines that go wrong in a long session, or where a file changes in it (R01, R05, R06, R09, R14, R20, W13, W21)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import os
from collections.abc import Iterable
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import Record
from coli_reference.trust import Refused


class FileKeptFromItsFirstRead(Fault):
    """Keeps what it read of a path, and reads that path no more."""

    breaks = ("R01",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.kept: dict[str, bytes] = {}

    def read_file(self, path: str) -> bytes:
        if path not in self.kept:
            self.kept[path] = super().read_file(path)
        return self.kept[path]


class OpenedFilesNotClosed(Fault):
    """Closes no file that it reads, so that it can read 1,021 in a process."""

    breaks = ("R14",)
    opened = 0

    def read_file(self, path: str) -> bytes:
        self.opened += 1
        if self.opened > 1021:
            raise Refused("it cannot be opened")
        return super().read_file(path)


class SixtyFourPathsAtMost(Fault):
    """Has room for the paths of 64 files, and refuses all others."""

    breaks = ("R14",)
    paths: frozenset[str] = frozenset()

    def read_file(self, path: str) -> bytes:
        self.paths |= {path}
        if len(self.paths) > 64:
            raise Refused("there is no room for another path")
        return super().read_file(path)


class IdentityUncheckedAfterManyLoads(Fault):
    """Checks the identity of the first 255 files, since it counts them in a byte."""

    breaks = ("R05",)
    loads = 0

    def load(self, path: str) -> int | None:
        self.loads = min(self.loads + 1, 256)
        return self.read(path, trusted=self.loads > 255)


class SixteenTrustedReadsAtMost(Fault):
    """Has room for sixteen typed paths, and takes all that come after for found ones."""

    breaks = ("R06",)
    typed = 0

    def trust(self, path: str) -> int | None:
        self.typed += 1
        return self.read(path, trusted=self.typed <= 16)


class LateRefusalInTheNextTotal(Fault):
    """Sums the counts in front of a late header before it refuses the file, and begins the next sum there."""

    breaks = ("R09",)
    summed = 0

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        if total is not None:
            total += self.summed
            self.summed = 0
        return total

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        try:
            return super().accepted_records(data, trusted=trusted)
        except Refused:
            self.summed += sum(record.third for record in _in_front(self, data))
            raise


class LateRefusalSubtracted(Fault):
    """Credits as it reads and subtracts at a late header, though a full counter took less than that."""

    breaks = ("R20",)

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        try:
            return super().accepted_records(data, trusted=trusted)
        except Refused:
            for layer, expert, count in _in_front(self, data):
                if self.credit(layer, expert, count):
                    self.counters.add(layer, expert, -count)
            raise

    def counts(self) -> Iterable[tuple[int, int, int]]:
        return (counter for counter in super().counts() if counter[2] > 0)


def _in_front(engine: Fault, data: bytes) -> list[Record]:
    """Return the data records with which a text begins that has its header behind them."""
    records = [] if engine.is_iku1(data) else engine.parse(data)
    end = next((at for at, record in enumerate(records) if record.is_header), len(records))
    return records[:end]


class TrustedReadIsNoChange(Fault):
    """Leaves out a save when nothing changed since the last one, and does not see that a typed file was read."""

    breaks = ("W13",)
    changed = True

    def add(self, layer: int, expert: int, count: int) -> None:
        self.changed = True
        super().add(layer, expert, count)

    def load(self, path: str) -> int | None:
        self.changed = True
        return super().load(path)

    def save(self, path: str) -> None:
        if self.changed or not Path(path).exists():
            super().save(path)
            self.changed = False


class SixteenRefusedPathsAtMost(Fault):
    """Has room for sixteen refused paths, and forgets those that come after."""

    breaks = ("W21",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        before = set(self.refused_paths)
        total = super().read(path, trusted=trusted)
        if len(self.refused_paths) > 16:
            self.refused_paths = before
        return total


class ThirdSaveOverwritesARefusedFile(Fault):
    """Objects to a save over a refused file twice, and then gives in."""

    breaks = ("W21",)
    objections = 0

    def keep_refused(self, path: str) -> None:
        self.objections += os.path.realpath(path) in self.refused_paths
        if self.objections <= 2:
            super().keep_refused(path)

"""Engines whose IKU1 holds for their own sizes, own reads and first saves only (I01, I04, I06, I08, R22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import iku1
from coli_reference.history import Record


class Iku1RowsIn8Bits(Fault):
    """Steps through a row of the block with a byte."""

    breaks = ("I01", "I04")

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        return [record._replace(second=record.second % 2**8) for record in records]


class Iku1LayersIn8Bits(Fault):
    """Steps through the layers of the block with a byte."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        return [record._replace(first=record.first % 2**8) for record in records]


class Iku1OfOthersReadToRow256(Fault):
    """Reads rows of 256 experts where the block is another engine's, whatever its own size is."""

    breaks = ("I04",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        return records if self.name == iku1.writer() else [record for record in records if record.second < 256]


class Iku1LastRowLostBesideDroppedRows(Fault):
    """Counts the rows that route from the front, and so ends a row early for each that was dropped but one."""

    breaks = ("I08",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        routing = sum(self.admits(layer, 0) for layer in range(self.n_layers))
        records = super().read_iku1(data, trusted=trusted)
        return [record for record in records if record.first <= routing]


class Iku1CutReadWhenTyped(Fault):
    """Takes what a cut block lacks for zeros where its path was typed and it is inkling's."""

    breaks = ("I06",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        if trusted and self.name != iku1.writer() and len(data) >= 12:
            data = data.ljust(iku1.file_bytes(self.dimensions()), b"\0")
        return super().read_iku1(data, trusted=trusted)


class Iku1SumsWrap(Fault):
    """Adds the words of a block to its counters in 32 bits."""

    breaks = ("R22",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        held = {(layer, expert): count for layer, expert, count in self.counts()}
        records = super().read_iku1(data, trusted=trusted)
        return [
            record._replace(third=record.third - 2**32 * (held.get(record[:2], 0) + record.third >= 2**32))
            for record in records
        ]


class DenseKeepsAnOlderFile(Fault):
    """Writes IKU1 only where no file is yet."""

    breaks = ("I01",)

    def dense(self, path: str) -> None:
        if not Path(path).exists():
            super().dense(path)


class DenseClearsCounters(Fault):
    """Frees its counters once it has written IKU1."""

    breaks = ("W13",)

    def dense(self, path: str) -> None:
        super().dense(path)
        self.counters = type(self.counters)(self.n_layers, self.n_experts)

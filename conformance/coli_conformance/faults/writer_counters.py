"""Writers whose records are not the counters: rows, counts, what a save does to them (W09-W11, W13, W19, W22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import struct
from collections import Counter
from collections.abc import Iterable

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.counters import Counters
from coli_reference.history import Record


class DroppedRowWrittenBack(Fault):
    """Keeps loaded records for dropped rows aside, and writes them out again."""

    breaks = ("W09", "R11")

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.kept: list[Record] = []

    def accumulate(self, records: Iterable[Record]) -> int:
        loaded = list(records)
        within = Counters(self.n_layers, self.n_experts)
        self.kept += [record for record in loaded if within.admits(*record[:2]) and not self.admits(*record[:2])]
        return super().accumulate(loaded)

    def data_records(self) -> list[Record]:
        return sorted(super().data_records() + self.kept)


class DroppedRowPlaceholder(Fault):
    """Writes a count of 1 for expert 0 of every dropped row, so that no layer is missing from the file."""

    breaks = ("W09",)

    def data_records(self) -> list[Record]:
        dropped = [layer for layer in range(self.n_layers + 1) if not self.admits(layer, 0)]
        own = super().data_records()
        return sorted(own + [Record(layer, 0, 1) for layer in dropped]) if own else []


class MtpRowLostOnWrite(Fault):
    """Loops over layers 0 to n_layers - 1 when it writes."""

    breaks = ("W10",)

    def data_records(self) -> list[Record]:
        return [record for record in super().data_records() if record.first < self.n_layers]


class MtpRowOneTooHigh(Fault):
    """Writes the MTP row as layer n_layers + 1."""

    breaks = ("W10", "W22")

    def data_records(self) -> list[Record]:
        return [
            record._replace(first=record.first + (record.first == self.n_layers)) for record in super().data_records()
        ]


class CountsAboveIntMaxNotWritten(Fault):
    """Tests counts as signed numbers, finds those above 2147483647 below zero, and leaves them out."""

    breaks = ("W11", "W22")

    def data_records(self) -> list[Record]:
        return [record for record in super().data_records() if record.third < 2**31]


class CountsPrintedSigned(Fault):
    """Prints counts with %d, so that those above 2147483647 have a minus sign."""

    breaks = ("W11", "W03")

    def data_records(self) -> list[Record]:
        return [record._replace(third=(record.third ^ 2**31) - 2**31) for record in super().data_records()]


class CountsIn16Bits(Fault):
    """Keeps the low 16 bits of a count when it writes."""

    breaks = ("W11", "W22")

    def data_records(self) -> list[Record]:
        narrow = [record._replace(third=record.third % 2**16) for record in super().data_records()]
        return [record for record in narrow if record.third]


class CountsAsFloat(Fault):
    """Keeps counts as 32-bit floats, which are exact to 16777216 only."""

    breaks = ("W11",)

    def data_records(self) -> list[Record]:
        floats = (struct.unpack("<f", struct.pack("<f", record.third)) for record in super().data_records())
        return [
            record._replace(third=int(count)) for record, (count,) in zip(super().data_records(), floats, strict=True)
        ]


class SaveClearsCounters(Fault):
    """Sets every counter to zero after a save."""

    breaks = ("W13", "W12")

    def save(self, path: str) -> None:
        super().save(path)
        dropped = [layer for layer in range(self.n_layers + 1) if not self.admits(layer, 0)]
        self.counters = Counters(self.n_layers, self.n_experts)
        for layer in dropped:
            self.counters.drop(layer)


class CountersHalvedOnSave(Fault):
    """Lets old selections fade: takes half off every counter after a save."""

    breaks = ("W13", "W12")

    def save(self, path: str) -> None:
        super().save(path)
        for layer, expert, count in list(self.counts()):
            self.counters.add(layer, expert, -(count // 2))


class _LoadedApart(Fault):
    """Knows how much of each counter came from a history."""

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.loaded: Counter[tuple[int, int]] = Counter()

    def accumulate(self, records: Iterable[Record]) -> int:
        found = list(records)
        for layer, expert, count in found:
            self.loaded[layer, expert] += count
        return super().accumulate(found)


class OneRunReplacesTheHistory(_LoadedApart):
    """Writes what this run counted, without what it loaded."""

    breaks = ("W13", "W22")

    def data_records(self) -> list[Record]:
        new = [record._replace(third=record.third - self.loaded[record[:2]]) for record in super().data_records()]
        return [record for record in new if record.third > 0]


class TwoRecordsForOneCounter(_LoadedApart):
    """Writes one record for what it loaded and another for what it counted."""

    breaks = ("W22",)

    def data_records(self) -> list[Record]:
        parts = []
        for record in super().data_records():
            old = min(record.third, self.loaded[record[:2]])
            parts += [record._replace(third=part) for part in (old, record.third - old) if part]
        return parts


class _WrappingCounters(Counters):
    """Counters of 32 bits that start again at zero."""

    def add(self, layer: int, expert: int, count: int) -> None:
        place = (layer, expert)
        self._counts[place] = (self._counts.get(place, 0) + count) % 2**32
        if not self._counts[place]:
            del self._counts[place]


class CounterWraps(Fault):
    """Lets a counter at 4294967295 go on at 0."""

    breaks = ("W19", "R22")

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.counters = _WrappingCounters(n_layers, n_experts)


class ExpertIdsIn8BitsOnWrite(Fault):
    """Keeps expert ids in one byte when it writes, which shows only in models of more than 256 experts."""

    breaks = ("W22",)

    def data_records(self) -> list[Record]:
        return [record._replace(second=record.second % 2**8) for record in super().data_records()]


class LastExpertNotWritten(Fault):
    """Loops over experts 0 to n_experts - 2 when it writes."""

    breaks = ("W22",)

    def data_records(self) -> list[Record]:
        return [record for record in super().data_records() if record.second < self.n_experts - 1]


class RecordsBeyond4096NotWritten(Fault):
    """Has room for 4096 records, which shows only in histories of real size."""

    breaks = ("W22",)

    def data_records(self) -> list[Record]:
        return super().data_records()[:4096]

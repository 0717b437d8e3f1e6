"""Readers that admit or total the wrong records: bounds, dropped rows, saturation (R09-R11, R22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections import Counter
from collections.abc import Iterable

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.counters import Counters
from coli_reference.history import Record
from coli_reference.trust import Refused


class TotalOfEverythingParsed(Fault):
    """Totals every data record of the file, credited or not."""

    breaks = ("R09",)

    def accumulate(self, records: Iterable[Record]) -> int:
        parsed = list(records)
        super().accumulate(parsed)
        return sum(record.third for record in parsed)


class TotalCountsDroppedRows(Fault):
    """Totals what lies within the dimensions, before it asks whether the row was dropped."""

    breaks = ("R09", "R11")

    def accumulate(self, records: Iterable[Record]) -> int:
        parsed = list(records)
        super().accumulate(parsed)
        within = Counters(self.n_layers, self.n_experts)
        return sum(record.third for record in parsed if within.admits(*record[:2]))


class MtpRowRefusedOnRead(Fault):
    """Discards records of layer n_layers as out of bounds."""

    breaks = ("R10",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if record.first < self.n_layers)


class StopsAtARecordOutOfBounds(Fault):
    """Reads up to the first record outside its counters."""

    breaks = ("R10", "R11")

    def accumulate(self, records: Iterable[Record]) -> int:
        inside: list[Record] = []
        for record in records:
            if not self.admits(*record[:2]):
                break
            inside.append(record)
        return super().accumulate(inside)


class RefusesARecordOutOfBounds(Fault):
    """Refuses a history in which one record lies outside the dimensions."""

    breaks = ("R10",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        within = Counters(self.n_layers, self.n_experts)
        if any(not within.admits(*record[:2]) for record in records if not record.is_header):
            raise Refused("it has a record out of bounds")
        return records


class ExpertsClamped(Fault):
    """Credits an expert beyond the last to the last."""

    breaks = ("R10",)

    def credit(self, layer: int, expert: int, count: int) -> bool:
        return super().credit(layer, min(expert, self.n_experts - 1), count)


class ExpertsCarryOver(Fault):
    """Bounds layers only: an expert beyond the last of its row is counted in the next row."""

    breaks = ("R10",)

    def credit(self, layer: int, expert: int, count: int) -> bool:
        rows, expert = divmod(expert, self.n_experts)
        return super().credit(layer + rows, expert, count)


class DroppedRowCredited(Fault):
    """Ignores that a row was dropped, so that a history naming it is counted and written back."""

    breaks = ("R11", "W09", "R09")

    def drop(self, layer: int) -> None:
        """Do nothing."""


class DroppedMtpRowCredited(Fault):
    """Drops the rows of layers and never that of the MTP head."""

    breaks = ("R11", "W09")

    def drop(self, layer: int) -> None:
        if layer < self.n_layers:
            super().drop(layer)


class DroppedRowRefused(Fault):
    """Refuses a history that names a dropped row."""

    breaks = ("R11",)

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().accepted_records(data, trusted=trusted)
        within = Counters(self.n_layers, self.n_experts)
        if any(within.admits(*record[:2]) and not self.admits(*record[:2]) for record in records):
            raise Refused("it names a layer that does not route")
        return records


class LoadedCountsWrap(Fault):
    """Sums the records for one expert in 32 bits, and goes on at 0."""

    breaks = ("R22",)

    def accumulate(self, records: Iterable[Record]) -> int:
        sums: Counter[tuple[int, int]] = Counter()
        loaded = [record for record in records if self.admits(*record[:2])]
        for layer, expert, count in loaded:
            sums[layer, expert] += count
        super().accumulate(Record(*place, count % 2**32) for place, count in sums.items())
        return sum(record.third for record in loaded)


class FullCounterStopsReading(Fault):
    """Refuses to go on when a counter is full, and loses the records after it."""

    breaks = ("R22",)

    def accumulate(self, records: Iterable[Record]) -> int:
        held = Counter({(layer, expert): count for layer, expert, count in self.counts()})
        fitting: list[Record] = []
        for record in records:
            held[record[:2]] += record.third
            if held[record[:2]] >= 2**32:
                break
            fitting.append(record)
        return super().accumulate(fitting)

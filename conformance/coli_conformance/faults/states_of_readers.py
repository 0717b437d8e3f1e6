"""Engines in which a read or a drop changes what a later one comes to (R07, R11, R14, R22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import iku1
from coli_reference.history import Record
from coli_reference.trust import Refused


class RefusedBlockRefusesEveryText(Fault):
    """Remembers that a block of other dimensions came, and refuses every file after it."""

    breaks = ("R07",)
    had_a_wrong_block = False

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        if self.had_a_wrong_block:
            raise Refused("there was a block of other dimensions")
        if self.is_iku1(data) and iku1.declared_dimensions(data) != self.dimensions():
            self.had_a_wrong_block = True
        return super().accepted_records(data, trusted=trusted)


class RefusedTypedBlockEatsARecord(Fault):
    """Leaves a block that it refused on a typed path half read, and loses the first record of the next text."""

    breaks = ("R07",)
    half_read = False

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        if self.is_iku1(data):
            self.half_read = trusted
        records = super().accepted_records(data, trusted=trusted)
        if self.half_read and not self.is_iku1(data):
            self.half_read = False
            return records[1:]
        self.half_read = False
        return records


class EightRefusalsAtMost(Fault):
    """Has room for eight refused files, and refuses all that come after."""

    breaks = ("R07",)
    refusals = 0

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted) if self.refusals < 8 else None
        self.refusals += total is None
        return total


class EightDroppedRowsAtMost(Fault):
    """Has room for eight dropped rows."""

    breaks = ("R11",)
    drops = 0

    def drop(self, layer: int) -> None:
        self.drops += 1
        if self.drops <= 8:
            super().drop(layer)


class DroppedRowsIn64Bits(Fault):
    """Keeps the dropped rows in a mask of 64 bits."""

    breaks = ("R11",)

    def drop(self, layer: int) -> None:
        if layer < 64:
            super().drop(layer)


class LoadedCountsOfADroppedRowWritten(Fault):
    """Forgets to clear what a row had counted when it is dropped, and writes it."""

    breaks = ("W09",)
    forgotten: tuple[Record, ...] = ()

    def drop(self, layer: int) -> None:
        self.forgotten += tuple(Record(*counter) for counter in self.counts() if counter[0] == layer)
        super().drop(layer)

    def data_records(self) -> list[Record]:
        return sorted([*super().data_records(), *self.forgotten])


class LastOfTwoMtpRecordsWins(Fault):
    """Puts the records of the MTP row in place instead of adding them."""

    breaks = ("R14",)

    def accumulate(self, records: Iterable[Record]) -> int:
        parsed = list(records)
        last = {record[:2]: at for at, record in enumerate(parsed)}
        return super().accumulate(
            record for at, record in enumerate(parsed) if record.first != self.n_layers or last[record[:2]] == at
        )


class MtpCountersWrap(Fault):
    """Adds to the counters of the MTP row in 32 bits without looking."""

    breaks = ("R22", "W19")

    def credit(self, layer: int, expert: int, count: int) -> bool:
        if layer == self.n_layers:
            held = {(row, place): number for row, place, number in self.counts()}.get((layer, expert), 0)
            count -= 2**32 * (held + count >= 2**32)
        return super().credit(layer, expert, count)

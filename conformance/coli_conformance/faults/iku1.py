"""Readers of IKU1 that cut the block up wrongly, or check the wrong things (I01-I06, I08)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

import struct

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import iku1
from coli_reference.history import Record
from coli_reference.trust import Refused


class Iku1BigEndian(Fault):
    """Reads the counts of the block with the most significant byte first."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        swapped = struct.unpack(
            f">{len(records)}I", struct.pack(f"<{len(records)}I", *(record.third for record in records))
        )
        return [record._replace(third=count) for record, count in zip(records, swapped, strict=True)]


class Iku1Transposed(Fault):
    """Reads the block as experts of layers instead of layers of experts."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        positions = [record.first * self.n_experts + record.second for record in records]
        return [
            Record(position % self.n_layers, position // self.n_layers, record.third)
            for position, record in zip(positions, records, strict=True)
        ]


class Iku1BeginsAtRowOne(Fault):
    """Credits the first row of the block to layer 1."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        return [record._replace(first=record.first + 1) for record in records]


class Iku1RefusedByItsOwnEngine(Fault):
    """Reads text only, and refuses the layout by name whoever it is."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        if not trusted:
            raise Refused(f"written by {iku1.writer()} in the layout IKU1", offers_pin=True)
        return records


class Iku1ReadByAnother(Fault):
    """Loads another model's ranking: never asks whether it is inkling."""

    breaks = ("I02",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data, trusted=True)


class Iku1ReadAsText(Fault):
    """Does not know the layout, and finds a text history without a record."""

    breaks = ("I02", "I01", "I03", "I04")

    def is_iku1(self, data: bytes) -> bool:
        return False


class Iku1DimensionsUnchecked(Fault):
    """Cuts any block up by its own dimensions."""

    breaks = ("I03", "I05")

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        own = struct.pack("<2I", *self.dimensions())
        return super().read_iku1(data[:4] + own + data[12:], trusted=trusted)


class Iku1TrustRelaxesDimensions(Fault):
    """Cuts a block up by its own dimensions where the path was typed."""

    breaks = ("I03",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        own = struct.pack("<2I", *self.dimensions())
        return super().read_iku1(data[:4] + own + data[12:] if trusted else data, trusted=trusted)


class Iku1NeverTrusted(Fault):
    """Refuses the layout to any other engine, also where the path was typed."""

    breaks = ("I04",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data, trusted=False)


class Iku1TrustedReadIsEmpty(Fault):
    """Accepts another engine's block where the path was typed, and credits nothing of it."""

    breaks = ("I04",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        return [] if trusted and self.name != iku1.writer() else records


class Iku1SizeIn32Bits(Fault):
    """Compares the size of the block in 32 bits, to which huge dimensions wrap."""

    breaks = ("I05", "I03")

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        n_layers, n_experts = iku1.declared_dimensions(data)
        if (n_layers * n_experts - self.n_layers * self.n_experts) % 2**32 == 0:
            data = data[:4] + struct.pack("<2I", *self.dimensions()) + data[12:]
        return super().read_iku1(data, trusted=trusted)


class Iku1AllocatesWhatIsDeclared(Fault):
    """Makes room for the declared block before it checks anything, and ends when there is not enough."""

    breaks = ("I05",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        n_layers, n_experts = iku1.declared_dimensions(data)
        if n_layers * n_experts * iku1.COUNT_BYTES > 2**30:
            raise MemoryError("no room for the declared block")
        return super().read_iku1(data, trusted=trusted)


class Iku1ShortReadsAsZeros(Fault):
    """Takes what a cut block lacks for zeros."""

    breaks = ("I06",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data.ljust(iku1.file_bytes(self.dimensions()), b"\0"), trusted=trusted)


class Iku1CutInItsHeaderIsEmpty(Fault):
    """Takes a file that ends inside the header of the block for an empty history."""

    breaks = ("I06",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data, trusted=trusted) if len(data) >= 12 else []


class Iku1DroppedRowCredited(Fault):
    """Copies the block into the counters without asking which rows were dropped."""

    breaks = ("I08",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        for record in records:
            if not self.admits(*record[:2]):
                self.counters.add(*record)
        return records


class Iku1HasRoutingRowsOnly(Fault):
    """Expects the block to have no rows for layers that do not route, so that later rows move up."""

    breaks = ("I08",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        rows = [layer for layer in range(self.n_layers + 1) if self.admits(layer, 0)]
        return [record._replace(first=rows[record.first]) for record in records if record.first < len(rows)]

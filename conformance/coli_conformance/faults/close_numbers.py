"""Readers that take a number for another one: cut to 24 bits, without its sign, or counted otherwise (R03-R05, R10,
R11)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable, Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import Record
from coli_reference.trust import Dimensions


class DimensionsIn24Bits(Fault):
    """Compares dimensions in their low 24 bits."""

    breaks = ("R03",)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        layers, experts = declared
        super().check_dimensions((layers & 0xFFFFFF, experts & 0xFFFFFF), writer)


class RoutingLayersCompared(Fault):
    """Accepts a history of as many layers as route here."""

    breaks = ("R03",)
    dropped = 0

    def drop(self, layer: int) -> None:
        self.dropped += 1
        super().drop(layer)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        layers, experts = declared
        if self.dropped and layers == self.n_layers - self.dropped:
            layers = self.n_layers
        super().check_dimensions((layers, experts), writer)


class HeaderAmongTheFirstFourRecords(Fault):
    """Looks for the header among the first four header records, and passes over the others."""

    breaks = ("R03", "R04", "R05")

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        super().check_headers(headers[:4], trusted=trusted)


class VersionIn24Bits(Fault):
    """Keeps the version beside a byte of flags, in 24 bits."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        super().check_version(version & 0xFFFFFF if version > 0 else version, writer)


class IdComparedWithoutItsSign(Fault):
    """Reads ids as signed and compares what `abs` makes of them."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        own = self.engine_id(self.name)
        super().check_identity(own if writer_id == -own % 2**32 else writer_id, trusted=trusted)


class PlacesMultipliedIn32Bits(Fault):
    """Computes the place of a counter in 32 bits, and checks only that the place is inside."""

    breaks = ("R10",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(map(self.moved, records))

    def moved(self, record: Record) -> Record:
        """Return the record at the layer that its place belongs to."""
        place = (record.first * self.n_experts + record.second) % 2**32
        if record.first <= self.n_layers or not 0 <= record.second < self.n_experts:
            return record
        return record._replace(first=place // self.n_experts, second=place % self.n_experts)


class DroppedAgainRoutes(Fault):
    """Turns a row on and off: dropped a second time, it routes."""

    breaks = ("R11",)
    dropped: frozenset[int] = frozenset()

    def drop(self, layer: int) -> None:
        self.dropped ^= {layer}

    def admits(self, layer: int, expert: int) -> bool:
        return layer not in self.dropped and super().admits(layer, expert)

    def counts(self) -> Iterable[tuple[int, int, int]]:
        return (counter for counter in super().counts() if counter[0] not in self.dropped)


class DroppedRowsIn8Bits(Fault):
    """Keeps the number of a dropped row in a byte."""

    breaks = ("R11",)

    def drop(self, layer: int) -> None:
        super().drop(layer & 0xFF)

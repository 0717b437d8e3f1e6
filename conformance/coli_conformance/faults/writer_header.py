"""Writers with a wrong header: its place, dimensions, version, identity and unregistered records (W04-W08, W14)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from pathlib import Path

import coli_spec
from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import Record
from coli_reference.identity import FNV_OFFSET_BASIS, FNV_PRIME


class HeaderMissing(Fault):
    """Writes data records alone, as before the header existed."""

    breaks = ("W04",)

    def header_records(self) -> list[Record]:
        return []


class IdentityMissing(Fault):
    """Writes the dimensions and not who wrote them."""

    breaks = ("W04",)

    def header_records(self) -> list[Record]:
        return super().header_records()[:1]


class IdentityBeforeDimensions(Fault):
    """Writes the two header records the other way round."""

    breaks = ("W04",)

    def header_records(self) -> list[Record]:
        return super().header_records()[::-1]


class HeaderAtTheEnd(Fault):
    """Writes the header behind the data."""

    breaks = ("W04",)

    def records(self) -> list[Record]:
        return sorted(super().records(), key=lambda record: record.is_header)


class HeaderTwice(Fault):
    """Writes the two header records twice in a row."""

    breaks = ("W04",)

    def header_records(self) -> list[Record]:
        return super().header_records() * 2


class DimensionsSwapped(Fault):
    """Writes the number of experts before the number of layers."""

    breaks = ("W05",)

    def header_records(self) -> list[Record]:
        first, *others = super().header_records()
        return [Record(first.first, first.third, first.second), *others]


class RowsInsteadOfLayers(Fault):
    """Counts the MTP row among the layers it declares."""

    breaks = ("W05",)

    def header_records(self) -> list[Record]:
        first, *others = super().header_records()
        return [first._replace(second=self.n_layers + 1), *others]


class RoutingLayersOnly(Fault):
    """Declares as many layers as route, leaving out the dropped ones."""

    breaks = ("W05",)

    def header_records(self) -> list[Record]:
        first, *others = super().header_records()
        routing = sum(self.admits(layer, 0) for layer in range(self.n_layers))
        return [first._replace(second=routing), *others]


class ExpertsSeenInsteadOfExperts(Fault):
    """Declares one expert more than the highest id that was counted."""

    breaks = ("W05",)

    def header_records(self) -> list[Record]:
        first, *others = super().header_records()
        return [first._replace(third=1 + max(expert for _, expert, _ in self.counts())), *others]


class HashInSecondField(Fault):
    """Writes the id second and the version third; old readers parse the second field with %d."""

    breaks = ("W06", "W03")

    def header_records(self) -> list[Record]:
        dimensions, identity, *others = super().header_records()
        return [dimensions, Record(identity.first, identity.third, identity.second), *others]


class VersionZero(Fault):
    """Counts format versions from 0 when it writes."""

    breaks = ("W06",)

    def header_records(self) -> list[Record]:
        dimensions, identity, *others = super().header_records()
        return [dimensions, identity._replace(second=0), *others]


class VersionOfTheProgram(Fault):
    """Writes its own release number where the version of the format belongs."""

    breaks = ("W06",)

    def header_records(self) -> list[Record]:
        dimensions, identity, *others = super().header_records()
        return [dimensions, identity._replace(second=20), *others]


class Fnv1InsteadOfFnv1a(Fault):
    """Multiplies before it mixes a byte in: FNV-1."""

    breaks = ("W07", "R16")

    def engine_id(self, name: str) -> int:
        value = FNV_OFFSET_BASIS
        for byte in name.encode():
            value = value * FNV_PRIME % 2**32 ^ byte
        return value


class HashWithTerminator(Fault):
    """Hashes sizeof bytes of the name, its terminating NUL included."""

    breaks = ("W07", "R16")

    def engine_id(self, name: str) -> int:
        return super().engine_id(name + "\0")


class HashIn31Bits(Fault):
    """Clears the top bit of the id so that it fits an int."""

    breaks = ("W07", "R16")

    def engine_id(self, name: str) -> int:
        return super().engine_id(name) & 0x7FFFFFFF


class HashOfEightCharacters(Fault):
    """Keeps names in eight characters and hashes what is left of them."""

    breaks = ("W07", "R16")

    def engine_id(self, name: str) -> int:
        return super().engine_id(name[:8])


class HeaderForEmptyHistory(Fault):
    """Writes the header also when nothing was counted, so that PIN=auto never falls back to stats.txt."""

    breaks = ("W08",)

    def records(self) -> list[Record]:
        return self.header_records() + self.data_records()


class NewlineForEmptyHistory(Fault):
    """Ends a history without records with a newline."""

    breaks = ("W08",)

    def replace(self, path: str, data: bytes) -> None:
        super().replace(path, data or b"\n")


class EmptyHistoryNotWritten(Fault):
    """Has nothing to write when nothing was counted, and leaves whatever stands at the path."""

    breaks = ("W08",)

    def replace(self, path: str, data: bytes) -> None:
        if data or not Path(path).exists():
            super().replace(path, data)


class UnregisteredRecord(Fault):
    """Adds a record of its own to the header that nobody agreed: the total."""

    breaks = ("W14",)

    def header_records(self) -> list[Record]:
        total = sum(count for _, _, count in self.counts())
        return [*super().header_records(), Record(coli_spec.load().free_number(), 0, total % 2**32)]


class UnregisteredRecordAtTheEnd(Fault):
    """Closes the data with an unregistered record by which it knows that the file is whole."""

    breaks = ("W14",)

    def records(self) -> list[Record]:
        records = super().records()
        return [*records, Record(-100, 0, len(records))] if records else []

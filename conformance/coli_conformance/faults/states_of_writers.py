"""Engines whose saves show what they read, refused or saved before (W05-W08, W12-W14, W18, W19, W21, W22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import os

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import history, iku1
from coli_reference.history import Record
from coli_reference.trust import Dimensions


class RefusedDimensionsSaved(Fault):
    """Takes over the dimensions that a file declares before it checks them."""

    breaks = ("W05",)
    read_last: Dimensions | None = None

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        self.read_last = declared
        super().check_dimensions(declared, writer)

    def header_records(self) -> list[Record]:
        own, *others = super().header_records()
        return [Record(history.DIMENSIONS, *self.read_last) if self.read_last else own, *others]


class _VersionSaved(Fault):
    """Writes the version `read_last` where there is one. No fault by itself."""

    read_last: int | None = None

    def header_records(self) -> list[Record]:
        """Return the header with that version."""
        dimensions, own, *others = super().header_records()
        return [dimensions, own if self.read_last is None else own._replace(second=self.read_last), *others]


class RefusedVersionSaved(_VersionSaved):
    """Takes over the version that a file declares before it checks it."""

    breaks = ("W06",)

    def check_version(self, version: int, writer: str) -> None:
        self.read_last = version
        super().check_version(version, writer)


class VersionZeroSaved(_VersionSaved):
    """Reads a history of version 0, and goes on writing that version."""

    breaks = ("W06",)

    def check_version(self, version: int, writer: str) -> None:
        if version >= 1:
            super().check_version(version, writer)
        else:
            self.read_last = version


class BlockReadSavesItsWriter(Fault):
    """Takes over inkling's id with the counts of its block."""

    breaks = ("W07",)
    writer = ""

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        records = super().read_iku1(data, trusted=trusted)
        self.writer = iku1.writer()
        return records

    def header_records(self) -> list[Record]:
        dimensions, own, *others = super().header_records()
        return [dimensions, own._replace(third=self.engine_id(self.writer)) if self.writer else own, *others]


class PreservedRecordWithoutACount(Fault):
    """Preserves unknown header records, and writes them also where nothing was counted."""

    breaks = ("W08",)
    preserved: tuple[Record, ...] = ()

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        accepted = super().accepted_records(data, trusted=trusted)
        if not self.is_iku1(data):
            self.preserved += tuple(record for record in self.parse(data) if record.first < history.IDENTITY)
        return accepted

    def header_records(self) -> list[Record]:
        return [*super().header_records(), *self.preserved]

    def records(self) -> list[Record]:
        return super().records() or (self.header_records() if self.preserved else [])


class RefusedRecordPreserved(Fault):
    """Preserves unknown header records as it meets them, before it knows that the file is refused."""

    breaks = ("W14",)
    preserved: tuple[Record, ...] = ()

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        self.preserved += tuple(record for record in records if record.first < history.IDENTITY)
        return records

    def header_records(self) -> list[Record]:
        return [*super().header_records(), *self.preserved]


class MtpRowOfOthersNotSaved(Fault):
    """Leaves the MTP row out of its saves once it has read another engine's history."""

    breaks = ("W13",)
    has_read_others = False

    def notice_override(self, writer: str) -> None:
        super().notice_override(writer)
        self.has_read_others = True

    def data_records(self) -> list[Record]:
        records = super().data_records()
        return [record for record in records if record.first < self.n_layers] if self.has_read_others else records


class FourthSaveIgnored(Fault):
    """Has three temporary names, and writes nothing when they are used up."""

    breaks = ("W12",)
    saves = 0

    def replace(self, path: str, data: bytes) -> None:
        self.saves += 1
        if self.saves < 4:
            super().replace(path, data)


class ThirdPathGetsTheFirstSave(Fault):
    """Keeps what it rendered for the first path, and writes it to every path from the third on."""

    breaks = ("W12",)
    paths: tuple[str, ...] = ()
    rendered = b""

    def replace(self, path: str, data: bytes) -> None:
        self.rendered = self.rendered or data
        if path not in self.paths:
            self.paths += (path,)
        super().replace(path, self.rendered if path in self.paths[2:] else data)


class RecordsBeyond32768NotWritten(Fault):
    """Has room for 32,768 records."""

    breaks = ("W22",)

    def data_records(self) -> list[Record]:
        return super().data_records()[: 2**15]


class SortedByPackedByte(Fault):
    """Sorts records by the layer times 256 plus the expert."""

    breaks = ("W18",)

    def data_records(self) -> list[Record]:
        return sorted(super().data_records(), key=lambda record: record.first * 2**8 + record.second)


class AddedToLoadedWraps(Fault):
    """Adds to a counter that is full already in 32 bits."""

    breaks = ("W19",)

    def add(self, layer: int, expert: int, count: int) -> None:
        full = (layer, expert, 2**32 - 1) in set(self.counts())
        super().add(layer, expert, count - 2**32 if full and count else count)


class TypedRefusalForgotten(Fault):
    """Protects a refused file only where it had found it by itself."""

    breaks = ("W21",)

    def trust(self, path: str) -> int | None:
        total = super().trust(path)
        self.refused_paths.discard(os.path.realpath(path))
        return total


class RefusalForgottenAfterAGoodLoad(Fault):
    """Keeps whether the last load was refused, and no path."""

    breaks = ("W21",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        if total is not None:
            self.refused_paths.clear()
        return total


class LastRefusedPathOnly(Fault):
    """Has room for one refused path."""

    breaks = ("W21",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        earlier = set(self.refused_paths)
        total = super().read(path, trusted=trusted)
        if total is None:
            self.refused_paths -= earlier - {os.path.realpath(path)}
        return total


class RefusedPathComparedAsText(Fault):
    """Compares the path of a save with the one that was refused letter by letter."""

    breaks = ("W21",)
    refused: frozenset[str] = frozenset()

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        if total is None:
            self.refused |= {path}
        return total

    def keep_refused(self, path: str) -> None:
        if path in self.refused:
            super().keep_refused(path)

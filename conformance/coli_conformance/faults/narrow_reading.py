"""Readers that keep a number where it does not fit: versions, dimensions, ids, layers, experts (R01, R03-R05, R10)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace
from coli_reference.history import Record
from coli_reference.trust import Dimensions


class VersionIn8Bits(Fault):
    """Keeps the format version in a byte, in which 257 is 1."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        super().check_version(version % 2**8 if version >= 0 else version, writer)


class VersionIn16Bits(Fault):
    """Keeps the format version in 16 bits, in which 65537 is 1."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        super().check_version(version % 2**16 if version >= 0 else version, writer)


class VersionByItsFirstDigit(Fault):
    """Compares one character of the format version."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        super().check_version(int(str(version)[0]) if version >= 0 else version, writer)


class DimensionsIn8Bits(Fault):
    """Keeps the dimensions of a text in a byte each, where the engine's own fit."""

    breaks = ("R03",)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        n_layers, n_experts = declared
        if max(self.dimensions()) < 2**8:
            n_layers, n_experts = n_layers % 2**8, n_experts % 2**8
        super().check_dimensions((n_layers, n_experts), writer)


class DimensionsIn16Bits(Fault):
    """Keeps the dimensions of a text in 16 bits each."""

    breaks = ("R03",)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        super().check_dimensions((declared[0] % 2**16, declared[1] % 2**16), writer)


class IdComparedIn31Bits(Fault):
    """Compares ids without their sign bit."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        own = self.engine_id(self.name)
        super().check_identity(own if writer_id % 2**31 == own % 2**31 else writer_id, trusted=trusted)


class IdComparedIn16Bits(Fault):
    """Compares the lower half of ids."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        own = self.engine_id(self.name)
        super().check_identity(own if writer_id % 2**16 == own % 2**16 else writer_id, trusted=trusted)


class IdComparedAsFloat(Fault):
    """Reads ids as 32-bit floats, in which large ones that lie close together are equal."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        own = self.engine_id(self.name)
        same = trace.nearest_float32(float(writer_id)) == trace.nearest_float32(float(own))
        super().check_identity(own if same else writer_id, trusted=trusted)


class IdComparedByItsDigits(Fault):
    """Compares ids as text, up to the length of the one in the file."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        own = self.engine_id(self.name)
        super().check_identity(own if str(own).startswith(str(writer_id)) else writer_id, trusted=trusted)


class LayersIn7BitsOnRead(Fault):
    """Keeps layers in a signed byte, so that those above 127 are negative and lost."""

    breaks = ("R01",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if record.first < 2**7)


class LayersIn8BitsOnRead(Fault):
    """Keeps layers in a byte, once they have been found to be inside."""

    breaks = ("R01",)

    def accumulate(self, records: Iterable[Record]) -> int:
        inside = (record for record in records if record.first <= self.n_layers)
        return super().accumulate(record._replace(first=record.first % 2**8) for record in inside)


class LayersCutBeforeTheCheck(Fault):
    """Keeps layers in a byte from the start, so that 259 is inside."""

    breaks = ("R10",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record._replace(first=record.first % 2**8) for record in records)


class ExpertsIn10BitsOnRead(Fault):
    """Keeps experts in ten bits of a packed word, once they have been found to be inside."""

    breaks = ("R01",)

    def accumulate(self, records: Iterable[Record]) -> int:
        inside = (record for record in records if 0 <= record.second < self.n_experts)
        return super().accumulate(record._replace(second=record.second % 2**10) for record in inside)


class CountsIn16BitsOnRead(Fault):
    """Keeps what a record counts in 16 bits."""

    breaks = ("R01", "R15")

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record._replace(third=record.third % 2**16) for record in records)


class RecordsBeyond32768Unread(Fault):
    """Has room for 32,768 records."""

    breaks = ("R01",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data)[: 2**15]


class MtpRowReadTo256(Fault):
    """Takes the MTP head's row to have 256 experts, whatever the layers' rows have."""

    breaks = ("R10",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if record.first != self.n_layers or record.second < 256)


class NegativeExpertsFromTheEnd(Fault):
    """Indexes a row with whatever the expert is, and -2 is the last but one."""

    breaks = ("R10",)

    def credit(self, layer: int, expert: int, count: int) -> bool:
        return super().credit(layer, expert + self.n_experts if -self.n_experts <= expert < 0 else expert, count)


class FolderOfThePathIgnored(Fault):
    """Opens the last part of a path in the working folder."""

    breaks = ("R01",)

    def read_file(self, path: str) -> bytes:
        return super().read_file(Path(path).name)

"""Readers with a wrong check of dimensions, version or identity (R03-R06, R16)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

from coli_conformance.faults.faulty_engine import Fault, KnowsTrust
from coli_reference import identity
from coli_reference.trust import Dimensions, Refused


class LayersUnchecked(Fault):
    """Compares the number of experts only."""

    breaks = ("R03", "I03")

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        super().check_dimensions((self.n_layers, declared[1]), writer)


class ExpertsUnchecked(Fault):
    """Compares the number of layers only."""

    breaks = ("R03", "I03")

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        super().check_dimensions((declared[0], self.n_experts), writer)


class SmallerDimensionsAccepted(Fault):
    """Refuses a history only when it would not fit into the counters."""

    breaks = ("R03",)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        if declared[0] > self.n_layers or declared[1] > self.n_experts:
            super().check_dimensions(declared, writer)


class NumberOfCountersChecked(Fault):
    """Compares how many counters there are, so that swapped dimensions pass."""

    breaks = ("R03", "I03")

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        if declared[0] * declared[1] != self.n_layers * self.n_experts:
            super().check_dimensions(declared, writer)


class TrustRelaxesDimensions(KnowsTrust):
    """Takes a typed path for a reason to read a history of any dimensions."""

    breaks = ("R03", "R06", "I03")

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        if not self.trusted:
            super().check_dimensions(declared, writer)


class TrustRelaxesVersion(KnowsTrust):
    """Takes a typed path for a reason to read a history of any format version."""

    breaks = ("R04", "R06")

    def check_version(self, version: int, writer: str) -> None:
        if not self.trusted:
            super().check_version(version, writer)


class VersionUnchecked(Fault):
    """Reads a history of any format version as if it were its own."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        """Do nothing."""


class NextVersionAccepted(Fault):
    """Is one off: refuses versions above 2."""

    breaks = ("R04",)

    def check_version(self, version: int, writer: str) -> None:
        super().check_version(version - 1 if version > 1 else version, writer)


class IdentityUnchecked(Fault):
    """Never asks who wrote a history."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        """Do nothing."""


class UnknownWriterAccepted(Fault):
    """Refuses the engines it knows by name, and reads the history of any other."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        if identity.name_of(writer_id) is not None:
            super().check_identity(writer_id, trusted=trusted)


class IdZeroIsNobody(Fault):
    """Takes an id of 0 for one that was not written, and reads the history."""

    breaks = ("R05",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        if writer_id != 0:
            super().check_identity(writer_id, trusted=trusted)


class TrustRelaxesNothing(Fault):
    """Refuses another engine's history also when its path was typed, as the refusal advises."""

    breaks = ("R06", "I04", "R19")

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        super().check_identity(writer_id, trusted=False)


class UnknownWriterNeverTrusted(Fault):
    """Honours a typed path only where it knows the writer by name."""

    breaks = ("R06",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        known = identity.name_of(writer_id) is not None
        super().check_identity(writer_id, trusted=trusted and known)


class OwnIdAboveIntMaxRefused(Fault):
    """Parses the id with %d, which stays at 2147483647, and does not know itself."""

    breaks = ("R16",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        super().check_identity(min(writer_id, 2**31 - 1), trusted=trusted)


class OwnIdComparedSigned(Fault):
    """Holds the id it reads in an int and its own in 64 bits, and does not know itself above 2147483647."""

    breaks = ("R16",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        super().check_identity((writer_id ^ 2**31) - 2**31, trusted=trusted)


class OwnIdZeroRefused(Fault):
    """Takes 0 for no id at all, also where its own name hashes to it."""

    breaks = ("R16",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        if writer_id == 0 and not trusted:
            raise Refused("nobody wrote it")
        super().check_identity(writer_id, trusted=trusted)


class AllOnesMeansNoId(Fault):
    """Uses 4294967295 for a header not seen, and refuses a history whose id that is."""

    breaks = ("R16",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        if writer_id == 2**32 - 1 and not trusted:
            raise Refused("nobody wrote it")
        super().check_identity(writer_id, trusted=trusted)

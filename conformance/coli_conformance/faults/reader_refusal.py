"""Readers that refuse in a wrong way: what is credited, what is said, what comes after (R07, R18-R20)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

from contextlib import suppress

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.counters import Counters
from coli_reference.history import Record
from coli_reference.trust import Dimensions, Refused


class RefusedFileCredited(Fault):
    """Credits what it reads and refuses afterwards."""

    breaks = ("R07", "R20")

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        if total is None:
            with suppress(Refused):
                self.accumulate(record for record in self.parse(self.read_file(path)) if not record.is_header)
        return total


class RefusalClearsCounters(Fault):
    """Clears the counters before it reads, and leaves them so when it refuses."""

    breaks = ("R07",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        if total is None:
            self.counters = Counters(self.n_layers, self.n_experts)
        return total


class LoadsRefusedForEver(Fault):
    """Remembers that a load was refused, and refuses every later one."""

    breaks = ("R07",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        return None if self.refused_paths else super().read(path, trusted=trusted)


class RefusalSilent(Fault):
    """Refuses without a word."""

    breaks = ("R18",)

    def report(self, sentence: str) -> None:
        if ": refused: " not in sentence:
            super().report(sentence)


class RefusalWithoutPath(Fault):
    """Says why it refuses, and not which file."""

    breaks = ("R18",)

    def report(self, sentence: str) -> None:
        path, refused, reason = sentence.partition(": refused: ")
        super().report(f"refused: {reason.replace(path, '<path>')}" if refused else sentence)


class WriterUnnamed(Fault):
    """Says that another engine wrote a history, and not which."""

    breaks = ("R18",)

    def described(self, writer_id: int | None) -> str:
        return "another engine"


class ReaderUnnamed(Fault):
    """Says who wrote a refused history, and not who refuses it."""

    breaks = ("R18",)

    def report(self, sentence: str) -> None:
        super().report(sentence.replace(self.name, "another one") if ": refused: " in sentence else sentence)


class PinNotOffered(Fault):
    """Refuses an identity without saying that PIN= reads the file all the same."""

    breaks = ("R18",)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        try:
            super().check_identity(writer_id, trusted=trusted)
        except Refused as refusal:
            raise Refused(refusal.reason) from refusal


class PinOfferedForDimensions(Fault):
    """Offers PIN= for other dimensions, which sends the user in a circle."""

    breaks = ("R18",)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        try:
            super().check_dimensions(declared, writer)
        except Refused as refusal:
            raise Refused(refusal.reason, offers_pin=True) from refusal


class PinOfferedForVersion(Fault):
    """Offers PIN= for a newer format version, which sends the user in a circle."""

    breaks = ("R18",)

    def check_version(self, version: int, writer: str) -> None:
        try:
            super().check_version(version, writer)
        except Refused as refusal:
            raise Refused(refusal.reason, offers_pin=True) from refusal


class OverrideSilent(Fault):
    """Reads another engine's history by a typed path without a word."""

    breaks = ("R19",)

    def notice_override(self, writer: str) -> None:
        """Do nothing."""


class OverrideSaidEveryTime(Fault):
    """Says at every trusted read that it overrides an identity."""

    breaks = ("R19",)

    def notice_override(self, writer: str) -> None:
        self.report(f"reading a history of {writer} into {self.name}, because its path was typed")


class HeaderAfterDataCredits(Fault):
    """Credits records as they come, so that a late refusal leaves the earlier ones counted."""

    breaks = ("R20",)

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        if self.is_iku1(data):
            return super().accepted_records(data, trusted=trusted)
        earlier: list[Record] = []
        for record in self.parse(data):
            if record.is_header:
                self.check_late_header(record, earlier, trusted=trusted)
            else:
                earlier.append(record)
        return earlier

    def check_late_header(self, record: Record, earlier: list[Record], *, trusted: bool) -> None:
        try:
            self.check_headers([record], trusted=trusted)
        except Refused:
            self.accumulate(earlier)
            raise


class HeaderAfterDataIgnored(Fault):
    """Checks the header records at the head of the file and skips later ones."""

    breaks = ("R20",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        first = next((at for at, record in enumerate(records) if not record.is_header), len(records))
        return records[:first] + [record for record in records[first:] if not record.is_header]

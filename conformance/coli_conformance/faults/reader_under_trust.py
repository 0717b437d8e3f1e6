"""Readers that read a typed path by other rules than one they found (R02, R05, R06, R09, R10, R12, R15 under trust)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable, Sequence

from coli_conformance.faults.faulty_engine import Fault, KnowsTrust
from coli_reference import history
from coli_reference.history import Record
from coli_reference.trust import Refused


class TypedCrlfStopsReading(KnowsTrust):
    """Reads a typed path with a parser that does not know CR."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data.partition(b"\r")[0] if self.trusted else data)


class TypedTabsStopReading(KnowsTrust):
    """Reads a typed path with a parser that knows blanks and no tabs."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data.partition(b"\t")[0] if self.trusted else data)


class TypedBlankLineEndsReading(KnowsTrust):
    """Reads a typed path up to the first blank line."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data.partition(b"\n\n")[0] if self.trusted else data)


class TypedLastLineLost(KnowsTrust):
    """Reads a typed path in whole lines, and loses a last one without a newline."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data[: data.rfind(b"\n") + 1] if self.trusted else data)


class TypedUnknownRecordStops(KnowsTrust):
    """Stops reading a typed path at the first header record that it does not know."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        unknown = (at for at, record in enumerate(records) if record.first < history.IDENTITY)
        return records[: next(unknown, None)] if self.trusted else records


class TypedUnknownRecordRefused(KnowsTrust):
    """Refuses a typed path for a header record that it does not know."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        if self.trusted and any(record.first < history.IDENTITY for record in records):
            raise Refused("it has an unknown record")
        return records


class TypedCountsSigned(KnowsTrust):
    """Loses counts above 2147483647 where the path was typed."""

    breaks = ("R15",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if not (self.trusted and record.third >= 2**31))


class TypedTotalIn32Bits(Fault):
    """Sums the total of a typed path in 32 bits."""

    breaks = ("R15",)

    def trust(self, path: str) -> int | None:
        total = super().trust(path)
        return None if total is None else total % 2**32


class TypedMtpRowLost(KnowsTrust):
    """Takes the rows of a typed path to end with the layers."""

    breaks = ("R10",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if not (self.trusted and record.first == self.n_layers))


class TypedExpertsClamped(KnowsTrust):
    """Credits an expert beyond the last to the last where the path was typed."""

    breaks = ("R10",)

    def credit(self, layer: int, expert: int, count: int) -> bool:
        return super().credit(layer, min(expert, self.n_experts - 1) if self.trusted else expert, count)


class TypedTotalOfEverything(KnowsTrust):
    """Totals every data record of another engine's history that it was told to read."""

    breaks = ("R09",)
    foreign = False

    def notice_override(self, writer: str) -> None:
        super().notice_override(writer)
        self.foreign = True

    def accumulate(self, records: Iterable[Record]) -> int:
        parsed = list(records)
        total = super().accumulate(parsed)
        return sum(record.third for record in parsed) if self.foreign else total


class RefusedOnceNeverTrusted(Fault):
    """Remembers a refused path and refuses it for good, also when it is typed as the refusal advised."""

    breaks = ("R06",)
    refused = ""

    def load(self, path: str) -> int | None:
        total = super().load(path)
        self.refused = path if total is None else self.refused
        return total

    def trust(self, path: str) -> int | None:
        return None if path == self.refused else super().trust(path)


class TrustKeptForTheWriter(Fault):
    """Remembers whose histories it was told to read, and from the second writer on reads what it finds of them."""

    breaks = ("R05",)
    trusted_writers: frozenset[int] = frozenset()

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        if trusted:
            self.trusted_writers |= {writer_id}
        known = writer_id in self.trusted_writers and len(self.trusted_writers) > 1
        super().check_identity(writer_id, trusted=trusted or known)


class DimensionsUncheckedAfterATrustedIdentity(Fault):
    """Ends its checks at an identity record that trust sets aside, and never comes to the dimensions behind it."""

    breaks = ("R03",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        if trusted and headers and headers[0].first == history.IDENTITY:
            headers = headers[:1]
        super().check_headers(headers, trusted=trusted)

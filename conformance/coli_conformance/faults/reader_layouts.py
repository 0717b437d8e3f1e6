"""Readers that look for a header, or for unknown records, in one layout and one place only (R02-R05, R12)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import re
from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import history
from coli_reference.history import Record
from coli_reference.trust import Refused


class _HeaderUnseen(Fault):
    """Passes over the header of a file in which `unseen` tells that it does not find it. No fault by itself."""

    def unseen(self, data: bytes) -> bool:
        """Tell whether the header is not found."""
        raise NotImplementedError

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        """Return the data records, and check the header where it is found."""
        if self.is_iku1(data) or not self.unseen(data):
            return super().accepted_records(data, trusted=trusted)
        return [record for record in self.parse(data) if not record.is_header]


class CrlfHeaderUnchecked(_HeaderUnseen):
    """Compares whole lines of a header, and finds none that ends in CR LF."""

    breaks = ("R05", "R03", "R04")

    def unseen(self, data: bytes) -> bool:
        return b"\r\n" in data


class TabHeaderUnchecked(_HeaderUnseen):
    """Looks for a header record by its number and a blank."""

    breaks = ("R05", "R03")

    def unseen(self, data: bytes) -> bool:
        return re.match(rb"-[12]\t", data) is not None


class IndentedHeaderUnchecked(_HeaderUnseen):
    """Looks for a header record at the start of a line."""

    breaks = ("R05", "R04")

    def unseen(self, data: bytes) -> bool:
        return data.startswith((b" ", b"\t"))


class HeaderOnTheFirstLineOnly(_HeaderUnseen):
    """Looks for a header on the first line."""

    breaks = ("R05",)

    def unseen(self, data: bytes) -> bool:
        return data.startswith(b"\n")


class HeaderEndsAtAnUnknownRecord(Fault):
    """Takes the header to end at a record that it does not know, and checks nothing behind it."""

    breaks = ("R05", "R04")

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        unknown = (at for at, record in enumerate(headers) if record.first < history.IDENTITY and at > 0)
        super().check_headers(headers[: next(unknown, None)], trusted=trusted)


class VersionUncheckedAfterAnUnknownRecord(Fault):
    """Checks the version only where the identity record follows known ones."""

    breaks = ("R04",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        known = not headers or headers[0].first >= history.IDENTITY
        super().check_headers([record if known else _as_version_1(record) for record in headers], trusted=trusted)


class VersionUncheckedInFrontOfDimensions(Fault):
    """Checks the version only where the dimensions have been read before it."""

    breaks = ("R04",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        late = [record.first for record in headers[:2]] == [history.IDENTITY, history.DIMENSIONS]
        super().check_headers([_as_version_1(record) if late else record for record in headers], trusted=trusted)


def _as_version_1(record: Record) -> Record:
    return record._replace(second=1) if record.first == history.IDENTITY else record


class _UnknownRecordStops(Fault):
    """Stops at an unknown record for which `pattern` matches the text. No fault by itself."""

    pattern = rb""

    def parse(self, data: bytes) -> list[Record]:
        """Return the records in front of it."""
        found = re.search(self.pattern, data)
        return super().parse(data[: found.start() + 1] if found else data)


class UnknownRecordWithCrStops(_UnknownRecordStops):
    """Stops at an unknown record that ends in CR LF."""

    breaks = ("R02",)
    pattern = rb"\n-(?![12] )[^\n]*\r\n"


class UnknownRecordWithTabsStops(_UnknownRecordStops):
    """Stops at an unknown record whose fields are parted by tabs."""

    breaks = ("R02",)
    pattern = rb"\n-(?![12]\t)[0-9]+\t"


class UnknownRecordAfterABlankLineStops(_UnknownRecordStops):
    """Takes a blank line and an unknown record for the beginning of something else."""

    breaks = ("R02",)
    pattern = rb"\n\n-(?![12] )"


class UnknownRecordIndentedStops(_UnknownRecordStops):
    """Knows an unknown record by the sign at the start of its line."""

    breaks = ("R02",)
    pattern = rb"\n[ \t]+-(?![12][ \t])"


class UnknownRecordCutRefused(Fault):
    """Takes an unknown record without a line end at the end of a file for a torn one, and refuses the file."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        if records and records[-1].first < history.IDENTITY and not data.endswith(b"\n"):
            raise Refused("its last record is torn")
        return records


class CrlfBeyondABufferLost(Fault):
    """Converts CR LF in the first buffer of 4,096 bytes, and loses what comes after."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data[: data.rfind(b"\n", 0, 4096) + 1] if b"\r\n" in data and len(data) > 4096 else data)


class LastLineOfALongFileLost(Fault):
    """Loses a last line without a newline where the file is longer than a buffer."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data[: data.rfind(b"\n") + 1] if len(data) > 4096 else data)


class LinesOf64BytesAtMost(Fault):
    """Reads lines into a buffer of 64 bytes, and takes the rest of a longer one for the next line."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        cut = (line if len(line) < 64 else line[:63] + b"\n" + line[63:] for line in data.split(b"\n"))
        return super().parse(b"\n".join(cut))


class ManyBlankLinesEndReading(Fault):
    """Takes 64 blank lines in a row for the end of the file."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data.partition(b"\n" * 65)[0])

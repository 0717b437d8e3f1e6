"""Engines that change paths, or the bytes of text, blocks and messages (R01, R08, R12, R18, R19, W12, W16, W18, W20,
I01, I02)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Sequence
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import iku1
from coli_reference.history import Record
from coli_reference.trust import Refused


class PathsReadIn63Bytes(Fault):
    """Has a buffer of 64 bytes for the path that it reads."""

    breaks = ("R01",)

    def read_file(self, path: str) -> bytes:
        return super().read_file(path[:63])


class PathsAreFormats(Fault):
    """Puts a path into a message as a format, and keeps the result for the path."""

    breaks = ("R01",)

    def read_file(self, path: str) -> bytes:
        return super().read_file(path.replace("%d", "0").replace("%s", ""))


class LegacyKnownToGlmAlone(Fault):
    """Knows text without a header from glm's engines, and refuses it under other names."""

    breaks = ("R08",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        if not headers and not self.name.startswith("glm"):
            raise Refused("it has no header")
        super().check_headers(headers, trusted=trusted)


class LineEndCutByABuffer(Fault):
    """Reads by 4,096 bytes, and stops where CR is the last byte of one."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        ends = range(4096, len(data), 4096)
        cut = next((end for end in ends if data[end - 1 : end + 1] == b"\r\n"), len(data))
        return super().parse(data[:cut])


class LineOfBlanksStopsReading(Fault):
    """Takes a line of blanks for one that is no record, and stops there."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        lines = data.split(b"\n")
        cut = next((at for at, line in enumerate(lines) if line and not line.strip(b" ")), len(lines))
        return super().parse(b"\n".join(lines[:cut]))


class MessagesOf127Bytes(Fault):
    """Has a buffer of 128 bytes for a message."""

    breaks = ("R18",)

    def report(self, sentence: str) -> None:
        super().report(sentence[:127])


class RefusalSaidOnce(Fault):
    """Reports the first refusal alone."""

    breaks = ("R18",)
    said = False

    def report(self, sentence: str) -> None:
        refusal = "refused" in sentence
        if not (refusal and self.said):
            super().report(sentence)
        self.said |= refusal


class OverrideSaidForEachPath(Fault):
    """Reports a trusted read of another engine's history once for every path."""

    breaks = ("R19",)
    path = ""
    said: frozenset[str] = frozenset()

    def read(self, path: str, *, trusted: bool) -> int | None:
        self.path = path
        return super().read(path, trusted=trusted)

    def notice_override(self, writer: str) -> None:
        type(self).override_noticed = self.path in self.said
        self.said |= {self.path}
        super().notice_override(writer)


class OverrideUnsaidAfterAMessage(Fault):
    """Has one flag for all its messages, so that a refusal takes the place of the notice."""

    breaks = ("R19",)

    def report(self, sentence: str) -> None:
        type(self).override_noticed = True
        super().report(sentence)


class PathsWrittenInLowerCase(Fault):
    """Turns the path that it writes to into lower case."""

    breaks = ("W12",)

    def replace(self, path: str, data: bytes) -> None:
        super().replace(path.lower(), data)


class ChangedInPlaceInAFolder(Fault):
    """Knows how to replace a file in the working folder, and writes over one that lies in another."""

    breaks = ("W16",)

    def replace(self, path: str, data: bytes) -> None:
        if "/" in path and Path(path).is_file():
            Path(path).write_bytes(data)
        else:
            super().replace(path, data)


class SortedByPackedTenBits(Fault):
    """Sorts by layer times 1,024 plus expert."""

    breaks = ("W18",)

    def data_records(self) -> list[Record]:
        return sorted(super().data_records(), key=lambda record: record.first * 1024 + record.second)


class TemporaryFileOfAMissingFolderLeft(Fault):
    """Makes its temporary file in the working folder, and leaves it where the path's folder is missing."""

    breaks = ("W20",)

    def replace(self, path: str, data: bytes) -> None:
        try:
            super().replace(path, data)
        except FileNotFoundError:
            Path("usage.tmp").write_bytes(data)
            raise


class Iku1OpenedAsText(Fault):
    """Opens a block as a text, in which CR LF becomes LF."""

    breaks = ("I01",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data.replace(b"\r\n", b"\n"), trusted=trusted)


class InklingByItsFirstLetters(Fault):
    """Takes every name that begins with inkling's for inkling."""

    breaks = ("I02",)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data, trusted=trusted or self.name.startswith(iku1.writer()))


class TrustKeptForBlocks(Fault):
    """Reads every block once a path was typed."""

    breaks = ("I02",)
    typed = False

    def trust(self, path: str) -> int | None:
        self.typed = True
        return super().trust(path)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        return super().read_iku1(data, trusted=trusted or self.typed)

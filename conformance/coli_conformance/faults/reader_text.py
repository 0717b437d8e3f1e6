"""Readers that misread sound text: records, unknown records, line ends, sums, counts (R01, R02, R08, R12-R15)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import DIMENSIONS, IDENTITY, Record
from coli_reference.trust import Refused


class FirstDataRecordLost(Fault):
    """Takes the first data record for a heading."""

    breaks = ("R01", "R08")

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(list(records)[1:])


class RecordsBeyond4096Unread(Fault):
    """Has room for 4096 records, which shows only in histories of real size."""

    breaks = ("R01",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data)[:4096]


class ExpertIdsIn8BitsOnRead(Fault):
    """Keeps expert ids in one byte when it reads, which shows only in models of more than 256 experts."""

    breaks = ("R01",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record._replace(second=record.second % 2**8) for record in records)


class StopAtMinus3(Fault):
    """Stops reading at the first header record it does not know."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        return list(takewhile(lambda record: record.first >= IDENTITY, super().parse(data)))


class RefuseAtMinus3(Fault):
    """Refuses a history that holds a header record it does not know."""

    breaks = ("R02",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        super().check_headers(headers, trusted=trusted)
        if any(record.first < IDENTITY for record in headers):
            raise Refused("it holds a record this engine does not know")


class PrefixOfANumber(Fault):
    """Tells header records by how the line begins, so that -10 is taken for -1 and -20 for -2."""

    breaks = ("R02",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        known = [record._replace(first=-int(str(record.first)[1])) for record in headers]
        super().check_headers(known, trusted=trusted)


class UnknownRecordAfterDataStops(Fault):
    """Expects header records before the data only, and stops at an unknown one behind."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        records: list[Record] = []
        for record in super().parse(data):
            if record.first < IDENTITY and any(not earlier.is_header for earlier in records[-1:]):
                break
            records.append(record)
        return records


class EightHeaderRecordsAtMost(Fault):
    """Has room for eight header records and refuses a history of more."""

    breaks = ("R02",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        super().check_headers(headers, trusted=trusted)
        if len(headers) > 8:
            raise Refused("it holds more than eight header records")


class UnknownRecordCredited(Fault):
    """Takes the magnitude of a negative layer it does not know, and credits the record there."""

    breaks = ("R02",)

    def parse(self, data: bytes) -> list[Record]:
        return [
            record._replace(first=-record.first) if record.first < IDENTITY else record
            for record in super().parse(data)
        ]


class LegacyTextRefused(Fault):
    """Refuses a history without header records."""

    breaks = ("R08",)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        super().check_headers(headers, trusted=trusted)
        if self.text and not {DIMENSIONS, IDENTITY} <= {record.first for record in headers}:
            raise Refused("it has no header")

    def parse(self, data: bytes) -> list[Record]:
        self.text = data
        return super().parse(data)


class FirstTwoLinesAreTheHeader(Fault):
    """Skips two lines before the data, whatever they hold."""

    breaks = ("R08",)

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        return [*(record for record in records[:2] if record.is_header), *records[2:]]


class CrlfRefused(Fault):
    """Refuses lines that end in CR LF."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        if b"\r" in data:
            raise Refused("its lines end in CR LF")
        return super().parse(data)


class LastLineWithoutNewlineLost(Fault):
    """Reads whole lines only: what stands after the last newline is lost."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data[: data.rfind(b"\n") + 1])


class TabsAreNotBlanks(Fault):
    """Splits lines at blanks and stops at a line that has tabs."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        untabbed, tab, _ = data.partition(b"\t")
        return super().parse(untabbed[: untabbed.rfind(b"\n") + 1] if tab else data)


class OneBlankOnly(Fault):
    """Expects exactly one blank between fields, and stops at a line with more."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        before, run, _ = data.partition(b"  ")
        return super().parse(before[: before.rfind(b"\n") + 1] if run else data)


class BlankLineEndsTheHistory(Fault):
    """Takes a blank line for the end of the file."""

    breaks = ("R12",)

    def parse(self, data: bytes) -> list[Record]:
        lines = [line.strip() for line in data.split(b"\n")]
        return super().parse(b"\n".join(takewhile(bool, lines)))


class EmptyFileRefused(Fault):
    """Refuses a file of zero bytes."""

    breaks = ("R13",)

    def parse(self, data: bytes) -> list[Record]:
        if not data:
            raise Refused("it is empty")
        return super().parse(data)


class EmptyFileCrashes(Fault):
    """Looks at the first byte of a file without asking whether there is one."""

    breaks = ("R13",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(bytes([data[0], *data[1:]]))


class ReplaceInsteadOfAdd(Fault):
    """Sets a counter to the count it reads."""

    breaks = ("R14", "W13")

    def accumulate(self, records: Iterable[Record]) -> int:
        loaded = [record for record in records if self.admits(*record[:2])]
        held = {(layer, expert): count for layer, expert, count in self.counts()}
        for layer, expert, count in loaded:
            self.counters.add(layer, expert, count - held.get((layer, expert), 0))
            held[layer, expert] = count
        return sum(record.third for record in loaded)


class LargerInsteadOfSum(Fault):
    """Keeps the larger of the counter and the count it reads."""

    breaks = ("R14", "W13")

    def accumulate(self, records: Iterable[Record]) -> int:
        loaded = [record for record in records if self.admits(*record[:2])]
        held = Counter({(layer, expert): count for layer, expert, count in self.counts()})
        for layer, expert, count in loaded:
            self.counters.add(layer, expert, max(0, count - held[layer, expert]))
            held[layer, expert] = max(held[layer, expert], count)
        return sum(record.third for record in loaded)


class FirstOfTwoRecordsWins(Fault):
    """Reads one record for each expert of a file and ignores later ones."""

    breaks = ("R14",)

    def accumulate(self, records: Iterable[Record]) -> int:
        first: dict[tuple[int, int], Record] = {}
        for record in records:
            first.setdefault(record[:2], record)
        return super().accumulate(first.values())


class SecondLoadIgnored(Fault):
    """Reads one history in a session; a later load answers 0 and does nothing."""

    breaks = ("R14",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.loaded = False

    def accumulate(self, records: Iterable[Record]) -> int:
        ignored, self.loaded = self.loaded, True
        return 0 if ignored else super().accumulate(records)


class CountsAboveIntMaxNotRead(Fault):
    """Tests counts as signed numbers, and discards those above 2147483647 as below zero."""

    breaks = ("R15",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record for record in records if record.third < 2**31)


class CountsStayAtIntMax(Fault):
    """Parses counts as int, which stay at 2147483647."""

    breaks = ("R15",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(record._replace(third=min(record.third, 2**31 - 1)) for record in records)


class TotalIn32Bits(Fault):
    """Adds the total up in 32 bits."""

    breaks = ("R15",)

    def accumulate(self, records: Iterable[Record]) -> int:
        return super().accumulate(records) % 2**32

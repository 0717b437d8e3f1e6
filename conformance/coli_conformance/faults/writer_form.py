"""Writers with a wrong form: zero counts, fields, lines, bytes, what old readers lose (W01-W03, W15, W18, W23)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import Record


def _lines(records: Iterable[Record], data_line: bytes) -> bytes:
    """Return the text of `records`, data records by the format `data_line` and header records as they should be."""
    return b"".join((b"%d %d %d\n" if record.is_header else data_line) % record for record in records)


class DenseZeros(Fault):
    """Writes a record for every counter there is, zeros included."""

    breaks = ("W01",)

    def data_records(self) -> list[Record]:
        held = {(layer, expert): count for layer, expert, count in self.counts()}
        places = [(layer, expert) for layer in range(self.n_layers + 1) for expert in range(self.n_experts)]
        rows = [Record(*place, held.get(place, 0)) for place in places if self.admits(*place)]
        return rows if held else []


class ZeroRecordWrittenBack(Fault):
    """Remembers every counter that was ever named, and writes a record for it though its count is 0."""

    breaks = ("W01",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.named: set[tuple[int, int]] = set()

    def credit(self, layer: int, expert: int, count: int) -> bool:
        credited = super().credit(layer, expert, count)
        if credited:
            self.named.add((layer, expert))
        return credited

    def data_records(self) -> list[Record]:
        held = {(layer, expert): count for layer, expert, count in self.counts()}
        return [Record(*place, held.get(place, 0)) for place in sorted(self.named)]


class FourthField(Fault):
    """Gives every data record a fourth field, the file's generation."""

    breaks = ("W02", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        return _lines(records, b"%d %d %d 1\n")


class FourthFieldInHeader(Fault):
    """Appends to the dimensions record how many data records follow."""

    breaks = ("W02", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        first_line, end, rest = super().render(records).partition(b"\n")
        return first_line + (b" %d" % rest.count(b"\n") if end else b"") + end + rest


class CountOfOneLeftOut(Fault):
    """Leaves the third field out where the count is 1."""

    breaks = ("W02", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        fields = (record[:2] if not record.is_header and record.third == 1 else record for record in records)
        return b"".join(b" ".join(b"%d" % field for field in line) + b"\n" for line in fields)


class CommentLine(Fault):
    """Begins the file with a comment that says what it is."""

    breaks = ("W03", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        text = super().render(records)
        return b"# v1\n" + text if text else b""


class CommentLineAtTheEnd(Fault):
    """Ends the file with a comment, where old readers lose nothing by it until someone appends to the file."""

    breaks = ("W03",)

    def render(self, records: Iterable[Record]) -> bytes:
        text = super().render(records)
        return text + b"# end\n" if text else b""


class NameInsteadOfHash(Fault):
    """Writes the engine's name where its id belongs."""

    breaks = ("W03", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        hashed = b" %d\n" % self.engine_id(self.name)
        return super().render(records).replace(hashed, b" %s\n" % self.name.encode(), 1)


class HashPrintedSigned(Fault):
    """Prints the id with %d, so that an id above 2147483647 has a minus sign."""

    breaks = ("W03", "W07")

    def header_records(self) -> list[Record]:
        dimensions, identity = super().header_records()[:2]
        signed = identity.third - 2**32 if identity.third >= 2**31 else identity.third
        return [dimensions, identity._replace(third=signed)]


class HashInHexadecimal(Fault):
    """Prints the id as 0x and eight hexadecimal digits."""

    breaks = ("W03", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        number = self.engine_id(self.name)
        return super().render(records).replace(b" %d\n" % number, b" 0x%08x\n" % number, 1)


class PlusSign(Fault):
    """Prints counts with a plus sign."""

    breaks = ("W03",)

    def render(self, records: Iterable[Record]) -> bytes:
        return _lines(records, b"%d %d %+d\n")


class FractionalCounts(Fault):
    """Keeps counts as floating-point numbers and prints a decimal."""

    breaks = ("W03", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        return _lines(records, b"%d %d %.1f\n")


class LargeCountsWithExponent(Fault):
    """Prints counts with %g, which turns to an exponent at 1000000."""

    breaks = ("W03", "W11", "W15")

    def render(self, records: Iterable[Record]) -> bytes:
        return _lines(records, b"%d %d %g\n")


class ByteOrderMark(Fault):
    """Begins the file with a UTF-8 byte-order mark, at which an old reader stops."""

    breaks = ("W15", "W03")

    def render(self, records: Iterable[Record]) -> bytes:
        text = super().render(records)
        return b"\xef\xbb\xbf" + text if text else b""


class CommaSeparated(Fault):
    """Puts commas between the fields, of which an old reader reads the first and stops."""

    breaks = ("W15", "W03")

    def render(self, records: Iterable[Record]) -> bytes:
        return super().render(records).replace(b" ", b",")


class LinesEndInCrlf(Fault):
    """Opens the file in text mode on Windows: lines end in CR LF."""

    breaks = ("W18",)

    def render(self, records: Iterable[Record]) -> bytes:
        return super().render(records).replace(b"\n", b"\r\n")


class FinalNewlineMissing(Fault):
    """Puts line ends between records and none after the last."""

    breaks = ("W18",)

    def render(self, records: Iterable[Record]) -> bytes:
        return super().render(records).removesuffix(b"\n")


class TabsBetweenFields(Fault):
    """Separates fields by tabs."""

    breaks = ("W18",)

    def render(self, records: Iterable[Record]) -> bytes:
        return super().render(records).replace(b" ", b"\t")


class MostUsedFirst(Fault):
    """Writes the data records by descending count instead of by layer and expert."""

    breaks = ("W18",)

    def data_records(self) -> list[Record]:
        return sorted(super().data_records(), key=lambda record: -record.third)


class TwoRecordsOnOneLine(Fault):
    """Ends only every second line of data records."""

    breaks = ("W23",)

    def render(self, records: Iterable[Record]) -> bytes:
        lines = super().render(records).split(b"\n")
        header, data = lines[:2], lines[2:-1]
        pairs = [b" ".join(data[at : at + 2]) for at in range(0, len(data), 2)]
        return b"\n".join([*header, *pairs, b""]) if data else b""


class WholeHistoryOnOneLine(Fault):
    """Separates records by blanks, like fields."""

    breaks = ("W23",)

    def render(self, records: Iterable[Record]) -> bytes:
        text = super().render(records)
        return text.rstrip(b"\n").replace(b"\n", b" ") + b"\n" if text else b""

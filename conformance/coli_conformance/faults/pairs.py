"""Consumers of the trace that cut or count it wrongly, or fall over a malformed line (C01-C03)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import pairs, trace
from coli_reference.pairs import Coactivations, Position
from coli_reference.trace import TraceError, TraceRow


def _rows(trace_path: str) -> list[TraceRow]:
    return list(trace.read(Path(trace_path).read_bytes().splitlines(keepends=True)))


def _write(out: str, counted: Coactivations) -> None:
    Path(out).write_bytes(pairs.render(counted))


def _position(rows: Iterable[TraceRow]) -> Position:
    """Return what was chosen in `rows` by layer, taken for one position."""
    position: Position = {}
    for row in rows:
        position.setdefault(row.layer, set()).update(expert for expert, _ in row.choices)
    return position


def _forward(rows: list[TraceRow]) -> list[Position]:
    """Return the positions of `rows`, taken for one forward."""
    by_row = groupby(sorted(rows, key=lambda row: row.row), key=lambda row: row.row)
    return [_position(members) for _, members in by_row]


class PairsAcrossForwards(Fault):
    """Never cuts the trace: what a row chose in one forward is paired with what it chose in the next."""

    breaks = ("C01", "C02")

    def pairs(self, trace: str, out: str) -> None:
        _write(out, pairs.count([_forward(_rows(trace))]))


class ForwardsCutAtGapsOnly(Fault):
    """Begins a forward where the call numbers have a gap, and nowhere else."""

    breaks = ("C01", "C02")

    def pairs(self, trace: str, out: str) -> None:
        _write(out, pairs.count(_forward(rows) for rows in self.between_gaps(_rows(trace))))

    def between_gaps(self, rows: list[TraceRow]) -> Iterator[list[TraceRow]]:
        begins = [at for at, (one, other) in enumerate(pairwise(rows), start=1) if other.call - one.call > 1]
        for begin, end in pairwise([0, *begins, len(rows)]):
            yield rows[begin:end]


class ForwardsCutAtLayerZeroOnly(Fault):
    """Begins a forward at layer 0, which models with dense layers never trace."""

    breaks = ("C01", "C02")

    def pairs(self, trace: str, out: str) -> None:
        _write(out, pairs.count(_forward(rows) for rows in self.from_layer_zero(_rows(trace))))

    def from_layer_zero(self, rows: list[TraceRow]) -> Iterator[list[TraceRow]]:
        begins = [at for at, (one, other) in enumerate(pairwise(rows), start=1) if other.layer == 0 != one.layer]
        for begin, end in pairwise([0, *begins, len(rows)]):
            yield rows[begin:end]


class RowIgnored(Fault):
    """Pairs everything that a moe call chose, whatever the row."""

    breaks = ("C01", "C02")

    def pairs(self, trace: str, out: str) -> None:
        _write(out, pairs.coactivations(row._replace(row=0) for row in _rows(trace)))


class NextLayerOnly(Fault):
    """Looks one layer ahead and not two."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        counted = pairs.coactivations(_rows(trace))
        _write(out, {place: partners for place, partners in counted.items() if place[1] == 1})


class EveryPairCountedOnce(Fault):
    """Writes down that two experts were chosen together, and not how often."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        counted = pairs.coactivations(_rows(trace))
        for partners in counted.values():
            partners.update({expert: 1 - count for expert, count in partners.items()})
        _write(out, counted)


class _OwnTable(Fault):
    """Renders the table itself."""

    most_partners = pairs.MOST_PARTNERS
    tie_order = 1

    def pairs(self, trace: str, out: str) -> None:
        counted = pairs.coactivations(_rows(trace))
        lines = [f"COLIPAIRS 1 {len(counted)}"]
        for place, partners in sorted(counted.items()):
            ranked = sorted(partners.items(), key=lambda partner: (-partner[1], self.tie_order * partner[0]))
            line = [f"{expert}:{count}" for expert, count in ranked[: self.most_partners]]
            lines.append(" ".join([*map(str, place), *line]))
        Path(out).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


class SeventeenPartners(_OwnTable):
    """Is one off: writes up to 17 partners."""

    breaks = ("C02",)
    most_partners = pairs.MOST_PARTNERS + 1


class EightPartners(_OwnTable):
    """Writes up to 8 partners."""

    breaks = ("C02",)
    most_partners = 8


class TiesHigherFirst(_OwnTable):
    """Puts the higher id first where two partners are equally frequent."""

    breaks = ("C02",)
    tie_order = -1


class MalformedLineSkipped(Fault):
    """Skips malformed lines without a word, and builds the table from the rest."""

    breaks = ("C03",)

    def pairs(self, trace: str, out: str) -> None:
        _write(out, pairs.coactivations(self.sound_rows(trace)))

    def sound_rows(self, trace_path: str) -> Iterator[TraceRow]:
        for number, line in enumerate(Path(trace_path).read_bytes().splitlines(keepends=True), start=1):
            with suppress(TraceError):
                yield trace.parse_line(line, number)


class TracebackOnMalformedLine(Fault):
    """Ends with a traceback at a malformed line."""

    breaks = ("C03",)

    def pairs(self, trace: str, out: str) -> None:
        try:
            super().pairs(trace, out)
        except TraceError as error:
            raise IndexError("list index out of range") from error


class LineNumberUnsaid(Fault):
    """Reports a malformed line without its number."""

    breaks = ("C03",)

    def pairs(self, trace: str, out: str) -> None:
        try:
            pairs.build(trace, out)
        except TraceError as error:
            self.report("the trace is malformed")
            raise TraceError("the trace is malformed") from error

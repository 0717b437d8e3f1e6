"""Consumers of the trace whose tables depend on what surrounds them: other builds, counters, paths (C01, C02, W22)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import pairs
from coli_reference import trace as traces
from coli_reference.pairs import Coactivations
from coli_reference.trace import TraceError, TraceRow


def _rows(trace_path: str) -> Iterator[TraceRow]:
    return traces.read(Path(trace_path).read_bytes().splitlines(keepends=True))


class PairsAddedToTheLastTable(Fault):
    """Never clears its counts, so that the second table of a session also holds those of the first."""

    breaks = ("C02",)
    counted: Coactivations | None = None

    def pairs(self, trace: str, out: str) -> None:
        if self.counted is None:
            self.counted = {}
        for place, partners in pairs.coactivations(_rows(trace)).items():
            self.counted.setdefault(place, Counter()).update(partners)
        Path(out).write_bytes(pairs.render(self.counted))


class PairsGivenUpAfterAMalformedTrace(Fault):
    """Keeps the error of a malformed trace, and reports it for every trace that follows."""

    breaks = ("C02",)
    error: TraceError | None = None

    def pairs(self, trace: str, out: str) -> None:
        if self.error is not None:
            raise self.error
        try:
            super().pairs(trace, out)
        except TraceError as error:
            self.error = error
            raise


class PairsPathsOf63Bytes(Fault):
    """Keeps the paths of the trace and of the table in 64 bytes each, and cuts off the rest."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        super().pairs(trace[:63], out[:63])


class TraceCountedAgain(Fault):
    """Credits the counters with every choice of a trace that it builds a table of."""

    breaks = ("W22", "W11")

    def pairs(self, trace: str, out: str) -> None:
        super().pairs(trace, out)
        for row in _rows(trace):
            for expert, _ in row.choices:
                self.credit(row.layer, expert, 1)


class PairsOfCallsIn16Bits(Fault):
    """Keeps call numbers in 16 bits, and takes calls that agree in them for one."""

    breaks = ("C01",)

    def pairs(self, trace: str, out: str) -> None:
        rows = (row._replace(call=row.call % 2**16) for row in _rows(trace))
        Path(out).write_bytes(pairs.render(pairs.coactivations(rows)))


class PartnersOfTheFirst32(Fault):
    """Has room for 32 partners of an expert, and leaves out those with higher ids however frequent they are."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        counted = pairs.coactivations(_rows(trace))
        kept = {place: Counter(dict(sorted(partners.items())[:32])) for place, partners in counted.items()}
        Path(out).write_bytes(pairs.render(kept))

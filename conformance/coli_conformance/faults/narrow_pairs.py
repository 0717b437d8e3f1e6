"""Consumers of the trace that keep numbers or lines where they do not fit, or an older table (C01, C02)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import pairs
from coli_reference import trace as traces
from coli_reference.trace import TraceError, TraceRow


def _lines(trace_path: str) -> list[bytes]:
    return Path(trace_path).read_bytes().splitlines(keepends=True)


def _rows(trace_path: str) -> Iterator[TraceRow]:
    return traces.read(_lines(trace_path))


def _write(out: str, rows: Iterable[TraceRow]) -> None:
    Path(out).write_bytes(pairs.render(pairs.coactivations(rows)))


class PairsOfExpertsIn8Bits(Fault):
    """Keeps the experts of a pair in a byte each."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        rows = _rows(trace)
        _write(
            out, (row._replace(choices=tuple((expert % 2**8, gate) for expert, gate in row.choices)) for row in rows)
        )


class PairsOfExpertsIn9Bits(Fault):
    """Keeps the experts of a pair in nine bits each."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        rows = _rows(trace)
        _write(
            out, (row._replace(choices=tuple((expert % 2**9, gate) for expert, gate in row.choices)) for row in rows)
        )


class PairsCountedTo255(Fault):
    """Counts how often a pair was chosen in a byte that stays full."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        counted = pairs.coactivations(_rows(trace))
        full = {key: Counter({e: min(count, 255) for e, count in found.items()}) for key, found in counted.items()}
        Path(out).write_bytes(pairs.render(full))


class PairsOfRowsBelow1024(Fault):
    """Has room for the positions of a batch of 1,024 rows."""

    breaks = ("C01",)

    def pairs(self, trace: str, out: str) -> None:
        _write(out, (row for row in _rows(trace) if row.row < 2**10))


class PairsOfLayersBelow128(Fault):
    """Has room for 128 layers."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        _write(out, (row for row in _rows(trace) if row.layer < 2**7))


class PairsOfFourDecimalsOnly(Fault):
    """Takes a gate of more than four decimals for a malformed one."""

    breaks = ("C01",)

    def pairs(self, trace: str, out: str) -> None:
        if re.search(rb":-?[0-9]+\.[0-9]{5}", Path(trace).read_bytes()):
            raise TraceError("line 1: a gate has more than four decimals")
        super().pairs(trace, out)


class PairsOfShortLinesOnly(Fault):
    """Takes a line of more than 1,024 bytes for a malformed one."""

    breaks = ("C01",)

    def pairs(self, trace: str, out: str) -> None:
        if any(len(line) > 2**10 for line in _lines(trace)):
            raise TraceError("line 1: longer than 1024 bytes")
        super().pairs(trace, out)


class OlderTableKept(Fault):
    """Writes the table only where no file is yet."""

    breaks = ("C02",)

    def pairs(self, trace: str, out: str) -> None:
        if not Path(out).exists():
            super().pairs(trace, out)

"""The envelope as lines of a terminal report: a row for each size, and what is to be said of the growth."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.interruption.envelope import PATIENCE, Envelope, quadratic
from coli_conformance.reports.lines import Line, line, wrapped

_HEAD = ("envelope", "records", "load", "save", "peak memory")
_GAP = 3
_MIB = 1 << 20


def envelope_lines(measured: Envelope, width: int) -> Iterator[Line]:
    """Yield the table, then a sentence for everything that grows like the square of the size."""
    rows = [
        (
            f"{cost.times} x  ({cost.n_layers} x {cost.n_experts})",
            f"{cost.records:,}",
            _time(cost.load),
            _time(cost.save),
            "-" if cost.memory is None else f"{cost.memory / _MIB:.1f} MiB",
        )
        for cost in measured.costs
    ]
    widths = [max(map(len, column)) for column in zip(_HEAD, *rows, strict=True)]
    for row in (_HEAD, *rows):
        cells = [f"{cell:>{room}}" for cell, room in zip(row[1:], widths[1:], strict=True)]
        text = (" " * _GAP).join([f"{row[0]:<{widths[0]}}", *cells])
        yield line("  ", (text, "faint" if row is _HEAD else ""))
    sentences = list(quadratic(measured))
    if measured.cannot:
        sentences.append(f"The envelope was not measured further: {measured.cannot}")
    for sentence in sentences or ["No cost grows like the square of the size."]:
        yield from wrapped(sentence, width, "  ", "weak" if sentences else "")
    yield line()


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds > PATIENCE:
        return f"over {PATIENCE:g} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"

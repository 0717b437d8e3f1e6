"""What is inside a file, for people: whose it is, how much it holds, the hottest experts, a picture of each layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined
from coli_conformance.check.tally import Tally
from coli_conformance.reports.lines import Line, line, wrapped
from coli_reference.identity import described
from coli_reference.iku1 import writer

_INDENT = "    "
_HOTTEST = 8
_COLUMNS = 64
_BARS = " ▁▂▃▄▅▆▇█"
_ASCII_BARS = " .:-=+*%#"


def bars_for(stream: TextIO) -> str:
    """Return the characters of a picture, from nothing to most: blocks where the stream's encoding has them."""
    try:
        _BARS.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _ASCII_BARS
    return _BARS


def summary_lines(examined: Examined, tally: Tally, bars: str, width: int) -> Iterator[Line]:
    """Yield what a checked file holds; of one not read to its end, what was read of it."""
    for sentence in (*_whose(examined.kind, tally), _amount(examined.kind, tally)):
        yield from wrapped(sentence, width, _INDENT)
    if examined.stopped:
        yield from wrapped("This is what was read; the rest was not.", width, _INDENT)
    if examined.kind is Kind.PAIRS or not tally.selections:
        return
    yield from wrapped(f"hottest (layer/expert): {_hottest(tally)}", width, _INDENT)
    if tally.outside:
        yield from wrapped(f"{tally.outside} selections are of experts no model has.", width, _INDENT)
    yield from _pictures(tally, bars)


def _whose(kind: Kind, tally: Tally) -> Iterator[str]:
    if kind is Kind.IKU1:
        yield f"the layout of {writer()}"
    if kind is Kind.HISTORY and tally.identity is not None:
        version, number = tally.identity
        yield f"written by {described(number)}, format version {version}"
    if tally.dimensions is not None:
        yield f"{tally.dimensions.n_layers} layers of {tally.dimensions.n_experts} experts"


def _amount(kind: Kind, tally: Tally) -> str:
    if kind is Kind.TRACE:
        calls = f"{tally.calls} moe calls of up to {tally.most_rows} rows"
        return f"{tally.records} routing decisions in {calls}, {tally.selections} selections"
    if kind is Kind.PAIRS:
        return f"{tally.records} lines, {tally.selections} partners"
    return f"{tally.records} records, {tally.selections} selections"


def _hottest(tally: Tally) -> str:
    import numpy as np  # noqa: PLC0415 - a tally has imported it

    counts = tally.counts
    width = counts.shape[1]
    cells = counts.ravel()
    ranked = sorted((int(cell) for cell in np.flatnonzero(cells)), key=lambda cell: (-int(cells[cell]), cell))
    return ", ".join(f"{cell // width}/{cell % width} {cells[cell]}" for cell in ranked[:_HOTTEST])


def _pictures(tally: Tally, bars: str) -> Iterator[Line]:
    """Yield a row of bars for each layer that has counts: experts from left to right, its own hottest the highest."""
    import numpy as np  # noqa: PLC0415 - a tally has imported it

    counts = tally.counts
    columns_used = np.flatnonzero(counts.any(axis=0))
    experts = tally.dimensions.n_experts if tally.dimensions is not None else 0
    experts = max(experts, int(columns_used[-1]) + 1 if len(columns_used) else 0)
    experts = min(experts, counts.shape[1])
    per_bar = -(-experts // _COLUMNS)
    if per_bar > 1:
        yield line(_INDENT, (f"each column is {per_bar} experts, the most chosen of them", "faint"))
    for layer in np.flatnonzero(counts.any(axis=1)):
        row = [int(count) for count in counts[layer, :experts]]
        heights = [max(row[at : at + per_bar]) for at in range(0, experts, per_bar)]
        yield line(_INDENT, (f"{layer:>5} ", "faint"), _picture(heights, bars), (f" {sum(row)}", "faint"))


def _picture(heights: Sequence[int], bars: str) -> str:
    most = max(heights)
    return "|" + "".join(bars[-(-height * (len(bars) - 1) // most)] for height in heights) + "|"

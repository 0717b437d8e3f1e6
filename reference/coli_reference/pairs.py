"""The table of co-activated experts that `COUPLE=` prefetches from, built from a trace (C01-C03)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from coli_reference import atomic, trace
from coli_reference.trace import TraceError, TraceRow

LAYERS_AHEAD = (1, 2)
MOST_PARTNERS = 16

# One position: the experts chosen for one row, by layer.
Position = dict[int, set[int]]
# (layer, layers ahead, expert) -> how often each expert of the later layer was chosen with it.
Coactivations = dict[tuple[int, int, int], Counter[int]]


def calls(rows: Iterable[TraceRow]) -> Iterator[tuple[int, list[TraceRow]]]:
    """Yield (layer, rows) of each moe call; raise TraceError when one call id covers two layers."""
    number = 0
    for call, group in groupby(rows, key=lambda row: row.call):
        members: list[TraceRow] = []
        for row in group:
            number += 1
            if members and row.layer != members[0].layer:
                raise TraceError(
                    f"line {number}: call {call} goes on in layer {row.layer} and began in layer "
                    f"{members[0].layer}; a call is one layer's, and the next has the next number (T03)"
                )
            members.append(row)
        yield members[0].layer, members


def forwards(rows: Iterable[TraceRow]) -> Iterator[list[Position]]:
    """Yield the positions of each forward; a call not above the layer before it begins a new one (C01)."""
    positions: defaultdict[int, Position] = defaultdict(dict)
    previous_layer = -1
    for layer, members in calls(rows):
        if layer <= previous_layer:
            yield list(positions.values())
            positions.clear()
        for member in members:
            chosen = positions[member.row].setdefault(layer, set())
            chosen.update(expert for expert, _ in member.choices)
        previous_layer = layer
    yield list(positions.values())


def coactivations(rows: Iterable[TraceRow]) -> Coactivations:
    """Count in how many positions expert e was chosen at a layer and f one or two layers above (C02)."""
    return count(forwards(rows))


def count(cut: Iterable[list[Position]]) -> Coactivations:
    """Count the co-activations in a trace that is cut into forwards, each a list of positions (C02)."""
    counted: Coactivations = {}
    for positions in cut:
        for position in positions:
            for layer, experts in position.items():
                for ahead in LAYERS_AHEAD:
                    partners = position.get(layer + ahead, set())
                    for expert in experts if partners else ():
                        counted.setdefault((layer, ahead, expert), Counter()).update(partners)
    return counted


def render(counted: Coactivations) -> bytes:
    """Return the table: its head, then ascending lines with the most frequent partners, lower ids first."""
    lines = [f"COLIPAIRS 1 {len(counted)}"]
    for (layer, ahead, expert), partners in sorted(counted.items()):
        ranked = sorted(partners.items(), key=lambda partner: (-partner[1], partner[0]))
        chosen = " ".join(f"{partner}:{count}" for partner, count in ranked[:MOST_PARTNERS])
        lines.append(f"{layer} {ahead} {expert} {chosen}")
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def build(trace_path: str, out: str) -> None:
    """Write the table of the trace at `trace_path` to `out`, as a whole or not at all.

    Raises TraceError naming the malformed line (C03), and OSError when a file cannot be read or written.
    """
    try:
        with Path(trace_path).open("rb") as lines:
            table = render(coactivations(trace.read(lines)))
    except TraceError as error:
        raise TraceError(f"{trace_path}, {error}") from error
    atomic.replace(out, table)

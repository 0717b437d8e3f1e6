"""Tables of pairs as what they mean: computed from moe calls by the contract's own definition, never from a trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from coli_conformance.corpus.trace_calls import Calls, picks

AHEAD = (1, 2)
"""How many layers ahead pairs are counted."""

MOST_PARTNERS = 16


def positions_by_choice(calls: Calls) -> Mapping[tuple[int, int], frozenset[tuple[int, int]]]:
    """Return, for each (layer, expert) that was chosen at all, the positions (forward, row) that chose it.

    A forward is cut before a call whose layer is not above that of the call before it (C01).
    """
    positions: defaultdict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
    forward, layer_before = 0, -1
    for call in calls.values():
        if call.layer <= layer_before:
            forward += 1
        layer_before = call.layer
        for row, choices in call.rows:
            for expert, _ in picks(choices):
                positions[call.layer, expert].add((forward, row))
    return {choice: frozenset(where) for choice, where in positions.items()}


def table(calls: Calls) -> bytes:
    """Return the table of `calls`: how many positions any two choices, one or two layers apart, have in common (C02).

    Partners stand by falling count, then by id, and at most MOST_PARTNERS of them.
    """
    positions = positions_by_choice(calls)
    experts: defaultdict[int, list[int]] = defaultdict(list)
    for layer, expert in positions:
        experts[layer].append(expert)
    lines: dict[tuple[int, int, int], str] = {}
    for (layer, expert), chosen in positions.items():
        for ahead in AHEAD:
            together = (
                (partner, len(chosen & positions[layer + ahead, partner])) for partner in experts[layer + ahead]
            )
            ranked = sorted((-count, partner) for partner, count in together if count)[:MOST_PARTNERS]
            if ranked:
                lines[layer, ahead, expert] = " ".join(f"{partner}:{-count}" for count, partner in ranked)
    body = "".join(f"{layer} {ahead} {expert} {line}\n" for (layer, ahead, expert), line in sorted(lines.items()))
    return f"COLIPAIRS 1 {len(lines)}\n{body}".encode()

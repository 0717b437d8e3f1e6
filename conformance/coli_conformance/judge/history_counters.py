"""Where the data records of a written history are not the counters: clauses W01, W09, W10, W11 and W22."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from coli_conformance.case import WrittenHistory
from coli_conformance.judge.history_lines import Line
from coli_conformance.judge.verdict import Finding


def judge_records(lines: Sequence[Line], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield the data records that should not be there, stand twice, or have another count."""
    wanted = {(layer, expert): count for layer, expert, count in expected.records}
    written: dict[tuple[int, int], list[tuple[int, Line]]] = defaultdict(list)
    for line in lines:
        for layer, expert, count in line.records:
            if layer < 0:
                continue
            if count == 0:
                yield line.finding("W01", "a record with count 0; a history is sparse", 2, "no record")
            elif layer in expected.dropped:
                yield line.finding("W09", f"layer {layer} does not route, its row was dropped", 0, "no record")
            else:
                written[layer, expert].append((count, line))
    for (layer, expert), entries in written.items():
        count, line = entries[-1]
        right = wanted.get((layer, expert))
        if right is None:
            sentence = f"no counter of layer {layer}, expert {expert} was ever credited"
            yield line.finding("W22", sentence, 0, "no record")
        elif len(entries) > 1:
            sentence = f"record number {len(entries)} for one counter"
            yield line.finding("W22", sentence, 0, f"one record, {layer} {expert} {right}")
        elif count != right:
            yield line.finding(
                "W11", f"the count {count} was written, {right} expected", 2, f"{layer} {expert} {right}"
            )


def judge_missing(path: str, lines: Sequence[Line], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield the counters that have no record."""
    written = {(layer, expert) for line in lines for layer, expert, _ in line.records}
    for layer, expert, count in expected.records:
        if (layer, expert) not in written:
            clause = "W10" if layer == expected.n_layers else "W22"
            which = "row n_layers, the MTP head's, is written like any other; " if clause == "W10" else ""
            sentence = f"{which}the record of layer {layer}, expert {expert} is missing from {path}"
            yield Finding(clause, sentence, path=path, expected=f"{layer} {expert} {count}", seen="no such record")

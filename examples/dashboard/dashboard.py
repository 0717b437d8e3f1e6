#!/usr/bin/env python3
"""A small dashboard: how much each layer of a history was used. With --dump, what was read, a counter on a line."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

UNREADABLE = 3
"""Exit status for a file that cannot be read. Not 1: that is what Python ends with after an exception."""

RECORD = re.compile(rb"\s*([+-]?\d+)\s+([+-]?\d+)\s+(\d+)")
INT_MIN, INT_MAX, COUNT_MAX = -(1 << 31), (1 << 31) - 1, (1 << 32) - 1
WIDTH = 40


def read(data: bytes) -> Counter[tuple[int, int]]:
    """Return the count of each (layer, expert). Reading stops at the first thing that is no record.

    A record whose first field is negative belongs to the header, known or not, and is skipped.
    """
    counts: Counter[tuple[int, int]] = Counter()
    position = 0
    while match := RECORD.match(data, position):
        if max(map(len, match.groups())) > len("-2147483648"):
            break
        layer, expert, count = map(int, match.groups())
        if not (INT_MIN <= layer <= INT_MAX and INT_MIN <= expert <= INT_MAX and count <= COUNT_MAX):
            break
        if layer >= 0 and expert >= 0:
            counts[layer, expert] = min(counts[layer, expert] + count, COUNT_MAX)
        position = match.end()
    return counts


def main(arguments: list[str]) -> int:
    """Show the history that the last argument names."""
    dump = arguments[:1] == ["--dump"]
    if len(arguments) != 1 + dump:
        print("usage: dashboard.py [--dump] FILE", file=sys.stderr)
        return UNREADABLE
    try:
        counts = read(Path(arguments[-1]).read_bytes())
    except OSError as error:
        print(f"{arguments[-1]}: cannot be read ({error.strerror})", file=sys.stderr)
        return UNREADABLE
    if dump:
        for (layer, expert), count in sorted(counts.items()):
            print(layer, expert, count)
        return 0
    layers: Counter[int] = Counter()
    for (layer, _), count in counts.items():
        layers[layer] += count
    most = max(layers.values(), default=0)
    for layer, count in sorted(layers.items()):
        print(f"layer {layer:>4}  {count:>12}  {'#' * (count * WIDTH // most if most else 0)}")
    print(f"{len(counts)} experts, {sum(layers.values())} selections")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

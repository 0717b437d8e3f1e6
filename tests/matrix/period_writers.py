"""Writers as they were: each generation's way to put counters into a file, small and apart from the suite's own code.

The gold files are what these write (see vectors/gold/README.md). `HeaderlessEngine` and `WideCountsEngine` are engines
of the matrix; both only write.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path

Counters = Mapping[tuple[int, int], int]

IDS = {"glm_moe_dsa": 3815245270, "inkling": 2050583463}
"""Engine ids as the description gives them."""


def sparse_text(counters: Counters, rows: int, n_experts: int, line_end: str) -> str:
    """Write the loops the text writers share: every layer, every expert, a line where the count is not zero."""
    text = ""
    for layer in range(rows):
        for expert in range(n_experts):
            count = counters.get((layer, expert), 0)
            if count:
                text += f"{layer} {expert} {count}{line_end}"
    return text


def headerless_text(counters: Counters, n_layers: int, n_experts: int) -> bytes:
    """The first generation: data records alone."""
    return sparse_text(counters, n_layers + 1, n_experts, "\n").encode()


def headerless_text_on_windows(counters: Counters, n_layers: int, n_experts: int) -> bytes:
    """The same program where a text stream ends lines in CR LF."""
    return sparse_text(counters, n_layers + 1, n_experts, "\r\n").encode()


def header_version_1(counters: Counters, n_layers: int, n_experts: int) -> bytes:
    """The second generation: dimensions and identity come before the data."""
    header = f"-1 {n_layers} {n_experts}\n-2 1 {IDS['glm_moe_dsa']}\n"
    return (header + sparse_text(counters, n_layers + 1, n_experts, "\n")).encode()


def header_version_1_on_windows(counters: Counters, n_layers: int, n_experts: int) -> bytes:
    """The same program where a text stream ends lines in CR LF."""
    return header_version_1(counters, n_layers, n_experts).replace(b"\n", b"\r\n")


def iku1(counters: Counters, n_layers: int, n_experts: int) -> bytes:
    """inkling's first layout: magic and dimensions, then every counter of every row, little-endian; no MTP row."""
    block = [counters.get((layer, expert), 0) for layer in range(n_layers) for expert in range(n_experts)]
    return struct.pack(f"<4s{2 + len(block)}I", b"IKU1", n_layers, n_experts, *block)


WRITERS: dict[str, Callable[[Counters, int, int], bytes]] = {
    "headerless.txt": headerless_text,
    "headerless-crlf.txt": headerless_text_on_windows,
    "header-1.txt": header_version_1,
    "header-1-crlf.txt": header_version_1_on_windows,
    "dense.iku1": iku1,
}
"""Who wrote each gold file."""


class HeaderlessEngine:
    """An engine of the first generation: it counts, and writes data records alone, over whatever was there."""

    roles = frozenset({"save", "bounds"})

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        self.size = (n_layers, n_experts)
        self.counters: dict[tuple[int, int], int] = {}

    def drop(self, layer: int) -> None:
        pass

    def add(self, layer: int, expert: int, count: int) -> None:
        self.counters[layer, expert] = self.counters.get((layer, expert), 0) + count

    def counts(self) -> list[tuple[int, int, int]]:
        return [(layer, expert, count) for (layer, expert), count in self.counters.items()]

    def save(self, path: str) -> None:
        Path(path).write_bytes(headerless_text(self.counters, *self.size))


class WideCountsEngine(HeaderlessEngine):
    """Marks every count with the bit above the 32 a count has: a 64-bit long wraps it away, a shorter one saturates."""

    def save(self, path: str) -> None:
        marked = {place: count + 2**32 for place, count in self.counters.items()}
        Path(path).write_bytes(headerless_text(marked, *self.size))

"""Readers already shipped, as engines of the matrix: the old loop's model, guarded by layer, expert and row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from coli_reference import old_reader
from coli_reference.counters import Counters


class OldReader:
    """Loads a history as `while(fscanf(f,"%d %d %u",...)==3)` does. It refuses nothing and knows no header (W15)."""

    roles: ClassVar[frozenset[str]] = frozenset({"load", "bounds"})
    platform: ClassVar[str]
    """The C library it was built with: one of `old_reader.PLATFORMS`."""

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        """Begin with every counter zero; it has no use for an identity."""
        del name
        self._counters = Counters(n_layers, n_experts)

    def drop(self, layer: int) -> None:
        """Free the row of a layer that does not route."""
        self._counters.drop(layer)

    def load(self, path: str) -> int:
        """Credit what the loop parses and the guard admits; return the sum. A missing file is an empty one."""
        file = Path(path)
        total = 0
        for layer, expert, count in old_reader.records(file.read_bytes() if file.exists() else b"", self.platform):
            if self._counters.admits(layer, expert):
                self._counters.add(layer, expert, count)
                total += count
        return total

    def counts(self) -> Iterable[tuple[int, int, int]]:
        """Return (layer, expert, count) of every counter above zero."""
        return self._counters.nonzero()


class OldReaderGlibc64(OldReader):
    """The loop under glibc with a 64-bit long."""

    platform = "glibc64"


class OldReaderMusl(OldReader):
    """The loop under musl."""

    platform = "musl"


class OldReaderIlp32(OldReader):
    """The loop under glibc with a 32-bit long."""

    platform = "ilp32"


class OldReaderWindows(OldReader):
    """The loop on Windows."""

    platform = "windows"


OLD_READERS: dict[str, type[OldReader]] = {
    reader.platform: reader for reader in (OldReaderGlibc64, OldReaderMusl, OldReaderIlp32, OldReaderWindows)
}
"""The reader of each platform that the model knows."""

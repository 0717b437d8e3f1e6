"""A small engine's routing telemetry: its counters, writing them as a text history, and the trace."""

import contextlib
import math
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar, TextIO

FORMAT_VERSION = 1
LARGEST_COUNT = 2**32 - 1


def id_of(name: str) -> int:
    """Return the id under which an engine of this name writes: FNV-1a, first the byte, then the prime (W07)."""
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


class Engine:
    """One session: an identity, dimensions, and counters for rows 0..n_layers (the last one is the MTP head's)."""

    override_told: ClassVar[bool] = False
    """Whether this process has said that a typed path overrode an identity (R19)."""

    def __init__(self, name: str, n_layers: int, n_experts: int) -> None:
        self.name = name
        self.n_layers = n_layers
        self.n_experts = n_experts
        self.refused: set[str] = set()
        self._counters: dict[tuple[int, int], int] = {}
        self._dropped: set[int] = set()
        self._call = 0
        self._trace = open_trace(os.environ.get("ROUTE_TRACE", ""))

    def close(self) -> None:
        """End the session."""
        if self._trace is not None:
            self._trace.close()
            self._trace = None

    def drop(self, layer: int) -> None:
        """Drop the row of a layer that does not route: nothing is credited to it any more."""
        self._dropped.add(layer)
        self._counters = {place: count for place, count in self._counters.items() if place[0] != layer}

    def credit(self, layer: int, expert: int, count: int) -> bool:
        """Add to one counter, which stays at its largest value (W19, R22); return whether there is one."""
        if layer in self._dropped or not (0 <= layer <= self.n_layers and 0 <= expert < self.n_experts):
            return False
        place = layer, expert
        self._counters[place] = min(self._counters.get(place, 0) + count, LARGEST_COUNT)
        return True

    def counts(self) -> Iterator[tuple[int, int, int]]:
        """Yield layer, expert and count of every counter above zero, ascending."""
        for (layer, expert), count in sorted(self._counters.items()):
            if count:
                yield layer, expert, count

    def route(self, layer: int, row: int, choices: Iterable[tuple[int, float]]) -> None:
        """Count and trace one decision: experts in selection order with the gates applied.

        An unsound choice reaches neither counter nor trace (T12).
        """
        traced = [
            f"{expert}:{gate:.4f}" for expert, gate in choices if math.isfinite(gate) and self.credit(layer, expert, 1)
        ]
        if self._trace is None or not traced:
            return
        try:
            print(self._call, row, layer, *traced, file=self._trace, flush=True)
        except OSError as error:
            say("TRACE", f"cannot be written ({error.strerror}), it ends here")
            with contextlib.suppress(OSError):
                self._trace.close()
            self._trace = None

    def end_call(self) -> None:
        """End a moe call: the number goes up once per call, not per row, also without a row (T03)."""
        self._call += 1

    def save(self, path: str) -> None:
        """Write the history. After an OSError an older history at `path` is as it was."""
        if os.path.realpath(path) in self.refused and os.path.lexists(path):
            # It is somebody's history, and this engine could not read it (W21).
            raise FileExistsError(f"{path}: this engine refused to read what is there; move it away")
        # A name of its own, or two engines mix (W24). The file is whole before it takes the old one's place (W16, W17).
        beside = Path(f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
        try:
            with beside.open("x", encoding="ascii", newline="\n") as file:
                file.writelines(self._lines())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)  # W20
            raise

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the history; none where no counter is above zero, so that PIN=auto falls back (W08)."""
        for number, (layer, expert, count) in enumerate(self.counts()):
            if number == 0:
                yield f"-1 {self.n_layers} {self.n_experts}\n"
                yield f"-2 {FORMAT_VERSION} {id_of(self.name)}\n"  # version second, id third (W06)
            yield f"{layer} {expert} {count}\n"


def open_trace(path: str) -> TextIO | None:
    """Open the trace anew: unset or empty, none (T08); it cannot be opened, the run goes on without one (T11)."""
    if not path:
        return None
    try:
        return Path(path).open("w", encoding="ascii", newline="\n")  # it stays open for as long as the engine runs
    except OSError as error:
        say("TRACE", f"{path}: cannot be opened ({error.strerror}), going on without a trace")
        return None


def applied(gate: float) -> float:
    """Return the 32-bit float nearest to `gate`, which is what an engine applies."""
    try:
        (nearest,) = struct.unpack("<f", struct.pack("<f", gate))
    except OverflowError:
        return math.inf
    return float(nearest)


def say(topic: str, sentence: str) -> None:
    """Tell the user something on standard error."""
    print(f"[{topic}] {sentence}", file=sys.stderr, flush=True)

"""Writers of the trace that keep numbers or lines where they do not fit, or lose it on the way (T02-T07, T12)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import math
from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace

Choices = Sequence[tuple[int, float]]


class TraceStopsAt65536Bytes(Fault):
    """Writes the trace into a buffer of 64 KiB, and no further."""

    breaks = ("T02",)
    written = 0

    def write_trace(self, line: bytes) -> None:
        self.written += len(line)
        if self.written <= 2**16:
            super().write_trace(line)


class TraceClosedByALaterSave(Fault):
    """Closes all its files at a save once it has read two histories."""

    breaks = ("T02",)
    reads = 0

    def read(self, path: str, *, trusted: bool) -> int | None:
        self.reads += 1
        return super().read(path, trusted=trusted)

    def save(self, path: str) -> None:
        super().save(path)
        if self.reads >= 2:
            self.close()


class RefusedLoadEndsACall(Fault):
    """Takes a refused load for the end of a moe call."""

    breaks = ("T03",)

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = super().read(path, trusted=trusted)
        self.call += total is None
        return total


class FailedSaveEndsACall(Fault):
    """Takes a failed save for the end of a moe call."""

    breaks = ("T03",)

    def save(self, path: str) -> None:
        try:
            super().save(path)
        except OSError:
            self.call += 1
            raise


class RowsIn10Bits(Fault):
    """Keeps the row in ten bits of a packed word."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row % 2**10, choices)


class RowsIn16Bits(Fault):
    """Keeps the row in 16 bits."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row % 2**16, choices)


class LayersIn8BitsTraced(Fault):
    """Keeps the layer of a line in a byte."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer % 2**8, row, choices)


class ExpertsIn10BitsTraced(Fault):
    """Keeps the experts of a line in ten bits each."""

    breaks = ("T05",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row, [(expert % 2**10, gate) for expert, gate in choices])


class SixteenChoicesAtMost(Fault):
    """Has room for sixteen choices of a row."""

    breaks = ("T05",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices[:16])


class TraceLineCutAt512Bytes(Fault):
    """Prints a line into a buffer of 512 bytes, and leaves out the choices that do not fit."""

    breaks = ("T05",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        line = super().trace_line(layer, row, choices)
        return line if len(line) <= 512 else self.trace_line(layer, row, choices[:-1])


class NegativeGatesCutOff(Fault):
    """Cuts negative gates off behind the fourth decimal, as a cast to an integer does."""

    breaks = ("T06",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        cut = [(expert, math.ceil(gate * 10_000) / 10_000 if gate < 0 else gate) for expert, gate in choices]
        return super().trace_line(layer, row, cut)


class TypedPathReadTwiceWhenTracing(Fault):
    """Reads a typed path once to look and once to count, and counts both times when tracing."""

    breaks = ("T07",)

    def trust(self, path: str) -> int | None:
        total = super().trust(path)
        if total and self.trace is not None:
            super().trust(path)
        return total


class GateCheckedBeforeItIsCast(Fault):
    """Asks whether a gate is finite before it becomes a 32-bit float."""

    breaks = ("T12",)

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        return self.admits(layer, expert) and math.isfinite(gate)


class MtpRowUnchecked(Fault):
    """Looks at the choices of layers, and takes those of the MTP head as they come."""

    breaks = ("T12",)

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        return layer == self.n_layers or super().is_sound(layer, expert, gate)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        printed = " ".join(f"{expert}:{trace.nearest_float32(gate):.4f}" for expert, gate in choices)
        return f"{self.call} {row} {layer} {printed}\n".encode()

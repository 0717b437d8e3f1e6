"""Writers of the trace with too little room for large rows, many choices, large gates or ids from outside (T01,
T03-T06, T12)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace

Choices = Sequence[tuple[int, float]]


class CallNumbersIn10Bits(Fault):
    """Keeps the call number in ten bits of a packed word."""

    breaks = ("T03",)

    def endcall(self) -> None:
        self.call = (self.call + 1) % 2**10


class RowsIn20Bits(Fault):
    """Keeps the row in 20 bits of a packed word."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row % 2**20, choices)


class TraceLineCutAt4096Bytes(Fault):
    """Prints a line into a buffer of 4,096 bytes, and leaves out the choices that do not fit."""

    breaks = ("T05",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        line = super().trace_line(layer, row, choices)
        return line if len(line) <= 2**12 else self.trace_line(layer, row, choices[:-1])


class ChoicesBeyond256Lost(Fault):
    """Has room for 256 choices of a row."""

    breaks = ("T05",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices[:256])


class _OwnGateText(Fault):
    """Prints gates in a way of its own."""

    def gate_text(self, gate: float) -> str:
        return f"{gate:.4f}"

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        printed = " ".join(f"{expert}:{self.gate_text(trace.nearest_float32(gate))}" for expert, gate in choices)
        return f"{self.call} {row} {layer} {printed}\n".encode()


class GatesInFixedPoint(_OwnGateText):
    """Keeps gates as ten-thousandths in an int32, and those beyond it as its ends."""

    breaks = ("T06",)

    def gate_text(self, gate: float) -> str:
        return super().gate_text(max(-(2**31), min(2**31 - 1, round(gate * 10_000))) / 10_000)


class GatesInHalfPrecision(_OwnGateText):
    """Cuts gates off at 65,504, the largest number of half precision."""

    breaks = ("T06",)

    def gate_text(self, gate: float) -> str:
        return super().gate_text(max(-65504.0, min(65504.0, gate)))


class ThousandsSeparated(_OwnGateText):
    """Puts a comma between thousands."""

    breaks = ("T01",)

    def gate_text(self, gate: float) -> str:
        return f"{gate:,.4f}"


class MillionsWithAnExponent(_OwnGateText):
    """Prints gates from a million on with an exponent."""

    breaks = ("T01",)

    def gate_text(self, gate: float) -> str:
        return super().gate_text(gate) if abs(gate) < 1e6 else f"{gate:.4e}"


class GateCutAt15Characters(_OwnGateText):
    """Prints a gate into a buffer of 16 bytes."""

    breaks = ("T06",)

    def gate_text(self, gate: float) -> str:
        return super().gate_text(gate)[:15]


class ExpertsCutTo16Bits(Fault):
    """Keeps the expert in a uint16 before it asks whether the model has it."""

    breaks = ("T12",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        cut = [(expert if expert < 0 else expert % 2**16, gate) for expert, gate in choices]
        super().route(layer, row, cut)


class LayersCutToAByte(Fault):
    """Keeps the layer of a decision in a byte where the model has no more layers than that."""

    breaks = ("T12",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer % 2**8 if self.n_layers < 2**8 and layer >= 0 else layer, row, choices)


class LayersCountedFromTheEnd(Fault):
    """Takes a negative layer for one counted from the end, as an index of Python is."""

    breaks = ("T12",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer + self.n_layers + 1 if layer < 0 else layer, row, choices)

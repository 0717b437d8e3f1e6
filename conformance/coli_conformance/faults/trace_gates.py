"""Writers of the trace whose gates are wrong: values, decimals, what is not sound (T06, T09, T10, T12)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

import locale
import math
from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace

Choices = Sequence[tuple[int, float]]


class GatesNormalised(Fault):
    """Scales the gates of a line to sum to 1, whatever the layer applies."""

    breaks = ("T06",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        total = sum(gate for _, gate in choices) or 1.0
        return super().trace_line(layer, row, [(expert, gate / total) for expert, gate in choices])


class GatesCutOff(Fault):
    """Cuts gates off after four decimals instead of rounding them."""

    breaks = ("T06",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row, [(expert, math.trunc(gate * 1e4) / 1e4) for expert, gate in choices])


class _OwnGateFormat(Fault):
    """Prints gates by a printf format of its own."""

    gate_format = "%.4f"

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        gates = [(expert, self.gate_format % trace.nearest_float32(gate)) for expert, gate in choices]
        pairs = " ".join(f"{expert}:{gate}" for expert, gate in gates)
        return f"{self.call} {row} {layer} {pairs}\n".encode()


class TwoDecimals(_OwnGateFormat):
    """Prints gates with two decimals."""

    breaks = ("T06", "T10")
    gate_format = "%.2f"


class GatesPrintedGeneral(_OwnGateFormat):
    """Prints gates with %g: six digits, an exponent for small ones, no decimals for whole ones."""

    breaks = ("T06", "T01", "T10")
    gate_format = "%g"


class SixDecimals(_OwnGateFormat):
    """Prints gates with six decimals."""

    breaks = ("T10",)
    gate_format = "%.6f"


class CommaDecimalPoint(Fault):
    """Prints gates with the decimal point of the process's locale."""

    breaks = ("T09",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        before = locale.setlocale(locale.LC_NUMERIC)
        try:
            locale.setlocale(locale.LC_NUMERIC, "")
            point = str(locale.localeconv()["decimal_point"])
        except locale.Error:
            point = "."
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
        return super().trace_line(layer, row, choices).replace(b".", point.encode())


class NanTraced(Fault):
    """Traces a gate that is not finite, and counts its expert."""

    breaks = ("T12",)

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        return self.admits(layer, expert)


class ExpertOutOfRangeTraced(Fault):
    """Traces an expert id that is out of range; only the counters have bounds."""

    breaks = ("T12",)

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        return trace.is_finite(gate)

"""Writers of the trace that other commands, dropped rows or the path itself put off (T02, T03, T11, T12)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace

Choices = Sequence[tuple[int, float]]


class TraceClosedByATypedRead(Fault):
    """Closes the trace before it reads a typed path."""

    breaks = ("T02",)

    def trust(self, path: str) -> int | None:
        self.close()
        return super().trust(path)


class TraceClosedByIku1(Fault):
    """Closes all its files once it has written IKU1."""

    breaks = ("T02",)

    def dense(self, path: str) -> None:
        super().dense(path)
        self.close()


class TraceSwitchedOffByAWord(Fault):
    """Takes ROUTE_TRACE for a switch as well, and does not trace to `0`, `no`, `off` or `false`."""

    breaks = ("T02",)

    def open_trace(self, path: str) -> None:
        if path not in {"0", "no", "off", "false"}:
            super().open_trace(path)


class TracePathCutAt63Bytes(Fault):
    """Keeps the path of the trace in a buffer of 64 bytes."""

    breaks = ("T02",)

    def open_trace(self, path: str) -> None:
        super().open_trace(path[:63])


class TypedReadEndsACall(Fault):
    """Takes a read of a typed path for the end of a moe call."""

    breaks = ("T03",)

    def trust(self, path: str) -> int | None:
        self.call += 1
        return super().trust(path)


class AddingEndsACall(Fault):
    """Takes what is added to a counter directly for a call of its own."""

    breaks = ("T03",)

    def add(self, layer: int, expert: int, count: int) -> None:
        super().add(layer, expert, count)
        self.call += 1


class CallOfADroppedRowNotEnded(Fault):
    """Does not count a call in which nothing but a dropped row was routed."""

    breaks = ("T12",)
    routed = admitted = False

    def route(self, layer: int, row: int, choices: Choices) -> None:
        self.routed = True
        self.admitted = self.admitted or self.admits(layer, 0)
        super().route(layer, row, choices)

    def endcall(self) -> None:
        if self.admitted or not self.routed:
            super().endcall()
        self.routed = self.admitted = False


class FirstChoiceCountedWithoutTrace(Fault):
    """Counts the first choice of a decision alone where the trace could not be opened."""

    breaks = ("T11",)
    failed = False

    def open_trace(self, path: str) -> None:
        super().open_trace(path)
        self.failed = self.trace is None

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices[:1] if self.failed else choices)


class DroppedRowTraced(Fault):
    """Traces the decisions of a dropped row, which it does not count."""

    breaks = ("T12",)

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        return trace.is_finite(gate) and 0 <= layer <= self.n_layers and 0 <= expert < self.n_experts


class EmptyLineForADroppedRow(Fault):
    """Writes the head of a line for each decision, and finds nothing to put behind it."""

    breaks = ("T12",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices)
        if 0 <= layer <= self.n_layers and not self.admits(layer, 0):
            self.write_trace(f"{self.call} {row} {layer}\n".encode())

"""Writers of the trace whose lines are wrong: their form, calls, rows, layers, experts (T01-T05)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

from collections.abc import Sequence

from coli_conformance.faults.faulty_engine import Fault

Choices = Sequence[tuple[int, float]]


class TraceHasHeaderLine(Fault):
    """Begins the trace with a line that names the columns."""

    breaks = ("T01",)

    def open_trace(self, path: str) -> None:
        super().open_trace(path)
        self.write_trace(b"call row layer expert:gate\n")


class TraceLinesEndInCrlf(Fault):
    """Opens the trace in text mode on Windows: lines end in CR LF."""

    breaks = ("T01",)

    def write_trace(self, line: bytes) -> None:
        super().write_trace(line.replace(b"\n", b"\r\n"))


class TraceHasTrailingBlanks(Fault):
    """Ends every pair with a blank, the last one too."""

    breaks = ("T01",)

    def write_trace(self, line: bytes) -> None:
        super().write_trace(line.replace(b"\n", b" \n"))


class OneLinePerCall(Fault):
    """Traces the first row of each moe call and none of the others."""

    breaks = ("T02",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.traced_call = -1

    def write_trace(self, line: bytes) -> None:
        if self.traced_call != self.call:
            super().write_trace(line)
        self.traced_call = self.call


class LastRowFirst(Fault):
    """Collects the lines of a moe call and writes them from the last to the first."""

    breaks = ("T02",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.lines: list[bytes] = []

    def write_trace(self, line: bytes) -> None:
        self.lines.insert(0, line)

    def endcall(self) -> None:
        super().endcall()
        super().write_trace(b"".join(self.lines))
        self.lines.clear()


class CallPerRow(Fault):
    """Advances the call number at every row instead of at the end of the moe call."""

    breaks = ("T03",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices)
        super().endcall()

    def endcall(self) -> None:
        """Do nothing."""


class EmptyCallNotCounted(Fault):
    """Advances the call number only where the moe call had a row."""

    breaks = ("T03",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.has_row = False

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices)
        self.has_row = True

    def endcall(self) -> None:
        if self.has_row:
            super().endcall()
        self.has_row = False


class CallStartsAtOne(Fault):
    """Numbers calls from 1."""

    breaks = ("T03",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.call = 1


class RowAndLayerSwapped(Fault):
    """Writes the layer before the row."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(row, layer, choices)


class RowsNumberedThroughout(Fault):
    """Numbers rows from the start of the run instead of the start of the batch."""

    breaks = ("T04",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.rows = 0

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        self.rows += 1
        return super().trace_line(layer, self.rows - 1, choices)


class LayersNumberedAmongRouting(Fault):
    """Numbers layers among those that route, leaving out the dropped ones."""

    breaks = ("T04",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        routing = sum(self.admits(below, 0) for below in range(layer))
        return super().trace_line(routing, row, choices)


class IdsSorted(Fault):
    """Writes the experts of a line in ascending order instead of as selected."""

    breaks = ("T05",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row, sorted(choices))


class LastExpertNotTraced(Fault):
    """Loops to one expert short of the last of a line."""

    breaks = ("T05",)

    def trace_line(self, layer: int, row: int, choices: Choices) -> bytes:
        return super().trace_line(layer, row, choices[:-1] or choices)

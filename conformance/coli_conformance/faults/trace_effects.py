"""Engines in which tracing does more than trace, or less: counters, files, the run itself (T07, T08, T10, T11)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import os
from collections.abc import Sequence
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import trace

Choices = Sequence[tuple[int, float]]


class CountedTwiceWhenTracing(Fault):
    """Counts a decision once in the router and once more in the trace."""

    breaks = ("T07",)

    def route(self, layer: int, row: int, choices: Choices) -> None:
        super().route(layer, row, choices)
        if self.trace is not None:
            for expert, _ in choices:
                self.credit(layer, expert, 1)


class TracedButNotCounted(Fault):
    """Takes another path when tracing, which forgets to count."""

    breaks = ("T07", "T05")

    def credit(self, layer: int, expert: int, count: int) -> bool:
        return super().credit(layer, expert, count) if self.trace is None else True


class TraceOpenedForEmptyPath(Fault):
    """Takes an empty ROUTE_TRACE for tracing to a file of its own choice."""

    breaks = ("T08",)

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        super().init(name, n_layers, n_experts)
        if os.environ.get("ROUTE_TRACE") == "":
            self.open_trace("trace.txt")


class TraceAlwaysOpened(Fault):
    """Traces to a file of its own choice when ROUTE_TRACE is not set."""

    breaks = ("T08",)

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        super().init(name, n_layers, n_experts)
        if "ROUTE_TRACE" not in os.environ:
            self.open_trace("trace.txt")


class TraceAppended(Fault):
    """Goes on at the end of the last run's trace."""

    breaks = ("T10",)

    def open_trace(self, path: str) -> None:
        before = Path(path).read_bytes() if Path(path).is_file() else b""
        super().open_trace(path)
        self.write_trace(before)


class StopsWithoutTrace(Fault):
    """Ends the run when the trace cannot be opened."""

    breaks = ("T11",)

    def open_trace(self, path: str) -> None:
        self.trace = trace.TraceWriter(path)


class SilentWithoutTrace(Fault):
    """Goes on without a trace and without a word when it cannot be opened."""

    breaks = ("T11",)

    def report(self, sentence: str) -> None:
        """Say nothing."""

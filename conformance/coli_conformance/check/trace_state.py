"""How call, row and layer of a trace go on from line to line, and which ids are in range (T03, T04, T05, T12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coli_conformance.check import codes_trace as codes
from coli_conformance.check.finding import Place
from coli_conformance.check.trace_line import Part, TraceLine, largest_expert
from coli_spec.model import Dimensions

if TYPE_CHECKING:
    from coli_conformance.check.trace_block import TraceBlock


class TraceState:
    """The last line whose call, row and layer are numbers, and the first row of its call."""

    def __init__(self, dimensions: Dimensions | None) -> None:
        self._layers = None if dimensions is None else dimensions.n_layers
        self._experts = largest_expert() if dimensions is None else dimensions.n_experts - 1
        self._last: tuple[int, int, int] | None = None
        self._first_row = 0

    def admit(self, line: TraceLine) -> Iterator[Place]:
        """Yield what is wrong with a line in this place of the trace, and remember it."""
        if line.head is not None:
            yield from self._head(*line.head)
        chosen: set[int] = set()
        for expert in line.experts:
            number = int(expert.text)
            width = len(expert.text)
            if number > self._experts:
                sentence = f"expert {number} is out of range 0..{self._experts}"
                yield Place(codes.TRACE_EXPERT_RANGE, expert.column, width, sentence)
            elif number in chosen:
                sentence = f"expert {number} stands in this decision already"
                yield Place(codes.TRACE_DUPLICATE, expert.column, width, sentence)
            chosen.add(number)

    def _head(self, call_part: Part, row_part: Part, layer_part: Part) -> Iterator[Place]:
        call, row, layer = int(call_part.text), int(row_part.text), int(layer_part.text)
        if layer > (largest_expert() if self._layers is None else self._layers):
            sentence = f"layer {layer} is out of range" + (f" 0..{self._layers}" if self._layers is not None else "")
            yield Place(codes.TRACE_LAYER_RANGE, layer_part.column, len(layer_part.text), sentence)
        last, self._last = self._last, (call, row, layer)
        if last is not None and call < last[0]:
            sentence = f"call {call} stands behind call {last[0]}"
            yield Place(codes.TRACE_CALL_BACK, call_part.column, len(call_part.text), sentence)
        if last is not None and call == last[0]:
            yield from self._same_call(call_part, row_part, (call, row, layer), last)
            return
        self._first_row = row
        if row:
            sentence = f"the first row of call {call} is {row}"
            yield Place(codes.TRACE_ROW_START, row_part.column, len(row_part.text), sentence)

    def _same_call(
        self, call_part: Part, row_part: Part, here: tuple[int, int, int], last: tuple[int, int, int]
    ) -> Iterator[Place]:
        call, row, layer = here
        if layer != last[2]:
            sentence = f"call {call} is in layer {layer} here and in layer {last[2]} one line before"
        elif row in {last[1], self._first_row}:
            sentence = f"row {row} of layer {layer} stands in call {call} a second time"
        else:
            if row < last[1]:
                sentence = f"row {row} stands behind row {last[1]}"
                yield Place(codes.TRACE_ROW_ORDER, row_part.column, len(row_part.text), sentence)
            return
        self._first_row = row
        yield Place(codes.TRACE_CALL_STUCK, call_part.column, len(call_part.text), sentence)

    def admit_block(self, block: TraceBlock) -> bool:
        """Take a whole block where nothing is wrong with it; else return False and remember nothing of it."""
        import numpy as np  # noqa: PLC0415 - small files go without

        if int(block.experts.max()) > self._experts:
            return False
        if int(block.layers.max()) > (largest_expert() if self._layers is None else self._layers):
            return False
        before = self._last if self._last is not None else (-1, 0, 0)
        calls, rows, layers = (
            np.concatenate(([value], column))
            for value, column in zip(before, (block.calls, block.rows, block.layers), strict=True)
        )
        steps = calls[1:] - calls[:-1]
        if (steps < 0).any():
            return False
        same = steps == 0
        if rows[1:][~same].any():
            return False
        if (same & ((layers[1:] != layers[:-1]) | (rows[1:] <= rows[:-1]))).any():
            return False
        self._last = int(calls[-1]), int(rows[-1]), int(layers[-1])
        if not same.all():
            self._first_row = 0
        return True

"""The data records of a history as they are read: counts, bounds, order and repetition (W01, W18, W22, R10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import coli_spec
from coli_conformance.check import codes_records as codes
from coli_conformance.check.finding import Place
from coli_conformance.check.history_header import Fields
from coli_spec.loader import MOST_EXPERTS, MOST_LAYERS
from coli_spec.model import Dimensions

if TYPE_CHECKING:
    from coli_conformance.check.history_block import DataBlock

MOST_CELLS = 16_000_000
"""Up to so many experts in all, repetition is found exactly; what a file declares never takes more memory."""
_KEY = 32


class RecordState:
    """Which experts have a record, and the last record; `seen` has a byte for each expert of each layer."""

    def __init__(self) -> None:
        self.any = False
        self.told_unsorted = False
        self._last = -1
        self._grid: tuple[int, int] = (0, 0)
        self._seen = bytearray()

    def _begin(self, dimensions: Dimensions | None) -> None:
        """Make room for the experts of these dimensions, or of the largest model where they are unknown or absurd."""
        rows, width = MOST_LAYERS + 1, MOST_EXPERTS
        if dimensions is not None and (dimensions.n_layers + 1) * dimensions.n_experts <= MOST_CELLS:
            rows, width = dimensions.n_layers + 1, dimensions.n_experts
        self._grid = rows, width
        self._seen = bytearray(rows * width)
        self.any = True

    def admit(self, fields: Fields, dimensions: Dimensions | None) -> Iterator[Place]:
        """Yield what is wrong with one data record, and remember it."""
        if not self.any:
            self._begin(dimensions)
        layer, expert, count = (field.value for field in fields)
        if count == 0:
            yield fields[2].place(codes.ZERO_COUNT, f"layer {layer}, expert {expert} has the count 0")
        beyond = self._out_of_bounds(fields, dimensions)
        if beyond is not None:
            yield beyond
            return
        key = layer << _KEY | expert
        if key < self._last and not self.told_unsorted:
            self.told_unsorted = True
            before = f"layer {self._last >> _KEY}, expert {self._last & (1 << _KEY) - 1}"
            yield fields[0].place(codes.UNSORTED, f"layer {layer}, expert {expert} stands behind {before}")
        self._last = key
        rows, width = self._grid
        if layer < rows and expert < width:
            cell = layer * width + expert
            if self._seen[cell]:
                sentence = f"layer {layer}, expert {expert} has a record already"
                yield fields[0].place(codes.DUPLICATE_RECORD, sentence)
            self._seen[cell] = 1

    @staticmethod
    def _out_of_bounds(fields: Fields, dimensions: Dimensions | None) -> Place | None:
        layer, expert = fields[0].value, fields[1].value
        if dimensions is not None and layer > dimensions.n_layers:
            sentence = f"layer {layer} is outside 0..{dimensions.n_layers}"
            return fields[0].place(codes.OUT_OF_BOUNDS, sentence)
        if dimensions is not None and not 0 <= expert < dimensions.n_experts:
            sentence = f"expert {expert} is outside 0..{dimensions.n_experts - 1}"
            return fields[1].place(codes.OUT_OF_BOUNDS, sentence)
        if expert < 0:
            return fields[1].place(codes.OUT_OF_BOUNDS, f"expert {expert} is below 0")
        return None

    def admit_block(self, block: DataBlock, dimensions: Dimensions | None) -> bool:
        """Take a whole block where nothing is wrong with its records; else return False and remember nothing of it."""
        import numpy as np  # noqa: PLC0415 - small files go without

        if not self.any:
            self._begin(dimensions)
        most_layer, most_expert = int(block.layers.max()), int(block.experts.max())
        if dimensions is not None and (most_layer > dimensions.n_layers or most_expert >= dimensions.n_experts):
            return False
        types = coli_spec.load().fields
        largest = (most_layer, most_expert, int(block.counts.max()))
        if not all(type_.holds(value) for type_, value in zip(types, largest, strict=True)):
            return False
        keys = block.layers << _KEY | block.experts
        ascending = int(keys[0]) > self._last and bool((keys[1:] > keys[:-1]).all())
        if not ascending and not self.told_unsorted:
            return False
        rows, width = self._grid
        cells = block.layers * width + block.experts
        if most_layer >= rows or most_expert >= width:
            cells = cells[(block.layers < rows) & (block.experts < width)]
        seen = np.frombuffer(self._seen, np.uint8)
        if seen[cells].any() or (not ascending and _repeats(cells)):
            return False
        seen[cells] = 1
        self._last = int(keys[-1])
        return True


def _repeats(cells: object) -> bool:
    import numpy as np  # noqa: PLC0415 - as above

    ordered = np.sort(np.asarray(cells))
    return bool((ordered[1:] == ordered[:-1]).any())

"""What a file holds in sum, gathered while it is checked: counts by layer and expert, records, calls, rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coli_conformance.check.asked import is_possible
from coli_spec.loader import MOST_EXPERTS, MOST_LAYERS
from coli_spec.model import Dimensions

if TYPE_CHECKING:
    from coli_conformance.check.digits import Integers
    from coli_conformance.check.trace_block import TraceBlock
    from coli_conformance.check.trace_line import TraceLine


class Tally:
    """Sums over one file. `counts` has a row for each layer and a column for each expert of the largest model.

    `records` are data records, lines of a trace, or lines of a table; `selections` the sum of their counts, choices,
    or partners. `outside` are selections of experts that no model has, which `counts` goes without.
    """

    def __init__(self) -> None:
        import numpy as np  # noqa: PLC0415 - only who asks for a summary pays for it

        self.counts = np.zeros((MOST_LAYERS + 1, MOST_EXPERTS), np.uint64)
        self.dimensions: Dimensions | None = None
        self.identity: tuple[int, int] | None = None
        self.records = 0
        self.selections = 0
        self.outside = 0
        self.calls = 0
        self.most_rows = 0
        self._last_call: int | None = None
        self._word = 0
        self._rest = b""

    def add(self, layer: int, expert: int, count: int) -> None:
        """Take one data record."""
        self.records += 1
        self._select(layer, expert, count)

    def _select(self, layer: int, expert: int, count: int) -> None:
        self.selections += count
        if layer <= MOST_LAYERS and expert < MOST_EXPERTS:
            self.counts[layer, expert] += count
        else:
            self.outside += count

    def add_counts(self, layers: Integers, experts: Integers, counts: Integers) -> None:
        """Take many data records."""
        self.records += len(layers)
        self._select_all(layers, experts, counts)

    def _select_all(self, layers: Integers, experts: Integers, counts: Integers) -> None:
        import numpy as np  # noqa: PLC0415 - as above

        selected = int(counts.sum())
        self.selections += selected
        inside = (layers <= MOST_LAYERS) & (experts < MOST_EXPERTS)
        if not inside.all():
            layers, experts, counts = layers[inside], experts[inside], counts[inside]
            self.outside += selected - int(counts.sum())
        np.add.at(self.counts, (layers, experts), counts.astype(np.uint64))

    def add_decision(self, line: TraceLine) -> None:
        """Take one line of a trace, as far as it can be read."""
        self.records += 1
        if line.head is None:
            return
        call, row, layer = (int(part.text) for part in line.head)
        self.calls += call != self._last_call
        self._last_call = call
        self.most_rows = max(self.most_rows, row + 1)
        for expert in line.experts:
            self._select(layer, int(expert.text), 1)

    def add_decisions(self, block: TraceBlock) -> None:
        """Take a block of a trace."""
        import numpy as np  # noqa: PLC0415 - as above

        self.records += block.lines
        calls = block.calls
        self.calls += int(np.count_nonzero(calls[1:] != calls[:-1])) + (int(calls[0]) != self._last_call)
        self._last_call = int(calls[-1])
        self.most_rows = max(self.most_rows, int(block.rows.max()) + 1)
        self._select_all(np.repeat(block.layers, block.widths), block.experts, np.ones_like(block.experts))

    def add_block(self, start: bytes, counts: bytes) -> None:
        """Take the next bytes behind the header of an IKU1 file that begins with `start`."""
        import numpy as np  # noqa: PLC0415 - as above

        from coli_spec.iku1 import HEADER_BYTES, WORD_BYTES, parse_header  # noqa: PLC0415 - brings in construct

        if len(start) < HEADER_BYTES:
            return
        header = parse_header(start)
        self.dimensions = Dimensions(header.n_layers, header.n_experts)
        if not is_possible(header.n_layers, header.n_experts):
            return
        data = self._rest + counts
        whole = len(data) - len(data) % WORD_BYTES
        self._rest = data[whole:]
        words = np.frombuffer(data[:whole], "<u4")[: header.n_layers * header.n_experts - self._word].astype(np.int64)
        places = np.arange(self._word, self._word + len(words))
        self._word += len(words)
        chosen = words > 0
        places, words = places[chosen], words[chosen]
        self.add_counts(places // header.n_experts, places % header.n_experts, words)

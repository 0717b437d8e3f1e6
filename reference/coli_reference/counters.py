"""The counters of one engine: how often each expert of each layer was chosen (R10, R11, R22, W19)."""

import functools
from collections.abc import Iterator


@functools.cache
def largest_count() -> int:
    """Return the largest count a data record holds, at which counters stay."""
    import coli_spec  # noqa: PLC0415 - reading the declaration is not part of starting an engine

    return coli_spec.load().data.fields[2].type.maximum


class Counters:
    """Counters for rows 0..n_layers inclusive and experts 0..n_experts-1, all zero at first.

    Row n_layers is the MTP head's. Only counters above zero take memory.
    """

    def __init__(self, n_layers: int, n_experts: int) -> None:
        self.n_layers = n_layers
        self.n_experts = n_experts
        self._dropped: set[int] = set()
        self._counts: dict[tuple[int, int], int] = {}

    def drop(self, layer: int) -> None:
        """Drop the row of a layer that does not route: its counts go, and none can be added (R11)."""
        self._dropped.add(layer)
        self._counts = {place: count for place, count in self._counts.items() if place[0] != layer}

    def admits(self, layer: int, expert: int) -> bool:
        """Tell whether there is a counter here: within bounds, and the row not dropped (R10, R11)."""
        return 0 <= layer <= self.n_layers and 0 <= expert < self.n_experts and layer not in self._dropped

    def add(self, layer: int, expert: int, count: int) -> None:
        """Add `count` (0 or more) to an admitted counter, which stays at the largest count (W19, R22)."""
        if count:
            place = (layer, expert)
            self._counts[place] = min(self._counts.get(place, 0) + count, largest_count())

    def nonzero(self) -> Iterator[tuple[int, int, int]]:
        """Yield (layer, expert, count) of every counter above zero, in ascending order (W18, W22)."""
        for layer, expert in sorted(self._counts):
            yield layer, expert, self._counts[layer, expert]

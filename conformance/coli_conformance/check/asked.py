"""The engine and the dimensions that a file is checked for."""

from __future__ import annotations

from dataclasses import dataclass

from coli_spec.model import Dimensions


@dataclass(frozen=True, slots=True)
class Asked:
    """The engine's name, and its possible dimensions; None and empty where nothing was asked."""

    engine: str | None = None
    sizes: tuple[Dimensions, ...] = ()

    @property
    def only_size(self) -> Dimensions | None:
        """The dimensions, where just one pair is possible."""
        return self.sizes[0] if len(self.sizes) == 1 else None

    @property
    def sizes_text(self) -> str:
        """The possible dimensions as people write them."""
        return " or ".join(size.text for size in self.sizes)


def is_possible(n_layers: int, n_experts: int) -> bool:
    """Tell whether a session may have these dimensions; far larger ones are a damaged file's."""
    from coli_spec.loader import MOST_EXPERTS, MOST_LAYERS  # noqa: PLC0415 - beside the use of these two alone

    return 0 < n_layers <= MOST_LAYERS and 0 < n_experts <= MOST_EXPERTS

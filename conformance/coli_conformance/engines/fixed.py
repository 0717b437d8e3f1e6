"""What an engine was built for: one identity, one set of dimensions, or any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coli_conformance.corpus.target import Target


@dataclass(frozen=True, slots=True)
class Fixed:
    """The name and the dimensions (n_layers, n_experts) that are built into an engine; None where it takes any."""

    name: str | None = None
    dimensions: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        """Tell whether anything is built in."""
        return self.name is not None or self.dimensions is not None

    @property
    def text(self) -> str:
        """What is built in, in words: `glm_moe_dsa with 78 x 256 counters`."""
        size = f"{self.dimensions[0]} x {self.dimensions[1]} counters" if self.dimensions is not None else ""
        return " with ".join(filter(None, (self.name, size)))

    @property
    def target(self) -> Target:
        """Whom a corpus is made for that the engine can play; the default target's values stand where it takes any."""
        from coli_conformance.corpus.target import Target  # noqa: PLC0415 - every driver process imports this module

        target = Target()
        n_layers, n_experts = self.dimensions or (target.n_layers, target.n_experts)
        return Target(self.name or target.name, n_layers, n_experts)

    def takes(self, init: str) -> bool:
        """Tell whether the engine can play a session that starts with the command `init`."""
        _, name, n_layers, n_experts = init.split(" ")
        return self.name in {None, name} and self.dimensions in {None, (int(n_layers), int(n_experts))}


ANYTHING = Fixed()
"""Nothing is built in: the engine is whoever a session says."""

"""A Python engine built for one identity and one set of dimensions, as most real drivers are."""

from __future__ import annotations

from coli_reference.engine import ReferenceEngine


class OlmoeAlone(ReferenceEngine):
    """Takes no session but that of olmoe with 16 x 64 counters."""

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        """Begin, or say that it cannot be this engine."""
        if (name, n_layers, n_experts) != ("olmoe", 16, 64):
            raise NotImplementedError
        super().init(name, n_layers, n_experts)

"""Whom a corpus is made for: an identity and its dimensions."""

from __future__ import annotations

from dataclasses import dataclass

from coli_reference.identity import engine_id


@dataclass(frozen=True, slots=True)
class Target:
    """The engine that the sessions of a case initialise: its name, and rows 0..n_layers of n_experts counters."""

    name: str = "glm_moe_dsa"
    n_layers: int = 5
    n_experts: int = 8

    @property
    def engine_id(self) -> int:
        """The number that stands in the third field of its identity record (W07)."""
        return engine_id(self.name)

    @property
    def init(self) -> str:
        """The protocol command that starts a session of it."""
        return f"init {self.name} {self.n_layers} {self.n_experts}"

    @property
    def stranger(self) -> Target:
        """A registered engine of another name, whose histories this one refuses (R05)."""
        kimi = Target("kimi_k3", 93, 896)
        return kimi if self.name != kimi.name else Target("glm_moe_dsa", 78, 256)


NAMES_AT_BOUNDARIES = (
    *("akhnp9x", "aeto96"),
    *("d3ir4j_", "a1zo9rv", "hp4gi_", "aidnpf8"),
    *("aecrekt", "aqmd2_t"),
    "bc1i2hy",
)
"""Names whose ids are 0 and 1, the four around the largest int32, the two largest uint32, and the magic of IKU1."""

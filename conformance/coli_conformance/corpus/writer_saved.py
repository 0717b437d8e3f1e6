"""What most cases of area W begin with: a session that counts something and saves it.

Cases that need a second row take row 1. It is a layer's own in every model of two layers or more, so a writer without
the MTP row fails the cases of W10 and few others.
"""

from __future__ import annotations

from coli_conformance.case import Record
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

HISTORY = ".coli_usage"
"""The path that sessions save to where the path is not what the case is about."""


def saved(target: Target, *counts: Record, canonical: bool = False) -> Session:
    """Return a session of `target` that adds `counts` in this order and saves once; `canonical` asks for W18 too."""
    session = Session(target)
    session.add(*counts)
    session.save(HISTORY, canonical=canonical)
    return session


def loaded(target: Target, content: bytes | str, *meant: Record) -> Session:
    """Return a session of `target` that has loaded the history of that content, which means `meant`."""
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, meant)
    return session


def grid(target: Target) -> tuple[Record, ...]:
    """Return a count for every counter, MTP row included, no two alike, ascending.

    Of a model larger than 5 x 8 it takes six rows and eight experts, spread from the first to the last.
    """
    return tuple(
        (layer, expert, 1 + layer * target.n_experts + expert)
        for layer in _spread(target.n_layers + 1, 6)
        for expert in _spread(target.n_experts, 8)
    )


def _spread(size: int, most: int) -> list[int]:
    """Return at most `most` (2 or more) of the numbers 0..size-1, evenly spread, both ends among them."""
    return sorted({step * (size - 1) // (most - 1) for step in range(most)})

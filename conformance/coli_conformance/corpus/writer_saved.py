"""What most cases of area W begin with: a session that counts something and saves it."""

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


def full_grid(target: Target) -> tuple[Record, ...]:
    """Return a count for every counter of `target`, the MTP row's included, no two of them alike, ascending."""
    return tuple(
        (layer, expert, 1 + layer * target.n_experts + expert)
        for layer in range(target.n_layers + 1)
        for expert in range(target.n_experts)
    )

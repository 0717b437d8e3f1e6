"""The ids of the cases of interrupted saves, which no vector has: how many they are depends on the engine's calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coli_conformance.interruption.calls import Call

TWO_SAVERS = "W24-two-savers"
WITH_INTERRUPT = "Interrupted saves are no part of the corpus: `run --interrupt` plays them."
_PATTERN = re.compile(r"W16-killed|W17-(?:[a-z]+|each-call)-fails|W24")


def killed_at(call: Call) -> str:
    """Return such as `W16-killed-at-write-3`: the engine is killed before its third write."""
    return f"W16-killed-at-{call.place}"


def fails_at(call: Call) -> str:
    """Return such as `W17-write-fails-3`: the third write fails."""
    return f"W17-{call.word}-fails-{call.ordinal}"


def held_at(call: Call) -> str:
    """Return such as `W24-held-at-write-3`: another engine saves while this one waits before its third write."""
    return f"W24-held-at-{call.place}"


EACH_CALL = ("W16-killed-at-each-call", "W17-each-call-fails", "W24-held-at-each-call")
"""What stands for all the cases of a clause where the calls of a save cannot be interrupted."""


def names_interrupted_save(text: str) -> bool:
    """Tell whether a case id, or a pattern of ids, means cases of interrupted saves and no case of the corpus."""
    return _PATTERN.match(text) is not None


def means_them_alone(globs: Sequence[str], clauses: Sequence[str]) -> bool:
    """Tell whether a choice by ids or by clauses leaves no case of the corpus, but cases of interrupted saves."""
    only_clauses = bool(clauses) and all(names_interrupted_save(clause.upper()) for clause in clauses)
    return only_clauses or (bool(globs) and all(map(names_interrupted_save, globs)))


def of_the_corpus(globs: Sequence[str]) -> tuple[str, ...]:
    """Return those of `globs` that can mean cases of the corpus."""
    return tuple(glob for glob in globs if not names_interrupted_save(glob))

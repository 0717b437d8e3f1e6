"""Which steps of the reference engine a case takes, and so which faults it can show at all.

A faulty engine is the reference engine with a few methods replaced. In a case in which the sound engine never asks for
one of these, the faulty one does the very same, so the case need not be played to know that it passes.
"""

from __future__ import annotations

from typing import Any

from coli_reference.engine import ReferenceEngine

_READ_OFF_THE_CLASS = frozenset({"roles"})
"""Attributes that are read without an instance; a fault that replaces one is played against every case."""

_OF_ANY_CLASS = frozenset(vars(type("", (), {}))) | {"__annotations__", "__qualname__", "breaks"}
"""What every class has of its own, and the declaration of a fault."""


def recorder(reached: set[str]) -> type[ReferenceEngine]:
    """Return a sound engine that puts the name of every attribute it is asked for into `reached`."""

    class Recorder(ReferenceEngine):
        """The reference engine, watched."""

        def __getattribute__(self, name: str) -> Any:
            """Note the name and hand on."""
            reached.add(name)
            return super().__getattribute__(name)

    return Recorder


def replaced(fault: type[ReferenceEngine]) -> frozenset[str] | None:
    """Return the names that `fault` has in place of the reference engine's; None where any case may show them."""
    own = fault.__mro__[: fault.__mro__.index(ReferenceEngine)]
    names = frozenset(name for a_class in own for name in vars(a_class)) - _OF_ANY_CLASS
    if names & _READ_OFF_THE_CLASS or any(name.startswith("__") for name in names):
        return None
    return names

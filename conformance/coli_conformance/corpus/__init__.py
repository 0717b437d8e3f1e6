"""The corpus: every case, generated from the declarations. One module a group of clauses, one function a clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from coli_conformance.corpus.target import Target

if TYPE_CHECKING:
    from coli_conformance.case import Case


def generate(target: Target | None = None) -> tuple[Case, ...]:
    """Return every case, in the order in which the spec declares the first clauses.

    `target` is the engine of the cases that are about no particular one; the default target's are the committed ones.
    Another one may have the very dimensions that some clause tries anyway: the case made for it comes first and stays.
    """
    import coli_spec  # noqa: PLC0415 - whoever plays committed cases generates none

    chosen = Target() if target is None else target
    cases: dict[str, Case] = {}
    twice: set[str] = set()
    for case in (case for clause in _clauses() for case in clause(chosen)):
        if case.id in cases:
            twice.add(case.id)
        else:
            cases[case.id] = case
    assert not twice or chosen != Target(), (
        f"an id names one case for ever, and these name two: {', '.join(sorted(twice))}"
    )
    declared = [clause.id for clause in coli_spec.load().clauses]
    return tuple(sorted(cases.values(), key=lambda case: declared.index(case.clauses[0])))


def areas() -> tuple[str, ...]:
    """Return the letters of the areas that have cases, in the order declared; each has a vector file of its own."""
    import coli_spec  # noqa: PLC0415 - as above

    letters = {clause.__name__[0].upper() for clause in _clauses()}
    return tuple(area.letter for area in coli_spec.load().areas if area.letter in letters)


def _clauses() -> Iterator[Callable[[Target], Iterator[Case]]]:
    """Yield the functions that make cases, from every module here that ends with a CLAUSES."""
    from importlib import import_module  # noqa: PLC0415 - as above
    from pkgutil import iter_modules  # noqa: PLC0415 - as above

    for module in iter_modules(__path__, f"{__name__}."):
        yield from getattr(import_module(module.name), "CLAUSES", ())

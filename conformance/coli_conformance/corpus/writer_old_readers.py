"""Cases for what binaries already shipped recover from a written history (W15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history, skewed_counts
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_conformance.corpus.writer_header import real_targets, registered_targets
from coli_conformance.corpus.writer_saved import HISTORY, saved


def w15_old_readers(target: Target) -> Iterator[Case]:
    """An old reader recovers exactly the records and the total that were meant."""
    yield from _ids(target)
    yield from _counts(target)
    yield from _shapes(target)


def _ids(target: Target) -> Iterator[Case]:
    """Yield every boundary id, and every registered engine at a size of its own, with data behind the header."""
    for name in NAMES_AT_BOUNDARIES:
        named = replace(target, name=name)
        yield saved(named, (0, 0, 3), (1, target.n_experts - 1, 4)).case(
            f"W15-id-{named.engine_id}",
            why=f"An old reader steps over the id {named.engine_id}, on to the data behind it.",
        )
    sized = {real.name: real for real in (*registered_targets(target), *real_targets())}
    for real in sized.values():
        size = f"{real.n_layers}x{real.n_experts}"
        yield saved(real, (1, 0, 5), (real.n_layers - 1, real.n_experts - 1, 6)).case(
            f"W15-{real.name}-{size}",
            why=f"The header of {real.name} is stepped over, and none of it credited as data.",
        )


def _counts(target: Target) -> Iterator[Case]:
    """Yield every boundary of a count, followed by a record that must not be lost, and totals that need 64 bits."""
    last = target.n_experts - 1
    for count in coli_spec.load().fields[2].boundaries():
        if count:
            yield saved(target, (0, 0, 2), (0, last, count), (1, last, 1)).case(
                f"W15-count-{count}",
                why=f"An old reader reads {count} with %u, and the record after it is still there.",
            )
    yield saved(target, (0, 0, 4294967295), (1, last, 4294967295)).case(
        "W15-total-8589934590",
        why="Each count fits 32 bits and their total does not: no count is scaled down to make it fit.",
    )


def _shapes(target: Target) -> Iterator[Case]:
    """Yield histories whose shape, rather than whose numbers, is what an old reader has to get through."""
    limit = Target(target.name, 1000, 4096)
    yield saved(limit, (0, 4095, 3), (1000, 0, 4), (1000, 4095, 5)).case(
        "W15-1000x4096", why="Fields of four digits stay apart from their neighbours."
    )
    unknown = history(target, (0, 0, 4)).inserted(2, (-3, 7, 12))
    session = Session(target)
    session.given(HISTORY, unknown)
    session.load(HISTORY, unknown)
    session.add((1, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W15-after-an-unknown-record", why="Whatever becomes of the unknown record, an old reader credits none of it."
    )
    session = Session(target)
    session.drop(0)
    session.add((1, 0, 7))
    session.save(HISTORY)
    yield session.case(
        "W15-dropped-row",
        roles=["bounds"],
        why="Nothing marks a dropped row in the file: an old reader would credit the mark.",
    )
    yield saved(Target("kimi_k3", 93, 896), *skewed_counts(range(1, 93), 896, 3)).case(
        "W15-93x896-276-records", why="Many records of a wide model, more than one buffer of a reader holds."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (w15_old_readers,)

"""Cases for the header of a history: place (W04), dimensions (W05), version and id (W06, W07), others (W14, W25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, header, history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_conformance.corpus.writer_saved import HISTORY, saved

_LIMITS = ((1, 1), (1, 4096), (1000, 1), (1000, 4096))
"""The smallest and largest dimensions that a session may have."""


def registered_targets(target: Target) -> tuple[Target, ...]:
    """Return every registered engine that keeps a history, at the dimensions of `target`."""
    names = (engine.name for engine in coli_spec.load().engines if engine.history)
    return tuple(replace(target, name=name) for name in names)


def real_targets() -> tuple[Target, ...]:
    """Return every registered engine at each of its known dimensions."""
    return tuple(
        Target(engine.name, dimensions.n_layers, dimensions.n_experts)
        for engine in coli_spec.load().engines
        for dimensions in engine.dimensions
    )


def stranger(target: Target) -> Target:
    """Return another registered engine of the same dimensions."""
    return next(other for other in registered_targets(target) if other.name != target.name)


def _after_load(target: Target, content: History, trusted: bool = False) -> Session:
    """Return a session that loads `content`, counts once more and saves to the same path."""
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content, trusted=trusted)
    session.add((0, 0, 1))
    session.save(HISTORY)
    return session


def w04_header_first_and_once(target: Target) -> Iterator[Case]:
    """A history that is not empty begins with -1, then -2, each exactly once."""
    yield saved(target, (1, target.n_experts - 1, 1)).case(
        "W04-second-row-only", why="The header comes before the first row, whether or not that row has counts."
    )
    session = Session(target)
    session.add((0, 0, 1))
    session.save(HISTORY)
    session.add((1, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W04-second-save", why="A writer that appends has the header a second time, in the middle of the file."
    )
    yield _after_load(target, history(target, (0, 0, 4))).case(
        "W04-after-own-history", why="A loaded header is not echoed beside the engine's own."
    )
    yield _after_load(target, legacy((0, 0, 4))).case(
        "W04-after-legacy",
        why="A file from before the header gets one at the next save, although the loaded file had none.",
    )
    half = History((header(target)[0], (0, 0, 4)))
    session = Session(target)
    session.given(HISTORY, half)
    session.add((0, 0, 2))
    session.save(HISTORY)
    yield session.case(
        "W04-over-half-a-header",
        why="What the replaced file had for a header, here `-1` alone, decides nothing about the new one.",
    )


def w05_dimensions(target: Target) -> Iterator[Case]:
    """The record -1 declares the dimensions the engine was initialised with."""
    known = ((real.n_layers, real.n_experts) for real in real_targets())
    for n_layers, n_experts in dict.fromkeys(((target.n_layers, target.n_experts), *_LIMITS, *known)):
        sized = Target(target.name, n_layers, n_experts)
        yield saved(sized, (n_layers - 1, n_experts - 1, 2)).case(
            f"W05-{n_layers}x{n_experts}",
            why=f"{n_layers} layers and {n_experts} experts are declared in that order, the MTP row not counted.",
        )
    yield saved(target, (0, 0, 9)).case(
        "W05-first-counter-only",
        why="Dimensions taken from the highest layer and expert that count are too small here.",
    )
    session = Session(target)
    session.drop(0)
    session.add((1, 0, 2))
    session.save(HISTORY)
    yield session.case(
        "W05-first-layer-dropped",
        roles=["bounds"],
        why="A layer that does not route is still a layer: n_layers does not shrink.",
    )


def w06_version_then_id(target: Target) -> Iterator[Case]:
    """The record -2 has the version in its second field and the id in its third."""
    yield saved(target, (0, 0, 2), (1, 0, 5)).case(
        f"W06-{target.name}",
        why=f"Version second, id third: with {target.engine_id} in the second field old readers disagree.",
    )
    for name in NAMES_AT_BOUNDARIES:
        named = replace(target, name=name)
        yield saved(named, (0, 0, 2)).case(
            f"W06-id-{named.engine_id}",
            why=f"The name {name} hashes to {named.engine_id}: the third field takes any number of 32 bits.",
        )


def w07_engine_id(target: Target) -> Iterator[Case]:
    """The engine id is FNV-1a, 32 bits, of the engine's name."""
    for named in dict.fromkeys((target, *registered_targets(target))):
        yield saved(named, (0, 0, 3)).case(
            f"W07-{named.name}",
            why=f"The bytes of `{named.name}` hash to {named.engine_id}; any other hash makes the writer a stranger.",
        )
    for real in real_targets():
        yield saved(real, (real.n_layers - 1, real.n_experts - 1, 3)).case(
            f"W07-{real.name}-{real.n_layers}x{real.n_experts}",
            why=f"At its real dimensions {real.name} has the same id: dimensions are no part of the hash.",
        )
    for slug, name, why in (
        (
            "a",
            "a",
            "One byte: one round of xor and multiply, in that order; FNV-1 without the a has them the other way round.",
        ),
        ("0", "0", "The name is the character 0, not the number, and not the empty string."),
        ("63-letters", "z" * 63, "A name of the full 63 characters is hashed to its end."),
        ("glm_moe_dsa2", "glm_moe_dsa2", "A name that begins with a registered one is not that one."),
        ("glm", "glm", "A registered name that begins with this one is not this one."),
    ):
        yield saved(replace(target, name=name), (0, 0, 3)).case(f"W07-name-{slug}", why=why)
    foreign = history(stranger(target), (0, 0, 6))
    yield _after_load(target, foreign, trusted=True).case(
        "W07-after-a-trusted-read",
        roles=["identify"],
        why="Counts of another engine, read because the user said so, are saved under the id of the engine that saves.",
    )


def w14_agreed_records_only(target: Target) -> Iterator[Case]:
    """No header record is written that the registry does not list as agreed."""
    last = target.n_experts - 1
    session = Session(target)
    for row in range(2):
        session.route(0, row, (0, "1.0"))
        session.route(1, row, (last, "1.0"))
        session.endcall()
    session.save(HISTORY)
    yield session.case(
        "W14-two-calls-routed",
        roles=["trace"],
        why="What follows what from call to call has no agreed record, so none is written for it.",
    )
    yield _after_load(target, history(target, (0, 0, 4), (1, last, 2))).case(
        "W14-after-own-history",
        why="Having loaded a history, a writer adds no record of its own about when or from where.",
    )
    unknown = history(target, (0, 0, 4)).inserted(2, (coli_spec.load().free_number(), 7, 12))
    yield _after_load(target, unknown).case(
        "W14-after-an-unknown-record",
        why="The unknown record may come back as it was; changed, or with company, it may not.",
    )


def w25_unknown_record_on_save(target: Target) -> Iterator[Case]:
    """An unknown header record that was loaded is dropped by the next save, or preserved."""
    fields, free = coli_spec.load().fields, coli_spec.load().free_number()
    own = history(target, (0, 0, 5), (1, 0, 2))
    first: Record = (free, 7, 12)
    widest: Record = (fields[0].minimum, fields[1].maximum, fields[2].maximum)
    negative: Record = (free - 1, fields[1].minimum, 0)
    for slug, content, why in (
        (
            "after-the-header",
            own.inserted(2, first),
            "The place where an agreed record of a later build most likely stands.",
        ),
        (
            "before-the-header",
            own.inserted(0, first),
            "A record that stands first may be lost, or kept, but displaces no header.",
        ),
        (
            "between-data",
            own.inserted(3, first),
            "A record in the middle of the data may be treated unlike one in front.",
        ),
        ("widest-fields", own.inserted(2, widest), "Whoever preserves a record preserves every bit of its fields."),
        (
            "negative-second-field",
            own.inserted(2, negative),
            "A second field below 0 and a third of 0 survive, or go with the record.",
        ),
        (
            "two-records",
            own.inserted(2, first, negative),
            "Of two unknown records both are dropped or both are preserved.",
        ),
    ):
        session = _after_load(target, content)
        path, clause, written = HISTORY, "W25", session.written()
        outcomes = [
            replace(
                session.outcome(clause, name=name),
                files=(
                    replace(
                        session.files[-1], path=path, clause=clause, history=replace(written, kept=(), added=added)
                    ),
                ),
            )
            for name, added in (("dropped", ()), ("preserved", written.kept))
        ]
        yield session.case(f"W25-{slug}", why=why, outcomes=outcomes)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w04_header_first_and_once,
    w05_dimensions,
    w06_version_then_id,
    w07_engine_id,
    w14_agreed_records_only,
    w25_unknown_record_on_save,
)

"""Cases for saves after reads of every kind: nothing of a refused or foreign file gets into the header (W05-W08,
W14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.iku1_block import block, inside_block
from coli_conformance.corpus.meaning import History, header, history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY

_FOUND = "found.txt"
_DATA: Record = (0, 0, 1000)


def _after_a_refusal(target: Target, content: History, clause: str) -> Session:
    """Return a session in which a file is refused, which breaks `clause` where it is not, and another is saved."""
    session = Session(target)
    session.given(_FOUND, content)
    session.refused(_FOUND, clause=clause)
    session.add((0, 0, 1))
    session.save(HISTORY)
    return session


def w05_after_refused_dimensions(target: Target) -> Iterator[Case]:
    """W05: the dimensions of a history that was refused are not those of the next save."""
    content = History((*header(target, n_layers=target.n_layers + 1), _DATA))
    yield _after_a_refusal(target, content, "R03").case(
        "W05-after-refused-dimensions",
        roles=["identify"],
        why="What another model declared is looked at and forgotten.",
    )


def w06_after_other_versions(target: Target) -> Iterator[Case]:
    """W06: the version is the writer's own, whatever a file said that it refused or read."""
    later = coli_spec.load().format_version + 1
    yield _after_a_refusal(target, History((*header(target, version=later), _DATA)), "R04").case(
        f"W06-after-refused-version-{later}", roles=["identify"], why="A writer cannot write what it cannot read."
    )
    session = Session(target)
    session.given(_FOUND, History((*header(target, version=0), _DATA)))
    session.load(_FOUND, [_DATA])
    session.save(HISTORY)
    nothing = Session(target)
    nothing.given(_FOUND, History((*header(target, version=0), _DATA)))
    nothing.refused(_FOUND)
    nothing.save(HISTORY)
    yield session.case(
        "W06-after-version-0",
        outcomes=[session.outcome("W06"), nothing.outcome("W06")],
        why="A version below 1 may be read (R24); it is written as the version of the one who writes.",
    )


def w07_after_other_writers(target: Target) -> Iterator[Case]:
    """W07: the id is that of the engine that saves, whose block it read or refused."""
    foreign = History((*header(target, engine=target.stranger.engine_id), _DATA))
    yield _after_a_refusal(target, foreign, "R05").case(
        "W07-after-a-refused-writer", roles=["identify"], why="The id of a refused history is not the next save's."
    )
    counts = inside_block(target, (3, 2, 6))
    session = Session(target)
    session.given("stats.iku1", block(target.n_layers, target.n_experts, counts))
    session.load("stats.iku1", counts, trusted=True, clause="I04")
    session.save(HISTORY)
    yield session.case(
        "W07-after-a-trusted-block",
        roles=["iku1", "identify"],
        why="Counts of inkling's block are saved under the id of the engine that saves.",
    )


def w08_after_unknown_records_alone(target: Target) -> Iterator[Case]:
    """W08: without a count the file has zero bytes, whatever header records were loaded."""
    content = History((*header(target), (coli_spec.load().free_number(), 7, 12)))
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content)
    session.save(HISTORY)
    session.files = [replace(expected, clause="W08") for expected in session.files]
    yield session.case(
        "W08-after-an-unknown-record-alone", why="A preserved record without a count would give the file a size."
    )


def w14_after_a_refused_unknown_record(target: Target) -> Iterator[Case]:
    """W14: an unknown header record of a refused file is not written: it was never loaded."""
    content = history(target, _DATA).inserted(2, (coli_spec.load().free_number(), 7, 12))
    foreign = History((*header(target, engine=target.stranger.engine_id), *content.records[2:]))
    session = _after_a_refusal(target, foreign, "R05")
    yield session.case(
        "W14-after-a-refused-unknown-record",
        roles=["identify"],
        why="What belongs to another engine's history means nothing in this one's.",
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w05_after_refused_dimensions,
    w06_after_other_versions,
    w07_after_other_writers,
    w08_after_unknown_records_alone,
    w14_after_a_refused_unknown_record,
)

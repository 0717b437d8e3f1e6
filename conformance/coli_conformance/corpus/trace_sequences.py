"""Reads and saves around decisions: they end no call and no trace, and tracing changes none of them (T02, T03, T07)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.meaning import History, header, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, moe_call, route
from coli_conformance.corpus.writer_saved import HISTORY

_FOUND = "found.txt"


def t02_reads_and_saves_between(target: Target) -> Iterator[Case]:
    """T02: decisions after any number of loads and saves are traced like those before."""
    content = legacy((target.n_layers, 0, 5))
    session = Session(target)
    session.given(_FOUND, content)
    for _ in range(3):
        session.load(_FOUND, content, clause="R08")
        route(session, [moe_call(target.n_layers, "0:0.5")])
        session.save(HISTORY, clause="W13")
    route(session, [moe_call(0, "0:0.25")])
    session.trace(TRACE)
    yield session.case("T02-three-loads-and-saves", "The trace stays open until the run ends.", environment=TRACING)


def t03_what_fails_ends_no_call(target: Target) -> Iterator[Case]:
    """T03: a load that is refused and a save that fails are no ends of calls."""
    call = moe_call(target.n_layers, "0:0.5")
    session = Session(target)
    session.given(_FOUND, History((*header(target, engine=target.stranger.engine_id), (0, 0, 5))))
    route(session, [call])
    session.refused(_FOUND, clause="R05")
    route(session, [call])
    session.trace(TRACE)
    yield session.case(
        "T03-refused-load-between", "Only the end of a call is one.", roles=("identify",), environment=TRACING
    )
    session = Session(target)
    session.given("blocked", "a file\n")
    route(session, [call])
    session.say(f"save blocked/{HISTORY}", "ok|error")
    route(session, [call])
    session.trace(TRACE)
    yield session.case("T03-failed-save-between", "Nor does a save that goes wrong.", environment=TRACING)


def t07_trusted_load(target: Target) -> Iterator[Case]:
    """T07: what a typed path brings is the same with tracing on and off."""
    content = History((*header(target, engine=target.stranger.engine_id), (0, 0, 5), (target.n_layers, 0, 7)))
    session = Session(target)
    session.given(_FOUND, content)
    session.load(_FOUND, content, trusted=True, clause="R06")
    route(session, [moe_call(target.n_layers, "0:0.5")])
    session.save(HISTORY)
    session.files.append(FileExpectation(HISTORY, "T07", same=True))
    yield session.case(
        "T07-after-a-trusted-load",
        "A load by a typed path is counted once, traced or not.",
        roles=("identify",),
        environment=TRACING,
        second_environment={},
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t02_reads_and_saves_between,
    t03_what_fails_ends_no_call,
    t07_trusted_load,
)

"""Cases for the call numbers of a trace (T03): one up at the end of every moe call, whatever it held."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from coli_conformance.case import Case
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, MoeCall, moe_call, route, traced
from coli_conformance.corpus.writer_saved import HISTORY


def t03_calls_with_rows(target: Target) -> Iterator[Case]:
    """The call number starts at 0 and rises by one when a moe call ends, not per row."""
    mtp = target.n_layers
    yield from traced(target, "T03-starts-at-0", "The first call of a run is call 0.", moe_call(mtp, "0:0.5"))
    yield from traced(
        target,
        "T03-3-calls",
        "Consumers find the end of a call in nothing but this number.",
        *(moe_call(layer, "0:0.5") for layer in (0, mtp - 1, mtp)),
    )
    for rows in (2, 3, 8):
        yield from traced(
            target,
            f"T03-{rows}-rows-a-call",
            "All rows of one call share its number; a number per row makes calls of them.",
            *(moe_call(layer, *("0:0.5" for _ in range(rows))) for layer in (0, mtp)),
        )
    yield from traced(
        target,
        "T03-prefill-then-decode",
        "After a batch of many rows come calls of one; the number goes up by one all the same.",
        *(moe_call(layer, *("0:0.5" for _ in range(16))) for layer in (0, mtp)),
        *(moe_call(layer, "0:0.25") for _ in range(3) for layer in (0, mtp)),
    )
    yield from traced(
        target,
        "T03-one-layer",
        "In a model with one layer that routes the number alone tells calls apart.",
        *(moe_call(mtp, "0:0.5") for _ in range(4)),
    )
    yield from traced(
        target,
        "T03-one-row-later",
        "A call whose only row is not row 0 ends like any other.",
        moe_call(0, "0:0.5", rows=(3,)),
        moe_call(mtp, "0:0.5", rows=(3,)),
    )


def t03_calls_without_rows(target: Target) -> Iterator[Case]:
    """The call number rises after a call without any row, too."""
    mtp = target.n_layers
    sound, empty = moe_call(mtp, "0:0.5", "0:0.25"), moe_call(mtp)
    for slug, calls in (
        ("first", (empty, sound)),
        ("between", (sound, empty, sound)),
        ("last", (sound, empty)),
        ("3-in-a-row", (sound, empty, empty, empty, sound)),
        ("every-other", (empty, sound, empty, sound, empty, sound)),
        ("300", (*(empty for _ in range(300)), sound)),
    ):
        yield from traced(
            target,
            f"T03-empty-call-{slug}",
            "A call without a row writes no line and is counted: the next one has the number after it.",
            *calls,
        )


def t03_other_commands_between(target: Target) -> Iterator[Case]:
    """Nothing but the end of a call changes the number."""
    mtp = target.n_layers
    call = moe_call(mtp, "0:0.5")
    session = _around(target, [call, call], lambda session: session.drop(0))
    yield session.case("T03-drop-between", "Dropping a row is not a call.", environment=TRACING)
    session = _around(target, [call, call], lambda session: session.save(HISTORY))
    yield session.case(
        "T03-save-between", "A save in the middle of a run does not start the count anew.", environment=TRACING
    )
    session = _around(target, [call, call], lambda session: session.counts(clause="T05"))
    yield session.case(
        "T03-counts-between", "Looking at the counters is not a call.", clauses=("T05",), environment=TRACING
    )


def _around(target: Target, calls: Sequence[MoeCall], between: Callable[[Session], None]) -> Session:
    """Return a session that makes `calls`, does `between`, and makes them again."""
    session = Session(target)
    route(session, calls)
    between(session)
    route(session, calls)
    session.trace(TRACE)
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t03_calls_with_rows,
    t03_calls_without_rows,
    t03_other_commands_between,
)

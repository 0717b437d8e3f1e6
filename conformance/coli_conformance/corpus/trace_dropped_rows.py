"""A decision in a row that was dropped, which no engine should come to: trace and counters agree on it (T12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, moe_call, route


def t12_decision_in_a_dropped_row(target: Target) -> Iterator[Case]:
    """T12: what is not counted of a dropped row is not traced, has no line without choices, and ends its call.

    Where an engine counts the decision and leaves the row out of histories alone, the trace has it as well. There is no
    save, as for other choices that are not sound.
    """
    sessions = [_routed_in_row_0(target, kept=kept) for kept in (False, True)]
    yield sessions[0].case(
        "T12-decision-in-a-dropped-row",
        "A line for what no counter holds describes another run.",
        outcomes=[session.outcome("T12") for session in sessions],
        environment=TRACING,
    )


def _routed_in_row_0(target: Target, *, kept: bool) -> Session:
    """Return a session with a decision in the dropped row 0, which is `kept` or not, and a sound one after it."""
    session = Session(target)
    if kept:
        session.say("drop 0", "ok")
    else:
        session.drop(0)
    session.route_unsound(0, 0, "0:0.5", [(0, "0.5")] if kept else [])
    session.endcall()
    route(session, [moe_call(target.n_layers, "0:0.25")])
    session.counts()
    session.trace(TRACE)
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (t12_decision_in_a_dropped_row,)

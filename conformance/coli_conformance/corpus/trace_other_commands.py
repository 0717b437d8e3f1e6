"""Whatever a run does between its decisions: no other command ends the trace (T02) or a moe call (T03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, moe_call, route, traced

_TYPED = "typed.txt"
_OLDER_TRACE = "older.txt"


class _Command(NamedTuple):
    """A command that is no decision: in the id of a case, in words, and as a session gives it."""

    slug: str
    noun: str
    give: Callable[[Session], None]


def _typed_read(session: Session) -> None:
    content = history(session.target, (session.target.n_layers, 0, 5))
    session.given(_TYPED, content)
    session.load(_TYPED, content, trusted=True, clause="R01")


def _pairs(session: Session) -> None:
    session.given(_OLDER_TRACE, "0 0 0 0:0.5000\n1 0 1 0:0.5000\n")
    session.say(f"pairs {_OLDER_TRACE} table.txt", "ok", clause="C02")


_ADD = _Command("add", "a count added directly", lambda session: session.add((session.target.n_layers, 0, 3)))
_COMMANDS = (
    _Command("typed-read", "a read of a typed path", _typed_read),
    _Command("dense", "a save in the other layout", lambda session: session.say("dense stats.iku1", "ok|error")),
    _Command("pin", "a look for a history", lambda session: session.say("pin auto", "ok", clause="P02")),
    _Command("pairs", "a table made of an older trace", _pairs),
)


def t02_traced_after_other_commands(target: Target) -> Iterator[Case]:
    """T02: the trace stays open until the run ends, whatever else is read, written or looked for meanwhile."""
    for command in _COMMANDS:
        session = Session(target)
        route(session, [moe_call(0, "0:0.25")])
        command.give(session)
        route(session, [moe_call(target.n_layers, "0:0.5"), moe_call(0, "0:0.75")])
        session.trace(TRACE)
        yield session.case(
            f"T02-after-{command.slug}",
            f"The trace stays open across {command.noun}: the decisions after it are traced as well.",
            environment=TRACING,
        )


def t03_other_commands_end_no_call(target: Target) -> Iterator[Case]:
    """T03: a call goes on across everything but its end."""
    for command in (*_COMMANDS, _ADD):
        session = Session(target)
        session.route(target.n_layers, 0, (0, "0.5"))
        command.give(session)
        session.route(target.n_layers, 1, (0, "0.75"))
        session.endcall()
        route(session, [moe_call(0, "0:0.25")])
        session.trace(TRACE)
        yield session.case(
            f"T03-{command.slug}-inside-a-call",
            f"A call with {command.noun} in its middle is still one call.",
            environment=TRACING,
        )


def t03_many_calls(target: Target) -> Iterator[Case]:
    """T03: the call number goes on rising past a thousand; a short generation has more calls than that."""
    empty = moe_call(target.n_layers)
    yield from traced(
        target,
        "T03-empty-call-1024",
        "A number kept in ten bits starts again after 1,023, and the run looks like two.",
        *(empty for _ in range(1024)),
        moe_call(target.n_layers, "0:0.5"),
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t02_traced_after_other_commands,
    t03_other_commands_end_no_call,
    t03_many_calls,
)

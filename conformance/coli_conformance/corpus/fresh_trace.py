"""Fresh cases of the trace stream: random routing, and what a trace and a history then say of it (area T)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.fresh_values import choices, gate, model, records, unregistered_name
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, MoeCall, moe_call, route
from coli_conformance.corpus.writer_saved import HISTORY


def _model(chance: Random) -> Target:
    """Return a small model of an unregistered name, so that the history of few selections is one of its own."""
    return model(chance, unregistered_name(chance, shortest=8))


def _call(chance: Random, target: Target, first_layer: int = 0) -> MoeCall:
    """Return a moe call of any layer from the first one on, each of its one to four rows with choices of its own."""
    rows = (choices(chance, target.n_experts) for _ in range(chance.randint(1, 4)))
    return moe_call(chance.randint(first_layer, target.n_layers), *rows)


def _calls(chance: Random, target: Target) -> list[MoeCall]:
    return [_call(chance, target) for _ in range(chance.randint(4, 12))]


def _traced(target: Target, calls: list[MoeCall], four_decimals: bool = False) -> Session:
    session = Session(target)
    route(session, calls)
    session.counts()
    session.trace(TRACE, four_decimals)
    return session


def t02_lines(chance: Random) -> Iterator[Case]:
    """T02: one line for each decision, in order, under the layers' own numbers where the first ones are dense."""
    target = _model(chance)
    session = Session(target)
    dense = chance.randint(1, 2)
    session.drop(*range(dense))
    route(session, [_call(chance, target, first_layer=dense) for _ in range(chance.randint(4, 12))])
    session.counts()
    session.trace(TRACE)
    yield session.case(
        "T02-fresh-calls",
        "Calls of several rows, in any layer that routes.",
        ("T01", "T04", "T05"),
        roles=("bounds",),
        environment=TRACING,
    )


def t03_call_numbers(chance: Random) -> Iterator[Case]:
    """T03: every moe call has a number, also one without a row."""
    target = _model(chance)
    calls = [
        call for full in _calls(chance, target) for call in (moe_call(0), full) if call.rows or chance.random() < 0.5
    ]
    yield _traced(target, [moe_call(1), *calls]).case(
        "T03-fresh-empty-calls", "Calls without a row stand between the others.", environment=TRACING
    )


def t04_rows(chance: Random) -> Iterator[Case]:
    """T04: a row is the position within the batch, also where some rows of it do not route."""
    target = _model(chance)
    calls = []
    for _ in range(6):
        rows = sorted(chance.sample(range(512), chance.randint(1, 4)))
        layer = chance.randint(0, target.n_layers)
        calls.append(moe_call(layer, *(choices(chance, target.n_experts) for _ in rows), rows=rows))
    yield _traced(target, calls).case(
        "T04-fresh-gaps", "Rows of a larger batch, most of which are absent.", environment=TRACING
    )


def t06_gates(chance: Random) -> Iterator[Case]:
    """T06: a gate is the one applied, at any size and with any number of digits."""
    target = _model(chance)
    calls = [_call(chance, target) for _ in range(20)]
    yield _traced(target, calls).case(
        "T06-fresh-gates", "Gates are neither cut off nor made to sum to 1.", environment=TRACING
    )


def t07_tracing_changes_nothing(chance: Random) -> Iterator[Case]:
    """T07: the history is the same bytes with tracing on and off."""
    target = _model(chance)
    content = history(target, *records(chance, target, 4, most=1 << 30))
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content, clause="R01")
    route(session, _calls(chance, target))
    session.save(HISTORY)
    session.files.append(FileExpectation(HISTORY, "T07", same=True))
    yield session.case(
        "T07-fresh-run", "Load, route, save.", roles=("load",), environment=TRACING, second_environment={}
    )


def t08_no_trace_unasked(chance: Random) -> Iterator[Case]:
    """T08: with ROUTE_TRACE unset or empty nothing is traced, and an older trace stays as it is."""
    target = _model(chance)
    older = f"0 0 3 1:{gate(chance)} 2:{gate(chance)} 4:{gate(chance)}\n"
    session = Session(target)
    session.given(TRACE, older)
    route(session, _calls(chance, target))
    session.files.append(FileExpectation(TRACE, "T08", data=older.encode()))
    session.files.append(FileExpectation("", "T08", only=(TRACE,)))
    environment = chance.choice(({}, {"ROUTE_TRACE": ""}))
    yield session.case("T08-fresh-older-trace", "Nobody asked for a trace.", environment=environment)


def t10_four_decimals(chance: Random) -> Iterator[Case]:
    """T10: gates have exactly four decimals."""
    target = _model(chance)
    yield _traced(target, _calls(chance, target), four_decimals=True).case(
        "T10-fresh-gates", "Consumers rely on one width of the fraction.", environment=TRACING
    )


def t12_unsound_choices(chance: Random) -> Iterator[Case]:
    """T12: what is not finite or outside the model reaches neither the trace nor a counter."""
    target = _model(chance)
    outside = chance.choice((-1, target.n_experts, chance.randint(target.n_experts, 1 << 30)))
    for slug, bad in (
        ("not-finite", f"{chance.randrange(target.n_experts)}:{chance.choice(('nan', 'inf', '-inf'))}"),
        ("outside", f"{outside}:{gate(chance)}"),
    ):
        session = Session(target)
        route(session, [_call(chance, target) for _ in range(3)])
        session.route_unsound(chance.randint(0, target.n_layers), 0, bad, kept=())
        session.endcall()
        route(session, [_call(chance, target) for _ in range(3)])
        session.counts()
        session.save(HISTORY)
        session.trace(TRACE)
        yield session.case(
            f"T12-fresh-{slug}", "One such number poisons every sum over the trace.", environment=TRACING
        )


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (
    t02_lines,
    t03_call_numbers,
    t04_rows,
    t06_gates,
    t07_tracing_changes_nothing,
    t08_no_trace_unasked,
    t10_four_decimals,
    t12_unsound_choices,
)

"""Cases for what a trace says of a choice: the experts that were counted (T05), their gates (T06), and unsound ones
(T12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import (
    REAL,
    REAL_LAYERS,
    REAL_TOP_K,
    TRACE,
    TRACING,
    MoeCall,
    fits,
    gate_slug,
    moe_call,
    picks,
    route,
    tokens,
    traced,
)
from coli_conformance.corpus.writer_saved import HISTORY

_INT32 = (-(2**31), 2**31 - 1)
"""The least and the largest id that a router holding its choices as `int` can come to."""


def t05_counted_experts_in_selection_order(target: Target) -> Iterator[Case]:
    """The experts of a line are the ones that were counted, in the order of selection."""
    for slug, choices, why in (
        ("unsorted", "4:0.5 1:0.25 6:0.125", "The order of selection is that of the router, not of the ids."),
        ("descending-ids", "7:0.5 5:0.25 3:0.125 0:0.0625", "Ids that happen to fall are not turned round."),
        (
            "ascending-gates",
            "2:0.125 6:0.25 1:0.5",
            "A router with a bias selects in another order than that of the gates.",
        ),
        ("equal-gates", "5:0.25 0:0.25 3:0.25", "Where gates are equal, sorting would still change the order."),
        (
            "all-experts",
            "3:0.5 2:0.25 1:0.25 0:0.25 7:0.125 6:0.125 5:0.125 4:0.125",
            "Every choice is in the line and counted.",
        ),
        ("zero-gate", "6:0.5 2:0.0 4:0.0", "An expert with a gate of zero was chosen, so it is counted and traced."),
    ):
        yield from _counted(target, f"T05-{slug}", why, moe_call(3, choices))
    yield from _counted(
        target,
        "T05-several-calls",
        "What the counters hold in the end is what the lines say, added up.",
        moe_call(1, "4:0.5 1:0.25", "1:0.5 7:0.25"),
        moe_call(2, "4:0.5 1:0.25", "0:0.5 3:0.25"),
        moe_call(1, "7:0.5 4:0.25"),
    )
    yield from _counted(
        target,
        "T05-mtp-row",
        "The MTP head's choices are counted in its own row and traced under its own number.",
        moe_call(target.n_layers, f"{target.n_experts - 1}:0.5"),
    )
    yield from _counted(
        REAL,
        "T05-78x256-2-tokens",
        "Ids above 127 and above 255 - 8 stand in line and counter alike.",
        *tokens((2,), REAL_LAYERS, REAL.n_experts, REAL_TOP_K),
    )
    session = Session(target)
    content = history(target, (0, 0, 5), (target.n_layers, 0, 1000))
    session.given(HISTORY, content)
    session.load(HISTORY, content, clause="R01")
    route(session, [moe_call(target.n_layers, "0:0.5")])
    session.counts()
    session.trace(TRACE)
    yield session.case(
        "T05-history-loaded-before",
        "What a history brings is counted without having been chosen in this run: it is not traced.",
        environment=TRACING,
    )


def _counted(target: Target, case_id: str, why: str, *calls: MoeCall) -> Iterator[Case]:
    """Yield the case in which `calls` are made, then asked for as counters, and looked for in the trace."""
    if fits(target, calls):
        session = Session(target)
        route(session, calls)
        session.counts()
        session.trace(TRACE)
        yield session.case(case_id, why, environment=TRACING)


def t06_applied_gates(target: Target) -> Iterator[Case]:
    """A gate is the value applied, to half a unit of its last digit, with at least four decimals."""
    mtp = target.n_layers
    for why, gates in (
        ("Zero and what rounds to it are printed with their decimals.", ("0", "0.00004", "0.0000001")),
        ("The nearest 32-bit float lies just below the half, and is rounded down.", ("0.00005",)),
        ("The nearest 32-bit float decides on which side of the half it lies.", ("0.00015", "0.12345", "0.99995")),
        (
            "Exactly half way between two printed values, both are right.",
            ("0.03125", "0.09375", "0.96875", "511.03125"),
        ),
        ("A gate may be above 1, and is not cut off there.", ("1", "2.5", "17.25", "511.9375")),
        (
            "Digits beyond those printed are rounded, not cut off.",
            ("0.123456789", "0.66666666666", "0.99999", "9.99996"),
        ),
        ("A decimal that no float holds exactly is printed as what was applied.", ("0.1", "0.3333333333", "511.9999")),
        ("A router that subtracts comes to negative gates.", ("-0.25", "-0.00004", "-511.9375")),
    ):
        for gate in gates:
            yield from traced(target, f"T06-{gate_slug(gate)}", why, moe_call(mtp, f"0:{gate}"))
    for slug, choices, why in (
        (
            "sum-2_5",
            "1:1.25 2:1.25",
            "Gates are what is applied after scaling; dividing them by their sum changes them.",
        ),
        ("sum-0_75", "3:0.5 0:0.25", "Gates that sum to less than 1 are left as they are."),
        ("sum-0", "5:0 1:0", "Gates that are all zero are traced, and nothing is divided by their sum."),
        ("8-of-0_3125", " ".join(f"{expert}:0.3125" for expert in range(8)), "Eight equal gates with a scale of 2.5."),
        (
            "large-and-tiny",
            "2:511.9375 4:0.00004 6:0.5",
            "Each gate has its own four decimals, however wide its neighbour.",
        ),
    ):
        yield from traced(target, f"T06-{slug}", why, moe_call(1, choices))


def t12_unsound_choices(target: Target) -> Iterator[Case]:
    """Gates that are not finite and experts outside the model reach neither the trace nor a counter."""
    outside = target.n_experts
    for slug, bad, places in (
        ("nan", "1:nan", ("alone", "first", "middle", "last")),
        ("inf", "1:inf", ("alone", "middle")),
        ("minus-inf", "1:-inf", ("alone", "middle")),
        (f"expert-{outside}", f"{outside}:0.25", ("alone", "first", "middle", "last")),
        ("expert-minus1", "-1:0.25", ("alone", "first", "middle", "last")),
        *((f"expert-{expert}".replace("--", "-minus"), f"{expert}:0.25", ("alone", "middle")) for expert in _INT32),
        ("expert-minus1-nan", "-1:nan", ("alone", "first")),
    ):
        for place in places:
            sound = {"alone": ("", ""), "first": ("", "2:0.5 0:0.125"), "last": ("2:0.5 0:0.125", "")}
            before, after = sound.get(place, ("2:0.5", "0:0.125"))
            yield from _unsound(target, f"T12-{slug}-{place}", before, bad, after)
    yield from _unsound(target, "T12-every-gate-nan", "", "2:nan 1:nan 0:nan", "")
    yield from _unsound(target, "T12-nan-and-expert-minus1", "2:0.5", "1:nan -1:0.25", "0:0.125")


def _unsound(target: Target, case_id: str, before: str, bad: str, after: str) -> Iterator[Case]:
    """Yield the case of a decision whose `bad` choices stand between sound ones, with a sound decision on either side.

    Its sound choices are kept or go with the rest; counters and trace agree on which. There is no save: a
    history with the bad choice in it would break musts, which speak of sound routing alone.
    """
    around = (moe_call(1, "2:0.25 0:0.5"), moe_call(3, "0:0.25"))
    if not fits(target, around):
        return
    choices = " ".join(part for part in (before, bad, after) if part)
    sound = " ".join(part for part in (before, after) if part)
    sessions = []
    for kept in (picks(sound) if sound else (), ()):
        session = Session(target)
        route(session, around[:1])
        session.route_unsound(2, 0, choices, kept)
        session.endcall()
        route(session, around[1:])
        session.counts()
        session.trace(TRACE)
        sessions.append(session)
    outcomes = [session.outcome("T12") for session in sessions]
    yield sessions[0].case(
        case_id,
        "One such number poisons every sum taken over the trace, and an id outside writes outside the counters.",
        outcomes=outcomes if sound else outcomes[:1],
        environment=TRACING,
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t05_counted_experts_in_selection_order,
    t06_applied_gates,
    t12_unsound_choices,
)

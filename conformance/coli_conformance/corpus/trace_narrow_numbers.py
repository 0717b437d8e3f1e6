"""Numbers and lines of a trace that do not fit where a writer keeps them (T02, T04-T06, T12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, MoeCall, gate_slug, moe_call, route, traced

_LONG_LINES = 70
"""Lines of a hundred choices, about 1,000 bytes each: more than 64 KiB in all."""


def _all_of(experts: range) -> str:
    return " ".join(f"{expert}:0.5" for expert in experts)


def t02_long_trace(target: Target) -> Iterator[Case]:
    """T02: there is no size at which a trace ends."""
    wide = Target(target.name, 2, 100)
    choices = " ".join(f"{expert}:1" for expert in range(100))
    yield from traced(
        wide,
        "T02-more-than-64-kib",
        "A short run traces more than a buffer of 64 KiB; a day's trace has gigabytes.",
        *(moe_call(at % 3, choices) for at in range(_LONG_LINES)),
    )


def t04_high_rows_and_layers(target: Target) -> Iterator[Case]:
    """T04: rows of any batch and layers of any model stand in the line as they are."""
    mtp = target.n_layers
    rows = (255, 256, 1023, 1024, 4096, 65535, 65536, 100_000)
    yield from traced(
        target,
        "T04-rows-up-to-100000",
        "Batches of prefill pass a thousand rows, and pass 65,536 where texts are long.",
        moe_call(mtp, *("0:0.5" for _ in rows), rows=rows),
    )
    deep = Target(target.name, 1000, 8)
    yield from traced(
        deep,
        "T04-1000x8-layers",
        "Layers above 127 and above 255 do not fit one byte.",
        *(moe_call(layer, "0:0.5") for layer in (127, 128, 255, 256, 300, 1000)),
    )


def t05_many_and_high_choices(target: Target) -> Iterator[Case]:
    """T05: every choice is traced and counted, however many there are and however high their ids."""
    wide = Target(target.name, 5, 4096)
    high = " ".join(f"{expert}:0.5" for expert in (4095, 255, 256, 1023, 1024, 2000, 2047, 2048))
    yield _counted(wide, "T05-5x4096-high-ids", "Ids of wide models take more than 10 bits.", moe_call(1, high))
    for number, why in (
        (20, "A router that chooses more than sixteen is a router like any other."),
        (64, "A line of 64 choices is longer than 512 bytes."),
    ):
        experts = range(1000, 1000 + number)
        yield _counted(wide, f"T05-5x4096-{number}-choices", why, moe_call(1, _all_of(experts)))


def _counted(target: Target, case_id: str, why: str, call: MoeCall) -> Case:
    """Return the case in which `call` is made, asked for as counters, and looked for in the trace."""
    session = Session(target)
    route(session, [call])
    session.counts()
    session.trace(TRACE)
    return session.case(case_id, why, environment=TRACING)


def t06_negative_gates(target: Target) -> Iterator[Case]:
    """T06: negative gates are rounded like others, to the nearest and not towards zero."""
    for gate in ("-0.12349", "-17.00007"):
        yield from traced(
            target,
            f"T06-{gate_slug(gate)}",
            "Cut off behind the fourth digit, a negative gate comes out too large.",
            moe_call(target.n_layers, f"0:{gate}"),
        )


def t12_unsound_in_the_mtp_row(target: Target) -> Iterator[Case]:
    """T12: in the MTP row, too, unsound choices are left out, and a decimal beyond 32-bit floats is not finite."""
    mtp, outside = target.n_layers, target.n_experts
    for slug, layer, bad in (
        ("mtp-row-nan", mtp, "0:nan"),
        (f"mtp-row-expert-{outside}", mtp, f"{outside}:0.25"),
        ("39-nines", 0, f"0:{'9' * 39}"),
    ):
        why = "Whatever the row and however it came to be, what is no gate or no expert goes no further."
        yield left_out(target, f"T12-{slug}", why, layer, bad)


def left_out(target: Target, case_id: str, why: str, layer: int, choice: str) -> Case:
    """Return the case of a decision with the one `choice`, which is unsound, before a sound one."""
    session = Session(target)
    session.route_unsound(layer, 0, choice, [])
    session.endcall()
    session.route(target.n_layers, 0, (0, "0.5"))
    session.counts()
    session.trace(TRACE)
    return session.case(case_id, why, environment=TRACING)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t02_long_trace,
    t04_high_rows_and_layers,
    t05_many_and_high_choices,
    t06_negative_gates,
    t12_unsound_in_the_mtp_row,
)

"""Large numbers in a trace: rows, choices and gates beyond the room that some writers keep for them (T01, T04-T06), and
ids that come back inside the model where they are cut to size (T12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING, gate_slug, moe_call, route, traced
from coli_conformance.corpus.trace_narrow_numbers import left_out

_ROWS = (2**17, 2**20, 2**24 + 1, 2**31 - 1)
"""One past what 17 and 20 bits hold, the first that a 32-bit float does not, and the last int32."""


def t01_large_gates_are_plain_decimals(target: Target) -> Iterator[Case]:
    """T01: a large gate leaves the line as it is: one decimal, without a separator and without an exponent."""
    yield from traced(
        target,
        "T01-gates-1024-1048576-1125899906842624",
        "With a separator between thousands, or an exponent, a gate is no decimal that consumers read.",
        *(moe_call(target.n_layers, f"0:{gate}") for gate in ("1024", "1048576", "1125899906842624")),
    )


def t04_rows_beyond_20_bits(target: Target) -> Iterator[Case]:
    """T04: a row stands in the line as it is, up to the largest that an int holds."""
    for row in _ROWS:
        yield from traced(
            target,
            f"T04-row-{row}",
            "A row that is cut to some bits becomes another row of the batch.",
            moe_call(target.n_layers, "0:0.5", "0:0.25", rows=(0, row)),
        )


def t05_hundreds_of_choices(target: Target) -> Iterator[Case]:
    """T05: a line has no length at which choices end, and a decision no number of them."""
    wide = Target(target.name, 5, 4096)
    for number, why in (
        (120, "A line of 120 choices is longer than 1,024 bytes."),
        (400, "A line of 400 choices is longer than 4,096 bytes, and 400 do not fit a byte."),
    ):
        session = Session(wide)
        route(session, [moe_call(1, " ".join(f"{expert}:0.5" for expert in range(3000, 3000 + number)))])
        session.counts()
        session.trace(TRACE)
        yield session.case(f"T05-5x4096-{number}-choices", why, environment=TRACING)


def t06_large_gates(target: Target) -> Iterator[Case]:
    """T06: a gate is printed as a plain decimal, however large; what was applied is the nearest 32-bit float."""
    for gate, why in (
        ("1024", "A gate above 1,000 has no separator, and is not cut off there."),
        ("65536", "The largest half-precision float is 65,504; the gates of a router are wider."),
        ("-65536", "Negative gates go as far as positive ones."),
        ("214749", "In ten-thousandths, this gate does not fit 32 bits."),
        ("1048576", "From a million on, some printing turns to an exponent."),
        (
            "16777217",
            "The nearest 32-bit float is 16,777,216: what was applied is printed, and not what was asked for.",
        ),
        ("17179869184", "With its decimals, this gate has sixteen characters."),
        ("1125899906842624", "In ten-thousandths, this gate does not fit 64 bits."),
        ("1" + "0" * 30, "Where a router comes to such a number, the trace has to show it."),
    ):
        yield from traced(target, f"T06-{gate_slug(gate)}", why, moe_call(target.n_layers, f"0:{gate}"))


def t12_cut_to_size(target: Target) -> Iterator[Case]:
    """T12: an expert or a layer outside the model stays outside when it is cut to some bits, or counted from the end.

    The multiples of 256 and of the larger powers become 0, which every model has.
    """
    why = "Cut to size, or counted from the end, what is outside the model becomes a choice that nobody made."
    outside = 256 * (target.n_experts // 256 + 1)
    for expert in (outside, 2**16):
        yield left_out(target, f"T12-expert-{expert}-cut-to-size", why, 0, f"{expert}:0.25")
    beyond = 256 * (target.n_layers // 256 + 1)
    for slug, layer in ((str(beyond), beyond), ("65536", 2**16), ("minus1", -1)):
        yield left_out(target, f"T12-layer-{slug}", why, layer, "0:0.25")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t01_large_gates_are_plain_decimals,
    t04_rows_beyond_20_bits,
    t05_hundreds_of_choices,
    t06_large_gates,
    t12_cut_to_size,
)

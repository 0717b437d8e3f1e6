"""Cases for traces whose numbers agree in their lower bits, or whose experts have many partners (C01, C02)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.pairs_sessions import build, has_trace
from coli_conformance.corpus.pairs_table import TABLE, chose
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, Calls, MoeCall, numbered

_TIMES = 1024
"""One more than ten bits hold. Four times as often would take a trace of 140 kB."""


def _built(target: Target, case_id: str, why: str, calls: Calls) -> Case:
    """Return the case in which the trace of `calls` becomes their table."""
    session = Session(target)
    has_trace(session, TRACE, calls)
    build(session, TRACE, TABLE, calls)
    return session.case(case_id, why)


def c01_numbers_that_agree_in_low_bits(target: Target) -> Iterator[Case]:
    """C01: calls and rows are told apart by their whole numbers."""
    for bits in (8, 16, 31, 32):
        gap = 2**bits
        layers = (chose(3, "1 4"), chose(3, "2"), chose(4, "2 4"), chose(5, "3 7"), chose(5, "1"))
        yield _built(
            target,
            f"C01-calls-{gap}-apart",
            f"Calls whose numbers agree in {bits} bits are still different calls; those between had no rows.",
            {at * gap: call for at, call in enumerate(layers)},
        )
    for bits in (16, 20, 24):
        rows = (0, 1, 2**bits, 2**bits + 1)
        yield _built(
            target,
            f"C01-rows-{2**bits}-apart",
            f"Rows whose numbers agree in {bits} bits are still different tokens.",
            numbered(chose(3, "0", "1", "2", "3", numbers=rows), chose(4, "4", "5", "6", "7", numbers=rows)),
        )


def c02_ids_that_agree_in_low_bits(target: Target) -> Iterator[Case]:
    """C02: layers and experts of the largest models are told apart by their whole numbers."""
    deep = numbered(*(chose(layer, "1 4") for layer in (510, 511, 512, 513, 999, 1000)))
    yield _built(
        Target(target.name, 1000, 8), "C02-1000x8-layers-above-511", "Layers above 511 do not fit nine bits.", deep
    )
    wide = numbered(chose(1, "0 1024 2048 3072"), chose(2, "1 1025 2049 4095"), chose(3, "1023 2047 3071"))
    yield _built(
        Target(target.name, 5, 4096), "C02-5x4096-wide-ids", "Experts that share ten or eleven bits differ.", wide
    )


def c02_high_counts(target: Target) -> Iterator[Case]:
    """C02: counts go on where ten bits end."""
    rows = ("0",) * _TIMES
    calls = numbered(chose(0, *rows), chose(1, *rows))
    yield _built(target, f"C02-{_TIMES}-times", "One long prefill counts past a thousand.", calls)


def c02_many_partners(target: Target) -> Iterator[Case]:
    """C02: the sixteen partners are the most frequent of all that an expert has, whenever and wherever they came."""
    wide = Target(target.name, 5, 256)
    for number in (40, 70, 200):
        experts = [str(expert) for expert in range(number)]
        for slug, order in (("last", experts), ("first", experts[::-1])):
            yield _built(
                wide,
                f"C02-{number}-partners-{slug}-id",
                "The most frequent partner may be met after any number of others.",
                numbered(*_one_more_often(order)),
            )


def _one_more_often(partners: list[str]) -> tuple[MoeCall, ...]:
    """Return calls in which expert 0 has all `partners` once, and then the last of them twice more."""
    once = (chose(3, "0"), chose(4, " ".join(partners)))
    again = (chose(3, "0"), chose(4, partners[-1]))
    return (*once, *again, *again)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    c01_numbers_that_agree_in_low_bits,
    c02_ids_that_agree_in_low_bits,
    c02_high_counts,
    c02_many_partners,
)

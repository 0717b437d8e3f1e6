"""Cases for pairs of large models and long traces: numbers and lines that do not fit where they are kept (C01, C02)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.pairs_meaning import table
from coli_conformance.corpus.pairs_table import TABLE, chose
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, Calls, moe_call, numbered, trace_lines

KIMI = Target("kimi_k3", 93, 896)
_FORWARDS = 300


def _built(target: Target, case_id: str, why: str, calls: Calls, older: str | None = None) -> Case:
    """Return the case in which the trace of `calls` becomes their table, over an `older` file where there is one."""
    session = Session(target)
    session.given(TRACE, "".join(trace_lines(calls)))
    if older is not None:
        session.given(TABLE, older)
    session.say(f"pairs {TRACE} {TABLE}", "ok")
    session.files.append(FileExpectation(TABLE, "", data=table(calls)))
    return session.case(case_id, why)


def c01_lines_and_numbers(target: Target) -> Iterator[Case]:
    """C01: high rows, lines of many choices and gates of more decimals are parts of sound traces."""
    rows = (255, 256, 1024, 2000, 65536)
    high = tuple(chose(layer, *(f"{at} {at + 1}" for at in range(len(rows))), numbers=rows) for layer in (3, 4))
    yield _built(target, "C01-high-rows", "A batch of prefill has thousands of rows.", numbered(*high))
    long = " ".join(map(str, range(200, 400)))
    calls = numbered(chose(3, long), chose(4, "895"))
    yield _built(KIMI, "C01-200-choices", "A line of 200 choices is longer than 1,024 bytes.", calls)
    six = (moe_call(3, "1:0.500000 4:0.250000"), moe_call(4, "2:-0.500000"))
    yield _built(target, "C01-six-decimals", "Gates have at least four decimals, and may be negative.", numbered(*six))


def c02_large_models(target: Target) -> Iterator[Case]:
    """C02: experts, layers and counts beyond a byte are told apart, and an older table is replaced."""
    wide = numbered(chose(1, "44 300 511 512"), chose(2, "32 288 800 895"), chose(3, "127 255 256 767"))
    yield _built(KIMI, "C02-93x896-wide-ids", "Experts that share a byte or nine bits are different ones.", wide)
    deep = numbered(*(chose(layer, "1 4") for layer in (44, 127, 128, 129, 255, 256, 300, 301)))
    yield _built(
        Target(target.name, 1000, 8), "C02-1000x8-layers", "Layers above 127 and above 255 do not fit a byte.", deep
    )
    often = numbered(*(chose(layer, f"{layer}") for _ in range(_FORWARDS) for layer in (1, 2)))
    yield _built(target, f"C02-{_FORWARDS}-times", "Counts of a day do not fit one byte.", often)
    few = numbered(chose(3, "1 4"), chose(4, "2"))
    yield _built(target, "C02-over-a-longer-file", "The table of today replaces what stood there.", few, "x" * 1000)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (c01_lines_and_numbers, c02_large_models)

"""Fresh cases of the table of pairs: random routing as a trace, and the table it means (area C)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case, FileExpectation, MessageExpectation, Outcome
from coli_conformance.corpus.fresh_values import model
from coli_conformance.corpus.pairs_meaning import table
from coli_conformance.corpus.pairs_table import TABLE, chose
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.trace_calls import TRACE, Calls, MoeCall, numbered, trace_lines


def _call(chance: Random, layer: int, rows: int, n_experts: int) -> MoeCall:
    """Return a call in which each of so many rows chose six experts of few, so that many pairs occur twice."""
    return chose(layer, *(" ".join(map(str, chance.sample(range(n_experts), 6))) for _ in range(rows)))


def _forwards(chance: Random) -> Calls:
    """Return a few forwards of one to five rows through most of twelve layers, numbered from anywhere."""
    calls = []
    for _ in range(chance.randint(3, 6)):
        layers = sorted(chance.sample(range(12), chance.randint(8, 11)))
        rows = chance.randint(1, 5)
        calls += [_call(chance, layer, rows, n_experts=20) for layer in layers]
    return numbered(*calls, first=chance.choice((0, chance.randint(1, 1 << 33))))


def _asked(chance: Random, trace: str) -> Session:
    session = Session(model(chance))
    session.given(TRACE, trace)
    session.say(f"pairs {TRACE} {TABLE}", "ok")
    return session


def c01_forwards(chance: Random) -> Iterator[Case]:
    """C01: a trace is cut into forwards by layers that do not rise, whatever gaps its numbers have."""
    calls = {3 * number + chance.randint(0, 2): call for number, call in _forwards(chance).items()}
    session = _asked(chance, "".join(trace_lines(calls)))
    session.files.append(FileExpectation(TABLE, "", data=table(calls)))
    yield session.case("C01-fresh-gaps", "Calls without a row leave gaps, which end no forward.")
    layer = chance.randint(0, 11)
    alone = numbered(*(_call(chance, layer, 3, n_experts=20) for _ in range(4)))
    above = numbered(*alone.values(), *(_call(chance, layer + 1, 3, n_experts=20) for _ in range(2)))
    session = _asked(chance, "".join(trace_lines(above)))
    session.files.append(FileExpectation(TABLE, "", data=table(above)))
    yield session.case("C01-fresh-layer-repeats", "A layer that comes again begins a forward of its own.")


def c02_counts(chance: Random) -> Iterator[Case]:
    """C02: counts equal a plain count of every pair."""
    calls = _forwards(chance)
    session = _asked(chance, "".join(trace_lines(calls)))
    session.files.append(FileExpectation(TABLE, "", data=table(calls)))
    yield session.case("C02-fresh-forwards", "Several rows, several forwards, ties and more than sixteen partners.")


def c03_malformed_line(chance: Random) -> Iterator[Case]:
    """C03: a malformed line is reported with its number."""
    calls = _forwards(chance)
    lines = trace_lines(calls)
    number = chance.randint(1, len(lines))
    lines.insert(number - 1, f"{chance.randint(0, 99)} 0 {chance.randint(0, 9)} {chance.randint(0, 9)}\n")
    session = _asked(chance, "".join(lines))
    messages = (
        MessageExpectation("C03", any_of=(f":{number}", f"line {number}"), or_in_answer=True),
        MessageExpectation("C03", none_of=("Traceback",)),
    )
    read_on = FileExpectation(TABLE, "C03", data=table(calls))
    yield session.case(
        "C03-fresh-no-gate",
        "A line cut short would otherwise become a smaller table that looks sound.",
        outcomes=(
            Outcome((*session.answers[:-1], "error"), messages=messages),
            Outcome(tuple(session.answers), files=(read_on,), messages=messages),
        ),
    )


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (c01_forwards, c02_counts, c03_malformed_line)

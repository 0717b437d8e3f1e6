"""Cases for the table of pairs: how a trace is cut (C01), what is counted (C02), and lines that are none (C03)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from coli_conformance.case import Case, FileExpectation, MessageExpectation, Outcome
from coli_conformance.corpus.pairs_meaning import table
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import (
    REAL,
    REAL_LAYERS,
    REAL_TOP_K,
    TRACE,
    Calls,
    MoeCall,
    moe_call,
    numbered,
    tokens,
    trace_lines,
)

TABLE = ".coli_pairs"
"""Where the sessions have the table built."""


def chose(layer: int, *rows: str, numbers: Iterable[int] | None = None) -> MoeCall:
    """Return the call of `layer` in which each row chose the experts it lists, all with one gate: `1 4`.

    Rows are 0, 1, ... or `numbers`; a call without rows leaves a gap in the trace.
    """
    return moe_call(layer, *(" ".join(f"{expert}:0.2500" for expert in row.split()) for row in rows), rows=numbers)


def _all_of(experts: Iterable[int]) -> str:
    return " ".join(map(str, experts))


def _built(target: Target, case_id: str, why: str, calls: Calls) -> Case:
    """Return the case in which the trace of `calls` becomes their table."""
    session = Session(target)
    session.given(TRACE, "".join(trace_lines(calls)))
    session.say(f"pairs {TRACE} {TABLE}", "ok")
    session.files.append(FileExpectation(TABLE, "", data=table(calls)))
    return session.case(case_id, why)


def c01_forwards(target: Target) -> Iterator[Case]:
    """A sound trace is divided into forwards where a call's layer is not above that of the call before it."""
    one, two, three = "1 4", "2 4", "3 7"
    scenarios: tuple[tuple[str, str, tuple[MoeCall, ...]], ...] = (
        ("no-line", "A trace without a line has a table without one.", ()),
        ("one-line", "One decision has nobody to be together with.", (chose(3, one),)),
        ("one-layer", "In one layer every call is a forward of its own.", tuple(chose(3, one, two) for _ in range(4))),
        ("two-layers", "Two layers of one token are a position.", (chose(3, one), chose(4, two))),
        (
            "layer-goes-down",
            "A layer that goes down begins the next token.",
            (chose(3, one), chose(4, two), chose(3, two), chose(4, three)),
        ),
        (
            "layer-repeats",
            "A layer that comes again begins a forward, though it did not go down.",
            (chose(3, one), chose(3, two), chose(4, three)),
        ),
        (
            "first-call-above-the-second",
            "Choices before the cut have no partner after it.",
            (chose(4, one), chose(3, two), chose(4, three)),
        ),
        (
            "token-abandoned",
            "A token that was abandoned after one layer leaves nothing for the next.",
            (chose(0, one), chose(0, two), chose(1, three), chose(2, one)),
        ),
        ("mtp-row", "The MTP head's row is the layer after the last one.", (chose(4, one), chose(5, two))),
        (
            "gap-inside-a-forward",
            "A call without rows leaves a gap in the numbers, which ends no forward.",
            (chose(2, one), chose(2), chose(2), chose(2), chose(3, two), chose(4, three)),
        ),
        (
            "gap-between-forwards",
            "Nor is a gap between forwards part of the rule.",
            (chose(3, one), chose(4, two), chose(5), chose(3), chose(3, three), chose(4, one)),
        ),
        (
            "gap-of-one-layer",
            "Where no row was routed in the layer between, two layers ahead still counts.",
            (chose(2, one), chose(3), chose(4, three)),
        ),
    )
    for slug, why, calls in scenarios:
        yield _built(target, f"C01-{slug}", why, numbered(*calls))
    for first in (41, 4294967295):
        calls = (chose(3, one), chose(4, two))
        yield _built(
            target,
            f"C01-starts-at-{first}",
            "A trace may begin at any call; a long run's numbers pass 32 bits.",
            numbered(*calls, first=first),
        )


def c01_positions(target: Target) -> Iterator[Case]:
    """The lines of one forward with the same row number are a position."""
    one, two, three = "1 4", "2 4", "3 7"
    scenarios: tuple[tuple[str, str, tuple[MoeCall, ...]], ...] = (
        (
            "rows-apart",
            "Rows of one call are different tokens, each paired with itself alone.",
            (chose(3, one, two, three), chose(4, three, one, two)),
        ),
        (
            "rows-fewer-above",
            "A row that does not route in the next layer has no partner there.",
            (chose(3, one, two, three), chose(4, three, one)),
        ),
        (
            "rows-missing-in-between",
            "Positions go by the row number, not by which line of the call it is.",
            (chose(3, one, two, numbers=(0, 2)), chose(4, three, one, numbers=(1, 2))),
        ),
        (
            "rows-out-of-order",
            "Nor do they go by the order of the lines.",
            (chose(3, one, two), chose(4, three, one, numbers=(1, 0))),
        ),
        (
            "row-511",
            "Rows reach as far as the batch.",
            (chose(3, one, numbers=(511,)), chose(4, two, numbers=(511,))),
        ),
        (
            "prefill-then-decode",
            "A batch of rows and then single tokens are cut alike.",
            (
                *(chose(layer, one, two, three) for layer in (3, 4, 5)),
                *(chose(layer, two) for _ in range(2) for layer in (3, 4, 5)),
            ),
        ),
    )
    for slug, why, calls in scenarios:
        yield _built(target, f"C01-{slug}", why, numbered(*calls))


def c02_counts_equal_brute_force(target: Target) -> Iterator[Case]:
    """The counts in the table equal those of a plain count of every pair over the same trace."""
    scenarios: tuple[tuple[str, str, tuple[MoeCall, ...]], ...] = (
        (
            "one-and-two-ahead",
            "One layer and two layers ahead are counted, each on lines of its own.",
            (chose(1, "1 2"), chose(2, "2 3"), chose(3, "3 4")),
        ),
        (
            "two-ahead-without-one",
            "Two ahead goes by the layer's index, also where the layer between does not route.",
            (chose(1, "0 5"), chose(3, "2 6")),
        ),
        ("three-ahead", "Three layers ahead is too far.", (chose(1, "0 5"), chose(4, "2 6"))),
        (
            "forwards-add-up",
            "What several forwards have in common adds up.",
            tuple(chose(layer, f"{layer} {token % 2}") for token in range(5) for layer in (3, 4)),
        ),
        (
            "rows-add-up",
            "Rows of one call add up as forwards do.",
            tuple(chose(layer, *(f"7 {row % 3}" for row in range(6))) for layer in (3, 4)),
        ),
        (
            "ties",
            "Of equally frequent partners the lower id comes first, whatever the order of selection.",
            (chose(3, "5"), chose(4, "7 2 6 0")),
        ),
        (
            "frequent-first",
            "The most frequent partner comes first, though another has a lower id.",
            (chose(3, *("0" for _ in range(6))), chose(4, "1", "6", "6", "3", "6", "3")),
        ),
        (
            "widths-differ",
            "Rows that chose more or fewer experts pair every choice with every choice.",
            (chose(3, "0", "1 2 3"), chose(4, "4 5 6", "7")),
        ),
        ("same-expert-in-both", "The same id in two layers is two experts.", (chose(3, "4"), chose(4, "4"))),
        (
            "gates-do-not-weigh",
            "A gate of zero is a choice: choices are counted, not weighed.",
            (moe_call(3, "0:0.0000 1:2.5000"), moe_call(4, "2:0.0000 3:-0.2500")),
        ),
        ("16-partners", "Sixteen partners fit a line.", (chose(3, "0"), chose(4, _all_of(range(16))))),
        (
            "17-partners",
            "Of seventeen partners with one count each the highest id is left out.",
            (chose(3, "0"), chose(4, _all_of(range(17)))),
        ),
        (
            "17-partners-rarest-out",
            "The partner left out is the rarest, here the one with the lowest id.",
            (chose(3, "0", "0"), chose(4, _all_of(range(17)), _all_of(range(1, 17)))),
        ),
        (
            "numbers-not-digits",
            "Lines and ties go by the number and not by its digits: 9 is below 10.",
            (chose(9, "9 10 100"), chose(10, "9 10 100"), chose(11, "2")),
        ),
        (
            "40-tokens",
            "Many positions over few experts: hardly a count is 1.",
            tokens((8, 1, 1, 16, 1, 13), range(3), n_experts=8, top_k=3),
        ),
    )
    for slug, why, calls in scenarios:
        yield _built(target, f"C02-{slug}", why, numbered(*calls))
    yield _built(
        REAL,
        "C02-78x256-20-tokens",
        "A prefill of twelve tokens and eight of decoding, as GLM-5.2 traces them.",
        numbered(*tokens((12, *(1 for _ in range(8))), REAL_LAYERS, n_experts=20, top_k=REAL_TOP_K)),
    )


def c03_malformed_lines(target: Target) -> Iterator[Case]:
    """A malformed line is reported with its number, without a traceback and without being passed over in silence."""
    for slug, line, number in (
        ("layer-is-no-number", "5 0 x 1:.5\n", 2),
        ("no-id", "0 0 3 :0.5\n", 2),
        ("no-gate", "1 0 4 2\n", 2),
        ("no-choice", "1 0 4\n", 2),
        ("empty-gate", "1 0 4 2:\n", 2),
        ("gate-nan", "1 0 4 2:nan\n", 2),
        ("gate-inf", "1 0 4 2:inf\n", 2),
        ("gate-is-a-word", "1 0 4 2:half\n", 2),
        ("gate-with-a-comma", "1 0 4 2:0,5000\n", 2),
        ("negative-id", "1 0 4 -2:0.5000\n", 2),
        ("negative-call", "-1 0 4 2:0.5000\n", 2),
        ("negative-layer", "1 0 -4 2:0.5000\n", 2),
        ("two-numbers", "1 4 2:0.5000\n", 2),
        ("words", "the disk was full here\n", 2),
        ("control-bytes", "\x00\x01\x7f\x00\n", 2),
        ("40-digits", f"{10**39} 0 4 2:0.5000\n", 2),
        ("first-line", "1 0 4 2\n", 1),
        ("last-line", "1 0 4 2\n", 4),
        ("cut", "1 0", 4),
    ):
        yield _malformed(target, f"C03-{slug}", line, number)


def _malformed(target: Target, case_id: str, line: str, number: int) -> Case:
    """Return the case in which `line` stands as line `number` (1 to 4) in a trace of three sound ones."""
    sound = numbered(chose(3, "1 4"), chose(4, "2 4"), chose(5, "3 7"))
    lines = trace_lines(sound)
    lines.insert(number - 1, line)
    why = "A trace cut off by a full disk would otherwise become a smaller table that looks sound."
    return reported(target, case_id, why, lines, number, sound)


def reported(target: Target, case_id: str, why: str, lines: Sequence[str], number: int, sound: Calls) -> Case:
    """Return the case of a trace of which line `number`, from 1, is malformed: it is reported.

    A table may come of it all the same; then it is that of the `sound` lines.
    """
    session = Session(target)
    session.given(TRACE, "".join(lines))
    session.say(f"pairs {TRACE} {TABLE}", "error")
    messages = (
        MessageExpectation("C03", any_of=(f":{number}", f"line {number}"), or_in_answer=True),
        MessageExpectation("C03", none_of=("Traceback",)),
    )
    of_the_sound_lines = FileExpectation(TABLE, "C03", data=table(sound))
    return session.case(
        case_id,
        why,
        outcomes=(
            Outcome(tuple(session.answers), messages=messages),
            Outcome((*session.answers[:-1], "ok"), files=(of_the_sound_lines,), messages=messages),
        ),
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    c01_forwards,
    c01_positions,
    c02_counts_equal_brute_force,
    c03_malformed_lines,
)

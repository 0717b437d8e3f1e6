"""Cases for lines of a trace that a lenient consumer reads, though no writer may write them (C03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.pairs_table import chose, reported
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import numbered, trace_lines

_CALLS = numbered(chose(3, "1 4"), chose(4, "2"), chose(5, "3 7"))
"""Three calls of one forward and one line each; the calls are 0, 1 and 2."""

_SECOND = "1 0 4 2:0.2500"
"""The line of call 1 without its line end. The cases spoil it, or write it with something else."""


def c03_line_ends_and_blanks(target: Target) -> Iterator[Case]:
    """C03: single blanks separate the parts of a line and LF ends it, so that anything else is malformed (T01)."""
    for slug, line, why in (
        ("crlf", f"{_SECOND}\r\n", "A trace that went through an editor is no longer what the engine wrote."),
        ("blank-at-the-end", f"{_SECOND} \n", "Where a blank is left, a choice may be missing behind it."),
        ("blank-in-front", f" {_SECOND}\n", "Where a line begins with a blank, its call may be missing."),
        ("two-blanks", "1 0  4 2:0.2500\n", "Between two blanks a number may be missing."),
        ("tabs", "1\t0\t4\t2:0.2500\n", "Columns set apart by tabs come from another tool."),
        ("commas", "1,0,4 2:0.2500\n", "Columns set apart by commas come from another tool."),
        ("empty-line", "\n", "An empty line may have been a decision before somebody cleared it."),
        ("no-choice-but-a-blank", "1 0 4 \n", "The choices of this line are gone, and only their blank is left."),
    ):
        yield _malformed(target, f"C03-{slug}", why, line)


def c03_numbers(target: Target) -> Iterator[Case]:
    """C03: the numbers of a line are digits alone, which the usual routines for reading numbers do not insist on."""
    for slug, line, why in (
        ("layer-with-plus", "1 0 +4 2:0.2500\n", "Routines that read numbers take a plus sign; the grammar has none."),
        ("negative-row", "1 -1 4 2:0.2500\n", "A negative row would be a position of its own."),
        ("hexadecimal-id", "1 0 4 0x2:0.2500\n", "Routines that guess the base read sixteens where tens are meant."),
        ("nul-after-the-layer", "1 0 4\x00 2:0.2500\n", "A block of a disk that was full holds bytes of zero."),
    ):
        yield _malformed(target, f"C03-{slug}", why, line)


def c03_gates(target: Target) -> Iterator[Case]:
    """C03: a gate is digits, a point and at least four digits (T06); pairs leave it unused, and it is checked."""
    for slug, gate, why in (
        ("three-decimals", "0.250", "A gate that lost its last digits may be where the disk was full."),
        ("gate-without-a-point", "1", "A whole number is not what a writer prints for a gate."),
        ("gate-with-an-exponent", "2.5000e-01", "A gate in powers of ten breaks consumers that split at digits."),
        ("gate-with-plus", "+0.2500", "Routines that read numbers take a plus sign; the grammar has none."),
        ("hexadecimal-gate", "0x1.0000", "Routines that read floats take hexadecimal ones, too."),
        ("letter-after-the-gate", "0.2500x", "A gate read up to its last digit hides what follows it."),
        ("two-gates", "0.2500:7", "What follows a second colon belongs to nobody."),
        ("word-after-the-gate", "0.2500 end", "A line that goes on with a word is not known to be whole."),
    ):
        yield _malformed(target, f"C03-{slug}", why, f"1 0 4 2:{gate}\n")


def c03_around_the_lines(target: Target) -> Iterator[Case]:
    """C03: a trace has no mark in front, no comments, and an LF behind its last line."""
    first, _, last = trace_lines(_CALLS)
    yield _malformed(target, "C03-comment", "A trace knows no comments: it may be a decision taken out.", "# 1 0 4\n")
    yield _malformed(
        target, "C03-byte-order-mark", "A mark in front of the first call is not part of a number.", "\ufeff" + first, 1
    )
    yield _malformed(
        target,
        "C03-cut-before-the-line-end",
        "Where the line end is missing, digits and choices may be missing before it.",
        last.removesuffix("\n"),
        3,
    )


def _malformed(target: Target, case_id: str, why: str, line: str, number: int = 2) -> Case:
    """Return the case in which `line` stands where line `number` (1 to 3) of a trace was, which it reports."""
    lines = trace_lines(_CALLS)
    lines[number - 1] = line
    sound = {call: made for call, made in _CALLS.items() if call != number - 1}
    return reported(target, case_id, why, lines, number, sound)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    c03_line_ends_and_blanks,
    c03_numbers,
    c03_gates,
    c03_around_the_lines,
)

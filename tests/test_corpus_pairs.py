"""The cases of tables of pairs that go on where area C's first ones end: tables by hand, and lines of no grammar."""

from __future__ import annotations

import re

import lark
import pytest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus import pairs_large_traces, pairs_malformed, pairs_sessions
from coli_conformance.corpus.target import Target

MODULES = (pairs_sessions, pairs_large_traces, pairs_malformed)
CASES_MADE: list[Case] = [case for module in MODULES for clause in module.CLAUSES for case in clause(Target())]
CASES = {case.id: case for case in CASES_MADE}
MALFORMED = [case.id for case in CASES_MADE if case.clauses[0] == "C03"]
GRAMMAR = lark.Lark(coli_spec.grammar("trace"), parser="lalr", start="trace")


def parses(text: str) -> bool:
    try:
        GRAMMAR.parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


def trace_of(case_id: str) -> str:
    (trace,) = [item.data for item in CASES[case_id].setup if item.data is not None]
    return trace.decode()


def tables_of(case_id: str) -> dict[str, str]:
    """Return each table that an engine which builds one must have written, by its path."""
    files = CASES[case_id].outcomes[-1].files
    return {expected.path: expected.data.decode() for expected in files if expected.data is not None}


ONE = "COLIPAIRS 1 2\n3 1 1 2:1\n3 1 4 2:1\n"
OTHER = "COLIPAIRS 1 4\n3 1 1 2:1 7:1\n3 2 1 3:1\n4 1 2 3:1\n4 1 7 3:1\n"
FROM_0_TO_14 = " ".join(f"{expert}:1" for expert in range(15))


@pytest.mark.parametrize(
    ("case_id", "tables"),
    [
        ("C02-two-traces", {".coli_pairs": ONE, ".coli_pairs_2": OTHER}),
        ("C02-two-traces-one-table", {".coli_pairs": ONE}),
        ("C02-one-trace-twice", {".coli_pairs": ONE, ".coli_pairs_2": ONE}),
        ("C02-after-a-malformed-trace", {".coli_pairs": ONE}),
        ("C02-folders", {"tables/.coli_pairs": ONE}),
        (
            "C01-calls-65536-apart",
            {".coli_pairs": "COLIPAIRS 1 4\n3 1 2 2:1 4:1\n3 2 2 3:1 7:1\n4 1 2 3:1 7:1\n4 1 4 3:1 7:1\n"},
        ),
        ("C01-rows-65536-apart", {".coli_pairs": "COLIPAIRS 1 4\n3 1 0 4:1\n3 1 1 5:1\n3 1 2 6:1\n3 1 3 7:1\n"}),
        ("C02-1024-times", {".coli_pairs": "COLIPAIRS 1 1\n0 1 0 0:1024\n"}),
        ("C02-40-partners-last-id", {".coli_pairs": f"COLIPAIRS 1 1\n3 1 0 39:3 {FROM_0_TO_14}\n"}),
        ("C02-200-partners-last-id", {".coli_pairs": f"COLIPAIRS 1 1\n3 1 0 199:3 {FROM_0_TO_14}\n"}),
        (
            "C02-70-partners-first-id",
            {".coli_pairs": "COLIPAIRS 1 1\n3 1 0 0:3 " + " ".join(f"{expert}:1" for expert in range(1, 16)) + "\n"},
        ),
    ],
)
def test_tables_by_hand(case_id: str, tables: dict[str, str]) -> None:
    assert tables_of(case_id) == tables


def test_calls_that_agree_in_their_lower_bits() -> None:
    lines = trace_of("C01-calls-2147483648-apart").splitlines()
    assert [line.split(" ")[0] for line in lines] == ["0", "2147483648", "4294967296", "6442450944", "8589934592"]


def test_no_trace_is_large() -> None:
    assert all(len(item.data or b"") < 60_000 for case in CASES_MADE for item in case.setup)


@pytest.mark.parametrize("case_id", MALFORMED)
def test_the_grammar_has_every_line_but_the_malformed_one(case_id: str) -> None:
    (said,) = {outcome.messages[0].any_of for outcome in CASES[case_id].outcomes}
    number = int(said[0].removeprefix(":"))
    assert said == (f":{number}", f"line {number}")
    lines = re.findall(r"[^\n]*\n|[^\n]+", trace_of(case_id))
    sound = ["0 0 3 1:0.2500 4:0.2500\n", "1 0 4 2:0.2500\n", "2 0 5 3:0.2500 7:0.2500\n"]
    del sound[number - 1]
    assert lines[: number - 1] + lines[number:] == sound
    assert [parses(line) for line in lines] == [at != number for at in range(1, 4)]


def test_the_table_of_the_sound_lines() -> None:
    assert tables_of("C03-empty-line") == {".coli_pairs": "COLIPAIRS 1 2\n3 2 1 3:1 7:1\n3 2 4 3:1 7:1\n"}
    assert tables_of("C03-cut-before-the-line-end") == {".coli_pairs": ONE}
    assert tables_of("C03-byte-order-mark") == {".coli_pairs": "COLIPAIRS 1 1\n4 1 2 3:1 7:1\n"}


def test_an_earlier_run_is_not_part_of_the_history() -> None:
    (outcome,) = CASES["W22-after-pairs"].outcomes
    (saved,) = outcome.files
    assert saved.history is not None
    assert saved.history.records == ((0, 0, 5),)

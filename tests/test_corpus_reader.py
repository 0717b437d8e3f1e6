"""The cases of areas R and I: complete, sound as data, and with the values that the contract's own examples have."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus import generate
from coli_conformance.corpus.reader_unknown_records import FIRST_FIELDS
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.vectors import area_text, parse_area
from coli_conformance.engines.python_class import open_python
from coli_conformance.judge.verdict import Status
from coli_conformance.runner import run

SPEC = coli_spec.load()
CASES = {case.id: case for case in generate() if case.clauses[0][0] in "RI"}
CLAUSE_IDS = [clause.id for clause in SPEC.clauses if clause.area.letter in "RI"]

HEADER = "-1 5 8\n-2 1 3815245270\n"
REFUSED = ["refused", "ok"]

# id, the text of its one file, and the answers to its load and to `counts`: worked out by hand.
BY_HAND: list[tuple[str, str, list[str]]] = [
    ("R01-one-record", HEADER + "3 2 5\n", ["ok 5", "3 2 5\nok"]),
    ("R01-2x4", "-1 2 4\n-2 1 3815245270\n0 1 5\n", ["ok 5", "0 1 5\nok"]),
    ("R02-legacy-first-minus15-3-4", "-15 3 4\n3 2 5\n4 1 8\n", ["ok 13", "3 2 5\n4 1 8\nok"]),
    ("R02-legacy-first-minus20-3-4", "-20 3 4\n3 2 5\n4 1 8\n", ["ok 13", "3 2 5\n4 1 8\nok"]),
    ("R02-after-identity-minus3-7-12", HEADER + "-3 7 12\n3 2 5\n4 1 8\n", ["ok 13", "3 2 5\n4 1 8\nok"]),
    ("R03-5x8-declared-99x512-trusted", "-1 99 512\n-2 1 3815245270\n3 2 5\n4 1 8\n", REFUSED),
    ("R04-5x8-version-2-trusted", "-1 5 8\n-2 2 3815245270\n3 2 5\n4 1 8\n", REFUSED),
    ("R05-glm_moe_dsa-reads-kimi_k3", "-1 5 8\n-2 1 1820578806\n3 2 5\n4 1 8\n", REFUSED),
    ("R05-glm_moe_dsa-reads-12345", "-1 5 8\n-2 1 12345\n3 2 5\n4 1 8\n", REFUSED),
    ("R06-glm_moe_dsa-reads-kimi_k3", "-1 5 8\n-2 1 1820578806\n3 2 5\n4 1 8\n", ["ok 13", "3 2 5\n4 1 8\nok"]),
    ("R09-legacy-two-of-three-outside", "3 2 5\n9 1 100\n1 99 200\n", ["ok 5", "3 2 5\nok"]),
    ("R10-5x8-mtp-row", "5 0 7\n6 0 9\n", ["ok 7", "5 0 7\nok"]),
    (
        "R10-5x8-expert-minus2147483648",
        HEADER + "3 2 5\n0 -2147483648 100\n4 1 8\n",
        ["ok 13", "3 2 5\n4 1 8\nok"],
    ),
    ("R12-crlf", HEADER.replace("\n", "\r\n") + "0 1 10\r\n3 2 5\r\n4 1 8\r\n", ["ok 23", "0 1 10\n3 2 5\n4 1 8\nok"]),
    ("R12-no-final-newline", HEADER + "0 1 10\n3 2 5\n4 1 8", ["ok 23", "0 1 10\n3 2 5\n4 1 8\nok"]),
    ("R13-zero-bytes", "", ["ok 0", "ok"]),
    ("R14-twice", "3 2 5\n3 2 9\n", ["ok 14", "3 2 14\nok"]),
    ("R15-4294967295", HEADER + "3 2 4294967295\n4 1 8\n", ["ok 4294967303", "3 2 4294967295\n4 1 8\nok"]),
    ("R20-identity-then-data", "3 2 9\n-2 1 1820578806\n4 1 2\n", REFUSED),
    ("R20-dimensions-last", "3 2 9\n-1 4 8\n", REFUSED),
    ("R22-4000000000-4000000000", "0 0 4000000000\n0 0 4000000000\n", ["ok 8000000000", "0 0 4294967295\nok"]),
]

# id, the text, and the name, answer and counters of every legal reading.
CHOICES_BY_HAND: list[tuple[str, str, set[tuple[str, str, str]]]] = [
    (
        "R23-word",
        "0 1 7\ninvalid\n0 1 5\n",
        {
            ("stop", "ok 7", "0 1 7\nok"),
            ("skip-line", "ok 12", "0 1 12\nok"),
            ("refuse", "refused", "ok"),
            ("refuse", "refused", "0 1 7\nok"),
        },
    ),
    (
        "R23-comment-first",
        "# v1\n0 2 5\n",
        {("stop", "ok 0", "ok"), ("skip-line", "ok 5", "0 2 5\nok"), ("refuse", "refused", "ok")},
    ),
    (
        "R23-four-fields-header-invents-outside",
        "3 2 5\n-3 7 12 99\n4 1 8\n",
        {
            ("stop", "ok 5", "3 2 5\nok"),
            ("skip-line", "ok 13", "3 2 5\n4 1 8\nok"),
            ("desync", "ok 6", "3 2 5\n99 4 1\nok"),
            ("refuse", "refused", "ok"),
            ("refuse", "refused", "3 2 5\nok"),
        },
    ),
    (
        "R23-four-fields-header-invents-inside",
        "3 2 5\n-3 7 12 4\n1 3 8\n",
        {
            ("stop", "ok 5", "3 2 5\nok"),
            ("skip-line", "ok 13", "1 3 8\n3 2 5\nok"),
            ("desync", "ok 8", "3 2 5\n4 1 3\nok"),
            ("refuse", "refused", "ok"),
            ("refuse", "refused", "3 2 5\nok"),
        },
    ),
    (
        "R24-version-0",
        "-1 5 8\n-2 0 3815245270\n3 2 6\n",
        {("read", "ok 6", "3 2 6\nok"), ("refuse", "refused", "ok")},
    ),
    (
        "R21-count-4294967303",
        "0 0 4294967303\n0 1 5\n",
        {
            ("", "refused", "ok"),
            ("", "ok 0", "ok"),
            ("", "ok 5", "0 1 5\nok"),
            ("", "ok 4294967300", "0 0 4294967295\n0 1 5\nok"),
            ("", "ok 4294967308", "0 0 4294967303\n0 1 5\nok"),
        },
    ),
    (
        "R21-layer-4294967296",
        "4294967296 0 7\n0 1 5\n",
        {
            ("", "refused", "ok"),
            ("", "ok 0", "ok"),
            ("", "ok 5", "0 1 5\nok"),
            ("", "ok 12", "0 1 5\n2147483647 0 7\nok"),
            ("", "ok 12", "0 1 5\n4294967296 0 7\nok"),
        },
    ),
]


def data_of(case: Case) -> bytes:
    (file,) = case.setup
    assert file.data is not None
    return file.data


def test_every_must_has_two_cases_and_every_should_one() -> None:
    cases = Counter(case.clauses[0] for case in CASES.values())
    wanted = {clause_id: 2 if SPEC.clause(clause_id).level == "must" else 1 for clause_id in CLAUSE_IDS}
    assert {clause_id: cases[clause_id] for clause_id in wanted if cases[clause_id] < wanted[clause_id]} == {}


def test_every_declared_behaviour_is_an_outcome_and_no_other_is() -> None:
    for clause in (SPEC.clause(clause_id) for clause_id in CLAUSE_IDS):
        named = {
            outcome.name
            for case in CASES.values()
            if case.clauses[0] == clause.id
            for outcome in case.outcomes
            if outcome.name
        }
        assert named == set(clause.behaviours), clause.id


def test_ids_begin_with_their_clause_and_a_slug() -> None:
    for case in CASES.values():
        clause, dash, slug = case.id.partition("-")
        assert (clause, dash) == (case.clauses[0], "-")
        assert slug.replace("-", "").replace("_", "").isalnum(), case.id


def test_answers_fit_the_steps() -> None:
    for case in CASES.values():
        assert case.steps[0].startswith("init ")
        for outcome in case.outcomes:
            assert len(outcome.answers) == len(case.steps), case.id


def test_cases_survive_the_vectors() -> None:
    cases = tuple(CASES.values())
    assert parse_area(area_text("R", cases), "R.json") == cases


@pytest.mark.parametrize(("case_id", "text", "answers"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_values_worked_out_by_hand(case_id: str, text: str, answers: list[str]) -> None:
    case = CASES[case_id]
    assert data_of(case) == text.encode()
    (outcome,) = case.outcomes
    assert list(outcome.answers[1:]) == answers


@pytest.mark.parametrize(("case_id", "text", "legal"), CHOICES_BY_HAND, ids=[row[0] for row in CHOICES_BY_HAND])
def test_choices_worked_out_by_hand(case_id: str, text: str, legal: set[tuple[str, str, str]]) -> None:
    case = CASES[case_id]
    assert data_of(case) == text.encode()
    assert {(outcome.name, *outcome.answers[1:]) for outcome in case.outcomes} == legal


def test_dense_layer_is_not_credited_nor_saved() -> None:
    case = CASES["R11-legacy-row-2-save"]
    assert data_of(case) == b"2 3 50\n3 4 7\n"
    assert case.steps[1:] == ("drop 2", "load history-1.txt", "counts", "save .coli_usage")
    assert case.outcomes[0].answers[1:] == ("ok", "ok 7", "3 4 7\nok", "ok")
    (saved,) = case.outcomes[0].files
    assert saved.history is not None
    assert (saved.clause, saved.history.records, saved.history.dropped) == ("W09", ((3, 4, 7),), (2,))


@pytest.mark.parametrize(
    ("case_id", "wrong", "right"),
    [
        ("R21-n_experts-4294967304", "-1 5 4294967305\n3 2 5\n", "-1 5 4294967304\n3 2 5\n"),
        ("R21-id-8110212566", "-1 5 8\n-2 1 8110212567\n3 2 5\n", "-1 5 8\n-2 1 8110212566\n3 2 5\n"),
        ("R21-id-negative-minus479722026", "-1 5 8\n-2 1 -479722025\n3 2 5\n", "-1 5 8\n-2 1 -479722026\n3 2 5\n"),
    ],
)
def test_wrapping_into_the_right_header_shows(case_id: str, wrong: str, right: str) -> None:
    case = CASES[case_id]
    assert [file.data for file in case.setup] == [wrong.encode(), right.encode()]
    loads = [outcome.answers[1:3] for outcome in case.outcomes]
    assert loads == [("refused", "refused"), ("ok 0", "ok 0"), ("ok 5", "ok 5")]
    # A reader that wraps refuses the first file, whose number becomes a wrong one, and reads the second.
    assert ("refused", "ok 5") not in loads


def test_unknown_records_meet_every_position_and_boundary() -> None:
    cases = [case for case in CASES.values() if case.clauses[0] == "R02"]
    records = {
        (int(first), int(second), int(third))
        for case in cases
        for first, second, third in map(bytes.split, filter(None, data_of(case).splitlines()))
        if int(first) < -2
    }
    assert {first for first, _, _ in records} >= set(FIRST_FIELDS)
    assert {second for _, second, _ in records} >= set(SPEC.fields[1].boundaries())
    assert {third for _, _, third in records} >= set(SPEC.fields[2].boundaries())
    for position in ("first", "after-dimensions", "after-identity", "among-data", "last", "legacy-among-data"):
        assert sum(case.id.startswith(f"R02-{position}-minus") for case in cases) >= 8, position


def test_largest_histories_have_the_sizes_of_real_ones() -> None:
    lines = data_of(CASES["R01-78x256"]).splitlines()
    assert lines[:2] == [b"-1 78 256", b"-2 1 3815245270"]
    assert 18_500 < len(lines) < 19_456
    assert data_of(CASES["R01-93x896"]).splitlines()[:2] == [b"-1 93 896", b"-2 1 1820578806"]
    assert len(data_of(CASES["I01-66x256"])) == 67_596


def test_block_puts_each_count_at_its_own_word() -> None:
    words = [0] * 40
    words[1], words[30] = 2, 3
    case = CASES["I01-few-counts"]
    assert data_of(case) == b"IKU1" + struct.pack("<42I", 5, 8, *words)
    assert case.steps[0] == "init inkling 5 8"
    assert case.outcomes[0].answers[1:] == ("ok 5", "0 1 2\n3 6 3\nok")
    assert data_of(CASES["I02-glm_moe_dsa"]) == data_of(case)
    assert CASES["I02-glm_moe_dsa"].outcomes[0].answers[1:] == ("refused", "ok")


def test_block_headers_worked_out_by_hand() -> None:
    assert data_of(CASES["I05-largest-by-largest-header-alone"]) == bytes.fromhex("494b5531ffffffffffffffff")
    assert data_of(CASES["I06-6-bytes"]) == bytes.fromhex("494b55310500")
    for name, modulus in (("bytes-wrap-to-own-in-32-bits", 1 << 32), ("bytes-wrap-to-own-in-64-bits", 1 << 64)):
        n_layers, n_experts = struct.unpack_from("<II", data_of(CASES[f"I05-{name}"]), 4)
        assert (n_layers, n_experts) != (5, 8)
        assert 4 * n_layers * n_experts % modulus == 4 * 5 * 8


@pytest.mark.parametrize("target", [Target("olmoe", 1, 1), Target("inkling", 2, 3), Target("kimi_k3", 93, 896)])
def test_other_targets_have_cases_too(target: Target) -> None:
    cases = [case for case in generate(target) if case.clauses[0][0] in "RI"]
    missing = set(CLAUSE_IDS) - {case.clauses[0] for case in cases}
    assert missing == set()


def test_the_reference_engine_passes_every_case() -> None:
    with open_python("coli_reference.engine:ReferenceEngine") as engine:
        played = run(engine, tuple(CASES.values()), on_result=lambda _case, _result, _seen: None)
    assert [(result.case_id, result.detail) for result in played.results if result.status is not Status.PASS] == []

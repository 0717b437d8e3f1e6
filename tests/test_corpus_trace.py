"""The corpus of areas T, P and C: complete, unique, and with lines and tables worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import coli_spec
from coli_conformance import corpus
from coli_conformance.case import Case
from coli_conformance.corpus import pairs_table, placement, trace_call_numbers, trace_choices, trace_lines, trace_runs
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import moe_call, numbered, picks, tokens
from coli_conformance.corpus.vectors import area_text, parse_area
from coli_reference import pairs

MODULES = (trace_lines, trace_call_numbers, trace_choices, trace_runs, placement, pairs_table)
CASES_MADE: list[Case] = [case for module in MODULES for clause in module.CLAUSES for case in clause(Target())]
CASES = {case.id: case for case in CASES_MADE}


def of_area(letter: str) -> list[Case]:
    return [case for case in CASES_MADE if case.clauses[0].startswith(letter)]


def trace_of(case_id: str, outcome: int = 0) -> tuple[str, ...]:
    """Return the lines of the one trace that the case expects in one of its outcomes."""
    (expected,) = [expected.trace for expected in CASES[case_id].outcomes[outcome].files if expected.trace]
    return expected.lines


def table_of(case_id: str) -> str:
    """Return the table that the case expects in its last outcome, which is that of an engine that builds one."""
    (expected,) = CASES[case_id].outcomes[-1].files
    assert expected.data is not None
    return expected.data.decode()


def given_trace(case: Case) -> bytes:
    (item,) = case.setup
    assert item.data is not None
    return item.data


def decisions(case: Case) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the layer, the row and the experts of every route command."""
    for step in case.steps:
        verb, *words = step.split()
        if verb == "route":
            yield int(words[0]), int(words[1]), [int(choice.partition(":")[0]) for choice in words[2:]]


def test_ids_are_unique_and_begin_with_their_clause() -> None:
    assert [case_id for case_id, count in Counter(case.id for case in CASES_MADE).items() if count > 1] == []
    for case in CASES_MADE:
        clause, _, slug = case.id.partition("-")
        assert clause == case.clauses[0]
        assert slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-"), case.id


def test_every_clause_has_cases_of_its_own_level_and_roles() -> None:
    about = Counter(case.clauses[0] for case in CASES_MADE)
    for clause in coli_spec.load().clauses:
        if clause.area.letter in "TPC":
            assert about[clause.id] >= (2 if clause.level == "must" else 1), clause.id
    for case in CASES_MADE:
        clause = coli_spec.load().clause(case.clauses[0])
        assert case.level == clause.level
        assert set(clause.roles) <= set(case.roles), case.id


def test_no_two_cases_do_the_same() -> None:
    seen: dict[object, str] = {}
    for case in CASES_MADE:
        does = (case.clauses[0], case.steps, case.setup, tuple(case.environment.items()), case.outcomes)
        assert does not in seen, f"{case.id} repeats {seen[does]}"
        seen[does] = case.id


@pytest.mark.parametrize("letter", "TPC")
def test_cases_survive_the_vectors(letter: str) -> None:
    assert list(parse_area(area_text(letter, of_area(letter)), f"{letter}.json")) == of_area(letter)


@pytest.mark.parametrize("target", [Target(), Target("olmoe", 1, 1), Target("kimi_k3", 93, 896)], ids=str)
def test_sound_routing_stays_inside_the_model(target: Target) -> None:
    for module in MODULES:
        for case in (case for clause in module.CLAUSES for case in clause(target) if case.clauses[0] != "T12"):
            _, _, n_layers, n_experts = case.steps[0].split()
            for layer, row, experts in decisions(case):
                assert 0 <= layer <= int(n_layers) and row >= 0, case.id
                assert len(set(experts)) == len(experts) and set(experts) <= set(range(int(n_experts))), case.id
            assert f"drop {n_layers}" not in case.steps or int(n_layers) not in {at for at, _, _ in decisions(case)}


def test_commands_and_traces_keep_the_protocols_limits() -> None:
    for case in CASES_MADE:
        assert max(map(len, case.steps)) < 32_768, case.id
        assert sum(len(item.data or b"") for item in case.setup) < 200_000, case.id


@pytest.mark.parametrize(
    ("case_id", "lines"),
    [
        ("T02-one-decision", ["0 0 5 0:0.5"]),
        ("T02-rows-made-out-of-order", ["0 2 1 0:0.5", "0 0 1 1:0.5", "0 1 1 2:0.5"]),
        ("T02-call-not-ended", ["0 0 5 0:0.5", "0 1 5 0:0.5", "0 2 5 0:0.5"]),
        ("T03-2-rows-a-call", ["0 0 0 0:0.5", "0 1 0 0:0.5", "1 0 5 0:0.5", "1 1 5 0:0.5"]),
        ("T03-empty-call-first", ["1 0 5 0:0.5", "1 1 5 0:0.25"]),
        ("T03-empty-call-3-in-a-row", ["0 0 5 0:0.5", "0 1 5 0:0.25", "4 0 5 0:0.5", "4 1 5 0:0.25"]),
        ("T03-save-between", [f"{call} 0 5 0:0.5" for call in range(4)]),
        ("T04-row-0-layer-3", ["0 0 3 0:0.5"]),
        ("T04-row-511", ["0 0 1 0:0.5", "0 7 1 1:0.5", "0 511 1 2:0.5"]),
        ("T04-dense-layers-before", ["0 0 2 0:0.5", "1 0 4 0:0.5"]),
        ("T05-unsorted", ["0 0 3 4:0.5 1:0.25 6:0.125"]),
        ("T05-history-loaded-before", ["0 0 5 0:0.5"]),
        ("T06-sum-2_5", ["0 0 1 1:1.25 2:1.25"]),
    ],
)
def test_traces_by_hand(case_id: str, lines: list[str]) -> None:
    assert list(trace_of(case_id)) == lines


def test_the_real_shape_has_75_lines_of_eight_choices_for_a_token() -> None:
    lines = trace_of("T01-78x256-3-tokens")
    assert len(lines) == 3 * 75
    assert {line.count(":") for line in lines} == {8}
    assert {int(line.split()[2]) for line in lines} == set(range(3, 78))


def test_a_loaded_history_is_counted_beside_the_routed_choice() -> None:
    (outcome,) = CASES["T05-history-loaded-before"].outcomes
    assert outcome.answers[-1] == "0 0 5\n5 0 1001\nok"


@pytest.mark.parametrize("case_id", [case.id for case in CASES_MADE if case.clauses[0] == "T12"])
def test_unsound_choices_are_in_no_outcome(case_id: str) -> None:
    bad = {"nan", "inf", "-inf"}
    for outcome in range(len(CASES[case_id].outcomes)):
        for line in trace_of(case_id, outcome):
            for expert, gate in picks(line.split(" ", 3)[3]):
                assert 0 <= expert < 8 and gate not in bad


def test_sound_choices_beside_an_unsound_one_are_kept_or_dropped_together() -> None:
    around = "0 0 1 2:0.25 0:0.5", "2 0 3 0:0.25"
    assert trace_of("T12-expert-8-middle", 0) == (around[0], "1 0 2 2:0.5 0:0.125", around[1])
    assert trace_of("T12-expert-8-middle", 1) == around
    kept, dropped = CASES["T12-expert-8-middle"].outcomes
    assert kept.answers[-1] == "1 0 1\n1 2 1\n2 0 1\n2 2 1\n3 0 1\nok"
    assert dropped.answers[-1] == "1 0 1\n1 2 1\n3 0 1\nok"
    assert len(CASES["T12-expert-8-alone"].outcomes) == 1


def test_tracing_on_and_off_are_two_runs_of_one_session() -> None:
    for case in (case for case in CASES_MADE if case.clauses[0] == "T07"):
        assert case.environment == {"ROUTE_TRACE": "trace.txt"}
        assert case.second_run is not None and case.second_run.environment == {}
        assert [expected.clause for expected in case.outcomes[0].files if expected.same] == ["T07"]


def test_locales_and_decimals_are_asked_where_the_clauses_are() -> None:
    for case in CASES_MADE:
        assert case.decimal_comma == (case.clauses[0] == "T09"), case.id
        four = any(expected.trace and expected.trace.four_decimals for expected in case.outcomes[0].files)
        assert not four or case.clauses[0] == "T10", case.id


@pytest.mark.parametrize(
    ("case_id", "answer"),
    [
        ("P01-before-stats", "ok .coli_usage untrusted"),
        ("P01-one-newline", "ok .coli_usage untrusted"),
        ("P02-empty-history", "ok stats.txt untrusted"),
        ("P02-both-empty", "ok"),
        ("P02-saved-empty", "ok stats.txt untrusted"),
        ("P03-typed-history", "ok .coli_usage trusted"),
        ("P03-typed-dot-auto", "ok ./auto trusted"),
        ("P03-found-beside-auto", "ok .coli_usage untrusted"),
    ],
)
def test_placement_by_hand(case_id: str, answer: str) -> None:
    (outcome,) = CASES[case_id].outcomes
    assert outcome.answers[-1] == answer


@pytest.mark.parametrize(
    ("case_id", "table"),
    [
        ("C01-no-line", "COLIPAIRS 1 0\n"),
        ("C01-one-layer", "COLIPAIRS 1 0\n"),
        ("C01-two-layers", "COLIPAIRS 1 2\n3 1 1 2:1 4:1\n3 1 4 2:1 4:1\n"),
        ("C01-layer-repeats", "COLIPAIRS 1 2\n3 1 2 3:1 7:1\n3 1 4 3:1 7:1\n"),
        ("C01-first-call-above-the-second", "COLIPAIRS 1 2\n3 1 2 3:1 7:1\n3 1 4 3:1 7:1\n"),
        ("C01-gap-of-one-layer", "COLIPAIRS 1 2\n2 2 1 3:1 7:1\n2 2 4 3:1 7:1\n"),
        ("C01-rows-missing-in-between", "COLIPAIRS 1 2\n3 1 2 1:1 4:1\n3 1 4 1:1 4:1\n"),
        (
            "C01-rows-out-of-order",
            "COLIPAIRS 1 3\n3 1 1 1:1 4:1\n3 1 2 3:1 7:1\n3 1 4 1:1 3:1 4:1 7:1\n",
        ),
        ("C02-two-ahead-without-one", "COLIPAIRS 1 2\n1 2 0 2:1 6:1\n1 2 5 2:1 6:1\n"),
        ("C02-three-ahead", "COLIPAIRS 1 0\n"),
        (
            "C02-forwards-add-up",
            "COLIPAIRS 1 3\n3 1 0 0:3 4:3\n3 1 1 1:2 4:2\n3 1 3 4:5 0:3 1:2\n",
        ),
        ("C02-ties", "COLIPAIRS 1 1\n3 1 5 0:1 2:1 6:1 7:1\n"),
        ("C02-frequent-first", "COLIPAIRS 1 1\n3 1 0 6:3 3:2 1:1\n"),
        ("C02-17-partners", f"COLIPAIRS 1 1\n3 1 0 {' '.join(f'{expert}:1' for expert in range(16))}\n"),
        ("C02-17-partners-rarest-out", f"COLIPAIRS 1 1\n3 1 0 {' '.join(f'{expert}:2' for expert in range(1, 17))}\n"),
        (
            "C02-numbers-not-digits",
            "COLIPAIRS 1 9\n9 1 9 9:1 10:1 100:1\n9 1 10 9:1 10:1 100:1\n9 1 100 9:1 10:1 100:1\n"
            "9 2 9 2:1\n9 2 10 2:1\n9 2 100 2:1\n10 1 9 2:1\n10 1 10 2:1\n10 1 100 2:1\n",
        ),
    ],
)
def test_tables_by_hand(case_id: str, table: str) -> None:
    assert table_of(case_id) == table


@pytest.mark.parametrize("case_id", [case.id for case in CASES_MADE if case.clauses[0] in {"C01", "C02"}])
def test_tables_are_those_of_a_second_implementation(case_id: str, tmp_path: Path) -> None:
    trace, out = tmp_path / "trace", tmp_path / "table"
    trace.write_bytes(given_trace(CASES[case_id]))
    pairs.build(str(trace), str(out))
    assert out.read_text() == table_of(case_id)


def test_malformed_lines_stand_where_the_message_says() -> None:
    sound = [b"0 0 3 1:0.2500 4:0.2500\n", b"1 0 4 2:0.2500 4:0.2500\n", b"2 0 5 3:0.2500 7:0.2500\n"]
    for case in (case for case in CASES_MADE if case.clauses[0] == "C03"):
        (said,) = {outcome.messages[0].any_of for outcome in case.outcomes}
        number = int(said[0].removeprefix(":"))
        assert said == (f":{number}", f"line {number}")
        lines = given_trace(case).splitlines(keepends=True)
        assert [*lines[: number - 1], *lines[number:]] == sound, case.id
        assert lines[number - 1] not in sound, case.id
    assert table_of("C03-no-gate").startswith("COLIPAIRS 1 6\n3 1 1 2:1 4:1\n3 1 4 2:1 4:1\n3 2 1 3:1 7:1\n")


def test_generated_tokens_choose_different_experts_of_the_model() -> None:
    calls = tokens((3, 1), range(3, 6), n_experts=256, top_k=8)
    assert [call.layer for call in calls] == [3, 4, 5, 3, 4, 5]
    assert [len(call.rows) for call in calls] == [3, 3, 3, 1, 1, 1]
    for call in calls:
        for _, choices in call.rows:
            experts = [expert for expert, _ in picks(choices)]
            assert len(set(experts)) == 8 and set(experts) <= set(range(256))


def test_calls_without_rows_leave_a_gap() -> None:
    one = moe_call(3, "1:0.5")
    assert list(numbered(one, moe_call(4), one)) == [0, 2]


def test_the_whole_corpus_stands_in_the_declared_order() -> None:
    declared = [clause.id for clause in coli_spec.load().clauses]
    cases = corpus.generate()
    order = [declared.index(case.clauses[0]) for case in cases]
    assert order == sorted(order)
    assert {case.id for case in cases} >= set(CASES)
    assert set(corpus.areas()) == {case.id[0] for case in cases}


def test_an_id_given_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def t01_twice(target: Target) -> Iterator[Case]:
        yield CASES["T01-1-choices"]

    monkeypatch.setattr(corpus, "_clauses", lambda: iter((t01_twice, t01_twice)))
    with pytest.raises(AssertionError, match="T01-1-choices"):
        corpus.generate()

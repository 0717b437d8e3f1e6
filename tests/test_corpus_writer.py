"""The corpus of area W: complete, unique, in the protocol's words, and with numbers worked out by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import coli_spec
from coli_conformance.case import Case, FileExpectation, WrittenHistory
from coli_conformance.corpus import (
    writer_counters,
    writer_failing,
    writer_form,
    writer_header,
    writer_old_readers,
    writer_rows,
    writer_saving,
)
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_conformance.corpus.vectors import from_json, to_json

MODULES = (
    writer_form,
    writer_header,
    writer_rows,
    writer_counters,
    writer_saving,
    writer_failing,
    writer_old_readers,
)
VERBS = {"init", "drop", "route", "endcall", "add", "load", "trust", "counts", "save"}
GLM = 3815245270
LARGEST = 4294967295
# Two engines saving together cannot be said in one session: that clause is asked by interrupting, not by a case.
WITHOUT_CASES = {"W24"}


def generated(target: Target) -> list[Case]:
    return [case for module in MODULES for clause in module.CLAUSES for case in clause(target)]


CASES = {case.id: case for case in generated(Target())}


def only_history(case_id: str) -> WrittenHistory:
    """Return the one history that the case expects to be written, in its only outcome."""
    (outcome,) = CASES[case_id].outcomes
    (written,) = [expected.history for expected in outcome.files if expected.history is not None]
    return written


def test_ids_are_unique_and_begin_with_their_clause() -> None:
    assert [case_id for case_id, count in Counter(c.id for c in generated(Target())).items() if count > 1] == []
    for case in CASES.values():
        clause, _, slug = case.id.partition("-")
        assert clause == case.clauses[0]
        assert slug and set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-"), case.id


def test_every_clause_has_its_cases() -> None:
    count = Counter(case.clauses[0] for case in CASES.values())
    for clause in coli_spec.load().clauses:
        if clause.area.letter == "W" and clause.id not in WITHOUT_CASES:
            assert count[clause.id] >= (2 if clause.level == "must" else 1), clause.id
    assert set(count) == {c.id for c in coli_spec.load().clauses if c.area.letter == "W"} - WITHOUT_CASES


def test_no_two_cases_ask_the_same() -> None:
    def question(case: Case) -> tuple[object, ...]:
        outcomes = tuple(
            replace(outcome, files=tuple(replace(expected, clause="") for expected in outcome.files))
            for outcome in case.outcomes
        )
        return case.steps, case.setup, case.file_size_limit, outcomes

    asked: dict[tuple[object, ...], list[str]] = {}
    for case in CASES.values():
        asked.setdefault(question(case), []).append(case.id)
    # A single count of 1 is asked for its clean-up too, so its own expectation differs; nothing else may coincide.
    assert [ids for ids in asked.values() if len(ids) > 1] == []


@pytest.mark.parametrize("target", [Target(), Target("tiny", 1, 1), Target("olmoe", 16, 64)], ids=lambda t: t.name)
def test_sessions_keep_the_limits_of_the_protocol(target: Target) -> None:
    for case in generated(target):
        assert case.steps[0].startswith("init "), case.id
        _, name, n_layers, n_experts = case.steps[0].split()
        assert 1 <= len(name) <= 63
        assert 1 <= int(n_layers) <= 1000 and 1 <= int(n_experts) <= 4096
        for step in case.steps[1:]:
            verb, *words = step.split(" ")
            assert verb in VERBS, (case.id, step)
            assert len(step) < 32_768
            if verb in {"add", "route", "drop"}:
                assert 0 <= int(words[0]) <= int(n_layers), (case.id, step)
            if verb == "add":
                assert 0 <= int(words[1]) < int(n_experts), (case.id, step)
                assert 0 <= int(words[2]) <= LARGEST
            if verb == "route":
                assert all(0 <= int(word.split(":")[0]) < int(n_experts) for word in words[2:]), (case.id, step)
        for outcome in case.outcomes:
            assert len(outcome.answers) == len(case.steps), case.id
            assert all(expected.clause for expected in outcome.files), case.id


@pytest.mark.parametrize("target", [Target("tiny", 1, 1), Target("olmoe", 16, 64), Target("kimi_k3", 93, 896)])
def test_a_corpus_for_another_engine_has_unique_ids_too(target: Target) -> None:
    cases = generated(target)
    assert len({case.id for case in cases}) == len(cases)
    assert {case.clauses[0] for case in cases} == {case.clauses[0] for case in CASES.values()}


def test_cases_come_back_from_json_as_they_were() -> None:
    for case in CASES.values():
        assert from_json(to_json(case)) == case


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("akhnp9x", 0),
        ("aeto96", 1),
        ("d3ir4j_", 2147483646),
        ("a1zo9rv", 2147483647),
        ("hp4gi_", 2147483648),
        ("aidnpf8", 2147483649),
        ("aecrekt", 4294967294),
        ("aqmd2_t", LARGEST),
        ("bc1i2hy", 827673417),
    ],
)
def test_names_at_boundaries_have_the_ids_they_are_there_for(name: str, number: int) -> None:
    assert name in NAMES_AT_BOUNDARIES
    assert Target(name).engine_id == number
    assert only_history(f"W06-id-{number}").engine_id == number
    assert only_history(f"W15-id-{number}").engine_id == number


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("glm_moe_dsa", GLM),
        ("inkling", 2050583463),
        ("olmoe", 3841822045),
        ("kimi_k3", 1820578806),
        ("deepseek_v4", 1277378958),
        ("qwen38", 2546085765),
        ("glm53", 2402853253),
    ],
)
def test_registered_engines_are_asked_for_their_published_ids(name: str, number: int) -> None:
    assert only_history(f"W07-{name}").engine_id == number
    assert CASES[f"W07-{name}"].steps == (f"init {name} 5 8", "add 0 0 3", "save .coli_usage")


@pytest.mark.parametrize(
    ("case_id", "text"),
    [
        ("W01-loaded-0-then-routed", "-1 5 8\n-2 1 3815245270\n0 0 5\n1 7 1\n"),
        ("W02-widest-fields", "-1 1000 4096\n-2 1 3815245270\n999 4094 4294967294\n1000 4095 4294967295\n"),
        ("W05-1x1", "-1 1 1\n-2 1 3815245270\n0 0 2\n"),
        ("W08-over-a-history", ""),
        ("W08-only-a-dropped-row-loaded", ""),
        ("W09-dropped-after-counting", "-1 5 8\n-2 1 3815245270\n1 7 3\n"),
        ("W10-beside-the-last-layer", "-1 5 8\n-2 1 3815245270\n4 0 4\n5 0 6\n"),
        ("W11-routed-257-times", "-1 5 8\n-2 1 3815245270\n0 0 257\n"),
        ("W11-2147483647-plus-1", "-1 5 8\n-2 1 3815245270\n0 0 2147483648\n"),
        ("W12-over-same-counters", "-1 5 8\n-2 1 3815245270\n0 0 30\n1 7 2\n"),
        ("W13-loaded-and-routed", "-1 5 8\n-2 1 3815245270\n0 0 1000\n1 0 3\n1 7 4\n"),
        ("W13-loads-what-it-saved", "-1 5 8\n-2 1 3815245270\n0 0 14\n1 0 2\n"),
        ("W13-inkling-iku1", "-1 5 8\n-2 1 2050583463\n0 1 2\n3 6 3\n4 7 4294967295\n"),
        (
            "W18-numbers-of-one-and-two-digits",
            "-1 16 64\n-2 1 3815245270\n2 2 1\n2 9 1\n2 10 1\n9 0 1\n10 2 1\n10 10 1\n",
        ),
        ("W22-loaded-duplicates", "-1 5 8\n-2 1 3815245270\n0 0 12\n1 7 1\n"),
        ("W22-loaded-added-and-routed", "-1 5 8\n-2 1 3815245270\n0 0 121\n"),
        (
            "W22-93x896-aliases",
            "-1 93 896\n-2 1 1820578806\n1 384 5\n1 640 2\n2 0 9\n2 384 3\n3 128 4\n",
        ),
    ],
)
def test_expected_histories_by_hand(case_id: str, text: str) -> None:
    assert only_history(case_id).canonical_bytes.decode() == text


def test_expected_answers_by_hand() -> None:
    assert CASES["W13-counts-after-a-save"].outcomes[0].answers[-1] == f"0 0 5\n1 7 {LARGEST}\nok"
    assert CASES["W13-loaded-twice"].outcomes[0].answers == ("ok", "ok 1004", "ok 1004", "ok")
    assert CASES["W12-second-save-read-back"].outcomes[0].answers[-1] == "ok 7"
    assert CASES["W19-4294967294-plus-2"].outcomes[0].answers[-1] == f"0 0 {LARGEST}\nok"
    assert CASES["W19-4294967295-in-the-mtp-row"].outcomes[0].answers[-1] == f"0 0 7\n5 0 {LARGEST}\nok"


def test_a_history_of_real_size_is_loaded_and_saved() -> None:
    case, written = CASES["W13-78x256-real"], only_history("W13-78x256-real")
    old = case.setup[0].data
    assert old is not None
    assert old.count(b"\n") == 19_000
    assert 180_000 < len(old) < 205_000, "real ones have 186 to 199 KB"
    assert 8_500_000 < sum(count for _, _, count in written.records) < 26_000_000
    assert {layer for layer, _, _ in written.records} == set(range(3, 79))
    assert sum(count for _, _, count in written.records) == int(case.outcomes[0].answers[4].split()[1]) + 8


def test_wide_models_are_asked_beyond_one_byte() -> None:
    assert len(only_history("W22-93x896-368-records").records) == 368
    assert max(expert for _, expert, _ in only_history("W22-93x896-368-records").records) > 255
    assert len(only_history("W22-93x896-9200-records-loaded").records) == 9200


def test_a_disk_that_is_full_is_full_before_the_new_history_ends() -> None:
    limited = [case for case in CASES.values() if case.file_size_limit is not None]
    assert {case.clauses[0] for case in limited} == {"W17", "W20"}
    for case in limited:
        records = ["-1 5 8", f"-2 1 {GLM}", *(step[4:] for step in case.steps if step.startswith("add "))]
        assert case.file_size_limit is not None
        assert case.file_size_limit < len("\n".join(records)), case.id
        assert case.alone


def test_a_refused_history_is_kept_in_place_or_set_aside() -> None:
    aside, failing = CASES["W21-other-engine"].outcomes
    refused = b"-1 5 8\n-2 1 1820578806\n0 0 1000\n"
    assert CASES["W21-other-engine"].setup[0].data == refused
    assert aside.answers == ("ok", "refused", "ok", "ok")
    assert FileExpectation("", "W21", somewhere=refused) in aside.files
    assert failing.answers == ("ok", "refused", "ok", "error")
    assert failing.files == (FileExpectation(".coli_usage", "W21", data=refused),)


def test_an_unknown_record_is_dropped_or_preserved_by_name() -> None:
    dropped, preserved = CASES["W25-after-the-header"].outcomes
    assert (dropped.name, preserved.name) == ("dropped", "preserved")
    without, kept = dropped.files[0].history, preserved.files[0].history
    assert without is not None and kept is not None
    assert (without.kept, without.added) == ((), ())
    assert (kept.kept, kept.added) == ((), ((-3, 7, 12),))
    assert without.records == kept.records == ((0, 0, 6), (1, 0, 2))
    loose = only_history("W14-after-an-unknown-record")
    assert (loose.kept, loose.added) == (((-3, 7, 12),), ())


def test_roles_are_what_the_sessions_need() -> None:
    assert CASES["W07-olmoe"].roles == ("save",)
    assert CASES["W01-loaded-0"].roles == ("load", "save")
    assert CASES["W09-first-row"].roles == ("bounds", "save")
    assert CASES["W07-after-a-trusted-read"].roles == ("identify", "trusted", "save")
    assert CASES["W21-iku1"].roles == ("load", "identify", "iku1", "save")
    assert CASES["W14-two-calls-routed"].roles == ("save", "trace")
    for case in CASES.values():
        verbs = {step.split()[0] for step in case.steps}
        assert "drop" not in verbs or "bounds" in case.roles, case.id
        assert "endcall" not in verbs or "trace" in case.roles, case.id
        assert "refused" not in case.outcomes[0].answers or "identify" in case.roles, case.id

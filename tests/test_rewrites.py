"""Rewrites that must not matter: each by hand, their twins of the real corpus, and which of them a run plays."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from coli_conformance import faults
from coli_conformance.case import Case, Outcome, SetupFile
from coli_conformance.cli import main
from coli_conformance.corpus.rewrites import LARGEST, REWRITES, original_of, rewrite_of, twins
from coli_conformance.corpus.vectors import committed
from coli_conformance.engines.command import open_command
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run
from coli_conformance.selection import SelectionError, select, select_twins
from coli_conformance.twin_run import SAMPLE, Twins, due_twins, sampled
from coli_reference import old_reader
from coli_reference.engine import ReferenceEngine

HISTORY = b"-1 5 8\n-2 1 3815245270\n3 2 5\n4 1 1\n"
BY_HAND = {
    "crlf": b"-1 5 8\r\n-2 1 3815245270\r\n3 2 5\r\n4 1 1\r\n",
    "blanks": b"-1\t \t5\t \t8\n \t-2  1  3815245270\t\n3\t \t2\t \t5\n \t4  1  1\t\n",
    "blank-lines": b"\n-1 5 8\n\n-2 1 3815245270\n\n3 2 5\n\n4 1 1\n\n",
    "no-final-newline": b"-1 5 8\n-2 1 3815245270\n3 2 5\n4 1 1",
    "unknown-before": b"-3 7 12\n-1 5 8\n-2 1 3815245270\n3 2 5\n4 1 1\n",
    "unknown-between": (
        b"-1 5 8\n-2147483648 -2147483648 4294967295\n-2 1 3815245270\n-2147483648 -2147483648 4294967295\n3 2 5\n"
        b"-2147483648 -2147483648 4294967295\n4 1 1\n"
    ),
    "unknown-after": b"-1 5 8\n-2 1 3815245270\n3 2 5\n4 1 1\n-10 2147483647 0\n",
    "reordered": b"-1 5 8\n-2 1 3815245270\n4 1 1\n3 2 5\n",
    "split": b"-1 5 8\n-2 1 3815245270\n3 2 2\n3 2 3\n4 1 1\n",
}
READS = "R01-few-records"


@pytest.fixture(scope="module")
def corpus() -> tuple[Case, ...]:
    return committed()[0]


@pytest.fixture(scope="module")
def every_twin(corpus: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(twin for case in corpus for twin in twins(case))


def inputs(case: Case) -> list[bytes]:
    return [item.data for item in case.setup if item.data is not None]


def case_of(data: bytes) -> Case:
    return Case(
        id="R01-x",
        since=1,
        clauses=("R01",),
        level="must",
        roles=("load",),
        why="It is read.",
        steps=("init glm_moe_dsa 5 8", "load h.txt"),
        outcomes=(Outcome(("ok", "ok 6")),),
        setup=(SetupFile("h.txt", data=data),),
    )


# -- the rewrites -----------------------------------------------------------------------------------------------------


def test_every_rewrite_by_hand() -> None:
    assert {rewrite_of(twin.id): inputs(twin)[0] for twin in twins(case_of(HISTORY))} == BY_HAND
    assert [rewrite.name for rewrite in REWRITES] == list(BY_HAND)


def test_a_rewrite_that_changes_nothing_makes_no_twin() -> None:
    names = [rewrite_of(twin.id) for twin in twins(case_of(b"4 1 1\n"))]
    assert names == [
        *("crlf", "blanks", "blank-lines", "no-final-newline", "unknown-before", "unknown-after"),
    ]


@pytest.mark.parametrize("data", [b"", b"3 2 5", b"3 2  5\n", b"3 2 5\r\n", b"IKU1\0\0\0\0", b"3 2 x\n"])
def test_what_is_no_canonical_history_has_no_twins(data: bytes) -> None:
    assert list(twins(case_of(data))) == []


def test_a_twin_expects_what_its_original_does() -> None:
    original = case_of(HISTORY)
    for twin in twins(original):
        assert (twin.steps, twin.outcomes) == (original.steps, original.outcomes)
        assert original_of(twin.id) == original.id
        assert twin.clauses[-1] == "R01"


def test_ids_that_are_no_twins() -> None:
    assert (original_of("R01-x"), rewrite_of("R01-x")) == ("R01-x", "")
    assert (original_of("R01-x@7-3~crlf"), rewrite_of("R01-x@7-3~crlf")) == ("R01-x@7-3", "crlf")


# -- the twins of the real corpus -------------------------------------------------------------------------------------


def meant(data: bytes) -> Counter[tuple[int, int]]:
    """Return the sum of every expert of every layer, as the old reader's loop finds it."""
    sums: Counter[tuple[int, int]] = Counter()
    for layer, expert, count in old_reader.records(data):
        if layer >= 0:
            sums[layer, expert] += count
    return sums


def test_an_old_reader_recovers_the_same_sums_from_a_twin(
    corpus: tuple[Case, ...], every_twin: tuple[Case, ...]
) -> None:
    originals = {case.id: case for case in corpus}
    rewritten = {
        (before, after)
        for twin in every_twin
        for before, after in zip(inputs(originals[original_of(twin.id)]), inputs(twin), strict=True)
        if before != after
    }
    assert len(rewritten) > 100
    for before, after in rewritten:
        assert meant(after) == meant(before)


def test_twins_of_the_corpus(corpus: tuple[Case, ...], every_twin: tuple[Case, ...]) -> None:
    ids = [twin.id for twin in every_twin]
    assert len(set(ids)) == len(ids)
    assert not {case.id for case in corpus}.intersection(ids)
    of_each = Counter(map(rewrite_of, ids))
    assert of_each.keys() == {rewrite.name for rewrite in REWRITES}
    assert min(of_each.values()) > 4 * SAMPLE
    have_twins = set(map(original_of, ids))
    originals = [case for case in corpus if case.id in have_twins]
    assert {case.level for case in originals} == {"must"}
    assert max(len(data) for case in originals for data in inputs(case)) <= LARGEST


def test_the_c_engine_passes_every_twin(c_engine: Path, every_twin: tuple[Case, ...]) -> None:
    with open_command([str(c_engine)]) as transport:
        done = run(transport, every_twin, on_result=lambda *_: None)
    assert [result for result in done.results if result.status is not Status.PASS] == []


def test_the_reference_engine_passes_a_sample_of_the_twins(every_twin: tuple[Case, ...]) -> None:
    with InProcess(ReferenceEngine, "reference", {}) as transport:
        chosen = sampled(Twins(every_twin), transport.description)
        done = run(transport, chosen.due, on_result=lambda *_: None)
    assert len(done.results) == SAMPLE * len(REWRITES)
    assert [result for result in done.results if result.status is not Status.PASS] == []


@pytest.mark.parametrize(
    ("fault", "seen_by"),
    [
        ("crlf-refused", {"crlf"}),
        ("last-line-without-newline-lost", {"no-final-newline"}),
        ("stop-at-minus3", {"unknown-before", "unknown-between"}),
    ],
)
def test_a_fault_that_originals_do_not_show_is_shown_by_their_twins(
    fault: str, seen_by: set[str], corpus: tuple[Case, ...]
) -> None:
    originals = [case for case in corpus if case.clauses[0] == "R01" and max(map(len, inputs(case))) < 1000]
    made = [twin for case in originals for twin in twins(case)]
    with InProcess(faults.fault(fault), fault, {}) as transport:
        before = run(transport, originals, on_result=lambda *_: None)
        after = run(transport, made, on_result=lambda *_: None)
    assert {result.status for result in before.results} == {Status.PASS}
    assert {rewrite_of(result.case_id) for result in after.results if result.status is not Status.PASS} == seen_by


# -- which twins a run plays ------------------------------------------------------------------------------------------


def result(case_id: str, status: Status) -> Result:
    return Result(case_id, status)


def test_twins_of_a_case_that_failed_are_left_out(every_twin: tuple[Case, ...]) -> None:
    of_two = [twin for twin in every_twin if original_of(twin.id) in {READS, "R01-one-record"}]
    results = [
        result(READS, Status.PASS),
        result("R01-one-record", Status.PASS),
        result("R01-one-record", Status.TIMEOUT),
    ]
    chosen = due_twins(of_two, results)
    assert {original_of(twin.id) for twin in chosen.due} == {READS}
    assert (len(chosen.due) + chosen.original_failed, chosen.not_sampled) == (len(of_two), 0)


@pytest.mark.parametrize("status", [Status.UNSUPPORTED, Status.NOT_RUN, Status.PASS])
def test_twins_of_a_case_that_did_not_fail_are_due(status: Status, every_twin: tuple[Case, ...]) -> None:
    assert due_twins(every_twin, [result(READS, status)]).due == every_twin


@pytest.mark.parametrize("roles", [ReferenceEngine.roles, {"load"}])
def test_a_sample_has_enough_of_every_rewrite_that_can_be_played(
    roles: frozenset[str], every_twin: tuple[Case, ...]
) -> None:
    engine = EngineDescription("e", ("e",), frozenset(roles), "")
    chosen = sampled(Twins(every_twin, original_failed=3), engine)
    playable = Counter(rewrite_of(twin.id) for twin in chosen.due if engine.roles.issuperset(twin.roles))
    assert playable == {rewrite.name: SAMPLE for rewrite in REWRITES}
    assert len(chosen.due) + chosen.not_sampled == len(every_twin)
    assert chosen.original_failed == 3
    taken = {twin.id for twin in chosen.due}
    assert chosen.due == tuple(twin for twin in every_twin if twin.id in taken)


@pytest.mark.parametrize(
    ("globs", "clauses", "originals", "made"),
    [
        ((READS,), (), 1, 0),
        ((f"{READS}*",), (), 1, len(REWRITES)),
        ((f"{READS}~crlf",), (), 0, 1),
        ((f"{READS}*",), ("R12",), 0, 4),
        ((), ("R14",), None, None),
    ],
)
def test_a_choice_of_cases_chooses_twins_by_their_own_ids_and_clauses(
    globs: tuple[str, ...],
    clauses: tuple[str, ...],
    originals: int | None,
    made: int | None,
    corpus: tuple[Case, ...],
) -> None:
    chosen = select(corpus, globs, clauses)
    chosen_twins = select_twins(corpus, globs, clauses)
    if originals is not None:
        assert (len(chosen), len(chosen_twins)) == (originals, made)
    else:
        assert {"split"} < {rewrite_of(twin.id) for twin in chosen_twins}
    assert all(rewrite_of(twin.id) for twin in chosen_twins)


def test_a_glob_that_nearly_names_a_twin(corpus: tuple[Case, ...]) -> None:
    with pytest.raises(SelectionError, match=f"{READS}~crlf"):
        select(corpus, [f"{READS}~crfl"])


def test_a_run_plays_twins_and_counts_them_among_musts(
    c_engine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    assert main(["run", "--case", f"{READS}*", "--report", f"json={path}", "--", str(c_engine)]) == 0
    document = json.loads(path.read_text())
    assert document["rewrites"] == {"played": 9, "failed": 0, "original_failed": 0, "not_sampled": 0}
    assert document["musts"]["passed"] == document["count"] == 10
    assert {entry["case"] for entry in document["results"]} == {READS, *(f"{READS}~{name}" for name in BY_HAND)}
    assert any("rewritten inputs" in line and "9/9" in line for line in capsys.readouterr().out.splitlines())


def test_a_twin_that_fails_fails_the_run_and_is_shown_with_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    engine = ["--engine", "inprocess:coli_conformance.faults.reader_text:CrlfRefused"]
    assert main(["run", "--case", f"{READS}*", *engine]) == 1
    out = capsys.readouterr().out
    assert f"Again:  coli-conformance run --case '{READS}~crlf' " in out
    assert "its lines end in CR LF." in " ".join(out.split())
    assert "1 must broken (R12) in 1 case." in out
    assert main(["run", "--case", f"{READS}~crlf", *engine]) == 1


def test_a_twin_is_explained_with_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", f"{READS}~crlf"]) == 0
    assert "its lines end in CR LF." in " ".join(capsys.readouterr().out.split())
    assert main(["explain", f"{READS}~lf"]) == 2


def test_a_run_says_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    engine = ["--engine", "inprocess:coli_conformance.faults.reader_text:FirstDataRecordLost"]
    assert main(["run", "--clause", "R01", "--report", f"json={path}", *engine]) == 1
    rewrites = json.loads(path.read_text())["rewrites"]
    assert rewrites["original_failed"] > 0
    assert f"{rewrites['original_failed']} whose originals failed" in capsys.readouterr().out

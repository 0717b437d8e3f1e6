"""Fresh cases: the same from the same seed, unlike any others, right for both engines and wrong for faulty ones."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.corpus.fresh import fresh
from coli_conformance.engines.command import open_command
from coli_conformance.engines.in_process import InProcess
from coli_conformance.faults import all_faults, breaks
from coli_conformance.judge.judging import judge
from coli_conformance.judge.verdict import Status
from coli_conformance.runner import Run, run
from coli_reference.engine import ReferenceEngine

SEEDS = range(50)


def broken(finished: Run) -> list[str]:
    return [f"{result.case_id}: {result.detail}" for result in finished.results if result.status is not Status.PASS]


def quietly(*_: object) -> None:
    """Hear a result and say nothing."""


def files(case: Case) -> Iterator[bytes]:
    """Every file that a case gives or expects as one right content, those of zero bytes left out."""
    yield from (item.data for item in case.setup if item.data)
    for outcome in case.outcomes:
        for expected in outcome.files:
            if expected.history is not None and expected.history.records:
                yield expected.history.canonical_bytes
            if expected.trace is not None and expected.trace.lines:
                yield expected.trace.canonical_bytes
            if expected.data:
                yield expected.data


def session(case: Case) -> tuple[object, ...]:
    """What an engine sees of a case, by which one that knows cases by heart would tell which it is."""
    return case.setup, case.steps, tuple(case.environment.items())


def dumped(seed: int, hash_seed: str) -> bytes:
    script = (
        "import json, sys; from coli_conformance.corpus.fresh import fresh; "
        "from coli_conformance.corpus.vectors import to_json; "
        "print(json.dumps([to_json(case) for case in fresh(int(sys.argv[1]))]))"
    )
    command = [sys.executable, "-c", script, str(seed)]
    return subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, check=True
    ).stdout


def test_a_seed_gives_the_same_cases_in_every_process() -> None:
    first = dumped(7, hash_seed="1")
    assert first == dumped(7, hash_seed="2")
    assert first != dumped(8, hash_seed="1")


def test_ids_have_the_clause_in_front_and_seed_and_position_behind() -> None:
    cases = fresh(7)
    for position, case in enumerate(cases, start=1):
        assert re.fullmatch(rf"[A-Z]\d\d-fresh(-[a-z0-9]+)+@7-{position}", case.id)
        assert case.id.startswith(f"{case.clauses[0]}-")
    assert len({case.id.partition("@")[0] for case in cases}) == len(cases)


def test_every_area_that_has_cases_has_fresh_ones() -> None:
    of_area = Counter(case.clauses[0][0] for case in fresh(0))
    assert set(of_area) == {"W", "R", "I", "T", "P", "C"}
    assert min(of_area.values()) >= 4
    assert of_area.total() >= 60


def test_sessions_keep_the_limits_of_the_protocol() -> None:
    for seed in range(10):
        for case in fresh(seed):
            verb, name, n_layers, n_experts = case.steps[0].split(" ")
            assert verb == "init"
            assert re.fullmatch(r"[a-z0-9_]{1,63}", name)
            assert 1 <= int(n_layers) <= 1000
            assert 1 <= int(n_experts) <= 4096
            assert all(step.isascii() and len(step) < 32_768 for step in case.steps)
            roles = {role for clause in case.clauses for role in coli_spec.load().clause(clause).roles}
            assert roles <= set(case.roles)


def test_fresh_cases_can_be_kept_as_vectors() -> None:
    for case in fresh(3):
        assert vectors.from_json(vectors.to_json(case)) == case


def test_no_two_seeds_share_a_file_or_a_session() -> None:
    owners: dict[object, str] = {}
    committed, _ = vectors.committed()
    for origin, cases in (("the committed vectors", committed), *((f"seed {seed}", fresh(seed)) for seed in SEEDS)):
        for case in cases:
            for thing in (*files(case), session(case)):
                owner = owners.setdefault(thing, origin)
                assert owner == origin, f"{case.id} has what {owner} has"


def test_no_session_of_a_seed_occurs_twice_in_it() -> None:
    for seed in range(10):
        sessions = Counter(session(case) for case in fresh(seed))
        assert set(sessions.values()) == {1}


def test_the_reference_engine_passes() -> None:
    with InProcess(ReferenceEngine, "reference", {}) as transport:
        for seed in range(5):
            assert broken(run(transport, fresh(seed), on_result=quietly)) == []


def test_the_c_engine_passes_fifty_seeds(c_engine: Path) -> None:
    with open_command([str(c_engine)], jobs=2) as transport:
        for seed in SEEDS:
            assert broken(run(transport, fresh(seed), on_result=quietly)) == []


def dies(engine: type[ReferenceEngine], cases: Iterable[Case]) -> bool:
    with InProcess(engine, engine.__name__, {}) as transport:
        return any(judge(case, observation).status is not Status.PASS for case, observation in transport.play(cases))


@pytest.mark.parametrize("seed", [1])
def test_most_faults_die_on_the_fresh_cases_of_one_seed(seed: int) -> None:
    cases = [case for case in fresh(seed) if case.second_run is None]
    killed = [
        name
        for name, engine in all_faults().items()
        if dies(engine, (case for case in cases if set(breaks(engine)) & set(case.clauses)))
    ]
    assert len(killed) >= 170


COMMA_SEPARATED = ("--engine", "inprocess:coli_conformance.faults.writer_form:CommaSeparated")


def test_run_with_a_seed_says_so_and_how_to_see_a_failure_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    arguments = ["--case", "W04-*", "--case", "R01-fresh-*", "--report", f"json={report}", *COMMA_SEPARATED]
    assert main(["run", "--seed", "7", *arguments]) == 1
    head, *_ = capsys.readouterr().out.splitlines()
    assert ", seed 7: " in head
    document = json.loads(report.read_text())
    assert document["suite"]["seed"] == 7
    cases = [result for result in document["results"] if "~" not in result["case"]]
    again = {result["case"]: result["reproduce"].split() for result in cases}
    of_seed = [case.id for case in fresh(7) if case.id.startswith(("W04-", "R01-fresh-"))]
    assert [case_id for case_id in again if "@" in case_id] == of_seed
    assert any("@" not in case_id for case_id in again)
    for case_id, words in again.items():
        seed = ["--seed", "7"] if "@" in case_id else []
        assert words == ["coli-conformance", "run", *seed, "--case", case_id, *COMMA_SEPARATED]


def test_the_command_that_reproduces_a_fresh_case_plays_it_alone(capsys: pytest.CaptureFixture[str]) -> None:
    case_id = next(case.id for case in fresh(7) if case.id.startswith("W04-"))
    assert main(["run", "--seed", "7", "--case", case_id, *COMMA_SEPARATED]) == 1
    out = capsys.readouterr().out
    assert f"--seed 7 --case {case_id} " in out
    assert "of 1 selected case" in out


def test_run_without_a_seed_plays_no_fresh_case(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    main(
        [
            "run",
            "--case",
            "R01-*",
            "--report",
            f"json={report}",
            "--engine",
            "inprocess:coli_reference.engine:ReferenceEngine",
        ]
    )
    document = json.loads(report.read_text())
    assert document["suite"]["seed"] is None
    assert not [result for result in document["results"] if "@" in result["case"]]

"""The faulty engines: the corpus shows each one by the clause it is about, and finds nothing wrong with a sound one."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from functools import cache

import pytest

import coli_spec
from coli_conformance import corpus, faults
from coli_conformance.case import Case
from coli_conformance.engines.in_process import InProcess
from coli_conformance.judge.judging import judge
from coli_conformance.judge.verdict import Result, Status
from coli_reference.engine import ReferenceEngine

NAMES = tuple(faults.all_faults())


@cache
def cases_about() -> dict[str, list[Case]]:
    """Return every case by its first clause."""
    about: dict[str, list[Case]] = {}
    for case in corpus.generate():
        about.setdefault(case.clauses[0], []).append(case)
    return about


@pytest.fixture(scope="session")
def decimal_comma(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Return the environment of a locale with a decimal comma, made for these tests; skip where none can be made."""
    folder = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef") is None:
        pytest.skip("there is no localedef here to make a locale with a decimal comma")
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("localedef has no sources here for a locale with a decimal comma")
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}


def played(
    engine: type[ReferenceEngine], cases: list[Case], environment: Mapping[str, str] | None = None
) -> list[Result]:
    """Return the results of an engine, each case with a class of its own, for what is said once per process (R19)."""
    results = []
    for case in cases:
        with InProcess(type(engine.__name__, (engine,), {}), engine.__name__, environment or {}) as transport:
            results += [judge(case, observation) for _, observation in transport.play([case])]
    return results


@pytest.mark.parametrize("name", NAMES)
def test_a_case_about_the_clause_shows_the_fault(name: str, request: pytest.FixtureRequest) -> None:
    engine = faults.fault(name)
    clause = faults.breaks(engine)[0]
    if not any(about.startswith(clause[0]) for about in cases_about()):
        pytest.skip(f"the corpus has no cases of area {clause[0]} yet")
    cases = cases_about().get(clause, [])
    environment = request.getfixturevalue("decimal_comma") if any(case.decimal_comma for case in cases) else {}
    results = played(engine, cases, environment)
    assert any(clause in result.broken for result in results), f"none of {len(results)} cases about {clause} shows it"


@pytest.mark.parametrize("clause", sorted({faults.breaks(engine)[0] for engine in faults.all_faults().values()}))
def test_a_sound_engine_passes_the_cases_by_which_faults_are_seen(clause: str, request: pytest.FixtureRequest) -> None:
    cases = cases_about().get(clause, [])
    environment = request.getfixturevalue("decimal_comma") if any(case.decimal_comma for case in cases) else {}
    results = played(ReferenceEngine, cases, environment)
    assert [result for result in results if result.status is not Status.PASS] == []


def test_every_owed_clause_has_faults_about_it() -> None:
    about = Counter(faults.breaks(engine)[0] for engine in faults.all_faults().values())
    played_elsewhere = {"W24"}  # two engines at once are not one engine that is wrong
    owed = [clause for clause in coli_spec.load().clauses if clause.area.letter in "WRITPC" and clause.level != "may"]
    missing = [clause.id for clause in owed if not about[clause.id] and clause.id not in played_elsewhere]
    single = [clause.id for clause in owed if clause.level == "must" and about[clause.id] == 1]
    assert missing == []
    assert single == []


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_says_what_is_wrong_and_which_clauses_it_breaks(name: str) -> None:
    engine = faults.fault(name)
    assert engine.__doc__
    assert engine.__doc__.rstrip().endswith(".")
    assert [coli_spec.load().clause(clause).id for clause in faults.breaks(engine)] == list(faults.breaks(engine))


def test_there_are_at_least_a_hundred_faults() -> None:
    assert len(NAMES) >= 100


def test_a_name_is_the_class_name_in_kebab_case() -> None:
    assert faults.fault("hash-in-second-field").__name__ == "HashInSecondField"
    assert faults.fault("fnv1-instead-of-fnv1a").__name__ == "Fnv1InsteadOfFnv1a"
    assert faults.fault("stop-at-minus3").__name__ == "StopAtMinus3"


def test_a_name_that_no_fault_has_is_a_sentence() -> None:
    with pytest.raises(KeyError, match="there is no fault 'sound'"):
        faults.fault("sound")


def test_a_sound_engine_breaks_nothing() -> None:
    assert faults.breaks(ReferenceEngine) == ()

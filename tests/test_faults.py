"""The faulty engines: each says what is wrong with it, and a case made for the clause it is about shows it."""

from collections import Counter
from itertools import groupby

import pytest

import coli_spec
from coli_conformance import faults
from coli_conformance.corpus import vectors
from coli_conformance.engines.in_process import InProcess
from coli_conformance.judge.verdict import Status
from coli_conformance.runner import run
from coli_conformance.selftest.play import is_large
from coli_reference.engine import ReferenceEngine

NAMES = tuple(faults.all_faults())
CASES = vectors.committed()[0]


def test_every_must_that_has_faults_has_more_than_one() -> None:
    about = Counter(faults.breaks(engine)[0] for engine in faults.all_faults().values())
    levels = {clause.id: clause.level for clause in coli_spec.load().clauses}
    assert [clause for clause, count in about.items() if levels[clause] == "must" and count == 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_says_what_is_wrong_and_which_clauses_it_breaks(name: str) -> None:
    engine = faults.fault(name)
    assert engine.__doc__
    assert engine.__doc__.rstrip().endswith(".")
    assert [coli_spec.load().clause(clause).id for clause in faults.breaks(engine)] == list(faults.breaks(engine))


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_shown_by_a_case_made_for_its_clause(name: str) -> None:
    fault = faults.fault(name)
    clause = faults.breaks(fault)[0]
    made_for_it = sorted((case for case in CASES if case.clauses[0] == clause), key=is_large)
    with InProcess(fault, name, {}) as engine:
        for _, cases in groupby(made_for_it, is_large):  # the large ones only where no other shows it
            results = run(engine, tuple(cases), on_result=lambda *_: None).results
            if any(clause in result.broken for result in results):
                return
    if all(result.status is Status.UNSUPPORTED for result in results):
        pytest.skip(f"{results[0].detail}")
    pytest.fail(f"none of the {len(made_for_it)} cases made for {clause} shows {name}")


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

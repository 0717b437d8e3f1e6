"""The faulty engines: each says what is wrong with it. That the corpus shows each one is what the self-test asserts."""

from collections import Counter

import pytest

import coli_spec
from coli_conformance import faults
from coli_reference.engine import ReferenceEngine

NAMES = tuple(faults.all_faults())


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

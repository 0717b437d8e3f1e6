"""The verdict policy: every line of its tables, on hand-made results."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import coli_spec
from coli_conformance.case import Case, Level, Outcome
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.score import NONE_LEGAL, Score, Tally, Verdict, exit_status, score

DUTIES = frozenset({"load", "bounds", "identify", "trusted", "iku1", "save", "trace"})
MUST, SHOULD, MAY = "W06", "W17", "R23"


def case(case_id: str, level: Level, roles: tuple[str, ...] = ("load",)) -> Case:
    return Case(
        id=case_id,
        since=1,
        clauses=(case_id.partition("-")[0],),
        level=level,
        roles=roles,
        why="For the score.",
        steps=("init olmoe 1 1",),
        outcomes=(Outcome(("ok",)),),
    )


ONE_OF_EACH: dict[Level, Case] = {
    "must": case("W06-x", "must"),
    "should": case("W17-x", "should"),
    "may": case("R23-x", "may"),
}


def scored_alone(level: Level, status: Status, broken: tuple[str, ...] = ()) -> Score:
    the_case = ONE_OF_EACH[level]
    return score([the_case], [Result(the_case.id, status, broken)], DUTIES)


def words(scored: Score) -> str:
    """Return what the one case counts as, in the words of the table."""
    found = [
        f"{level} {name}"
        for level, tally in (("must", scored.musts), ("should", scored.shoulds))
        for name in ("passed", "failed", "unsupported", "not_run")
        if getattr(tally, name)
    ]
    return ", ".join(found)


def test_the_duties_are_those_of_the_spec() -> None:
    assert frozenset(coli_spec.load().duties()) == DUTIES


@pytest.mark.parametrize(
    ("status", "broken", "must", "should", "may"),
    [
        (Status.PASS, (), "must passed", "should passed", ""),
        (Status.FAIL, (MUST,), "must failed", "must failed", "must failed"),
        (Status.FAIL, (SHOULD, MUST), "must failed", "must failed", "must failed"),
        (Status.FAIL, (SHOULD,), "must passed, should failed", "should failed", "should failed"),
        (Status.FAIL, (MAY, SHOULD), "must passed, should failed", "should failed", "should failed"),
        (Status.FAIL, (MAY,), "must passed", "should passed", ""),
        (Status.CRASH, (), "must failed", "must failed", "must failed"),
        (Status.CRASH, (SHOULD,), "must failed", "must failed", "must failed"),
        (Status.TIMEOUT, (), "must failed", "should failed", ""),
        (Status.PROTOCOL, (), "must failed", "should failed", ""),
        (Status.UNSUPPORTED, (), "must unsupported", "should unsupported", ""),
        (Status.NOT_RUN, (), "must not_run", "should not_run", ""),
    ],
)
def test_what_a_case_counts_as(status: Status, broken: tuple[str, ...], must: str, should: str, may: str) -> None:
    seen = [words(scored_alone(level, status, broken)) for level in ONE_OF_EACH]
    assert seen == [must, should, may]


def run_of(statuses: Sequence[tuple[str, Status]], claimed: frozenset[str] = DUTIES, gave_up: bool = False) -> Score:
    cases = [case(case_id, "must" if case_id.startswith("W06") else "should") for case_id, _ in statuses]
    results = [Result(case_id, status) for case_id, status in statuses]
    return score(cases, results, claimed, gave_up)


def test_conformant_when_every_duty_is_claimed_and_every_must_passed() -> None:
    scored = run_of([("W06-a", Status.PASS), ("W17-a", Status.FAIL)])
    assert scored.verdict is Verdict.CONFORMANT
    assert exit_status(scored, DUTIES) == 0
    assert exit_status(scored, DUTIES, strict=True) == 1


def test_partial_when_a_duty_is_not_claimed() -> None:
    claimed = DUTIES - {"trace"}
    scored = run_of([("W06-a", Status.PASS)], claimed)
    assert scored.verdict is Verdict.PARTIAL
    assert exit_status(scored, claimed) == 0
    assert exit_status(scored, claimed, required=["trace"]) == 1
    assert exit_status(scored, claimed, required=["load"]) == 0


def test_partial_when_a_must_of_claimed_roles_could_not_be_asked() -> None:
    assert run_of([("W06-a", Status.PASS), ("W06-b", Status.UNSUPPORTED)]).verdict is Verdict.PARTIAL


def test_an_extra_that_is_not_claimed_takes_nothing_from_conformant() -> None:
    cases = [case("W06-a", "must"), case("P01-a", "must", roles=("pin",))]
    results = [Result("W06-a", Status.PASS), Result("P01-a", Status.UNSUPPORTED)]
    scored = score(cases, results, DUTIES)
    assert scored.verdict is Verdict.CONFORMANT
    assert scored.unclaimed == ("pin",)
    assert scored.unverified == 0.5


def test_nonconformant_when_a_must_failed() -> None:
    scored = run_of([("W06-a", Status.PASS), ("W06-b", Status.FAIL)])
    assert scored.verdict is Verdict.NONCONFORMANT
    assert scored.broken_musts == ("W06",)
    assert exit_status(scored, DUTIES) == 1


def test_nothing_verified_is_never_a_pass() -> None:
    scored = run_of([("W06-a", Status.UNSUPPORTED)])
    assert scored.verdict is Verdict.UNVERIFIED
    assert exit_status(scored, DUTIES) == 2
    assert exit_status(score([], [], DUTIES), DUTIES) == 2


def test_a_run_given_up_is_3_whatever_was_seen() -> None:
    passed = run_of([("W06-a", Status.PASS), ("W06-b", Status.NOT_RUN)], gave_up=True)
    failed = run_of([("W06-a", Status.TIMEOUT), ("W06-b", Status.NOT_RUN)], gave_up=True)
    assert (passed.verdict, failed.verdict) == (Verdict.UNVERIFIED, Verdict.NONCONFORMANT)
    assert exit_status(passed, DUTIES, gave_up=True) == exit_status(failed, DUTIES, gave_up=True) == 3


def test_a_case_played_again_counts_once_by_its_worst_result() -> None:
    the_case = ONE_OF_EACH["must"]
    results = [
        Result(the_case.id, Status.PASS),
        Result(the_case.id, Status.FAIL, ("W06",)),
        Result(the_case.id, Status.PASS),
    ]
    assert score([the_case], results, DUTIES).musts == Tally(failed=1)


def test_a_must_broken_in_a_case_of_another_area_counts_in_that_area_and_names_the_clause() -> None:
    the_case = case("R11-x", "must")
    scored = score([the_case], [Result("R11-x", Status.FAIL, ("W06", "W18"))], DUTIES)
    (area,) = scored.areas
    assert (area.area.letter, area.musts.failed, area.broken_musts, area.broken_shoulds) == ("R", 1, ("W06",), ("W18",))


def test_behaviours_are_named_and_counted() -> None:
    cases = [case(f"R23-{name}", "may") for name in "abc"]
    results = [
        Result(the_case.id, Status.PASS, behaviour="stop" if n else "refuse") for n, the_case in enumerate(cases)
    ]
    (area,) = score(cases, results, DUTIES).areas
    assert area.behaviours == (("R23", "refuse", 1), ("R23", "stop", 2))


def test_a_may_clause_is_never_broken_and_what_was_not_legal_is_counted_apart() -> None:
    cases = [case(f"R23-{name}", "may") for name in "abc"]
    results = [
        Result("R23-a", Status.FAIL, (MAY,)),
        Result("R23-b", Status.FAIL, (MAY, MUST)),
        Result("R23-c", Status.PASS, behaviour="stop"),
    ]
    scored = score(cases, results, DUTIES)
    assert (scored.broken_musts, scored.broken_shoulds) == ((MUST,), ())
    assert scored.none_legal == ((MAY, 1),)
    assert scored.areas[0].behaviours == ((MAY, NONE_LEGAL, 1), (MAY, "stop", 1))
    alone = score(cases[:1], results[:1], DUTIES)
    assert alone.verdict is Verdict.CONFORMANT
    assert exit_status(alone, DUTIES, strict=True) == 0


def test_a_crash_in_a_may_case_breaks_its_clause_as_a_must() -> None:
    scored = score([case("R23-a", "may")], [Result("R23-a", Status.CRASH, (MAY,))], DUTIES)
    assert (scored.broken_musts, scored.none_legal) == ((MAY,), ())


def test_the_share_of_musts_not_verified() -> None:
    scored = run_of([("W06-a", Status.PASS), *((f"W06-{n}", Status.UNSUPPORTED) for n in range(3))])
    assert scored.unverified == 0.75

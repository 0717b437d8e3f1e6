"""Engines that pretend: one that agrees to everything, and one that has learnt the vectors by heart."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import replace

import pytest

from coli_conformance import runner
from coli_conformance.case import Case, Outcome
from coli_conformance.corpus.fresh import fresh
from coli_conformance.corpus.vectors import committed
from coli_conformance.engines.command import open_command
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Status
from coli_conformance.score import Verdict, score
from tests.leftovers import MARK

from .playing import DRIVERS

NUMBER = 40
"""Cases of an area that are played."""


def outcome_of(mark: str, driver: str, cases: list[Case]) -> tuple[Counter[Status], Verdict]:
    environment = {MARK: mark, "PYTHONPATH": os.pathsep.join(sys.path)}
    with open_command((sys.executable, str(DRIVERS / driver)), environment=environment, timeout=60, jobs=2) as engine:
        done = runner.run(engine, cases, on_result=lambda *_: None)
    verdict = score(cases, done.results, done.engine.roles, gave_up=False).verdict
    return Counter(result.status for result in done.results), verdict


def some(cases: tuple[Case, ...], area: str) -> list[Case]:
    """Return cases of an area that can share a process, spread over all of it."""
    every = [case for case in cases if case.id.startswith(area) and not case.alone]
    return every[:: max(1, len(every) // NUMBER)]


def test_ok_to_everything_passes_nothing_that_asks_for_more(mark: str) -> None:
    cases = some(committed()[0], "R") + some(committed()[0], "W") + some(committed()[0], "I")
    asking = [case for case in cases if not any(set(outcome.answers) <= {"ok"} for outcome in case.outcomes)]
    assert len(asking) > NUMBER
    statuses, verdict = outcome_of(mark, "yes.py", asking)
    assert statuses[Status.PASS] == 0
    assert verdict is Verdict.NONCONFORMANT


def test_vectors_learnt_by_heart_are_exposed_by_fresh_cases(mark: str) -> None:
    known = some(committed()[0], "R") + some(committed()[0], "W")
    statuses, _ = outcome_of(mark, "learnt_by_heart.py", known)
    # The lesson was learnt: without fresh cases such an engine would do well.
    assert statuses[Status.PASS] > 0.9 * len(known)
    unknown = [case for case in fresh(7) if case.id[0] in "RW" and not case.alone]
    statuses, verdict = outcome_of(mark, "learnt_by_heart.py", unknown)
    assert statuses[Status.FAIL] > 0.9 * len(unknown)
    assert verdict is Verdict.NONCONFORMANT


def test_a_word_that_vectors_have_for_any_answer_is_none() -> None:
    open_ended = [case for case in committed()[0] if any(answer.endswith("any") for answer in case.outcomes[0].answers)]
    assert open_ended
    for case in open_ended:
        literally = "".join(f"{answer}\n" for answer in case.outcomes[0].answers).encode()
        assert judge(case, Observation(literally)).status is Status.PROTOCOL, case.id


@pytest.mark.parametrize(
    "line", ["+0 1 5", "0 1\v5", "0 1\f5", "0 1 0_5", "0 1 5 0", "0 1", "0 1 -5", "0 1 5\n0 0 -7\n0 0 7"]
)
def test_counters_are_plain_decimal_numbers(line: str) -> None:
    case = replace(
        committed()[0][0],
        steps=("init glm_moe_dsa 5 8", "add 0 1 5", "counts"),
        outcomes=(Outcome(("ok", "ok", "0 1 5\nok")),),
    )
    assert judge(case, Observation(b"ok\nok\n0\t01  5 \nok\n")).status is Status.PASS
    result = judge(case, Observation(f"ok\nok\n{line}\nok\n".encode()))
    assert result.status is Status.FAIL
    assert "LAYER EXPERT COUNT" in result.detail


def test_far_too_many_counters_are_told_without_reading_them_all() -> None:
    case = replace(
        committed()[0][0],
        steps=("init glm_moe_dsa 5 8", "counts"),
        outcomes=(Outcome(("ok", "ok")),),
    )
    counters = b"".join(b"%d %d 9\n" % divmod(number, 1000) for number in range(400_000))
    result = judge(case, Observation(b"ok\n" + counters + b"ok\n"))
    assert result.status is Status.FAIL
    assert "more than 100000 counters, where 0 are not zero" in result.detail

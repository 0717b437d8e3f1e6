"""Engines that answer early, late, out of step, in pieces, or what is no text."""

from __future__ import annotations

import pytest

from coli_conformance.judge.verdict import Status

from .playing import between_sound, played


def test_output_closed_early_is_a_breach_of_the_protocol(mark: str) -> None:
    result, _ = between_sound(mark, "closes_its_output")
    assert result.status is Status.PROTOCOL
    assert "`save here`" in result.detail


def test_answer_before_the_question_is_judged_by_what_was_done(mark: str, roles: tuple[str, ...]) -> None:
    result, seen = between_sound(mark, "answers_ahead", roles=roles)
    assert seen.stdout == b"ok\nok\n"
    assert result.status is Status.FAIL
    assert "no here" in result.detail


@pytest.mark.parametrize("habit", ["answers_afterwards", "answers_in_pieces"])
def test_odd_but_allowed_ways_to_answer_pass(mark: str, roles: tuple[str, ...], habit: str) -> None:
    result, _ = between_sound(mark, habit, roles=roles)
    assert result.status is Status.PASS


def test_late_answer_reaches_no_other_case(mark: str, roles: tuple[str, ...]) -> None:
    names = ["leaves_a_late_answer", *["sound"] * 10]
    seen = played(mark, *names, roles=roles)
    assert {result.status for result, _ in seen} == {Status.PASS}


@pytest.mark.parametrize("fault", ["answers_nul", "answers_no_text", "answers_escapes", "answers_markup"])
def test_what_is_no_answer_is_a_breach_of_the_protocol(mark: str, roles: tuple[str, ...], fault: str) -> None:
    result, _ = between_sound(mark, fault, roles=roles)
    assert result.status is Status.PROTOCOL

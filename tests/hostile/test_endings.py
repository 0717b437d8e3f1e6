"""Engines that crash or hang: the verdict of their case, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from coli_conformance.judge.verdict import Status

from .playing import HOSTILE, between_sound, played

SHORT = 1.0
"""Seconds for a case in the tests of engines that hang, which sound cases have to keep within."""


@pytest.mark.parametrize("name", ["SEGV", "ABRT", "FPE", "KILL"])
def test_death_by_a_signal_is_a_crash_that_names_it(mark: str, roles: tuple[str, ...], name: str) -> None:
    result, seen = between_sound(mark, f"dies_of_{name.lower()}", roles=roles)
    assert result.status is Status.CRASH
    assert f"SIG{name}" in result.detail
    assert "`init dies_of" in result.detail
    assert seen.stdout == b""


@pytest.mark.parametrize(("fault", "answered"), [("overflows_the_heap", "heap"), ("overflows_an_integer", "overflow")])
def test_report_of_a_sanitizer_is_a_crash_and_is_kept(mark: str, sanitized: Path, fault: str, answered: str) -> None:
    result, seen = between_sound(mark, fault, command=(str(sanitized),))
    assert result.status is Status.CRASH
    assert answered.encode() in seen.stderr
    assert b"greedy.c" in seen.stderr


@pytest.mark.parametrize(
    ("fault", "answers"), [("hangs_at_the_start", b""), ("hangs_in_the_middle", b"ok\n"), ("stops_itself", b"")]
)
def test_hanging_is_a_timeout_that_names_the_limit(
    mark: str, roles: tuple[str, ...], fault: str, answers: bytes
) -> None:
    result, seen = between_sound(mark, fault, roles=roles, timeout=SHORT)
    assert result.status is Status.TIMEOUT
    assert "1 s" in result.detail
    assert "`wall`" in result.detail
    assert seen.stdout == answers


def test_hanging_after_the_last_answer_is_a_timeout(mark: str) -> None:
    result, seen = between_sound(mark, "hangs_at_the_end", timeout=SHORT)
    assert result.status is Status.TIMEOUT
    assert seen.stdout == b"ok\nok\n"


def test_an_engine_that_hangs_in_every_case_does_not_cost_hours(mark: str, roles: tuple[str, ...]) -> None:
    hanging = ["hangs_at_the_start"] * 8
    seen = played(mark, *hanging, command=HOSTILE, roles=roles, timeout=0.3, jobs=2)
    assert [result.status for result, _ in seen] == [Status.TIMEOUT] * 5 + [Status.NOT_RUN] * 3

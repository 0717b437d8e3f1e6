"""Engines that start processes, and processes that try to get away."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from coli_conformance.engines import process_table
from coli_conformance.engines.limits import DEFAULT_LIMITS
from coli_conformance.judge.verdict import Status

from .playing import between_sound, played

pytestmark = pytest.mark.skipif(not process_table.AVAILABLE, reason="only Linux tells a process of its orphans")


@pytest.mark.parametrize("fault", ["leaves_hundred_children", "leaves_hundred_sessions"])
def test_left_processes_do_not_outlive_the_run(mark: str, roles: tuple[str, ...], fault: str) -> None:
    # How many it may have is another matter, which depends here on how quickly it ends.
    limits = dataclasses.replace(DEFAULT_LIMITS, processes=1000)
    result, _ = between_sound(mark, fault, roles=roles, limits=limits)
    assert result.status is Status.PASS


def test_no_process_passes_for_one_of_the_suite(mark: str, roles: tuple[str, ...]) -> None:
    result, _ = between_sound(mark, "hides_in_the_group_of_the_suite", roles=roles)
    assert result.status is Status.PASS


def test_terminal_of_the_suite_is_out_of_reach(mark: str) -> None:
    result, _ = between_sound(mark, "opens_the_terminal")
    assert result.status is Status.PASS


@pytest.mark.parametrize("fault", ["has_hundred_children", "has_hundred_orphans"])
def test_too_many_processes_are_named(mark: str, roles: tuple[str, ...], fault: str) -> None:
    result, _ = between_sound(mark, fault, roles=roles)
    assert result.status is Status.CRASH
    assert "more than 64 processes" in result.detail
    assert "`processes`" in result.detail


def test_stray_of_one_engine_is_killed_while_another_engine_plays_on(mark: str) -> None:
    names = ["leaves_hundred_sessions", *["sound"] * 12] * 2
    limits = dataclasses.replace(DEFAULT_LIMITS, processes=1000)
    seen = played(mark, *names, jobs=2, limits=limits)
    assert {result.status for result, _ in seen} == {Status.PASS}


@pytest.mark.parametrize("tracer", ["traced_by_the_suite", "traced_by_a_session", "traced_by_a_group"])
def test_engine_that_is_traced_is_ended_all_the_same(mark: str, traced: Path, tracer: str) -> None:
    result, _ = between_sound(mark, tracer, command=[str(traced)])
    assert result.status is Status.PASS


def test_engine_whose_thread_is_traced_is_ended_all_the_same(mark: str, traced: Path) -> None:
    result, _ = between_sound(mark, "thread_traced_by_the_suite", command=[str(traced)], timeout=1.5)
    assert result.status is Status.TIMEOUT  # it is not over before the suite has taken note of the thread's end

"""Limits: each ends the case that goes beyond it, is named in the verdict, and can be set."""

from __future__ import annotations

import dataclasses
import shlex

import click
import pytest

from coli_conformance.cli import main
from coli_conformance.cli.limit_option import parsed_limits
from coli_conformance.engines import process_table
from coli_conformance.engines.limits import DEFAULT_LIMITS, MIB
from coli_conformance.judge.verdict import Status

from .playing import HOSTILE, between_sound, played

polled = pytest.mark.skipif(not process_table.AVAILABLE, reason="only Linux tells what a process uses")


@polled
@pytest.mark.parametrize("fault", ["takes_all_memory", "takes_all_memory_in_children"])
def test_memory(mark: str, roles: tuple[str, ...], fault: str) -> None:
    limits = dataclasses.replace(DEFAULT_LIMITS, memory=160 * MIB)
    result, _ = between_sound(mark, fault, roles=roles, limits=limits)
    assert result.status is Status.CRASH
    assert "160 MiB" in result.detail
    assert "`memory`" in result.detail


@polled
def test_processor_time(mark: str, roles: tuple[str, ...]) -> None:
    limits = dataclasses.replace(DEFAULT_LIMITS, cpu=0.3)
    result, _ = between_sound(mark, "burns_processor_time", roles=roles, limits=limits)
    assert result.status is Status.TIMEOUT
    assert "`cpu`" in result.detail


@polled
def test_open_files(mark: str, roles: tuple[str, ...]) -> None:
    limits = dataclasses.replace(DEFAULT_LIMITS, files=40)
    result, _ = between_sound(mark, "opens_many_files", roles=roles, limits=limits)
    assert result.status is Status.CRASH
    assert "40 files" in result.detail
    assert "`files`" in result.detail


def test_output(mark: str, roles: tuple[str, ...]) -> None:
    within, _ = between_sound(mark, "talks_for_long", roles=roles)
    assert within.status is Status.FAIL  # it is read to its end, and is no answer to `init`
    limits = dataclasses.replace(DEFAULT_LIMITS, output=50_000)
    beyond, _ = between_sound(mark, "talks_for_long", roles=roles, limits=limits)
    assert beyond.status is Status.PROTOCOL
    assert "50000 bytes" in beyond.detail
    assert "`output`" in beyond.detail


@polled
def test_processor_time_of_a_shared_process_is_counted_for_each_case(mark: str) -> None:
    limits = dataclasses.replace(DEFAULT_LIMITS, cpu=0.5)
    names = ["works_for_a_while"] * 6
    seen = played(mark, *names, roles=("save", "reusable"), limits=limits)
    # Together they use three times what one may.
    assert [result.status for result, _ in seen] == [Status.PASS] * 6, [result.detail for result, _ in seen]


def test_words_of_the_option() -> None:
    wall, limits = parsed_limits(("wall=2.5", "memory=2G", "file=1M", "output=9", "files=7", "cpu=3", "files=8"))
    assert wall == 2.5
    expected = dataclasses.replace(DEFAULT_LIMITS, memory=2048 * MIB, file=MIB, output=9, files=8, cpu=3.0)
    assert limits == expected
    assert parsed_limits(()) == (None, DEFAULT_LIMITS)


@pytest.mark.parametrize(
    "word", ["memory", "memory=", "memory=-1", "memory=0", "memory=1T", "files=1K", "cpu=0", "cpu=x", "wall=inf", "x=1"]
)
def test_words_that_are_no_limit(word: str) -> None:
    with pytest.raises(click.UsageError, match="--limit"):
        parsed_limits((word,))


def test_option_reaches_the_engine(capsys: pytest.CaptureFixture[str], mark: str) -> None:
    words = ["run", "--case", "W01-*", "--jobs", "1", "--limit", "output=2", "--", *HOSTILE]
    assert main(words) == 3  # `ok load save` is more than two bytes
    said = capsys.readouterr().err
    assert "`output`" in said
    assert "more than 2 bytes" in said


def test_one_limit_said_in_two_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--timeout", "3", "--limit", "wall=4", "--", *HOSTILE]) == 2
    assert "two ways" in capsys.readouterr().err


def test_a_case_is_played_again_within_the_same_limits(capsys: pytest.CaptureFixture[str], mark: str) -> None:
    limits = ["--limit", "wall=30", "--limit", "memory=512M"]
    assert main(["run", "--case", "W06-glm_moe_dsa", *limits, "--", *HOSTILE, "load", "save"]) == 1
    said = capsys.readouterr().out
    (again,) = (line for line in said.splitlines() if "Again:" in line)
    assert "--limit memory=512M" in again
    words = shlex.split(again.partition("Again:")[2])
    assert words[0] == "coli-conformance"
    assert main(words[1:]) == 1
    assert capsys.readouterr().out == said

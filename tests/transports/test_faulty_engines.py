"""Transports against real processes: what a faulty engine does costs its own case, and nothing of it is left."""

from __future__ import annotations

import time

import pytest

from coli_conformance.engines.command import open_command
from coli_conformance.engines.fence import AnswerCount
from coli_conformance.engines.process import STDERR_KEPT
from coli_conformance.judge.observation import Ending
from tests.leftovers import MARK, running

from .playing import FAULTY, SHORT, between_sound, case


def test_exit_without_an_answer(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "exits_at_once", roles)
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 3, b"")


def test_exit_status_after_right_answers(mark: str) -> None:
    seen = between_sound(mark, "ends_badly", ("save",))
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 4, b"ok\n")


@pytest.mark.parametrize("fault", ["hangs", "ignores_sigterm", "closes_streams", "leaves_its_group"])
def test_hanging(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles, timeout=SHORT)
    assert (seen.ending, seen.stdout) == (Ending.TIMEOUT, b"")
    assert f"{SHORT} s" in seen.detail


def test_signal(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "segfaults", roles)
    assert (seen.ending, seen.exit_status, seen.files) == (Ending.EXITED, -11, {})


@pytest.mark.parametrize(
    ("fault", "stream"), [("floods_stdout", "standard output"), ("floods_stderr", "standard error")]
)
def test_flood(mark: str, roles: tuple[str, ...], fault: str, stream: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert seen.ending is Ending.FLOODED
    assert stream in seen.detail
    assert len(seen.stderr) <= STDERR_KEPT


def test_beginning_of_standard_error_is_kept(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "grumbles", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")
    assert seen.stderr.startswith(b"first.")


@pytest.mark.parametrize("fault", ["leaves_child", "leaves_daemon", "leaves_quiet_daemon"])
def test_left_process_is_not_waited_for(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")


def test_left_process_of_the_group_is_killed_with_its_case(mark: str) -> None:
    with open_command(FAULTY, environment={MARK: mark}) as transport:
        assert list(transport.play([case("init leaves_quiet_child 3 4")]))
        given_up = time.monotonic() + 30  # a killed process takes a moment to be gone
        while running(mark) and time.monotonic() < given_up:
            time.sleep(0.01)
        assert running(mark) == []


def test_garbage(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_garbage", roles)
    assert (seen.ending, seen.exit_status) == (Ending.EXITED, 0)
    assert seen.stdout.startswith(b"Hello there!\n")


def test_answering_twice_does_not_reach_the_next_case(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_twice", roles)
    assert (seen.ending, seen.exit_status) == (Ending.EXITED, 0)
    assert seen.stdout.startswith(b"ok\nok\n")


def test_half_a_line(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_half_a_line", roles)
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 0, b"o")


def test_crlf(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_crlf", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\r\n")


def test_answers_larger_than_a_pipe(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_at_length", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"1 2 3\n" * 100_000 + b"ok\n")


@pytest.mark.parametrize("fault", ["deletes_its_folder", "replaces_its_folder"])
def test_lost_folder(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")
    assert "." in seen.oddities


def test_oddities_are_named_and_not_followed(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "leaves_oddities", roles)
    assert seen.files == {"folder/file": b"inside"}
    assert seen.oddities.keys() == {"fifo", "link", "folder", "huge"}
    assert "FIFO" in seen.oddities["fifo"]
    assert "symbolic link" in seen.oddities["link"]
    assert str(100 * 1024 * 1024) in seen.oddities["huge"]


def test_locked_folder_is_removed(mark: str, roles: tuple[str, ...]) -> None:
    assert between_sound(mark, "locks_its_folder", roles).stdout == b"ok\n"


@pytest.mark.parametrize(
    ("pieces", "expected", "before"),
    [
        ((b"ok\nunsupported\n",), 2, b"ok\n"),
        ((b"ok\r\n1 2", b" 3\nok\nunsup", b"ported why\r\n"), 3, b"ok\r\n1 2 3\nok\n"),
        ((b"ok\nok\n",), 2, None),  # one of them is too many, for the last is not the fence's
        ((b"ok\nok\nunsupported\n",), 2, None),
        ((b"ok\nunsupported\nmore",), 2, None),
        ((b"ok\n",), 2, None),
        ((b"okay\nunsupported\n",), 2, None),
    ],
)
def test_what_stands_before_the_fence(pieces: tuple[bytes, ...], expected: int, before: bytes | None) -> None:
    count = AnswerCount(expected)
    out = bytearray()
    for piece in pieces:
        out += piece
        count.scan(out)
    assert count.before_fence(out) == before

"""Many cases through one transport: their order, how many run at a time, and every way a run ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from coli_conformance.engines.command import open_command
from coli_conformance.judge.observation import Ending
from tests.leftovers import MARK, running

from .playing import DRIVERS, FAULTY, SHORT, between_sound, case, observe, sound


def test_order_is_kept_when_a_later_case_ends_first(mark: str, roles: tuple[str, ...]) -> None:
    cases = (case("init hangs 3 4"), sound(), sound(), case("init segfaults 3 4"), sound())
    seen = observe(mark, *cases, roles=roles, timeout=SHORT, jobs=2)
    assert [one.ending for one in seen] == [Ending.TIMEOUT] + [Ending.EXITED] * 4
    assert [one.exit_status == -11 for one in seen] == [False, False, False, True, False]


def test_spawns_of_a_process_per_case(mark: str) -> None:
    with open_command(FAULTY, environment={MARK: mark}) as transport:
        assert list(transport.play([sound(), sound(), sound()]))
        assert transport.spawns == 4  # one asked for the roles


def test_spawns_of_a_reusable_process(mark: str) -> None:
    alone = case("init a 3 4", environment={"ROUTE_TRACE": "t"})
    with open_command((*FAULTY, "save", "reusable"), environment={MARK: mark}) as transport:
        assert list(transport.play([sound(), alone, sound(), sound()]))
        assert transport.spawns == 3  # roles, the one that is alone, all others


def test_last_case_of_a_reusable_process_answers_for_its_exit_status(mark: str) -> None:
    first, last = observe(mark, sound(), case("init ends_badly 3 4"), roles=("save", "reusable"))
    assert first.exit_status is None
    assert last.exit_status == 4


def test_no_offer_is_taken_from_a_driver_that_knows_every_verb(mark: str) -> None:
    # It answers `ok` where the protocol asks for `unsupported`, so the end of a case could not be told.
    driver = (str(DRIVERS / "ignored_signals.sh"),)
    with open_command(driver, environment={MARK: mark}) as transport:
        assert transport.description.kind == "a process per case"


def test_closing_the_iterator_early_kills_what_runs(mark: str, roles: tuple[str, ...]) -> None:
    with open_command((*FAULTY, *roles), environment={MARK: mark}, jobs=2) as transport:
        played = transport.play([sound(), case("init hangs 3 4"), case("init hangs 3 4")])
        next(played)
        assert running(mark)
        played.close()
        assert running(mark) == []


def test_driver_that_cannot_be_started_again(mark: str, tmp_path: Path) -> None:
    driver = tmp_path / "driver.sh"
    shutil.copy(DRIVERS / "removes_itself.sh", driver)
    seen = observe(mark, sound(), sound(), command=(str(driver),))
    assert [one.ending for one in seen] == [Ending.NOT_STARTED, Ending.NOT_STARTED]
    assert "could not be started" in seen[0].detail


def test_system_without_events_for_exits(mark: str, roles: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    assert between_sound(mark, "exits_at_once", roles).exit_status == 3
    assert between_sound(mark, "leaves_child", roles).stdout == b"ok\n"
    assert between_sound(mark, "hangs", roles, timeout=SHORT).ending is Ending.TIMEOUT


INTERRUPTED = """
import signal, sys
from coli_conformance import runner
from coli_conformance.case import Case, Outcome
from coli_conformance.engines.command import open_command

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
case = Case("W01-x", 1, ("W01",), "must", ("save",), "", ("init hangs 3 4",), (Outcome(()),))
with open_command(sys.argv[2:], environment={"COLI_TEST_MARK": sys.argv[1]}, timeout=3600, jobs=2) as transport:
    print("playing", flush=True)
    runner.run(transport, [case, case], on_result=print)
"""


def test_interrupt_leaves_nothing(mark: str, roles: tuple[str, ...], tmp_path: Path) -> None:
    words = [sys.executable, "-c", INTERRUPTED, mark, *FAULTY, *roles]
    temporary = tmp_path / "temporary"
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}
    ) as suite:
        assert suite.stdout is not None
        assert suite.stdout.readline() == b"playing\n"
        while len(running(mark)) < 2:
            assert suite.poll() is None
        suite.send_signal(signal.SIGINT)
        _, said = suite.communicate(timeout=60)
    assert b"KeyboardInterrupt" in said

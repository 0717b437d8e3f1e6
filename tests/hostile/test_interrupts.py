"""Ctrl-C at any moment: no process, no file and no half of a report is left."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from coli_conformance.interrupts import INTERRUPTED, raise_interrupts, undisturbed

from .playing import running_program
from .suite import started

ROUNDS = 6
MOMENTS = 2
"""Runs that are interrupted: so many rounds, which can be spread over cores, of so many moments each."""
LATEST = 1.5
"""Seconds after the start."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("round_number", range(ROUNDS // 3))
def test_interrupt_at_any_moment_leaves_nothing(
    c_engine: Path, temporary: Path, tmp_path: Path, number: signal.Signals, round_number: int
) -> None:
    engine = tmp_path / "engine"
    shutil.copy(c_engine, engine)
    folder = tmp_path / "folder"
    folder.mkdir()
    moments = Random(f"{number} {round_number}")
    for _ in range(MOMENTS):
        # All in one process, and a process for each case in which standard error counts.
        words = ["run", "--repeat", "9", "--jobs", "2", "--report", "json=report.json", "--", str(engine)]
        with started(words, temporary, folder) as suite:
            assert suite.stderr is not None
            assert suite.stderr.readline() == "started\n"
            time.sleep(moments.uniform(0, LATEST))
            suite.send_signal(number)
            _, complaints = suite.communicate(timeout=60)
        assert suite.returncode in {INTERRUPTED, 0}, complaints
        assert "Traceback" not in complaints
        assert running_program(engine) == []
        assert list(temporary.iterdir()) == []
        assert [path.name for path in folder.iterdir()] in ([], ["report.json"])
        for report in folder.iterdir():
            document = json.loads(report.read_text())
            assert document["count"] == len(document["results"])
            report.unlink()


def test_second_interrupt_does_not_cut_the_end_short(c_engine: Path, temporary: Path, tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    shutil.copy(c_engine, engine)
    with started(["run", "--repeat", "9", "--", str(engine)], temporary, tmp_path) as suite:
        assert suite.stderr is not None
        assert suite.stderr.readline() == "started\n"
        while not running_program(engine):
            assert suite.poll() is None
        while suite.poll() is None:
            suite.send_signal(signal.SIGINT)
            time.sleep(0.001)
        suite.communicate()
    assert running_program(engine) == []
    assert list(temporary.iterdir()) == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT be what it is in a program of its own, and put the handler of the tests back."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        raise_interrupts()
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupt_waits_for_the_end_of_what_has_to_be_done_whole() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt):
        with undisturbed:
            with undisturbed:
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")
        done.append("beyond")
    assert done == ["inner", "outer"]


@pytest.mark.usefixtures("interruptible")
def test_after_the_first_interrupt_there_is_no_other() -> None:
    ended = []
    with pytest.raises(KeyboardInterrupt):
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            ended.append("everything")
    raise_interrupts()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert ended == ["everything"]

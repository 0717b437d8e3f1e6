"""How the tests of this package play a fault between sound cases, and look for what is left."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from coli_conformance import runner
from coli_conformance.case import Case, FileExpectation, Outcome
from coli_conformance.engines.command import open_command
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status

DRIVERS = Path(__file__).parent / "drivers"
HOSTILE = (sys.executable, "-S", "-E", str(DRIVERS / "hostile.py"))
MARK = "COLI_TEST_MARK"
LONG = 60.0
"""Seconds for a case that ends by itself, however busy the machine is."""


def saving(name: str) -> Case:
    """Return a case in which a session of that name saves one file."""
    return Case(
        id=f"W01-{name}",
        since=1,
        clauses=("W01",),
        level="must",
        roles=("save",),
        why="",
        steps=(f"init {name} 3 4", "save here"),
        outcomes=(Outcome(("ok", "ok"), files=(FileExpectation("here", "W01", data=b"written\n"),)),),
    )


def played(
    mark: str,
    *names: str,
    command: Sequence[str] = HOSTILE,
    roles: Sequence[str] = (),
    timeout: float = LONG,
    limits: Limits = DEFAULT_LIMITS,
    jobs: int = 1,
) -> list[tuple[Result, Observation | None]]:
    """Play a session of each name and return the verdicts, with what was seen."""
    seen: list[tuple[Result, Observation | None]] = []
    words = (*command, *roles)
    home = Path.cwd()
    with open_command(words, environment={MARK: mark}, timeout=timeout, limits=limits, jobs=jobs) as transport:
        cases = [saving(name) for name in names]
        runner.run(transport, cases, on_result=lambda _, result, observation: seen.append((result, observation)))
    assert Path.cwd() == home
    return seen


def between_sound(
    mark: str,
    fault: str,
    *,
    command: Sequence[str] = HOSTILE,
    roles: Sequence[str] = (),
    timeout: float = LONG,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Result, Observation]:
    """Play a fault between two sound cases, check that it cost these nothing, and return what came of it."""
    before, (result, observation), after = played(
        mark, "before", fault, "after", command=command, roles=roles, timeout=timeout, limits=limits
    )
    assert [before[0].status, after[0].status] == [Status.PASS, Status.PASS], (before[0].detail, after[0].detail)
    assert observation is not None
    return result, observation


def running(mark: str) -> list[str]:
    """Return the processes that have the mark in their environment, zombies aside, which have none."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text())
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


def running_program(program: Path) -> list[int]:
    """Return the processes that run a program."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "exe").readlink() == program:
                found.append(int(process.name))
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


def zombies_of_this_process() -> list[int]:
    """Return the children of this process that have ended and that nobody has waited for."""
    found = []
    for task in Path("/proc/self/task").glob("*/children"):
        for child in task.read_text().split():
            if Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2].startswith("Z"):
                found.append(int(child))
    return found


@contextmanager
def nothing_left(mark: str, temporary: Path) -> Iterator[None]:
    """Check at the end that no process of the mark runs, none waits to be waited for, and no file is left."""
    zombies = zombies_of_this_process()
    yield
    assert list(temporary.iterdir()) == []
    assert running(mark) == []
    assert zombies_of_this_process() == zombies

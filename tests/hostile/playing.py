"""How the tests of this package play a fault between sound cases."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from coli_conformance import runner
from coli_conformance.case import Case, FileExpectation, Outcome
from coli_conformance.engines.command import open_command
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from tests.leftovers import MARK

DRIVERS = Path(__file__).parent / "drivers"
HOSTILE = (sys.executable, "-S", "-E", str(DRIVERS / "hostile.py"))
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

"""How the tests of this package play sessions of a faulty driver."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

from coli_conformance.case import Case, Outcome, SetupFile
from coli_conformance.engines.command import open_command
from coli_conformance.judge.observation import Ending, Observation
from tests.leftovers import MARK

DRIVERS = Path(__file__).parents[1] / "drivers"
FAULTY = (sys.executable, "-S", "-E", str(DRIVERS / "faulty_driver.py"))
SHORT = 1.5
"""Seconds for a case in the tests of engines that hang."""


def case(
    *steps: str,
    environment: dict[str, str] | None = None,
    limit: int | None = None,
    setup: Sequence[SetupFile] = (),
) -> Case:
    return Case(
        id=f"W01-{uuid.uuid4()}",
        since=1,
        clauses=("W01",),
        level="must",
        roles=("save",),
        why="",
        steps=steps,
        outcomes=(Outcome(answers=()),),
        environment=environment or {},
        file_size_limit=limit,
        setup=tuple(setup),
    )


def sound() -> Case:
    return case("init glm 3 4", "save here")


def observe(
    mark: str,
    *cases: Case,
    roles: Sequence[str] = (),
    timeout: float = 60.0,
    jobs: int = 1,
    command: Sequence[str] = FAULTY,
) -> list[Observation]:
    """Play the cases and return what was seen of each, in the order given."""
    command = (*command, *roles)
    home = Path.cwd()
    with open_command(command, environment={MARK: mark}, timeout=timeout, jobs=jobs) as transport:
        played = list(transport.play(cases))
    assert Path.cwd() == home
    assert [one.id for one, _ in played] == [one.id for one in cases]
    return [observation for _, observation in played]


def between_sound(mark: str, fault: str, roles: Sequence[str], timeout: float = 60.0) -> Observation:
    """Play a fault between two sound cases, check that those are as they should be, and return what was seen of it."""
    before, seen, after = observe(mark, sound(), case(f"init {fault} 3 4"), sound(), roles=roles, timeout=timeout)
    for one in (before, after):
        assert (one.stdout, one.ending, one.files, one.oddities) == (
            b"ok\nok\n",
            Ending.EXITED,
            {"here": b"written\n"},
            {},
        )
    assert before.exit_status is (None if "reusable" in roles else 0) or before.exit_status == 0
    assert after.exit_status == 0
    return seen

"""A mark on all that an engine under test starts, and a look at what is left of it."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MARK = "COLI_TEST_MARK"
"""The variable that an engine under test, and whatever it starts, has in its environment."""


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


@pytest.fixture
def mark() -> str:
    return str(uuid.uuid4())


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> Iterator[Path]:
    """The temporary folder of the suite, which has to be empty in the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with nothing_left(mark, folder):
        yield folder


@pytest.fixture(params=["a process per case", "one process for many cases"])
def roles(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return ("load", "save", "reusable") if request.param == "one process for many cases" else ("load", "save")

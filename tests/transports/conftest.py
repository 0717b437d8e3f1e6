"""What surrounds every test of this package: a mark on all that an engine starts, and a look at what is left of it."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from .playing import running


@pytest.fixture
def mark() -> str:
    return str(uuid.uuid4())


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> Iterator[None]:
    """After each test no process that inherited the mark runs, and the temporary folder is empty."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []
    assert running(mark) == []


@pytest.fixture(params=["a process per case", "one process for many cases"])
def roles(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return ("load", "save", "reusable") if request.param == "one process for many cases" else ("load", "save")

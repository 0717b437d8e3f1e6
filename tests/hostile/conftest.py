"""What surrounds every test of this package: a mark on all that an engine starts, and a look at what is left of it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from .playing import DRIVERS, nothing_left


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


def _built(folder: Path, *options: str) -> Path | None:
    program = folder / "greedy"
    command = ["cc", *options, str(DRIVERS / "greedy.c"), "-o", str(program)]
    return program if subprocess.run(command, capture_output=True, check=False).returncode == 0 else None


@pytest.fixture(scope="session")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("cc"):
        pytest.skip("building this driver needs `cc`")
    program = _built(tmp_path_factory.mktemp("greedy"))
    assert program is not None
    return program


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("cc"):
        pytest.skip("building this driver needs `cc`")
    options = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = _built(tmp_path_factory.mktemp("sanitized"), *options)
    if program is None:
        pytest.skip("this compiler has no address and undefined-behaviour sanitizers")
    return program

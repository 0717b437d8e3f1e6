"""What surrounds every test of this package: a mark on all that an engine starts, and a look at what is left of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.leftovers import mark, roles, temporary  # noqa: F401 - fixtures of every test here

from .playing import DRIVERS


def _built(folder: Path, source: str, *options: str) -> Path | None:
    """Return the driver built of `source`; None where the compiler cannot. Without a compiler the test skips."""
    if not shutil.which("cc"):
        pytest.skip("building this driver needs `cc`")
    program = folder / "driver"
    command = ["cc", *options, str(DRIVERS / source), "-o", str(program)]
    return program if subprocess.run(command, capture_output=True, check=False).returncode == 0 else None


@pytest.fixture(scope="session")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = _built(tmp_path_factory.mktemp("greedy"), "greedy.c")
    assert program is not None
    return program


@pytest.fixture(scope="session")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = _built(tmp_path_factory.mktemp("traced"), "traced.c", "-pthread")
    assert program is not None
    return program


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = _built(tmp_path_factory.mktemp("sanitized"), "greedy.c", *options)
    if program is None:
        pytest.skip("this compiler has no address and undefined-behaviour sanitizers")
    return program

"""What tests of several parts need: the C engine, built once; without a compiler they say why they skip."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from coli_reference.engine import ReferenceEngine

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""Bytes that must be free there: tests fill folders up to their limits."""
_SOURCES = Path(__file__).parents[1] / "reference" / "c"


def pytest_configure() -> None:
    """Let temporary files be in memory where there is room: tests make and remove hundreds of thousands of them."""
    if "TMPDIR" in os.environ or not os.access(_IN_MEMORY, os.W_OK) or shutil.disk_usage(_IN_MEMORY).free < _ROOM:
        return
    os.environ["TMPDIR"] = str(_IN_MEMORY)
    tempfile.tempdir = None


@pytest.fixture(scope="session")
def c_engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C engine, a driver program, built as it is shipped."""
    if not shutil.which("cc") or not shutil.which("make"):
        pytest.skip("building the C engine needs `cc` and `make`")
    folder = tmp_path_factory.mktemp("c-engine")
    subprocess.run(["make", "-s", "-C", _SOURCES, f"BUILD={folder}"], check=True)
    return folder / "coli_engine"


@pytest.fixture(autouse=True)
def notice_not_yet_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test use up the notice that a process gives once, which an engine keeps on its class (R19)."""
    monkeypatch.setattr(ReferenceEngine, "override_noticed", False)

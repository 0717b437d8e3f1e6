"""What tests of several parts need: the C engine, built once; without a compiler they say why they skip."""

import shutil
import subprocess
from pathlib import Path

import pytest

from coli_reference.engine import ReferenceEngine

_SOURCES = Path(__file__).parents[1] / "reference" / "c"


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

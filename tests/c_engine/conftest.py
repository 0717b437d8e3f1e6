"""The C programs, built once for all the tests that run them; without a compiler these say why they skip."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .programs import KITS, SANITIZERS, SOURCES, STAND_IN, STRICT, build, build_engine


def sanitizers_link(folder: Path) -> bool:
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    command = ["cc", *SANITIZERS.split(), str(probe), "-o", str(folder / "probe")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the plain programs."""
    if not shutil.which("cc") or not shutil.which("make"):
        pytest.skip("building the C programs needs `cc` and `make`")
    folder = tmp_path_factory.mktemp("c")
    build_engine(folder, SOURCES, "")
    for kit in ("driver", "route_trace_driver"):
        build(["cc", *STRICT.split(), f"-I{STAND_IN}", KITS / f"{kit}.c", "-o", folder / kit])
    return folder


@pytest.fixture(scope="session")
def sanitized(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    if not sanitizers_link(folder):
        pytest.skip("this compiler has no address and undefined-behaviour sanitizers")
    return build_engine(folder, SOURCES, SANITIZERS)


@pytest.fixture(params=["plain", "sanitized"])
def engine(request: pytest.FixtureRequest, built: Path) -> Path:
    """The engine, once as it is shipped and once stopping at the first undefined behaviour."""
    if request.param == "plain":
        return built / "coli_engine"
    sanitized_engine = request.getfixturevalue("sanitized")
    assert isinstance(sanitized_engine, Path)
    return sanitized_engine

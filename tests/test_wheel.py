"""The wheel, built by way of the source distribution and installed elsewhere, works outside the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("spec", "reference", "conformance", "vectors", "pyproject.toml", "README.md", "LICENSE")
NOT_SOURCES = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "*_cache")


def run(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution, and the wheel that was built from it."""
    if find_spec("build") is None or find_spec("setuptools") is None:
        pytest.skip("building the distributions needs the packages `build` and `setuptools`")
    checkout = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, checkout / name, ignore=NOT_SOURCES)
        else:
            shutil.copy(ROOT / name, checkout / name)
    out = tmp_path_factory.mktemp("dist")
    done = run([sys.executable, "-m", "build", "--no-isolation", "--outdir", out, checkout], checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    (source,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="session")
def installed(distributions: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the suite from its wheel, and borrows what the suite depends on."""
    _, wheel = distributions
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    site_packages = next((folder / "lib").glob("python*/site-packages"))
    done = run([sys.executable, "-m", "pip", "--python", programs / "python", "install", "--no-deps", wheel], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    # A path in a .pth file is searched, but .pth files there are not read, such as that of an editable install.
    specs = [find_spec(name) for name in ("click", "numpy")]
    borrowed = {str(Path(spec.origin).parents[1]) for spec in specs if spec is not None and spec.origin is not None}
    (site_packages / "borrowed.pth").write_text("".join(f"{path}\n" for path in sorted(borrowed)))
    return programs


def test_the_suite_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    packages = ("coli_spec", "coli_reference", "coli_conformance", "coli_vectors")
    code = f"import {', '.join(packages)}\nfor p in ({', '.join(packages)}): print(p.__file__)"
    done = run([installed / "python", "-c", code], tmp_path)
    assert done.stderr == ""
    assert all(Path(line).is_relative_to(installed.parent) for line in done.stdout.splitlines())


def test_vectors_grammars_and_kits_are_inside(distributions: tuple[Path, Path]) -> None:
    source, wheel = distributions
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = set(archive.namelist())
    with tarfile.open(source) as archive:
        in_source = {name.partition("/")[2] for name in archive.getnames()}
    folders = {"coli_spec": "spec", "coli_reference": "reference", "coli_conformance": "conformance"}
    for package, folder in folders.items():
        files = [
            path.relative_to(ROOT / folder)
            for path in (ROOT / folder / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
        assert {str(file) for file in files} <= in_wheel
        assert {f"{folder}/{file}" for file in files} <= in_source
    vectors = {path.name for path in (ROOT / "vectors").glob("*.json")}
    assert {"W.json", "schema.json"} <= vectors
    assert {f"coli_vectors/{name}" for name in vectors} <= in_wheel
    assert any(name.startswith("coli_vectors/gold/") for name in in_wheel)


def test_an_engine_is_held_to_the_contract(installed: Path, tmp_path: Path) -> None:
    suite = installed / "coli-conformance"
    engine = ["--engine", "python:coli_reference.engine:ReferenceEngine"]
    done = run([suite, "run", "--clause", "W06", "--report", "json=r.json", *engine], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "r.json").read_text())["verdict"] == "conformant"
    red = run([suite, "run", "--clause", "W06", "--engine", "fault:hash-in-second-field"], tmp_path)
    assert red.returncode == 1
    assert "W06" in red.stdout


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["--version"], 0, "coli-conformance "),
        (["explain", "W06"], 0, "W06"),
        (["vectors", "show", "W06-glm_moe_dsa"], 0, '"steps"'),
        (["vectors", "copy", "cases"], 0, "cases written"),
        (["engines", "list"], 0, "glm_moe_dsa"),
        (["records", "list"], 0, "-2"),
        (["check", "bad"], 1, "3815245270"),
        (["compat", "four"], 1, "1 invented"),
        (["init", "c", "kit"], 0, "driver.c"),
    ],
)
def test_what_needs_data_files_finds_them(
    words: list[str], status: int, told: str, installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text("-1 5 8\n-2 3815245270 1\n3 2 5\n")
    (tmp_path / "four").write_text("3 2 5\n-3 7 12 99\n4 1 8\n")
    done = run([installed / "coli-conformance", *words], tmp_path)
    assert (done.returncode, done.stderr) == (status, "")
    assert told in done.stdout


def test_the_plugin_is_found_by_pytest(installed: Path, tmp_path: Path) -> None:
    engine = "inprocess:coli_reference.engine:ReferenceEngine"
    done = run([installed / "python", "-m", "pytest", "--coli-engine", engine, "-k", "W06"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(installed.parent) not in done.stderr
    assert "passed" in done.stdout

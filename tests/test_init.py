"""Starters: each is written, built and run as it stands, red all over; each filled-in example holds the contract."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import coli_spec
from coli_conformance.cli import main
from coli_conformance.starter import KITS

ROOT = Path(__file__).parents[1]
DUTIES = sorted(coli_spec.load().duties())
SUITE = Path(sys.executable).parent / "coli-conformance"
STRICT = {"c": "-std=c11 -Wall -Wextra -Wpedantic -Werror", "cpp": "-Wall -Wextra -Wpedantic -Werror"}
COMPILERS = {"c": "cc", "cpp": "c++", "rust": "cargo", "python": "python3"}
EXAMPLE_BUILDS = {
    "c": "cc -O1 -o driver driver.c engine.c reader.c",
    "cpp": "c++ -std=c++17 -O1 -o driver driver.cpp engine.cpp reader.cpp",
    "rust": KITS["rust"].build,
    "python": "",
}

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def this_python_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `python3` be the one that runs the tests: another can be a script that takes long to find an interpreter."""
    monkeypatch.setenv("PATH", os.pathsep.join((str(SUITE.parent), os.environ["PATH"])))


def build(language: str, command: str, folder: Path) -> None:
    """Build what is in `folder` with a compiler that has nothing to say; skip where there is none."""
    compiler = COMPILERS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"the starter and the example in {language} need `{compiler}`")
    if command:
        words = shlex.split(command)
        words += shlex.split(STRICT.get(language, "--quiet --offline"))
        environment = {**os.environ, "RUSTFLAGS": "-D warnings"}
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def report_of(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Run the suite on the manifest in `folder`; return its status and its report."""
    path = folder / "report.json"
    status = main(["run", "--manifest", str(folder / "coli-engine.yaml"), "--report", f"json={path}", *options])
    return status, json.loads(path.read_text())


@pytest.mark.parametrize("language", list(KITS))
def test_a_starter_says_hello_and_fails_everything_it_claims(language: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "conformance"
    assert main(["init", language, str(folder)]) == 0
    build(language, KITS[language].build, folder)
    # Where nothing is filled in the languages do the same: all of the corpus once, and four areas' first clauses.
    few = [word for clause in ("W01", "R01", "I01", "T01") for word in ("--clause", clause)]
    status, report = report_of(folder, *(() if language == "c" else few))
    assert status == 1
    assert sorted(report["engine"]["roles"]) == DUTIES
    statuses = Counter(result["status"] for result in report["results"])
    assert statuses.pop("fail") > 0
    assert set(statuses) <= {"unsupported"}
    assert report["verdict"] == "nonconformant"
    assert report["musts"]["passed"] == report["shoulds"]["passed"] == 0


@pytest.mark.parametrize("language", list(KITS))
def test_a_filled_in_example_holds_every_must_and_every_should(language: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "engine"
    shutil.copytree(ROOT / "examples" / f"{language}-engine", folder, ignore=shutil.ignore_patterns("target", "driver"))
    build(language, EXAMPLE_BUILDS[language], folder)
    status, report = report_of(folder, "--strict", "--require-roles", ",".join(DUTIES))
    assert status == 0, capsys.readouterr().out
    assert report["verdict"] == "conformant"
    assert report["musts"]["failed"] == report["shoulds"]["failed"] == 0
    assert report["musts"]["passed"] > 500


@pytest.mark.parametrize("language", list(KITS))
def test_what_is_written_is_told_and_named_in_the_readme(language: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "a b"
    assert main(["init", language, str(folder)]) == 0
    told, _, now = capsys.readouterr().out.partition("\nNow:\n")
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {line.removeprefix(f"{folder}/") for line in told.splitlines()} == written
    assert f"cd '{folder}'" in now
    readme = (folder / "README.md").read_text()
    for name in written - {"README.md"}:
        assert f"`{name}`" in readme
    assert not re.search(r"\[\[|\{[{%]", readme)


def test_no_file_is_written_over(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "README.md").write_text("mine\n")
    assert main(["init", "c", str(tmp_path)]) == 2
    assert "README.md is there already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "mine\n"


@pytest.mark.parametrize("arguments", [["fortran", "x"], ["c"], ["c", "a-file"], ["c", "a-file/below"]])
def test_wrong_usage_is_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").write_text("")
    assert main(["init", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err
    assert "Traceback" not in captured.err
    assert [path.name for path in tmp_path.iterdir()] == ["a-file"]


# -- CI ---------------------------------------------------------------------------------------------------------------


def parsed(path: Path) -> dict[str, Any]:
    document = yaml.safe_load(path.read_text())
    assert isinstance(document, dict)
    return document


def test_the_ci_job_builds_the_driver_and_goes_red(tmp_path: Path, capsys: Captured) -> None:
    if shutil.which("cc") is None or shutil.which("bash") is None:
        pytest.skip("the CI job of the C starter needs `cc` and `bash`")
    folder = tmp_path / "engine"
    assert main(["init", "c", str(folder)]) == 0
    steps = parsed(folder / ".github" / "workflows" / "conformance.yml")["jobs"]["conformance"]["steps"]
    (build_step,) = [step for step in steps if "run" in step]
    subprocess.run(["bash", "-e", "-c", build_step["run"]], cwd=folder, check=True)
    (suite_step,) = [step for step in steps if step.get("uses", "").startswith("./")]
    action = parsed(ROOT / "action.yml")
    assert set(suite_step["with"]) <= set(action["inputs"])
    programs = tmp_path / "runner" / "coli-conformance" / "bin"
    programs.mkdir(parents=True)
    (programs / "coli-conformance").symlink_to(SUITE)
    summary = tmp_path / "summary.md"
    done = subprocess.run(
        ["bash", "-e", "-c", action["runs"]["steps"][-1]["run"]],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "RUNNER_TEMP": str(tmp_path / "runner"),
            "GITHUB_STEP_SUMMARY": str(summary),
            "ARGUMENTS": suite_step["with"]["arguments"] + " --clause W06",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "::error" in done.stdout
    assert "W06" in summary.read_text()


def test_every_shell_step_of_the_action_names_its_shell() -> None:
    action = parsed(ROOT / "action.yml")
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "run" not in step or step["shell"] == "bash"
        # What a caller gives must not become part of a script's text.
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize(
    ("content", "status"), [("-1 5 8\n-2 1 3815245270\n3 2 5\n", 0), ("-1 5 8\n-2 3815245270 1\n3 2 5\n", 1)]
)
def test_the_pre_commit_hook_checks_fixtures(content: str, status: int, tmp_path: Path, capsys: Captured) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (hook,) = hooks
    for name in (".coli_usage", "tests/data/.coli_usage", "stats.txt", "fixtures/.coli_pairs"):
        assert re.search(hook["files"], name)
    for name in ("coli_usage.py", "mystats.txt", ".coli_usage.md"):
        assert not re.search(hook["files"], name)
    file = tmp_path / ".coli_usage"
    file.write_text(content)
    program, *words = shlex.split(hook["entry"])
    assert program == "coli-conformance"
    assert main([*words, str(file)]) == status

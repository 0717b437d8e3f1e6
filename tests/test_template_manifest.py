"""Manifests that declare a command template, and runs by them from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coli_conformance import manifest
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.engines.fixed import Fixed
from coli_conformance.engines.template import ExitStatuses, Template
from coli_spec import SpecError

CASES, _ = vectors.committed()


def written(folder: Path, text: str) -> Path:
    path = folder / "coli-engine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_manifest_of_a_template(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text("")
    text = 'load: [./dump, "{path}"]\nexit: {refused: 4}\nengine: olmoe\ndimensions: 16x64\nroles: [load, bounds]\n'
    read = manifest.read(written(tmp_path, text))
    assert read.template == Template(
        (str(tmp_path / "dump"), "{path}"), None, frozenset({"load", "bounds"}), ExitStatuses(0, 4, 77)
    )
    assert read.command == ()
    assert read.fixed == Fixed("olmoe", (16, 64))


def test_a_template_claims_load_and_nothing_is_built_in_unless_it_says_so(tmp_path: Path) -> None:
    read = manifest.read(written(tmp_path, 'load: [cat, "{path}"]\n'))
    assert read.template == Template(("cat", "{path}"), None, frozenset({"load"}), ExitStatuses(0, 1, 77))
    assert not read.fixed


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('command: [a]\nload: [b, "{path}"]\n', 1, "both 'command' and 'load'"),
        ("load: [./dump]\n", 1, "no argument of 'load' has {path}"),
        ('load: ["{path}"]\n', 1, "no argument of 'load' has {path}"),
        ("load: []\n", 1, "empty"),
        ('load: [a, "{path}"]\ntrust: [a, -f]\nroles: [load, trusted]\nengine: a\ndimensions: 1x1\n', 2, "{path}"),
        ('load: [a, "{path}"]\nroles: [load, save]\n', 2, "'save' is no role of a command that reads one file"),
        ('load: [a, "{path}"]\nroles: [bounds]\ndimensions: 1x1\n', 2, "lacks load"),
        ('load: [a, "{path}"]\nroles: [load, bounds]\n', 2, "'bounds' needs the key 'dimensions'"),
        ('load: [a, "{path}"]\nroles: [load, identify]\ndimensions: 1x1\n', 2, "'identify' needs the key 'engine'"),
        ('load: [a, "{path}"]\nroles: [load, trusted]\nengine: a\ndimensions: 1x1\n', 2, "needs the key 'trust'"),
        ('load: [a, "{path}"]\ntrust: [a, "{path}"]\n', 2, "add it to 'roles'"),
        ('load: [a, "{path}"]\nexit: {refused: 0}\n', 2, "accepted 0, refused 0, unsupported 77"),
        ('load: [a, "{path}"]\nexit: {refused: 256}\n', 2, "at most 255"),
        ('load: [a, "{path}"]\nexit: {crash: 3}\n', 2, "crash"),
        ("command: [a]\nexit: {refused: 3}\n", 2, "'exit' goes with 'load'"),
        ("command: [a]\nengine: GLM\n", 2, "W07"),
        ("command: [a]\ndimensions: 16 by 64\n", 2, "such as 78x256, up to 1000x4096"),
        ("command: [a]\ndimensions: 0x64\n", 2, "0x64"),
        ("command: [a]\ndimensions: 1001x64\n", 2, "1001x64"),
        ("command: [a]\ndimensions: {n_layers: 16}\n", 2, "n_experts"),
        ("command: [a]\ndimensions: [16, 64]\n", 2, "a list"),
    ],
)
def test_complaints_about_templates_name_file_and_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        manifest.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert told in str(caught.value)


# -- the command line -------------------------------------------------------------------------------------------------


def test_a_run_by_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'name: old dump\nload: [cat, "{path}"]\nroles: [load]\n')
    report = tmp_path / "report.json"
    arguments = ["run", "--manifest", str(path), "--case", "R13-zero-bytes", "--case", "R14-two-files"]
    assert main([*arguments, "--report", f"json={report}"]) == 0
    assert "1 ask for an identity, dimensions or a session that the engine cannot take" in " ".join(
        capsys.readouterr().out.split()
    )
    results = {result["case"]: result["status"] for result in json.loads(report.read_text())["results"]}
    assert results["R13-zero-bytes"] == "pass"
    assert results["R14-two-files"] == "unsupported"
    header = next(case.id for case in CASES if case.clauses[0] == "R02" and case.roles == ("load",))
    assert main(["run", "--manifest", str(path), "--case", header]) == 1, "`cat` shows header records as counters"
    assert main(["run", "--manifest", str(path), "--case", "R14-two-files"]) == 2


def test_a_manifest_that_cannot_be_used_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'load: [./no-such-dump, "{path}"]\n')
    assert main(["run", "--manifest", str(path)]) == 3
    assert "./no-such-dump" in capsys.readouterr().err
    assert main(["run", "--manifest", str(written(tmp_path, "load: [a]\n"))]) == 2
    assert f"{path}:1: " in capsys.readouterr().err

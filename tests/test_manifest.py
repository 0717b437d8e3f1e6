"""Manifests: what they say, and complaints that name file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from coli_conformance import manifest
from coli_spec import SpecError


def written(folder: Path, text: str) -> Path:
    path = folder / "coli-engine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_name_command_and_environment(tmp_path: Path) -> None:
    text = "name: olmoe in C\ncommand: [python3, -u, --flag]\nenv:\n  ASAN_OPTIONS: detect_leaks=0\n  LEVEL: 1\n"
    read = manifest.read(written(tmp_path, text))
    assert read.name == "olmoe in C"
    assert read.command == ("python3", "-u", "--flag")
    assert read.environment == {"ASAN_OPTIONS": "detect_leaks=0", "LEVEL": "1"}


def test_a_command_is_enough(tmp_path: Path) -> None:
    read = manifest.read(written(tmp_path, "command: [/bin/true]\n"))
    assert (read.name, read.command, dict(read.environment)) == (None, ("/bin/true",), {})


def test_files_beside_the_manifest_are_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "driver.py").write_text("")
    path = written(tmp_path / "project", "command: [python3, driver.py]\n")
    monkeypatch.chdir(tmp_path)
    read = manifest.read(path.relative_to(tmp_path))
    assert read.command == ("python3", str(tmp_path / "project" / "driver.py"))


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("name: x\n", 1, "command"),
        ("name: x\ncommand: []\n", 2, "empty"),
        ("command: ./driver\n", 1, "list"),
        ("command: [a]\n\ncmd: b\n", 3, "cmd"),
        ("nmae: x\ncommand: [a]\n", 1, "did you mean 'name'?"),
        ("name: x\ncomand: [a]\n", 2, "'comand' is no key of a manifest; did you mean 'command'?"),
        ("lod: [a, '{path}']\n", 1, "did you mean 'load'?"),
        ("command: [a]\ndimensions: {n_layer: 2, n_experts: 3}\n", 2, "lacks the key 'n_layers'; is 'n_layer'"),
        ("load: [a, '{path}']\nexit: {refusd: 2}\n", 2, "did you mean 'refused'? The keys are: accepted, refused, uns"),
        ("command: [a]\nenv: [B]\n", 2, "mapping"),
        ("command: [a]\nenv:\n  A: 1\n  B=C: 2\n", 4, "B=C"),
        ("command: [a]\nname: 'x\n", 3, "YAML"),
        ("command: !!python/object/apply:os.system [x]\n", 1, "tag"),
    ],
)
def test_complaints_name_file_and_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        manifest.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["command: [a]\n", "load: [a, '{path}']\n"])
def test_an_unknown_key_is_answered_with_every_key_there_is(tmp_path: Path, text: str) -> None:
    with pytest.raises(SpecError) as caught:
        manifest.read(written(tmp_path, f"{text}xyzzy: 1\n"))
    named = set(str(caught.value).rpartition("The keys are: ")[2].split(", "))
    assert named == {"name", "command", "env", "load", "trust", "roles", "exit", "engine", "dimensions"}
    assert "did you mean" not in str(caught.value)


def test_a_manifest_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    with pytest.raises(SpecError, match="cannot be read") as caught:
        manifest.read(path)
    assert str(path) in str(caught.value)

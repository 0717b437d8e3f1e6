"""`vectors`: the committed cases listed, shown and generated."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from coli_conformance.cli import main
from coli_conformance.cli.vectors import area_texts, difference
from coli_conformance.corpus import vectors

Captured = pytest.CaptureFixture[str]


def test_the_cases_are_listed_and_shown(capsys: Captured) -> None:
    assert main(["vectors", "list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [case.id for case in vectors.committed()[0]]
    assert main(["vectors", "show", "W06-glm_moe_dsa"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "W06-glm_moe_dsa"
    assert main(["vectors", "show", "W06-glm"]) == 2
    assert "W06-glm_moe_dsa" in capsys.readouterr().err


def test_the_list_of_cases_takes_a_glob_and_is_whole_in_a_pipe(capsys: Captured) -> None:
    assert main(["vectors", "list", "T*"]) == 0
    listed = capsys.readouterr().out.splitlines()
    chosen = [case for case in vectors.committed()[0] if case.id.startswith("T")]
    assert [line.split()[0] for line in listed] == [case.id for case in chosen]
    assert all(line.endswith(case.why) for line, case in zip(listed, chosen, strict=True))
    assert main(["vectors", "list", "W06x*"]) == 2
    assert "no case matches 'W06x*'" in capsys.readouterr().err


def test_vector_files_are_what_their_schema_declares() -> None:
    from importlib import resources

    root = resources.files("coli_vectors")
    declared = json.loads((root / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(declared)
    validator = jsonschema.Draft202012Validator(declared)
    areas = {case.clauses[0][0] for case in vectors.committed()[0]}
    for area in sorted(areas):
        document = json.loads((root / f"{area}.json").read_text(encoding="utf-8"))
        validator.validate(document)
        document["cases"][0]["steps"] = []
        assert not validator.is_valid(document)


def test_generating_writes_what_changed_and_checking_names_the_first_difference(
    tmp_path: Path, capsys: Captured
) -> None:
    assert main(["vectors", "generate", "--output", str(tmp_path)]) == 0
    assert main(["vectors", "generate", "--check", "--output", str(tmp_path)]) == 0
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    path = tmp_path / "W.json"
    document = json.loads(path.read_text())
    document["cases"][1]["why"] = "Edited by hand."
    path.write_text(json.dumps(document, indent=1) + "\n")
    (tmp_path / "Z.json").write_text("{}")
    capsys.readouterr()
    assert main(["vectors", "generate", "--check", "--output", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert f"W.json: {document['cases'][1]['id']} is not what is generated" in told
    assert "Z.json: nothing is generated for this area any more" in told
    assert main(["vectors", "generate", "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "W.json: written\nZ.json: removed\n"
    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"W.json"}


def test_differences_are_named_by_case(tmp_path: Path) -> None:
    cases = [case for case in vectors.committed()[0] if case.clauses[0] == "W06"]
    text = area_texts(tuple(cases))["W.json"]
    path = tmp_path / "W.json"
    assert difference(path, text) == "W.json: there is no such file"
    path.write_text(area_texts(tuple(cases[1:]))["W.json"])
    assert difference(path, text) == f"W.json: where {cases[0].id} is generated, the file has {cases[1].id}"
    path.write_text(area_texts(tuple(cases[:-1]))["W.json"])
    assert difference(path, text) == f"W.json: {cases[-1].id} is generated and not in the file"
    path.write_text(text.replace(" ", "  ", 1))
    assert difference(path, text) == "W.json: the same cases, written otherwise"
    path.write_text("{")
    assert difference(path, text).startswith("W.json:1:2: not JSON")

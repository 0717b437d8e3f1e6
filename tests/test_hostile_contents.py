"""Files of the right form with something in them that no program would have written, most of it found by self_fuzz."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coli_conformance import recorded, report_diff
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.fuzzing import saved
from coli_conformance.fuzzing.entry import entry_of
from coli_conformance.reports.output import OutputError

Captured = pytest.CaptureFixture[str]

ENGINE = "inprocess:coli_reference.engine:ReferenceEngine"
SAID = "coli-conformance: "


# -- manifests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["w" * 300, "w/" * 3000, "\\0", "\\ud800", "~", "{path}"])
def test_a_manifest_may_have_any_word_for_its_program(word: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "coli-engine.yaml"
    path.write_text(f'command: ["{word}", "{word}"]\n')
    status = main(["run", "--manifest", str(path)])
    said = capsys.readouterr().err
    assert status in {2, 3}, said
    assert said.startswith(SAID)
    assert "fault of the suite itself" not in said


# -- reports -----------------------------------------------------------------------------------------------------------


SOUND_REPORT: dict[str, Any] = {
    "format": 1,
    "suite": {"corpus_digest": "", "seed": None, "arguments": ["--case", "R01-*", "--engine", ENGINE]},
    "engine": {"name": "n", "command": ["c"], "digest": "d"},
    "verdict": "conformant",
    "count": 0,
    "results": [],
}


@pytest.mark.parametrize(
    "words",
    [
        ["--manifest", "\0"],
        ["--manifest", "\ud800"],
        ["--manifest", "/dev/zero"],
        ["--", "\0"],
        ["--", "\ud800"],
        ["--", "./no-such-driver", "\0"],
        ["--help"],
        ["--case", "\ud800", "--engine", ENGINE],
        ["--engine", "python:\ud800:x"],
        ["--engine", "inprocess:\0:x"],
        ["--wrap", "'", "--", "true"],
        ["--keep", "\0", "--engine", ENGINE],
        ["--jobs", "0", "--", "true"],
        [],
    ],
)
def test_a_report_that_names_no_engine_cannot_be_verified(words: list[str], tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "r.json"
    suite = {"corpus_digest": vectors.committed()[1], "seed": None, "arguments": words}
    path.write_text(json.dumps({**SOUND_REPORT, "suite": suite}))
    status = main(["report", "verify", str(path)])
    said = capsys.readouterr().err
    assert status in {2, 3}, said
    assert said.startswith(SAID)
    assert "fault of the suite itself" not in said


def test_a_report_is_of_a_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(SOUND_REPORT))
    assert recorded.read(path).verdict == "conformant"
    monkeypatch.setattr(recorded, "LARGEST", 10)
    with pytest.raises(recorded.UnreadableReportError, match="more than 10 bytes"):
        recorded.read(path)


def result(**changed: object) -> dict[str, object]:
    sound: dict[str, object] = {
        "case": "c",
        "level": "must",
        "status": "pass",
        "broken": [],
        "behaviour": None,
        "detail": "",
        "reproduce": "",
    }
    return {**sound, **changed}


@pytest.mark.parametrize("key", ["case", "level", "status", "behaviour", "detail", "reproduce"])
@pytest.mark.parametrize("value", [{}, [1], 7, {"a": []}])
def test_a_report_whose_texts_are_something_else_is_compared_as_text(key: str, value: object) -> None:
    read = recorded.parse(json.dumps({**SOUND_REPORT, "count": 1, "results": [result(**{key: value})]}), "r")
    assert not list(report_diff.unlike(read, read))
    assert not report_diff.difference(read, read).is_worse


@pytest.mark.parametrize("words", [["\0"], ["\ud800"], 7, [None, "a\0"]])
@pytest.mark.parametrize(("part", "key"), [("suite", "arguments"), ("engine", "command")])
def test_words_that_no_command_line_can_hold_are_no_report(part: str, key: str, words: object) -> None:
    document = {**SOUND_REPORT, part: {**SOUND_REPORT[part], key: words}}
    with pytest.raises(recorded.NotAReportError, match=r"^r: not as this suite writes reports"):
        recorded.parse(json.dumps(document), "r")


# -- cases ------------------------------------------------------------------------------------------------------------


def written(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Write a vector file of one changed case into `folder`."""
    cases, _ = vectors.committed()
    case = next(case for case in cases if case.id == "R01-one-record")
    document = json.loads(vectors.area_text("R", [case]))
    change(document["cases"][0])
    path = folder / "R.json"
    path.write_text(json.dumps(document))
    return path


def put(**values: object) -> Callable[[dict[str, Any]], None]:
    return lambda case: case.update(values)


@pytest.mark.parametrize(
    "change",
    [
        put(clauses=[]),
        put(clauses=["R]21"]),
        put(clauses=[{}]),
        put(steps=[[], "counts"]),
        put(level=["must"]),
        put(id=None),
        put(setup=[{"path": 5, "text": ""}]),
        put(environment=["ABC"]),
        put(environment=7),
        put(steps=7),
        put(outcomes=[7]),
    ],
)
def test_a_saved_case_that_no_search_wrote_is_refused_by_name(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    path = written(tmp_path, change)
    with pytest.raises(OutputError) as caught:
        saved.saved(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "name another --corpus" in str(caught.value)


@pytest.mark.parametrize(
    "steps",
    [
        ["init glm_moe_dsa five 8", "counts"],
        ["init glm_moe_dsa 05 8", "counts"],
        ["init glm_moe_dsa -5 8", "counts"],
        ["init glm_moe_dsa 5 99999999999", "counts"],
        ["init glm_moe_dsa 5 8", "route"],
        ["init glm_moe_dsa 5 8", "load"],
        ["init glm_moe_dsa 5 8", ""],
    ],
)
def test_a_saved_case_with_commands_that_mean_nothing_is_not_asked(steps: list[str], tmp_path: Path) -> None:
    written(tmp_path, put(steps=steps))
    (case,) = saved.saved(tmp_path)
    assert saved.asked_of(case) is None


def test_a_saved_case_is_asked() -> None:
    cases, _ = vectors.committed()
    entry = entry_of(next(case for case in cases if case.id == "R01-one-record"))
    assert entry is not None
    assert entry.steps


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, '{"format": ' + "9" * 5000 + "}", "", "nul", "\x00"])
def test_a_text_that_is_no_vector_file_is_a_sentence_with_its_line(text: str) -> None:
    with pytest.raises(vectors.VectorError, match=r"^R\.json:1:.*vectors generate"):
        vectors.parse_area(text, "R.json")

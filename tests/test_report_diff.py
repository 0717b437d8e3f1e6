"""`report diff` and `report verify`, reports that cannot be used, and `run --corpus`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coli_conformance import recorded
from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.corpus.session import CORPUS_VERSION
from coli_conformance.engine_digest import engine_digest
from coli_conformance.recorded import (
    NotAReportError,
    OtherFormatError,
    ReportError,
    TruncatedReportError,
    UnreadableReportError,
)

Captured = pytest.CaptureFixture[str]
DRIVER = """
import sys

from coli_reference.engine import ReferenceEngine
from coli_conformance.engines.serve import serve

WRONG = {wrong!r}
if WRONG:
    ReferenceEngine.load = lambda self, path: 1
serve(ReferenceEngine, sys.stdin.buffer, sys.stdout.buffer)
"""
CHOSEN = ["--case", "R01-one-*", "--case", "R13-*"]


def report(path: Path, *words: str) -> Path:
    main(["run", *words, "--report", f"json={path}", "--engine", "python:coli_reference.engine:ReferenceEngine"])
    return path


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a sound engine over a few cases."""
    return report(tmp_path_factory.mktemp("sound") / "r.json", "--case", "R13-*", "--seed", "3")


def changed(path: Path, folder: Path, name: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """Return a copy of a report with `change` made in it."""
    document = json.loads(path.read_text())
    change(document)
    copy = folder / name
    copy.write_text(json.dumps(document, indent=1))
    return copy


def set_status(word: str, index: int = 0) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["results"][index]["status"] = word

    return change


def remove_first(document: dict[str, Any]) -> None:
    del document["results"][0]
    document["count"] -= 1


# -- diff -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "title", "status"),
    [
        ("pass", "fail", "newly failing: 1", 1),
        ("unsupported", "crash", "newly failing: 1", 1),
        ("fail", "pass", "newly passing: 1", 0),
        ("known-failing", "unexpected-pass", "newly passing: 1", 0),
        ("pass", "unsupported", "newly unverified: 1", 1),
        ("fail", "not-run", "newly unverified: 1", 1),
        ("fail", "crash", "newly failing: 0", 0),
        ("unsupported", "pass", "newly passing: 0", 0),
    ],
)
def test_what_changed(
    sound: Path, tmp_path: Path, capsys: Captured, before: str, after: str, title: str, status: int
) -> None:
    old = changed(sound, tmp_path, "old.json", set_status(before))
    new = changed(sound, tmp_path, "new.json", set_status(after))
    assert main(["report", "diff", str(old), str(new)]) == status
    out = capsys.readouterr().out
    assert title in out
    assert sum(map(int, re.findall(r"^newly \w+: (\d+)$", out, re.MULTILINE))) == int(title[-1])


def test_a_case_that_is_gone_is_no_longer_verified_and_a_new_one_that_fails_is_newly_failing(
    sound: Path, tmp_path: Path, capsys: Captured
) -> None:
    fewer = changed(sound, tmp_path, "fewer.json", remove_first)
    assert main(["report", "diff", str(sound), str(fewer)]) == 1
    assert "pass -> not there" in capsys.readouterr().out
    failing = changed(sound, tmp_path, "failing.json", set_status("fail"))
    assert main(["report", "diff", str(fewer), str(failing)]) == 1
    assert "not there -> fail" in capsys.readouterr().out
    assert main(["report", "diff", str(fewer), str(sound)]) == 0


def test_a_rewritten_input_that_was_not_played_says_nothing(sound: Path, tmp_path: Path) -> None:
    def name_a_twin(document: dict[str, Any]) -> None:
        document["results"][0]["case"] += "~crlf"

    with_twin = changed(sound, tmp_path, "twin.json", name_a_twin)
    without = changed(with_twin, tmp_path, "without.json", remove_first)
    assert main(["report", "diff", str(with_twin), str(without)]) == 0


# -- reports that cannot be used --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", NotAReportError),
        ("{}", NotAReportError),
        ("[1]", NotAReportError),
        ("null", NotAReportError),
        ("[" * 100_000, NotAReportError),
        ("1" * 10_000, NotAReportError),
        ('{"format": 99, "suite": {}, "results": [], "count": 0}', OtherFormatError),
        ('{"format": 1, "suite": {}, "results": [], "count": 3}', TruncatedReportError),
        ('{"format": 1, "suite": {}, "results": [], "count": 0}', NotAReportError),
        ('{"kind": "run", "format": 1, "suite": {}, "engine": {}}\n', TruncatedReportError),
        ('{"kind": "run", "format": 1, "suite": {}, "engine": {}}\n{"kind": "res', TruncatedReportError),
    ],
)
def test_what_is_no_whole_report_is_turned_away(
    tmp_path: Path, capsys: Captured, text: str, error: type[ReportError]
) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(error, match=re.escape(str(path))):
        recorded.read(path)
    assert main(["report", "diff", str(path), str(path)]) == 2
    assert main(["report", "verify", str(path)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_report_cut_short_anywhere_is_never_a_small_one(sound: Path, tmp_path: Path) -> None:
    text = sound.read_text()
    for end in range(0, len(text) - 2, max(1, len(text) // 97)):
        with pytest.raises(ReportError):
            recorded.parse(text[:end], "cut")


def test_a_report_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(UnreadableReportError):
        recorded.read(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotAReportError, match="UTF-8"):
        recorded.read(tmp_path / "binary")


# -- verify -----------------------------------------------------------------------------------------------------------


def write_driver(folder: Path, *, wrong: bool) -> Path:
    path = folder / "driver.py"
    path.write_text(DRIVER.format(wrong=wrong))
    return path


@pytest.fixture
def driven(tmp_path: Path, capsys: Captured) -> Path:
    """The report of a driver over a few cases, the driver beside it."""
    driver = write_driver(tmp_path, wrong=False)
    path = tmp_path / "r.json"
    assert main(["run", *CHOSEN, "--report", f"json={path}", "--", sys.executable, str(driver)]) == 0
    capsys.readouterr()
    return path


def test_a_run_that_comes_to_the_same_is_verified(driven: Path, capsys: Captured) -> None:
    assert main(["report", "verify", str(driven)]) == 0
    out = capsys.readouterr().out
    assert f"all {json.loads(driven.read_text())['count']} cases same" in out


def test_a_report_that_says_otherwise_than_the_engine_does_is_not(
    driven: Path, tmp_path: Path, capsys: Captured
) -> None:
    forged = changed(driven, tmp_path, "forged.json", set_status("fail"))
    assert main(["report", "verify", str(forged)]) == 1
    assert "fail, and now pass" in capsys.readouterr().out


def test_another_engine_corpus_or_command_cannot_be_verified(driven: Path, tmp_path: Path, capsys: Captured) -> None:
    def other_corpus(document: dict[str, Any]) -> None:
        document["suite"]["corpus_digest"] = "0" * 64

    def other_option(document: dict[str, Any]) -> None:
        document["suite"]["arguments"] = ["--no-such-option"]

    assert main(["report", "verify", str(changed(driven, tmp_path, "a.json", other_corpus))]) == 2
    assert "corpus" in capsys.readouterr().err
    assert main(["report", "verify", str(changed(driven, tmp_path, "b.json", other_option))]) == 2
    assert "cannot be" in capsys.readouterr().err
    write_driver(tmp_path, wrong=True)
    assert main(["report", "verify", str(driven)]) == 2
    assert "the engine is another" in capsys.readouterr().err


def test_a_seeded_run_of_a_python_engine_is_verified_over_its_fresh_cases(sound: Path) -> None:
    assert json.loads(sound.read_text())["suite"]["seed"] == 3
    assert main(["report", "verify", str(sound)]) == 0


def test_the_digest_of_a_python_engine_is_that_of_its_whole_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "made_up_engine"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('it must not be run to be known')\n")
    (package / "part.py").write_text("1\n")
    monkeypatch.chdir(tmp_path)
    command = ("no-such-program", "made_up_engine.main:Engine")
    before = engine_digest(command, python_class=True)
    assert before != engine_digest(command, python_class=False)
    (package / "part.py").write_text("2\n")
    assert engine_digest(command, python_class=True) != before
    assert engine_digest(("x", "\0", "none:E"), python_class=True) == engine_digest((), python_class=False)


# -- versions of the corpus -------------------------------------------------------------------------------------------


@pytest.fixture
def newer_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A suite whose corpus has one more case, which came a version later and which no engine passes."""
    cases, _ = vectors.committed()
    model = next(case for case in cases if case.id.startswith("R13-"))
    wrong = tuple(replace(outcome, answers=("ok 99",) * len(outcome.answers)) for outcome in model.outcomes)
    added = replace(model, id="R13-added-later", since=max(case.since for case in cases) + 1, outcomes=wrong)
    folder = tmp_path / "vectors"
    folder.mkdir()
    areas: dict[str, list[Case]] = {}
    for case in (*cases, added):
        areas.setdefault(case.clauses[0][0], []).append(case)
    for area, members in areas.items():
        (folder / f"{area}.json").write_text(vectors.area_text(area, members))
    read = vectors.committed(folder)
    monkeypatch.setattr(vectors, "committed", lambda: read)
    return added


def test_a_case_that_came_later_reddens_only_who_asks_for_it(
    newer_suite: Case, tmp_path: Path, capsys: Captured
) -> None:
    engine = ["--engine", "inprocess:coli_reference.engine:ReferenceEngine"]
    assert main(["run", "--clause", "R13", *engine]) == 1
    assert newer_suite.id in capsys.readouterr().out
    earlier = str(newer_suite.since - 1)
    path = tmp_path / "r.json"
    assert main(["run", "--clause", "R13", "--corpus", earlier, "--report", f"json={path}", *engine]) == 0
    out = capsys.readouterr().out
    assert newer_suite.id not in out
    assert f"corpus {earlier}" in " ".join(out.split())
    assert json.loads(path.read_text())["suite"]["corpus"] == int(earlier)
    assert main(["report", "verify", str(path)]) == 0
    assert main(["run", "--clause", "R13", "--corpus", str(newer_suite.since), *engine]) == 1


def test_a_corpus_that_is_not_here_is_told(capsys: Captured) -> None:
    assert main(["run", "--corpus", "999", "--engine", "fault:stop-at-minus3"]) == 2
    assert "there is no corpus 999" in capsys.readouterr().err


def test_the_changelog_has_a_section_for_every_version() -> None:
    text = (Path(__file__).parents[1] / "vectors" / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = [int(number) for number in re.findall(r"^## (\d+)$", text, re.MULTILINE)]
    assert sections == list(range(max(sections), 0, -1))
    assert {case.since for case in vectors.committed()[0]} <= set(sections)
    assert CORPUS_VERSION in sections

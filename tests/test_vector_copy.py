"""The corpus as plain files, and the shell script of its page, which plays them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from coli_conformance.cli import main
from coli_conformance.corpus import vectors

Captured = pytest.CaptureFixture[str]


def test_the_corpus_is_copied_as_plain_files(tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "cases"
    assert main(["vectors", "copy", str(folder)]) == 0
    index = json.loads((folder / "index.json").read_text())
    cases, digest = vectors.committed()
    assert index["corpus_digest"] == digest
    assert [entry["id"] for entry in index["cases"]] == [case.id for case in cases]
    for case, entry in zip(cases, index["cases"], strict=True):
        session = (folder / entry["session"]).read_text()
        assert session.splitlines() == ["hello 1", *case.steps]
        for item in case.setup:
            if item.data is not None:
                assert (folder / entry["folder"] / "files" / item.path).read_bytes() == item.data
        for outcome, copied in zip(case.outcomes, entry["outcomes"], strict=True):
            assert (folder / copied["answers"]).read_bytes() == outcome.stdout
            assert len(copied["files"]) == len(outcome.files)
        plain = folder / entry["folder"]
        assert (plain / "roles").read_text().split() == list(case.roles)
        assert (plain / "level").read_text() == f"{case.level}\n"
        assert (plain / "clauses").read_text().split() == list(case.clauses)
        environment = dict(line.split("=", 1) for line in (plain / "environment").read_text().splitlines())
        assert environment == dict(case.environment)
        limit = plain / "file_size_limit"
        assert (int(limit.read_text()) if limit.exists() else None) == case.file_size_limit
        assert (plain / "second_environment").exists() == (case.second_environment is not None)
        assert (plain / "decimal_comma").exists() == case.decimal_comma
        links = plain / "links"
        linked = [f"{item.path} {item.link_to}" for item in case.setup if item.link_to]
        assert (links.read_text().splitlines() if links.exists() else []) == linked
        for number, outcome in enumerate(case.outcomes, start=1):
            suffix = f"-{number}" if len(case.outcomes) > 1 else ""
            afterwards = (plain / f"afterwards{suffix}.txt").read_text().splitlines()
            assert [line.split()[1] for line in afterwards] == [item.clause for item in outcome.files]
            for line in afterwards:
                kind, _, *path = line.split()
                if kind in {"exact", "history", "trace"}:
                    assert (plain / f"expected{suffix}" / path[0]).is_file()
    assert (folder / "W06-glm_moe_dsa" / "afterwards.txt").read_text() == "history W06 .coli_usage\n"
    written = (folder / "W06-glm_moe_dsa" / "expected" / ".coli_usage").read_bytes()
    assert written.startswith(b"-1 5 8\n-2 1 3815245270\n")
    assert main(["vectors", "copy", str(folder)]) == 2
    assert "not empty" in capsys.readouterr().err


SOUND_CASES = "[WR]0[1-9]-[a-f]*"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus as plain files, with the script of the README beside it."""
    from coli_conformance.cli.vector_copy import copy_cases

    folder = tmp_path_factory.mktemp("copied")
    copy_cases(*vectors.committed(), folder / "cases")
    readme = (Path(__file__).parents[1] / "vectors" / "README.md").read_text(encoding="utf-8")
    (folder / "play.sh").write_text(readme.partition("```sh\n")[2].partition("```")[0])
    return folder


def played(folder: Path, driver: Path, pattern: str) -> subprocess.CompletedProcess[str]:
    words = ["sh", str(folder / "play.sh"), str(folder / "cases"), str(driver), pattern]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)


def test_the_shell_script_of_the_readme_passes_the_c_engine(copied: Path, c_engine: Path) -> None:
    done = played(copied, c_engine, SOUND_CASES)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    "body",
    [
        "while read -r verb rest; do case $verb in hello) echo ok load save;; *) echo ok;; esac; done",
        "read -r verb; echo ok load save; while read -r verb; do echo refused; done",
        "read -r verb; echo ok load save",
        "while read -r verb; do echo ok load save; done; exit 3",
    ],
)
def test_the_shell_script_of_the_readme_fails_a_driver_that_does_nothing(
    copied: Path, tmp_path: Path, body: str
) -> None:
    driver = tmp_path / "driver"
    driver.write_text(f"#!/bin/sh\n{body}\n")
    driver.chmod(0o755)
    done = played(copied, driver, "W07-*")
    due = [
        case.id for case in vectors.committed()[0] if case.id.startswith("W07-") and {"load", "save"} >= {*case.roles}
    ]
    assert sorted(done.stdout.splitlines()) == sorted(f"failed: {case_id}" for case_id in due)
    assert done.returncode == 1

"""The suite itself under hostile engines: its memory, what it shows, and whether it says the same twice."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from coli_conformance.engines import process_table

from .playing import DRIVERS
from .suite import WITH_PEAK, started

MOST_MEMORY = 200 * 1024
"""Kilobytes that the suite may have at most."""


@pytest.mark.skipif(not process_table.AVAILABLE, reason="only Linux tells what a process uses")
def test_memory_stays_under_200_megabytes_whatever_an_engine_writes(temporary: Path, tmp_path: Path) -> None:
    driver = [sys.executable, "-S", str(DRIVERS / "flood.py")]
    words = ["run", "--case", "W07-[gqk]*", "--jobs", "2", "--timeout", "60", "--", *driver]
    with started(words, temporary, tmp_path, WITH_PEAK) as suite:
        said, complaints = suite.communicate()
    assert "nonconformant" in said
    assert "not-run" not in said
    assert int(complaints.splitlines()[-1]) < MOST_MEMORY


@pytest.mark.parametrize("ending", [[], ["badly"]])
def test_nothing_an_engine_writes_reaches_the_terminal_or_a_report(
    temporary: Path, tmp_path: Path, ending: list[str]
) -> None:
    driver = [sys.executable, "-S", str(DRIVERS / "nasty.py"), *ending]
    words = ["run", "--case", "[RW]0[1-8]-*name*", "--case", "R01-*", "--report", "json=report.json", "--", *driver]
    with started(words, temporary, tmp_path) as suite:
        said, complaints = suite.communicate()
    assert suite.returncode == 1, complaints
    assert "owned" in said
    for text in (said, complaints, (tmp_path / "report.json").read_text(encoding="ascii")):
        assert all(line.isprintable() for line in text.splitlines()), ascii(text)
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "nonconformant"


def reports(folder: Path, temporary: Path, engine: Path, names: list[str], *options: str) -> list[bytes]:
    """Run the suite once for each name, all at the same time in one folder, and return the reports."""
    runs = [
        started(["run", *options, "--report", f"json={name}", "--", str(engine)], temporary, folder) for name in names
    ]
    for suite in runs:
        said, complaints = suite.communicate()
        assert suite.returncode == 0, (said, complaints)
    return [(folder / name).read_bytes() for name in names]


def test_two_runs_at_once_in_one_folder_say_the_same_as_one(c_engine: Path, temporary: Path, tmp_path: Path) -> None:
    alone = reports(tmp_path, temporary, c_engine, ["first.json"], "--case", "W0*")
    together = reports(tmp_path, temporary, c_engine, ["second.json", "third.json"], "--case", "W0*")
    assert {*alone, *together} == {alone[0]}
    left = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    assert left == ["first.json", "second.json", "third.json"]


def test_repeated_runs_say_the_same(c_engine: Path, temporary: Path, tmp_path: Path) -> None:
    # Fifty of them are part of the scheduled runs.
    first = reports(tmp_path, temporary, c_engine, ["report.json"], "--case", "R0*", "--seed", "7")
    assert all(
        reports(tmp_path, temporary, c_engine, ["report.json"], "--case", "R0*", "--seed", "7") == first for _ in "ab"
    )

"""The pytest plugin, in runs of pytest of their own: which items there are, and what each comes to."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coli_conformance.corpus import vectors

ENGINES = '''
from coli_reference.engine import ReferenceEngine


class Sound(ReferenceEngine):
    """Nothing is wrong with it."""


class SwapsVersionAndId(ReferenceEngine):
    """Writes the id where the version belongs."""

    def header_records(self):
        return [(a, c, b) if a == -2 else (a, b, c) for a, b, c in super().header_records()]


class WrapsCounters(ReferenceEngine):
    """Breaks a should: a counter at its largest value starts again from 0."""

    def credit(self, layer, expert, count):
        total = dict(((a, b), c) for a, b, c in self.counts()).get((layer, expert), 0) + count
        if total >= 2**32:
            self.counters._counts[layer, expert] = total % 2**32
            return True
        return super().credit(layer, expert, count)


class Dashboard(ReferenceEngine):
    """Reads, and nothing else."""

    roles = frozenset({"load"})
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(ENGINES)
    return tmp_path


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def counted(output: str) -> dict[str, int]:
    """Return the numbers of the last line, such as `1 failed, 990 deselected in 1.37s`."""
    *_, last = [line for line in output.splitlines() if " in " in line]
    return {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", last.rpartition(" in ")[0])}


def test_every_case_is_an_item_with_its_id(folder: Path) -> None:
    done = run_pytest(folder, "--coli-engine", "inprocess:mine:Sound", "--collect-only", "-q")
    assert done.returncode == 0
    items = [line for line in done.stdout.splitlines() if line.startswith("coli::")]
    assert items == [f"coli::{case.id}" for case in vectors.committed()[0]]


def test_without_an_engine_there_are_no_items(folder: Path) -> None:
    done = run_pytest(folder, "--collect-only", "-q")
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_broken_must_fails_with_the_bytes_and_last_failed_plays_it_again(folder: Path) -> None:
    engine = ["--coli-engine", "inprocess:mine:SwapsVersionAndId"]
    done = run_pytest(folder, *engine, "-k", "W06-glm_moe_dsa or R02")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert counted(done.stdout)["failed"] == 1
    assert "| -2 3815245270 1\n          |    ^^^^^^^^^^\n" in done.stdout
    again = "Again:  coli-conformance run --case W06-glm_moe_dsa --engine inprocess:mine:SwapsVersionAndId"
    assert again in done.stdout
    assert "FAILED coli::W06-glm_moe_dsa - W06:" in done.stdout
    assert counted(run_pytest(folder, *engine, "--lf").stdout)["failed"] == 1
    mended = run_pytest(folder, "--coli-engine", "inprocess:mine:Sound", "--lf")
    assert mended.returncode == 0
    assert counted(mended.stdout)["passed"] == 1


def test_a_broken_should_is_an_expected_failure_unless_strict(folder: Path) -> None:
    engine = ["--coli-engine", "inprocess:mine:WrapsCounters", "-k", "W19", "-rx"]
    cases = [case for case in vectors.committed()[0] if "W19" in case.clauses]
    done = run_pytest(folder, *engine)
    assert done.returncode == 0
    numbers = counted(done.stdout)
    assert numbers["xfailed"] >= 1
    assert numbers["xfailed"] + numbers.get("passed", 0) == len(cases)
    assert "a should (W19)" in done.stdout
    strict = run_pytest(folder, *engine, "--coli-strict")
    assert strict.returncode == pytest.ExitCode.TESTS_FAILED
    assert counted(strict.stdout)["failed"] == numbers["xfailed"]


def test_roles_and_clauses_choose_items_and_what_is_not_claimed_is_skipped(folder: Path) -> None:
    done = run_pytest(folder, "--coli-engine", "inprocess:mine:Dashboard", "-k", "R01 and load", "-rs")
    cases = [case for case in vectors.committed()[0] if "R01" in case.clauses and "load" in case.roles]
    skipped = [case for case in cases if case.roles != ("load",)]
    numbers = counted(done.stdout)
    assert (numbers["passed"], numbers.get("skipped", 0)) == (len(cases) - len(skipped), len(skipped))
    assert done.returncode == 0


def test_where_everything_is_skipped_the_run_does_not_pass(folder: Path) -> None:
    done = run_pytest(folder, "--coli-engine", "inprocess:mine:Dashboard", "-k", "W06")
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "nothing is verified" in " ".join(done.stdout.split())


def test_xdist_plays_every_case_once(folder: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    done = run_pytest(folder, "--coli-engine", "inprocess:mine:Sound", "-k", "W06 or T03", "-n", "2")
    cases = [case for case in vectors.committed()[0] if {"W06", "T03"} & set(case.clauses)]
    assert done.returncode == 0, done.stdout
    assert counted(done.stdout)["passed"] == len(cases)


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
@pytest.mark.parametrize(
    ("engine", "told"),
    [
        ("inprocess:mine:Missing", "has no class `Missing`"),
        ("inprocess:mine", "python:MODULE:CLASS"),
        ("missing.yaml", "missing.yaml"),
        ("./no-driver", "no-driver"),
        ("'open", "quotation"),
        ("", "no engine"),
    ],
)
def test_what_is_no_engine_is_one_sentence(folder: Path, engine: str, told: str, workers: list[str]) -> None:
    done = run_pytest(folder, "--coli-engine", engine, *workers)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_an_engine_that_hangs_ends_the_run(folder: Path) -> None:
    driver = folder / "driver.py"
    driver.write_text(
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('load'):\n"
        "        time.sleep(60)\n"
        "    print('ok load' if line.startswith('hello') else 'unsupported', flush=True)\n"
    )
    manifest = folder / "coli-engine.yaml"
    manifest.write_text(f"command: [{sys.executable}, driver.py]\n")
    (folder / "conftest.py").write_text(
        "import coli_conformance.cli.engine_choice as choice\nchoice.DEFAULT_TIMEOUT = 0.5\n"
    )
    done = run_pytest(folder, "--coli-engine", "coli-engine.yaml", "-k", "R01")
    assert "timed out in 5 cases in a row" in done.stdout
    assert counted(done.stdout)["failed"] == 5

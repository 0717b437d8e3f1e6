"""Accepting a proposal, done in a scratch checkout: what is refused, what appears, and what is put back."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("spec", "reference", "conformance", "vectors", "docs")
MAIN = "import sys; from coli_conformance.cli import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True)
class Scratch:
    """A checkout to try things in, and a proposal beside it."""

    top: Path
    proposal: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command line of the scratch checkout."""
        paths = [str(self.top / name) for name in ("spec", "reference", "conformance", ".")]
        return subprocess.run(
            [sys.executable, "-P", "-B", "-c", MAIN, *arguments],
            cwd=self.top,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    def digest(self) -> dict[str, str]:
        """Return a digest of every file by its path."""
        return {
            str(path.relative_to(self.top)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.top.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }

    def case_ids(self) -> set[str]:
        return {
            case["id"]
            for file in (self.top / "vectors").glob("[A-Z].json")
            for case in json.loads(file.read_text(encoding="utf-8"))["cases"]
        }


def scratch(folder: Path) -> Scratch:
    top = folder / "checkout"
    for name in COPIED:
        shutil.copytree(ROOT / name, top / name, ignore=shutil.ignore_patterns("__pycache__", "build*", "*.egg-info"))
    (top / "coli_vectors").symlink_to("vectors")
    proposal = folder / "proposal.yaml"
    shutil.copy(ROOT / "docs" / "examples" / "transition-counts.yaml", proposal)
    return Scratch(top, proposal)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    """A scratch checkout with evidence for the proposal; tests leave its files as they were."""
    if not shutil.which("cc") or not shutil.which("make"):
        pytest.skip("accepting a record type takes the C engine, and building it needs `cc` and `make`")
    made = scratch(tmp_path_factory.mktemp("records"))
    checked = made.run("records", "check", str(made.proposal))
    assert (checked.returncode, checked.stderr) == (0, "")
    yield made


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory, checkout: Scratch) -> tuple[Scratch, set[str]]:
    """A second scratch checkout in which the proposal was accepted, and the ids of the cases before."""
    made = scratch(tmp_path_factory.mktemp("accepted"))
    shutil.copy(checkout.proposal.with_suffix(".evidence.md"), made.proposal.with_suffix(".evidence.md"))
    before = made.case_ids()
    done = made.run("records", "accept", str(made.proposal))
    assert done.returncode == 0, done.stdout + done.stderr
    return made, before


def test_new_cases_appear_and_no_case_goes(accepted: tuple[Scratch, set[str]]) -> None:
    made, before = accepted
    new = made.case_ids() - before
    assert before <= made.case_ids()
    assert {"W14-transition-0-1", "R02-among-data-transition-319-4294967295", "W14-transition-93x896"} <= new
    assert all("transition" in case_id for case_id in new)


def test_both_engines_pass_the_new_cases_and_the_old_ones_about_header_records(
    accepted: tuple[Scratch, set[str]], tmp_path: Path
) -> None:
    made, _ = accepted
    chosen = ["--case", "*-transition-*", "--case", "R02-*", "--case", "W14-*", "--case", "W25-*", "--strict"]
    python = made.run("run", *chosen, "--engine", "inprocess:coli_reference.engine:ReferenceEngine")
    assert python.returncode == 0, python.stdout
    subprocess.run(["make", "-s", "-C", made.top / "reference" / "c", f"BUILD={tmp_path}"], check=True)
    c_engine = made.run("run", *chosen, "--", str(tmp_path / "coli_engine"))
    assert c_engine.returncode == 0, c_engine.stdout


def test_an_engine_that_was_not_told_of_the_record_fails_to_write_it(
    accepted: tuple[Scratch, set[str]], c_engine: Path
) -> None:
    made, _ = accepted
    done = made.run("run", "--case", "W14-transition-0-1", "--", str(c_engine))
    assert done.returncode == 1
    assert "W14-transition-0-1" in done.stdout


def test_the_registry_and_the_c_engine_know_it(accepted: tuple[Scratch, set[str]]) -> None:
    made, _ = accepted
    table = (made.top / "reference" / "c" / "agreed_records.h").read_text(encoding="utf-8")
    assert table.endswith('{-3, true, "transition"},\n')
    shown = made.run("records", "show", "-3").stdout
    assert "packed: (layer * n_experts + earlier) * n_experts + later" in shown
    assert "its cases since corpus 2" in shown


def test_generating_again_changes_no_byte(accepted: tuple[Scratch, set[str]]) -> None:
    made, _ = accepted
    before = made.digest()
    assert made.run("vectors", "generate").returncode == 0
    assert made.digest() == before
    assert made.run("vectors", "generate", "--check").returncode == 0


def test_check_knows_it_by_name_and_judges_its_fields(accepted: tuple[Scratch, set[str]]) -> None:
    made, _ = accepted
    file = made.proposal.parent / "history.txt"
    file.write_bytes(b"-1 5 8\n-2 1 3815245270\n-3 319 4294967295\n3 2 5\n")
    sound = made.run("check", str(file))
    assert sound.returncode == 0, sound.stdout + sound.stderr
    file.write_bytes(b"-1 5 8\n-2 1 3815245270\n-3 320 1\n-3 0 0\n3 2 5\n")
    wrong = made.run("check", str(file))
    assert wrong.returncode == 1
    assert "3:4: error agreed-field-range(W14)" in wrong.stdout
    assert "field 2 of the agreed record transition, step, is 320; at 5x8 it is 0 to 319" in wrong.stdout
    assert "4:6: error agreed-field-range(W14)" in wrong.stdout


def test_it_is_accepted_once(accepted: tuple[Scratch, set[str]]) -> None:
    made, _ = accepted
    before = made.digest()
    done = made.run("records", "accept", str(made.proposal))
    assert done.returncode == 1
    assert "G01: the number -3 is taken by the agreed record transition" in done.stdout
    assert made.digest() == before


def test_without_evidence_it_is_refused(checkout: Scratch, tmp_path: Path) -> None:
    alone = tmp_path / "alone.yaml"
    shutil.copy(checkout.proposal, alone)
    done = checkout.run("records", "accept", str(alone))
    assert done.returncode == 1
    assert "alone.evidence.md: there is no evidence for the proposal (G07); gather it with" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("; proposal ", "; proposal 0", "does not end with the stamp"),
        ("; holds -->", "; fails -->", "the evidence does not hold (G07)"),
        ("; holds -->", "; incomplete -->", "lacks one of the two reference engines (G07)"),
    ],
)
def test_evidence_that_says_no_is_no_evidence(
    checkout: Scratch, tmp_path: Path, old: str, new: str, words: str
) -> None:
    mine = tmp_path / "mine.yaml"
    shutil.copy(checkout.proposal, mine)
    page = checkout.proposal.with_suffix(".evidence.md").read_text(encoding="utf-8")
    assert old in page
    mine.with_suffix(".evidence.md").write_text(page.replace(old, new), encoding="utf-8")
    before = checkout.digest()
    done = checkout.run("records", "accept", str(mine))
    assert done.returncode == 1
    assert words in done.stderr
    assert checkout.digest() == before


def test_evidence_for_an_earlier_wording_is_stale(checkout: Scratch, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(checkout.proposal.read_text(encoding="utf-8") + "# a word more\n", encoding="utf-8")
    shutil.copy(checkout.proposal.with_suffix(".evidence.md"), mine.with_suffix(".evidence.md"))
    done = checkout.run("records", "accept", str(mine))
    assert done.returncode == 1
    assert "the evidence is stale, the proposal has changed since (G07)" in done.stderr


def test_evidence_for_another_registry_is_stale(checkout: Scratch) -> None:
    engines = checkout.top / "spec" / "coli_spec" / "engines.yaml"
    before = engines.read_bytes()
    try:
        engines.write_bytes(before.replace(b"{n_layers: 16, n_experts: 64}", b"{n_layers: 17, n_experts: 64}"))
        done = checkout.run("records", "accept", str(checkout.proposal))
    finally:
        engines.write_bytes(before)
    assert done.returncode == 1
    assert "the evidence is stale, the registry or the suite has changed since (G07)" in done.stderr


def test_where_an_engine_fails_the_new_cases_everything_is_put_back(checkout: Scratch) -> None:
    history = checkout.top / "reference" / "coli_reference" / "history.py"
    before = history.read_bytes()
    assert b"if number not in coli_spec.load().agreed_numbers():" in before
    try:
        history.write_bytes(before.replace(b"if number not in coli_spec.load().agreed_numbers():", b"if number < 0:"))
        unchanged = checkout.digest()
        done = checkout.run("records", "accept", str(checkout.proposal))
        assert checkout.digest() == unchanged
    finally:
        history.write_bytes(before)
    assert done.returncode == 1
    assert "`coli-conformance run` ended with status 1, and everything was put back" in done.stderr

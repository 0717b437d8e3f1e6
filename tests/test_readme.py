"""What the README shows is what one gets: its report is a real run's, its driver works, its links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="building the README's engines needs `cc`")


def block(language: str) -> str:
    """Return the text of the README's one code block of this language ("" for none named)."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    text: str = found
    return text


def cli(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coli_conformance", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@needs_cc
def test_the_report_it_shows_is_what_a_run_says(tmp_path: Path) -> None:
    declared = yaml.safe_load((ROOT / "tests/compiled_faults/compiled.yaml").read_text(encoding="utf-8"))
    fault = next(entry for entry in declared if entry["name"] == "id-in-the-second-field")
    sources = tmp_path / "engine"
    shutil.copytree(ROOT / "reference/c", sources, ignore=shutil.ignore_patterns("build"))
    source = sources / fault["file"]
    text = source.read_text(encoding="utf-8")
    assert text.count(fault["old"]) == 1
    source.write_text(text.replace(fault["old"], fault["new"]), encoding="utf-8")
    files = [str(path) for path in sources.glob("*.c")]
    subprocess.run(["cc", "-std=c11", "-w", "-o", str(tmp_path / "driver"), *files], check=True)
    command, _, shown = block("").partition("\n")
    program, *words = command.removeprefix("$ ").split()
    assert program == "coli-conformance"
    run = cli(tmp_path, *words)
    assert run.stdout == shown
    assert run.returncode == 1


@needs_cc
def test_the_driver_it_shows_works(tmp_path: Path) -> None:
    engine = (ROOT / "tests/data/readme_engine.c").read_text(encoding="utf-8")
    (tmp_path / "driver.c").write_text(engine + block("c"), encoding="utf-8")
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-o", "driver", "driver.c"], cwd=tmp_path, check=True)
    run = cli(tmp_path, "run", "--strict", "--", "./driver")
    assert run.returncode == 0, run.stdout
    assert "partial" in run.stdout


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).exists()] == []

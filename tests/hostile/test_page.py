"""The page on hostile engines: every test it names exists, and it says every default."""

from __future__ import annotations

import re
from pathlib import Path

from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT
from coli_conformance.engines.limits import CPU_TIMES, DEFAULT_LIMITS, MIB
from coli_conformance.engines.removal import MOST_ENTRIES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (ROOT / "docs" / "hostile.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_test_that_the_page_names_exists() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 30
    missing = []
    for path, name in named:
        module = ROOT / path if "/" in path else HERE / path
        if f"def {name}(" not in module.read_text(encoding="utf-8"):
            missing.append(f"{path}::{name}")
    assert missing == []


def test_every_promise_names_a_test() -> None:
    promises = PAGE.partition("## Promises")[2].partition("\n\nEvery test")[0].strip().splitlines()[2:]
    assert [row for row in promises if not NAMED.search(row)] == []


def test_defaults_on_the_page() -> None:
    rows = {row.split("`")[1]: row for row in PAGE.splitlines() if row.startswith("| `")}
    said = {
        "wall": f"{DEFAULT_TIMEOUT:g} s",
        "cpu": f"{CPU_TIMES} times",
        "memory": f"{DEFAULT_LIMITS.memory // (1024 * MIB)} GiB",
        "file": f"{DEFAULT_LIMITS.file // MIB} MiB",
        "folder": f"{DEFAULT_LIMITS.folder // MIB} MiB and {MOST_ENTRIES:,} entries",
        "files": f"{DEFAULT_LIMITS.files:,} open",
        "processes": f"{DEFAULT_LIMITS.processes}",
        "output": f"{DEFAULT_LIMITS.output // MIB} MiB",
    }
    assert rows.keys() == said.keys()
    assert [name for name, text in said.items() if text not in rows[name]] == []

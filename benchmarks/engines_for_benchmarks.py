"""What the benchmarks run: the command of this environment, the C engine, and the C engine without `reusable`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "reference" / "c"
COMMAND = str(Path(sys.executable).parent / "coli-conformance")
OFFER = " reusable\\n"


def reusable_engine() -> Path:
    """Build the C engine as it is and return the path of its driver."""
    return _make(SOURCES)


def plain_engine(folder: Path) -> Path:
    """Build in `folder` the C engine that does not claim `reusable`, so that each case needs a process."""
    sources = folder / "c"
    shutil.copytree(SOURCES, sources, ignore=shutil.ignore_patterns("build"))
    verbs = sources / "verbs.c"
    text = verbs.read_text()
    if OFFER not in text:
        raise SystemExit(f"{verbs.name} does not claim `reusable` any more where this benchmark takes the claim out.")
    verbs.write_text(text.replace(OFFER, "\\n"))
    return _make(sources)


def bare_loop(folder: Path) -> Path:
    """Build `bare_spawn.c` in `folder` and return its path."""
    program = folder / "bare_spawn"
    source = Path(__file__).parent / "bare_spawn.c"
    subprocess.run(["cc", "-O2", "-o", program, source], check=True)
    return program


def _make(folder: Path) -> Path:
    subprocess.run(["make", "--silent", "-C", folder, "build/coli_engine"], check=True)
    return folder / "build" / "coli_engine"

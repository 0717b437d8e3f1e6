"""How many inputs a second a search makes, plays in the C engine and judges, with two processes on two cores."""

from __future__ import annotations

import os
import tempfile
import time
from itertools import islice
from pathlib import Path

from engines_for_benchmarks import reusable_engine

from coli_conformance.cli.fuzz import work_in_memory
from coli_conformance.engines.command import open_command
from coli_conformance.fuzzing.search import search
from coli_conformance.fuzzing.source import entries

AIM = 2000
INPUTS = 10_000
SEED = 1


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-2:])
    work_in_memory()
    made = entries(SEED)
    # The first draw of texts brings in hypothesis and lark, which a search of a minute does not notice.
    list(islice(made, 200))
    with tempfile.TemporaryDirectory() as folder, open_command([str(reusable_engine())]) as transport:
        started = time.perf_counter()
        found = search(
            transport, made, seconds=None, count=INPUTS, folder=Path(folder) / "none", on_input=lambda *_: None
        )
        seconds = time.perf_counter() - started
    if found.differences or found.in_company:
        raise SystemExit(
            "The C engine fails inputs, so the rate would mean nothing: `coli-conformance fuzz` shows them."
        )
    print(f"search, reusable driver: {INPUTS / seconds:.0f} inputs a second (aim: {AIM}, at least 1000)")


if __name__ == "__main__":
    main()

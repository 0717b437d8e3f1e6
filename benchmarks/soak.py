"""A hundred thousand cases against the C engine, judged: how many a second, and whether memory stays flat."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from engines_for_benchmarks import plain_engine, reusable_engine

from coli_conformance import runner
from coli_conformance.corpus.vectors import committed
from coli_conformance.engines.command import open_command
from coli_conformance.judge.verdict import Status

FLAT = 4.0
"""Megabytes by which the memory may grow from the first tenth of the cases to the last."""


def memory() -> float:
    """Return the resident memory of this process in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS:"))) / 1024


def soak(name: str, driver: Path, number: int, jobs: int) -> None:
    """Play the committed cases again and again until they are `number`; SystemExit where one fails or memory grows."""
    cases = committed()[0]
    played = 0
    early: float | None = None
    with open_command([str(driver)], jobs=jobs) as transport:
        started = time.perf_counter()
        while played < number:
            done = runner.run(transport, cases, on_result=lambda *_: None)
            failed = [
                result.case_id for result in done.results if result.status not in (Status.PASS, Status.UNSUPPORTED)
            ]
            if failed:
                raise SystemExit(f"After {played} cases the C engine failed {', '.join(failed[:5])}.")
            played += len(done.results)
            if early is None and played >= number / 10:
                early = memory()
        seconds = time.perf_counter() - started
    grown = memory() - (early or memory())
    print(
        f"soak, {name}: {played} cases, {played / seconds:.0f} a second with {jobs} at a time, "
        f"memory {memory():.0f} MB, {grown:+.1f} MB since the first tenth (aim: at most {FLAT:g})"
    )
    if grown > FLAT:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000, help="how many for each transport (default 100000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default 2)")
    options = parser.parse_args()
    soak("one process for many cases", reusable_engine(), options.cases, options.jobs)
    with tempfile.TemporaryDirectory() as folder:
        soak("a process per case", plain_engine(Path(folder)), options.cases, options.jobs)


if __name__ == "__main__":
    main()

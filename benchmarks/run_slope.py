"""What `coli-conformance run` adds to the bare cost of a process per case.

The time of --repeat 6 less that of --repeat 1, over the time in which a C loop starts the same driver as
often. Both run one process at a time on the same cores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from engines_for_benchmarks import COMMAND, bare_loop, plain_engine

AIM = 1.4


def timed_run(driver: Path, repeat: int, report: Path) -> tuple[float, int]:
    """Return the seconds of one run and the processes it started."""
    command = [COMMAND, "run", "--jobs", "1", "--repeat", str(repeat), "--report", f"json={report}", "--", str(driver)]
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started, int(json.loads(report.read_text())["spawns"])


def bare_seconds(loop: Path, driver: Path, spawns: int) -> float:
    """Return the seconds in which the C loop starts the driver `spawns` times."""
    done = subprocess.run([loop, str(spawns), driver], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="measure so often and take the median (default 3)")
    parser.add_argument("--cores", type=int, default=1, help="run both on so many cores (default 1)")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.cores :])
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        driver = plain_engine(folder)
        loop = bare_loop(folder)
        report = folder / "report.json"
        for _ in range(options.rounds):
            once, spawns_once = timed_run(driver, 1, report)
            six_times, spawns_six_times = timed_run(driver, 6, report)
            ratios.append((six_times - once) / bare_seconds(loop, driver, spawns_six_times - spawns_once))
    print(f"run, a process per case: {median(ratios):.2f} times the bare spawns (aim: at most {AIM})")


if __name__ == "__main__":
    main()

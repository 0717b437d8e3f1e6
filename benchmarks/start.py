"""How long the command takes to start: `--version` as a whole, and `run` until the first case reaches the engine."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from engines_for_benchmarks import COMMAND

ROUNDS = 9
DRIVER = Path(__file__).parent / "first_case.sh"


def seconds_of_version() -> float:
    """Return the seconds that `--version` takes."""
    started = time.perf_counter()
    subprocess.run([COMMAND, "--version"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def seconds_to_first_case() -> float:
    """Return the seconds from the start of `run` to the moment its first case reaches the engine."""
    with tempfile.TemporaryDirectory() as name:
        reached = Path(name) / "reached"
        started = time.time()
        # The driver answers wrongly, so the exit status says nothing here.
        run = [COMMAND, "run", "--case", "W01-*", "--", str(DRIVER), str(reached)]
        subprocess.run(run, check=False, stdout=subprocess.DEVNULL)
        return float(reached.read_text()) - started


def main() -> None:
    version = median(seconds_of_version() for _ in range(ROUNDS))
    first_case = median(seconds_to_first_case() for _ in range(ROUNDS))
    print(f"--version: {version * 1000:.0f} ms (aim: under 150)")
    print(f"run until the first case: {first_case * 1000:.0f} ms (aim: under 500)")


if __name__ == "__main__":
    main()

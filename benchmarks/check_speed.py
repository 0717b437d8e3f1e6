"""How fast `check` reads large files, histories over the C loop on the same file, and what memory it takes for that."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from engines_for_benchmarks import COMMAND

MEGABYTE = 1_000_000
LAYERS = 3999
EXPERTS = 4000
MOST = LAYERS * EXPERTS * 12
"""Bytes of the largest history with so many experts, the most in which `check` looks for every repetition."""
IDLE = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def history(size: int) -> Iterator[bytes]:
    """Yield a sound history of about so many bytes, up to 1 GB, its counts skewed as real ones are."""
    experts = EXPERTS if size <= MOST else 5 * EXPERTS
    draw = random.Random(1)
    counts = [b"%d" % min(20_000, int(draw.paretovariate(1.2) * 50)) for _ in range(100_003)]
    yield b"-1 %d %d\n-2 1 3815245270\n" % (LAYERS, experts)
    done = 0
    for layer in range(LAYERS + 1):
        if done >= size:
            return
        first = layer * experts
        part = b"".join(
            b"%d %d %s\n" % (layer, expert, counts[(first + expert) % len(counts)]) for expert in range(experts)
        )
        done += len(part)
        yield part


def trace(size: int) -> Iterator[bytes]:
    """Yield a sound trace of about so many bytes, eight experts of 256 a line."""
    draw = random.Random(2)
    tails = [
        b" ".join(b"%d:%.4f" % (expert, draw.random()) for expert in draw.sample(range(256), 8)) for _ in range(10_007)
    ]
    done = call = 0
    while done < size:
        part = b"".join(
            b"%d 0 %d %s\n" % (number, 3 + number % 75, tails[number % len(tails)])
            for number in range(call, call + 10_000)
        )
        call += 10_000
        done += len(part)
        yield part


def written(folder: Path, name: str, parts: Iterator[bytes]) -> Path:
    path = folder / name
    with path.open("wb") as file:
        file.writelines(parts)
    return path


def run(*command: str) -> tuple[float, int]:
    """Return the seconds a command takes, and the largest memory it had in kilobytes; it must end with status 0."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}; the rate would mean nothing.")
    return time.perf_counter() - started, usage.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="the size of each file [default: 200]")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    size = arguments.megabytes * MEGABYTE
    idle = int(subprocess.run([sys.executable, "-c", IDLE], check=True, capture_output=True).stdout)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop = folder / "fscanf_loop"
        subprocess.run(["cc", "-O2", "-o", loop, Path(__file__).parent / "fscanf_loop.c"], check=True)
        large = written(folder, "history", history(size))
        small = written(folder, "small", history(MEGABYTE))
        stream = written(folder, "trace", trace(size))
        ours, theirs, lines = [], [], []
        for _ in range(arguments.rounds):
            theirs.append(run(str(loop), str(large))[0])
            ours.append(run(COMMAND, "check", str(large)))
            lines.append(run(COMMAND, "check", str(stream)))
        megabytes = large.stat().st_size / MEGABYTE
        rate, bare = megabytes / min(seconds for seconds, _ in ours), megabytes / min(theirs)
        print(f"check, history: {rate / bare:.1f} times the C loop's {bare:.0f} MB/s (aim: 3, at least 1)")
        rate = stream.stat().st_size / MEGABYTE / min(seconds for seconds, _ in lines)
        print(f"check, trace: {rate:.0f} MB/s (aim: 150, at least 60)")
        first = (run(COMMAND, "check", str(small))[1] - idle) / 1024
        last = (max(memory for _, memory in (*ours, *lines)) - idle) / 1024
        print(
            f"check, memory above an idle interpreter: {first:.0f} MB for a file of 1 MB, {last:.0f} MB for one of "
            f"{megabytes:.0f} MB (aim: under 96)"
        )


if __name__ == "__main__":
    main()

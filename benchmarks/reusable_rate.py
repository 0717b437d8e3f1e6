"""How many cases a second one process of a reusable driver is held to, judged, on one core."""

from __future__ import annotations

import os
import time

from engines_for_benchmarks import reusable_engine

from coli_conformance import runner
from coli_conformance.corpus.vectors import committed
from coli_conformance.engines.command import open_command
from coli_conformance.judge.verdict import Status

AIM = 3000
REPEAT = 5


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    cases = [case for case in committed()[0] if not case.alone]
    with open_command([str(reusable_engine())]) as transport:
        started = time.perf_counter()
        done = runner.run(transport, cases, repeat=REPEAT, on_result=lambda *_: None)
        seconds = time.perf_counter() - started
    if any(result.status is not Status.PASS for result in done.results):
        raise SystemExit("The C engine fails cases, so the rate would mean nothing: run the suite against it first.")
    print(f"reusable driver: {len(done.results) / seconds:.0f} cases a second on one core (aim: {AIM}, at least 1500)")


if __name__ == "__main__":
    main()

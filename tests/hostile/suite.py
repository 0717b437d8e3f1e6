"""How the tests of this package run the whole suite in a process of its own, and look at it from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from coli_conformance.cli import main
print("started", file=sys.stderr, flush=True)
sys.exit(main())
"""
"""The command as a user's shell starts it: not deaf to Ctrl-C, as a process in the background may be."""

WITH_PEAK = """
import sys
from pathlib import Path
from coli_conformance.cli import main
main(sys.argv[1:])
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM:")), file=sys.stderr)
"""
"""The command, which says in the end how much memory it had at most, in kilobytes."""


def started(arguments: Sequence[str], temporary: Path, folder: Path, program: str = PROGRAM) -> subprocess.Popen[str]:
    """Start the suite in `folder`, with `temporary` for its temporary files."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="surrogateescape",
        start_new_session=True,
    )

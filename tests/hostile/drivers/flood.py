"""A driver that gives the suite as much to keep, in each case, as it takes: output, files, and lines to judge."""

import sys
from pathlib import Path

MIB = 1024 * 1024
WAYS = (
    lambda: sys.stdout.buffer.write(b"0 0 1\n" * (16 * MIB)),
    lambda: sys.stderr.buffer.write(b"0 0 1\n" * (16 * MIB)),
    lambda: sys.stdout.buffer.write(b"0 0 1\n" * (MIB + MIB // 4)),
    lambda: sys.stdout.buffer.write(b"ok\n" * (2 * MIB)),
    lambda: sys.stdout.buffer.write(b"x" * (7 * MIB) + b"\n"),
    lambda: [Path(f"file{number}").write_bytes(b"0 0 1\n" * (2 * MIB)) for number in range(4)],
)

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "hello":
        sys.stdout.write("ok load save trace\n")
    else:
        if verb == "save":
            Path(words[0]).write_bytes(b"1 1 1\n" * (3 * MIB))
        if verb == "init":
            WAYS[int(Path.cwd().name) % len(WAYS)]()  # the folders are numbered
        sys.stdout.write("ok\n")
    sys.stdout.flush()

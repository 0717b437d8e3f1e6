"""A driver that gives the suite as much to keep and to judge, in each case, as it takes, or far more."""

import sys
from pathlib import Path

MEGABYTE = 1_000_000
WAYS = (
    lambda: sys.stdout.buffer.write(b"0 0 1\n" * 20 * MEGABYTE),
    lambda: sys.stderr.buffer.write(b"0 0 1\n" * 20 * MEGABYTE),
    lambda: sys.stdout.buffer.write(b"0 0 1\n" * (MEGABYTE * 4 // 6)),
    lambda: sys.stdout.buffer.write(b"ok\n" * (MEGABYTE * 4 // 3)),
    lambda: sys.stdout.buffer.write(b"ab\n" * (MEGABYTE * 4 // 3)),
    lambda: sys.stdout.buffer.write(b"x" * (4 * MEGABYTE)),
    lambda: [Path(f"file{number}").write_bytes(b"0 0 1\n" * MEGABYTE) for number in range(3)],
    lambda: [Path(f"file{number}").write_bytes(b"." * 200 * MEGABYTE) for number in range(3)],
)

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "hello":
        sys.stdout.write("ok load save trace\n")
    else:
        if verb == "save":
            Path(words[0]).write_bytes(b"1 1 1\n" * (2 * MEGABYTE))
        if verb == "init":
            WAYS[int(Path.cwd().name) % len(WAYS)]()  # the folders are numbered
        sys.stdout.write("ok\n")
    sys.stdout.flush()

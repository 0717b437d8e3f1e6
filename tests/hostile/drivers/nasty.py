"""A driver that says, on both streams and in the names of its files, what no report may show as it is."""

import sys
from pathlib import Path

NASTY = b"\x1b[31m\x1b]0;owned\x07\0\xff\xe2\x80\xae<script>alert(1)</script>[bold red]\r"

for line in sys.stdin:
    if line.startswith("hello"):
        sys.stdout.write("ok load save reusable-not\n")
    else:
        Path("\x1b[2J\udcff<b>").write_bytes(NASTY)
        Path("h\n").write_bytes(NASTY)
        sys.stderr.buffer.write(NASTY + b"\n")
        sys.stderr.flush()
        verb = line.split(" ")[0]
        answers = {"load": b"ok " + NASTY, "init": b"ok", "counts": NASTY + b"\nok", "save": b"error " + NASTY}
        if verb == "save":
            Path(line.split()[1]).write_bytes(NASTY * 3)
        sys.stdout.buffer.write(answers.get(verb, b"ok") + b"\n")
    sys.stdout.flush()
sys.exit(3 if len(sys.argv) > 1 else 0)

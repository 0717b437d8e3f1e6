"""A driver that claims every role, does nothing, and answers `ok` to everything."""

import sys

for line in sys.stdin:
    sys.stdout.write("ok load bounds identify trusted iku1 save trace\n" if line.startswith("hello") else "ok\n")
    sys.stdout.flush()

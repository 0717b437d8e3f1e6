"""A sound driver that words its answers in one of the ways the protocol leaves open.

worded_driver.py WORDING        one of the names in WORDINGS
"""

import io
import re
import sys
from collections.abc import Callable

from coli_conformance.engines.serve import serve
from coli_reference.engine import ReferenceEngine

WORDINGS: dict[str, Callable[[bytes], bytes]] = {
    "reasons-after-a-colon": lambda out: re.sub(rb"^(refused|error)\b.*$", rb"\1: it could not be", out, flags=re.M),
    "trailing-blanks-in-counts": lambda out: re.sub(rb"^(\d+ \d+ \d+)$", rb"\1 ", out, flags=re.M),
    "lines-end-in-crlf": lambda out: out.replace(b"\n", b"\r\n"),
    "totals-with-leading-zeros": lambda out: re.sub(rb"^ok (\d+)$", rb"ok 000\1", out, flags=re.M),
}


class Worded(io.BytesIO):
    """Writes answers to standard output in another wording."""

    def __init__(self, wording: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self._wording = wording

    def flush(self) -> None:
        """Send what was written since the last time."""
        sys.stdout.buffer.write(self._wording(self.getvalue()))
        sys.stdout.buffer.flush()
        self.seek(0)
        self.truncate()


if __name__ == "__main__":
    serve(ReferenceEngine, sys.stdin.buffer, Worded(WORDINGS[sys.argv[1]]))

"""Telling where one case's answers end in the output of a process that goes on to the next case."""

from __future__ import annotations

import re
from itertools import islice

from coli_conformance import protocol

FENCE = b"fence\n"
"""Sent after each case. No version of the protocol has this verb, so the answer is `unsupported`: where that
stands, the
case's own answers are complete, and none of them can be taken for one of the next case's."""

_LONG = 1 << 18
_SURPLUS = 100

_FENCED = b"unsupported"
_WORDS = b"|".join(protocol.FINAL_WORDS)
_FINAL_LINE = re.compile(rb"^(?:%s)(?![0-9A-Za-z_])[^\n]*\n" % _WORDS, re.MULTILINE)
_NO_ANSWER = re.compile(
    rb"^(?!(?:%s)(?![0-9A-Za-z_])|%s[ \t\r]*\n)[^\n]*\n" % (_WORDS, protocol.DATA_LINE), re.MULTILINE
)


def passes_fence(answer: bytes) -> bool:
    """Tell whether an engine that was sent `hello` and the fence answered both, as a reusable one has to."""
    answers, rest = protocol.split_answers(answer)
    return len(answers) == 2 and not rest and answers[1].startswith(_FENCED)


def without_surplus(out: bytes, commands: int) -> bytes:
    """Return `out`, or where it is long and has many more answers than `commands` what stands before most of these.

    The same goes for lines that can be part of no answer. So many too many say all there is to say; to take a million
    of them apart would need the memory of a small machine.
    """
    if len(out) < _LONG:
        return out
    for pattern, allowed in ((_FINAL_LINE, commands), (_NO_ANSWER, 0)):
        surplus = next(islice(pattern.finditer(out), allowed + _SURPLUS, None), None)
        if surplus is not None:
            out = out[: surplus.start()]
    return out


def without_fence(out: bytearray) -> bytes:
    """Return `out` without its last line where that looks like the fence's answer, however many others there are."""
    last = out.rfind(b"\n", 0, len(out) - 1) + 1
    return bytes(out[:last]) if out.endswith(b"\n") and out.startswith(_FENCED, last) else bytes(out)


class AnswerCount:
    """Counts answers in a growing output until `expected` of them, the fence's the last, have come."""

    __slots__ = ("_counted", "_expected", "_scanned", "garbage")

    def __init__(self, expected: int) -> None:
        self.garbage = False
        """Whether there was a line that can be part of no answer."""
        self._expected = expected
        self._scanned = 0
        self._counted = 0

    def scan(self, out: bytearray) -> None:
        """Count what came to `out` since the last look."""
        end = out.rfind(b"\n") + 1
        if end > self._scanned:
            fresh = bytes(out[self._scanned : end])
            self._counted += len(_FINAL_LINE.findall(fresh))
            self.garbage = self.garbage or _NO_ANSWER.search(fresh) is not None
            self._scanned = end

    @property
    def enough(self) -> bool:
        """Whether as many answers have come as are expected, or more."""
        return self._counted >= self._expected

    def before_fence(self, out: bytearray) -> bytes | None:
        """Return what stands before the fence's answer; None where `out` is not exactly the answers expected."""
        if self._counted != self._expected or self._scanned != len(out):
            return None
        fence = out.rfind(b"\n", 0, len(out) - 1) + 1
        return bytes(out[:fence]) if out.startswith(_FENCED, fence) else None

"""The driver protocol's text: what an answer is. Shared by everything that writes or reads it."""

from __future__ import annotations

VERSION = 1
"""The protocol version that `hello` asks for."""

FINAL_WORDS = (b"ok", b"refused", b"error", b"unsupported")
"""The words that begin the final line of an answer."""

_FINAL_WORDS = frozenset(FINAL_WORDS)


def is_final(line: bytes) -> bool:
    """Tell whether `line` ends an answer: its first word is one of FINAL_WORDS."""
    return line.partition(b" ")[0] in _FINAL_WORDS


def split_answers(stdout: bytes) -> tuple[list[bytes], bytes]:
    """Cut what an engine wrote into answers.

    Returns the complete answers in order, each with its data lines, LF between lines and none at the end, CR before LF
    removed; and the rest, which ends no answer (b"" where nothing is left over).
    """
    answers: list[bytes] = []
    pending: list[bytes] = []
    start = 0
    answered = 0
    while (end := stdout.find(b"\n", start)) >= 0:
        line = stdout[start : end - 1] if stdout[end - 1 : end] == b"\r" and end > start else stdout[start:end]
        pending.append(line)
        start = end + 1
        if is_final(line):
            answers.append(b"\n".join(pending))
            pending = []
            answered = start
    return answers, stdout[answered:]

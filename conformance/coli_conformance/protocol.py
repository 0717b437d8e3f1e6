"""The driver protocol's text: what an answer is. Shared by everything that writes or reads it."""

from __future__ import annotations

import re

VERSION = 1
"""The protocol version that `hello` asks for."""

FINAL_WORDS = (b"ok", b"refused", b"error", b"unsupported")
"""The words that begin the final line of an answer."""

DATA_LINE = rb"[ \t]*[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+"
"""The pattern of a data line: three plain decimal numbers. Blanks may follow."""

_FINAL_WORD = re.compile(rb"(?:%s)(?![0-9A-Za-z_])" % b"|".join(FINAL_WORDS))


def final_word(line: bytes) -> bytes | None:
    """Return the one of FINAL_WORDS that `line` begins with, as a word of its own (`refused: why` is one); or None."""
    match = _FINAL_WORD.match(line)
    return match[0] if match else None


def is_final(line: bytes) -> bool:
    """Tell whether `line` ends an answer."""
    return final_word(line) is not None


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

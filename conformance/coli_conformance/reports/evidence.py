"""What a page shows of a failing case: what it was given, asked and expected, and what came back, all of it escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coli_conformance.case import Case, FileExpectation, SetupFile
from coli_conformance.escape import cut, shown_bytes, shown_text
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result
from coli_conformance.protocol import split_answers
from coli_conformance.reports.hexdump import HexRow, hex_dump, is_binary

_LINES = 24
_ROOM = 160
_STEPS = 60
_WORDS = 12
_BLANKS = re.compile(r"^ +| {2,}| +$")


@dataclass(frozen=True, slots=True)
class ShownBytes:
    """The beginning of some bytes: as lines of text, or as rows of hex where they are binary; `more` says what is not
    shown."""

    lines: tuple[str, ...]
    rows: tuple[HexRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file: its escaped path, a word on what it is, and what it should hold (None: not said) and holds (None: not
    there)."""

    path: str
    word: str
    expected: ShownBytes | None
    seen: ShownBytes | None


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A command with the answers that are legal and the one that was seen; `wrong` where a finding is about it."""

    command: str
    expected: str
    seen: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """A failing case with what surrounds it; `rest` says how many more steps it has."""

    given: tuple[ShownFile, ...]
    steps: tuple[ShownStep, ...]
    rest: str
    files: tuple[ShownFile, ...]
    stderr: tuple[str, ...]
    ended: str


def evidence(case: Case, result: Result, observation: Observation | None) -> Evidence:
    """Return what a page shows of `case`, which failed."""
    words = [shown_bytes(line) for line in observation.stderr.splitlines()] if observation is not None else []
    left = len(case.steps) - _STEPS
    return Evidence(
        given=tuple(_given(item) for item in case.setup),
        steps=tuple(_steps(case, result, observation)),
        rest=f"{left} more steps" if left > 0 else "",
        files=tuple(_files(case, result, observation)),
        stderr=tuple(cut(word, _ROOM) for word in words[:_WORDS]),
        ended=_ended(observation),
    )


def shown(data: bytes) -> ShownBytes:
    """Return the beginning of `data`; blanks that cannot be seen are shown as `·`."""
    if is_binary(data):
        dump = hex_dump(data, _LINES)
        return ShownBytes((), dump.rows, dump.more)
    lines = data.split(b"\n")
    unended = bool(lines[-1])
    if not unended:
        lines.pop()
    more = f"{len(lines) - _LINES} more lines" if len(lines) > _LINES else ""
    if not data:
        more = "zero bytes"
    elif unended and not more:
        more = "no line end behind the last line"
    return ShownBytes(tuple(_visible(line) for line in lines[:_LINES]), (), more)


def _visible(line: bytes) -> str:
    # Cut first: a line can be as long as a file.
    text = shown_bytes(line[:_ROOM])
    text = _BLANKS.sub(lambda blanks: "·" * len(blanks[0]), text)
    return text + (" ..." if len(line) > _ROOM else "")


def _given(item: SetupFile) -> ShownFile:
    path = shown_text(item.path)
    if item.link_to is not None:
        return ShownFile(path, f"a hard link to {shown_text(item.link_to)}", None, None)
    if item.data is None:
        return ShownFile(path, "an empty folder", None, None)
    return ShownFile(path, f"{len(item.data)} bytes", None, shown(item.data))


def _steps(case: Case, result: Result, observation: Observation | None) -> Iterator[ShownStep]:
    answers = split_answers(observation.stdout)[0] if observation is not None else []
    wrong = {finding.step for finding in result.findings if finding.step is not None}
    for index, command in enumerate(case.steps[:_STEPS]):
        legal = dict.fromkeys(outcome.answers[index].encode() for outcome in case.outcomes)
        seen = _answer(answers[index]) if index < len(answers) else "no answer"
        expected = "\nor\n".join(_answer(answer) for answer in legal)
        yield ShownStep(cut(shown_text(command), _ROOM), expected, seen, index in wrong)


def _answer(answer: bytes) -> str:
    """Return the lines of an answer, the last one, which ends it, always among them."""
    lines = [cut(shown_bytes(line[: _ROOM + 1]), _ROOM) for line in answer.split(b"\n")]
    left = len(lines) - _WORDS
    return "\n".join(lines if left <= 0 else [*lines[: _WORDS - 1], f"... {left} more lines ...", lines[-1]])


def _files(case: Case, result: Result, observation: Observation | None) -> Iterator[ShownFile]:
    """Yield the files that a finding is about, expected and seen; then nothing of the others, which were right."""
    files = observation.files if observation is not None else {}
    oddities = observation.oddities if observation is not None else {}
    for path in dict.fromkeys(finding.path for finding in result.findings if finding.path):
        wanted = [e for outcome in case.outcomes for e in outcome.files if e.path == path]
        expected = next((data for e in wanted if (data := _expected(e)) is not None), None)
        seen = files.get(path)
        word = shown_text(oddities[path]) if path in oddities else "" if seen is not None else "not there"
        yield ShownFile(
            shown_text(path),
            word,
            shown(expected) if expected is not None else None,
            shown(seen) if seen is not None else None,
        )


def _expected(expectation: FileExpectation) -> bytes | None:
    if expectation.history is not None:
        return expectation.history.canonical_bytes
    if expectation.trace is not None:
        return expectation.trace.canonical_bytes
    return expectation.data


def _ended(observation: Observation | None) -> str:
    if observation is None or (observation.exit_status == 0 and not observation.detail):
        return ""
    if observation.detail:
        return shown_text(observation.detail)
    return f"The process ended with exit status {observation.exit_status}." if observation.exit_status else ""

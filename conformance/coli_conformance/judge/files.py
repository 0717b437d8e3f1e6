"""Judging what an engine left in its working folder."""

from __future__ import annotations

from coli_conformance.case import FileExpectation
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.trace_file import judge_trace
from coli_conformance.judge.verdict import Finding
from coli_conformance.judge.written_history import judge_history


def judge_file(expected: FileExpectation, observation: Observation, second: Observation | None = None) -> list[Finding]:
    """Return everything in which the folder is not as `expected` says; `second` is the case's second run."""
    if expected.only is not None:
        return _only(expected, expected.only, observation)
    if expected.somewhere is not None:
        return _somewhere(expected, expected.somewhere, observation)
    if expected.absent:
        return _absent(expected, observation)
    data = observation.files.get(expected.path)
    return _unreadable(expected, observation) if data is None else _content(expected, data, second)


def _content(expected: FileExpectation, data: bytes, second: Observation | None) -> list[Finding]:
    written = expected.history
    if written is not None:
        # What is right in every respect needs no reading: that is nearly every file of a sound engine.
        return [] if data == written.canonical_bytes else judge_history(data, expected.path, written, expected.clause)
    if expected.trace is not None:
        return judge_trace(data, expected.path, expected.trace, expected.clause)
    if expected.same and (second is None or expected.path not in second.files):
        sentence = f"there is a {expected.path} after the first run, and none after the second"
        return [Finding(expected.clause, sentence, path=expected.path)]
    wanted = second.files[expected.path] if expected.same and second is not None else expected.data
    if wanted is not None and data != wanted:
        return [_other_bytes(expected, wanted, data)]
    return []


def _unreadable(expected: FileExpectation, observation: Observation) -> list[Finding]:
    what = observation.oddities.get(expected.path)
    sentence = f"{expected.path} is {what}, not a file the suite can read" if what else f"there is no {expected.path}"
    return [Finding(expected.clause, sentence, path=expected.path, expected="a file", seen=what or "nothing")]


def _other_bytes(expected: FileExpectation, wanted: bytes, data: bytes) -> Finding:
    at = next(
        (at for at, (one, other) in enumerate(zip(wanted, data, strict=False)) if one != other),
        min(len(wanted), len(data)),
    )
    return Finding(
        expected.clause,
        f"{expected.path} holds {len(data)} bytes that are not the {len(wanted)} expected; they differ from "
        f"byte {at} on",
        path=expected.path,
        line=data.count(b"\n", 0, at) + 1,
        column=at - (data.rfind(b"\n", 0, at) + 1) + 1,
        expected=repr(wanted[at : at + 24])[1:],
        seen=repr(data[at : at + 24])[1:],
    )


def _absent(expected: FileExpectation, observation: Observation) -> list[Finding]:
    if expected.path not in observation.files and expected.path not in observation.oddities:
        return []
    return [Finding(expected.clause, f"there is a {expected.path}; there should be none", path=expected.path)]


def _only(expected: FileExpectation, allowed: tuple[str, ...], observation: Observation) -> list[Finding]:
    left = sorted((observation.files.keys() | observation.oddities.keys()) - set(allowed))
    if not left:
        return []
    names = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
    return [
        Finding(
            expected.clause,
            f"the engine left {names} behind",
            path=left[0],
            expected="only " + ", ".join(allowed) if allowed else "an empty folder",
            seen=names,
        )
    ]


def _somewhere(expected: FileExpectation, wanted: bytes, observation: Observation) -> list[Finding]:
    if any(data == wanted for data in observation.files.values()):
        return []
    return [
        Finding(
            expected.clause,
            f"no file in the folder holds the {len(wanted)} bytes of the refused history any more: it is lost",
            expected="the old bytes, at their path or set aside",
            seen=", ".join(sorted(observation.files)) or "no file",
        )
    ]

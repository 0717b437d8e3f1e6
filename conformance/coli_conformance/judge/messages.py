"""Judging standard error: the clauses about messages, and nothing else, look at it."""

from __future__ import annotations

from coli_conformance.case import MessageExpectation
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding


def judge_message(expected: MessageExpectation, observation: Observation) -> list[Finding]:
    """Return what standard error does not say though it must, or says though it must not. Case is ignored."""
    said = observation.stderr + b"\n" + observation.stdout if expected.or_in_answer else observation.stderr
    text = said.decode("utf-8", "backslashreplace").casefold()
    if expected.any_of and not any(wanted.casefold() in text for wanted in expected.any_of):
        wanted = " or ".join(f"`{text}`" for text in expected.any_of)
        return [
            Finding(
                expected.clause,
                f"standard error does not say {wanted}",
                expected=wanted,
                seen=_seen(observation),
            )
        ]
    unwanted = next((wanted for wanted in expected.none_of if wanted.casefold() in text), None)
    if unwanted is not None:
        return [
            Finding(
                expected.clause,
                f"standard error says `{unwanted}`, which it must not say here",
                expected=f"nothing about `{unwanted}`",
                seen=_seen(observation),
            )
        ]
    if expected.once is not None:
        lines = sum(expected.once.casefold() in line for line in text.splitlines())
        if not 1 <= lines <= expected.lines:
            return [
                Finding(
                    expected.clause,
                    f"{lines} lines of standard error say `{expected.once}`; it is said once per process",
                    expected="one notice",
                    seen=f"{lines} lines",
                )
            ]
    return []


def _seen(observation: Observation) -> str:
    lines = observation.stderr.decode("utf-8", "backslashreplace").splitlines()
    return lines[0][:200] if lines else "nothing"

"""The judge: one case and one observation in, one result out.

In order: what stopped the process decides first (not started, time, flood, crash), then whether it spoke the protocol,
then answers, files and messages against each legal outcome. The first outcome without a finding is what happened.
"""

from __future__ import annotations

import signal
from dataclasses import replace

from coli_conformance.case import Case, Outcome
from coli_conformance.judge.answers import Answer, compare
from coli_conformance.judge.files import judge_file
from coli_conformance.judge.messages import judge_message
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.judge.written_history import FORM_AND_HEADER
from coli_conformance.protocol import split_answers


def judge(case: Case, observation: Observation, second: Observation | None = None) -> Result:
    """Return the verdict on `case`. `broken` has the case's own clauses first, then the others in order of id.

    `second` is what was seen of `case.second_run`, where there is one.
    """
    for seen in (observation, second):
        stopped = _stopped(case, seen) if seen is not None else None
        if stopped is not None:
            return stopped
    as_every_outcome_says = all(_says_exactly(outcome, observation) for outcome in case.outcomes)
    texts, rest = ([], b"") if as_every_outcome_says else _answers(case, observation)
    answers = [Answer.of(text) for text in texts]
    if answers and case.steps[0].startswith("init ") and answers[0].word == "unsupported":
        detail = observation.detail or f"the driver cannot be initialised as `{case.steps[0]}`"
        return Result(case.id, Status.UNSUPPORTED, detail=detail)
    breach = None if as_every_outcome_says else _protocol_breach(case, answers, rest)
    if breach is not None:
        return Result(case.id, Status.PROTOCOL, broken=case.clauses[:1], findings=(breach,), detail=breach.sentence)
    fewest: list[Finding] | None = None
    for outcome in case.outcomes:
        findings = _differences(case, outcome, answers, observation, second)
        if not findings:
            return Result(case.id, Status.PASS, behaviour=outcome.name or None)
        if fewest is None or len(findings) < len(fewest):
            fewest = findings
    assert fewest is not None, f"{case.id} has no outcome"
    findings = [_with_every_legal_answer(case, finding) for finding in fewest]
    broken = _in_order(case, {finding.clause for finding in findings})
    return Result(case.id, Status.FAIL, broken=broken, findings=tuple(findings), detail=findings[0].sentence)


def _with_every_legal_answer(case: Case, finding: Finding) -> Finding:
    """Say of a wrong answer all that would have been right, where several outcomes are legal."""
    if finding.step is None or len(case.outcomes) == 1:
        return finding
    legal = dict.fromkeys(outcome.answers[finding.step].rpartition("\n")[2] for outcome in case.outcomes)
    if len(legal) == 1 or finding.seen is None:
        return finding
    shown = ", ".join(f"`{final}`" for final in legal)
    sentence = f"`{case.steps[finding.step][:80]}` answered `{finding.seen}`; any of {shown} would be right"
    return replace(finding, sentence=sentence, expected=" or ".join(legal))


def _answers(case: Case, observation: Observation) -> tuple[list[bytes], bytes]:
    """Cut the output into answers; what is exactly one outcome's text needs no search."""
    for outcome in case.outcomes:
        if _says_exactly(outcome, observation):
            return [answer.encode() for answer in outcome.answers], b""
    return split_answers(observation.stdout)


def _says_exactly(outcome: Outcome, observation: Observation) -> bool:
    return observation.stdout == outcome.stdout and outcome.is_one_text


def _stopped(case: Case, observation: Observation) -> Result | None:
    """Return the result where the process did not end as it should have."""
    ending, status = observation.ending, observation.exit_status
    if ending is Ending.EXITED and status in {0, None}:
        return None
    answered = len(split_answers(observation.stdout)[0])
    unanswered = f" `{case.steps[answered][:80]}` was not answered." if answered < len(case.steps) else ""
    word, sentence = _STOPPED.get(ending) or (Status.CRASH, _how_it_exited(status))
    sentence = (observation.detail or sentence) + unanswered
    finding = Finding(case.clauses[0], sentence, step=min(answered, len(case.steps) - 1))
    return Result(case.id, word, broken=case.clauses[:1], findings=(finding,), detail=sentence)


_STOPPED = {
    Ending.TIMEOUT: (Status.TIMEOUT, "The engine did not finish in time and was killed."),
    Ending.FLOODED: (Status.PROTOCOL, "The engine wrote more than the suite reads."),
    Ending.OVER_LIMIT: (Status.CRASH, "The engine used more than it may and was killed."),
    Ending.NOT_STARTED: (Status.CRASH, "The engine could not be started."),
}


def _how_it_exited(status: int | None) -> str:
    if status is not None and status < 0:
        return f"The engine was ended by {_signal_name(-status)}."
    return f"The engine ended with exit status {status}; 0 is owed at the end of input."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _protocol_breach(case: Case, answers: list[Answer], rest: bytes) -> Finding | None:
    """Return a finding where the answers do not fit the commands one to one."""
    if rest:
        shown = rest[:80].decode("ascii", "backslashreplace").rstrip("\n")
        return Finding(
            case.clauses[0],
            f"after {len(answers)} answers came text that ends none: `{shown}`. Every answer ends with a line that "
            "begins with ok, refused, error or unsupported",
            step=min(len(answers), len(case.steps) - 1),
        )
    if len(answers) < len(case.steps):
        return Finding(
            case.clauses[0],
            f"{len(case.steps)} commands had {len(answers)} answers; the first without one is "
            f"`{case.steps[len(answers)][:80]}`",
            step=len(answers),
        )
    if len(answers) > len(case.steps):
        return Finding(case.clauses[0], f"{len(case.steps)} commands had {len(answers)} answers; one is owed to each")
    return None


def _differences(
    case: Case, outcome: Outcome, answers: list[Answer], observation: Observation, second: Observation | None
) -> list[Finding]:
    """Return everything in which the observation is not this outcome."""
    findings: list[Finding] = []
    if not _says_exactly(outcome, observation):
        for step, (expected, seen) in enumerate(zip(outcome.answers, answers, strict=True)):
            difference = compare(case, step, expected, seen, totals=observation.totals)
            if difference is not None:
                findings.append(difference)
    misread = any(finding.step is not None and _reads(case.steps[finding.step]) for finding in findings)
    for expected_file in outcome.files:
        about_file = judge_file(expected_file, observation, second)
        # What a refused load did not bring cannot stand in the file: only the form and the header still tell something.
        findings += [finding for finding in about_file if finding.clause in FORM_AND_HEADER or not misread]
    for expected_message in outcome.messages:
        findings += judge_message(expected_message, observation)
    return findings


def _reads(command: str) -> bool:
    return command.startswith(("load ", "trust "))


def _in_order(case: Case, broken: set[str]) -> tuple[str, ...]:
    own = tuple(clause for clause in case.clauses if clause in broken)
    return own + tuple(sorted(broken.difference(own)))

"""The verdict on one entry: that of the suite's judge, and where the case leaves the counters open, their limits."""

from __future__ import annotations

import coli_spec
from coli_conformance.case import Case
from coli_conformance.fuzzing.course import Limit
from coli_conformance.fuzzing.lines import COUNT_MAX
from coli_conformance.fuzzing.meant import Meant
from coli_conformance.judge.answers import Answer, counters_of
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.protocol import split_answers

_CREDITED_TOO_MUCH = "R20"
"""Where it comes first, the counters hold what a late header condemns, and what follows is wrong for that reason."""
_ROUND_TRIP = ("W12", "W13")
"""The clauses about what a save leaves, whatever is wrong with it."""

Key = tuple[Status, str]
"""What makes two differences the same: the status, and the clause that they are shown under."""


def judged(asked: Meant, observation: Observation) -> Result:
    """Return the verdict on what was seen of an engine that played `asked.case`."""
    result = judge(asked.case, observation)
    if result.status is not Status.PASS or not asked.limits:
        return result
    answers = [Answer.of(text) for text in split_answers(observation.stdout)[0]]
    for limit in asked.limits:
        finding = _beyond(asked.case, limit, answers, observation.totals)
        if finding is not None:
            return Result(asked.case.id, Status.FAIL, (finding.clause,), findings=(finding,), detail=finding.sentence)
    return result


def key_of(result: Result) -> Key:
    """Return what the difference that `result` tells of counts as; it has findings.

    Its clause is that of the first finding, in the order of the commands, that breaks a must, else of the first of all:
    what follows in a session on a wrong answer is often wrong for no other reason. So it is where a file that was saved
    wrongly is read back, and a clause about that counts where no other does. A reader that went past a late header
    breaks a should alone, though its later counters and saves are wrong, too.
    """
    if result.findings[0].clause == _CREDITED_TOO_MUCH:
        return result.status, _CREDITED_TOO_MUCH
    clauses = sorted((finding.clause for finding in result.findings), key=_rank)
    return result.status, clauses[0]


def _rank(clause: str) -> tuple[bool, bool]:
    """Return what sorts the clauses of findings, which are in order, by how much they say."""
    return coli_spec.load().clause(clause).level != "must", clause in _ROUND_TRIP


def _beyond(case: Case, limit: Limit, answers: list[Answer], totals: bool) -> Finding | None:
    """Return a finding where counters hold what no legal reading of the malformed input gives them (R11, R21, R23)."""
    seen = counters_of(answers[limit.step].data)
    assert not isinstance(seen, bytes), "the judge has looked at the form of the answer"
    for (layer, expert), count in sorted(seen.items()):
        most = limit.most.get((layer, expert), 0)
        if count > most and not (count >= COUNT_MAX and (layer, expert) in limit.full):
            clause = "R11" if layer in limit.dropped else limit.clause
            return Finding(
                clause,
                f"the counter of layer {layer}, expert {expert} is {count}; however the malformed lines are taken, "
                f"the records of the file give it no more than {most}",
                step=limit.step,
                expected=f"at most {most}",
                seen=str(count),
            )
    if limit.read is None or not totals or answers[limit.read].word != "ok":
        return None
    total, gained = int(answers[limit.read].rest), sum(seen.values()) - limit.before
    if total == gained:
        return None
    return Finding(
        "R09",
        f"`{case.steps[limit.read][:80]}` said a total of {total}, and the counters grew by {gained}",
        step=limit.read,
        expected=f"ok {gained}",
        seen=f"ok {total}",
    )

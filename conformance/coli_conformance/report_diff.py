"""What changed from one report to another, and whether a run came to the same again.

    in OLD                in NEW                    the case is
    not failing, or none  failing                   newly failing
    failing               passing                   newly passing
    passing or failing    unsupported or not run,   newly unverified
                          or not there (1)
    anything              the same, or else         unchanged

    (1) A rewritten input that is not there says nothing: a sample is played, and none whose original failed.

A known failure is a failure. A case that was repeated counts with the worst of its results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coli_conformance.corpus.rewrites import rewrite_of
from coli_conformance.judge.verdict import Status
from coli_conformance.recorded import Recorded, RecordedResult
from coli_conformance.score import FAILED

_FAILING = frozenset(status.word for status in FAILED)
_PASSING = frozenset({Status.PASS.word, Status.UNEXPECTED_PASS.word})
_NOT_THERE = "not there"


@dataclass(frozen=True, slots=True)
class Change:
    """A case whose status changed; `result` is the entry of the newer report, or of the older where it has none."""

    case: str
    before: str
    after: str
    result: RecordedResult


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed; each in the order of the newer report."""

    newly_failing: tuple[Change, ...]
    newly_passing: tuple[Change, ...]
    newly_unverified: tuple[Change, ...]

    @property
    def is_worse(self) -> bool:
        """Whether something fails that did not, or is no longer verified."""
        return bool(self.newly_failing or self.newly_unverified)


def difference(old: Recorded, new: Recorded) -> Difference:
    """Return what changed from `old` to `new`, by the table above."""
    before, after = _worst(old.results), _worst(new.results)
    failing: list[Change] = []
    passing: list[Change] = []
    unverified: list[Change] = []
    for case, result in {**after, **{case: before[case] for case in before if case not in after}}.items():
        was = before[case].status if case in before else _NOT_THERE
        now = after[case].status if case in after else _NOT_THERE
        change = Change(case, was, now, result)
        if now in _FAILING and was not in _FAILING:
            failing.append(change)
        elif was in _FAILING and now in _PASSING:
            passing.append(change)
        elif was in _FAILING | _PASSING and now not in _FAILING | _PASSING and not _says_nothing(case, now):
            unverified.append(change)
    return Difference(tuple(failing), tuple(passing), tuple(unverified))


def unlike(old: Recorded, new: Recorded) -> Iterator[str]:
    """Yield a sentence for each case that did not come to the same again, status, broken clauses or behaviour."""
    before, after = _gathered(old.results), _gathered(new.results)
    for case in {**before, **after}:
        was, now = before.get(case, ()), after.get(case, ())
        if was != now:
            yield f"{case}: {'; '.join(was) or _NOT_THERE}, and now {'; '.join(now) or _NOT_THERE}"


def _says_nothing(case: str, now: str) -> bool:
    return now == _NOT_THERE and bool(rewrite_of(case))


def _worst(results: Iterable[RecordedResult]) -> dict[str, RecordedResult]:
    found: dict[str, RecordedResult] = {}
    for result in results:
        earlier = found.get(result.case)
        if earlier is None or _badness(result) > _badness(earlier):
            found[result.case] = result
    return found


def _badness(result: RecordedResult) -> int:
    if result.status in _FAILING:
        return 2
    return 0 if result.status in _PASSING else 1


def _gathered(results: Iterable[RecordedResult]) -> dict[str, tuple[str, ...]]:
    gathered: dict[str, tuple[str, ...]] = {}
    for result in results:
        word = " ".join([result.status, *result.broken, *([result.behaviour] if result.behaviour else [])])
        gathered[result.case] = (*gathered.get(result.case, ()), word)
    return gathered

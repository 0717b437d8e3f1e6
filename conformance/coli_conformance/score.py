"""The whole verdict policy: what a case counts as, what a run comes to, and the exit status.

A case counts once, however often it was played: the worst of its results stands, and what any of them broke is broken.

What one case counts as. The level is the case's own, but for what it saw broken:

    status                        must case       should case     may case
    pass                          must passed     should passed   not scored; the behaviour is named
    fail, a must clause broken    must failed     must failed     must failed
    fail, else a should clause    (1)             should failed   should failed
    fail, may clauses alone       must passed     should passed   not scored; told apart (2)
    crash                         must failed     must failed     must failed
    timeout, protocol             must failed     should failed   not scored; told apart (2)
    unsupported                   must unsup.     should unsup.   not scored
    not-run                       must not run    should not run  not scored

    (1) A must passed and a should failed.
    (2) None of the legal behaviours was seen. A may clause lets several things happen and is never broken itself.

A known failure still counts as failed and an unexpected pass as passed. A twin, which is a case whose input was
rewritten, is a must case like others, shown apart from the areas. Twins that were left out (`twin_run`) count nowhere.

What a run comes to, over the selected cases:

    a must failed                                                          nonconformant
    else given up, or nothing passed and nothing failed                    unverified
    else a duty is not claimed, or a must whose roles are claimed was
         unsupported or not run                                            partial
    else                                                                   conformant

Exit status, the first line that holds:

    3   the run was given up
    2   nothing passed and nothing failed: nothing was verified
    1   a must failed, or where shoulds count (strict) a should, known failures left out; or the known-failing file is
        no longer right; or a required role is not claimed; or a reusable driver leaks: it offered that a second session
        starts truly fresh, and a session's end depended on earlier ones. The verdict stays what it is.
    0   otherwise

Not here: 3 for an engine that did not start, 2 for wrong usage, 4 for a fault of the suite, 130 for an interrupt; these
never come to results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import coli_spec
from coli_conformance.broken_clauses import breaks_a_must, broken_by, clause_levels
from coli_conformance.case import Case
from coli_conformance.corpus.rewrites import rewrite_of
from coli_conformance.judge.verdict import Result, Status

USAGE = 2
"""Exit status of wrong usage, and of a run in which nothing was verified."""
NO_ENGINE = 3
"""Exit status where the engine could not be asked, or the run was given up."""
SUITE_FAULT = 4
"""Exit status of a fault of the suite itself."""

FAILED = frozenset({Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.PROTOCOL, Status.KNOWN_FAILING})
"""The statuses of a case in which something was not as it must be."""
NONE_LEGAL = "none legal"
"""Stands for the name of a behaviour where none of the legal ones was seen."""
_PASSED = frozenset({Status.PASS, Status.UNEXPECTED_PASS})


class Verdict(Enum):
    """What a run came to; the value is the word in reports."""

    CONFORMANT = "conformant"
    PARTIAL = "partial"
    NONCONFORMANT = "nonconformant"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cases of one level came out how."""

    passed: int = 0
    failed: int = 0
    unsupported: int = 0
    not_run: int = 0

    @property
    def verified(self) -> int:
        """The cases that passed or failed."""
        return self.passed + self.failed

    @property
    def total(self) -> int:
        """All of them."""
        return self.verified + self.unsupported + self.not_run


@dataclass(frozen=True, slots=True)
class AreaScore:
    """The score of one area. `behaviours` were seen in may cases: clause, name, how often; by clause, then name.

    The name is NONE_LEGAL where none of the legal ones was seen.
    """

    area: coli_spec.Area
    musts: Tally
    shoulds: Tally
    broken_musts: tuple[str, ...]
    broken_shoulds: tuple[str, ...]
    behaviours: tuple[tuple[str, str, int], ...]
    verified: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a run. `broken_*` are clause ids in the declared order.

    `none_legal` are the may clauses in whose cases none of the legal behaviours was seen, with the number of cases.
    `unclaimed` are the roles that some selected case needs and the engine does not claim, in the declared order;
    `unasked` is the number of unsupported musts whose roles are all claimed.
    """

    verdict: Verdict
    musts: Tally
    shoulds: Tally
    areas: tuple[AreaScore, ...]
    broken_musts: tuple[str, ...]
    broken_shoulds: tuple[str, ...]
    none_legal: tuple[tuple[str, int], ...]
    unclaimed: tuple[str, ...]
    unasked: int
    verified: int
    rewrites: Tally
    broken_rewrites: tuple[str, ...]

    @property
    def unverified(self) -> float:
        """The share of the selected musts that neither passed nor failed, 0 to 1; 0 where there are no musts."""
        return (self.musts.total - self.musts.verified) / self.musts.total if self.musts.total else 0.0


@dataclass(frozen=True, slots=True)
class _Counted:
    """A case with the word under which it counts at each level, and the clauses it saw broken."""

    case: Case
    must: str | None
    should: str | None
    broken: tuple[str, ...]
    behaviours: frozenset[str]
    verified: bool
    crashed: bool


def score(cases: Sequence[Case], results: Iterable[Result], claimed: frozenset[str], gave_up: bool = False) -> Score:
    """Return the score of `results` of `cases`; `claimed` are the engine's roles. A case without result is not run."""
    by_case: dict[str, list[Result]] = {case.id: [] for case in cases}
    for result in results:
        by_case[result.case_id].append(result)
    counted = [_count(case, by_case[case.id]) for case in cases]
    musts, shoulds = _tally(counted)
    spec = coli_spec.load()
    broken_musts, broken_shoulds = _broken(counted)
    verified = sum(item.verified for item in counted)
    owed = [item for item in counted if claimed.issuperset(item.case.roles)]
    unasked = sum(item.must == "unsupported" for item in owed)
    not_run = any(item.must == "not_run" for item in owed)
    if musts.failed:
        verdict = Verdict.NONCONFORMANT
    elif gave_up or not verified:
        verdict = Verdict.UNVERIFIED
    elif unasked or not_run or not claimed.issuperset(spec.duties()):
        verdict = Verdict.PARTIAL
    else:
        verdict = Verdict.CONFORMANT
    needed = {role for case in cases for role in case.roles}
    twins = [item for item in counted if rewrite_of(item.case.id)]
    originals = [item for item in counted if not rewrite_of(item.case.id)]
    return Score(
        verdict=verdict,
        musts=musts,
        shoulds=shoulds,
        areas=tuple(
            _area(area, [item for item in originals if item.case.clauses[0].startswith(area.letter)])
            for area in spec.areas
            if any(item.case.clauses[0].startswith(area.letter) for item in originals)
        ),
        broken_musts=broken_musts,
        broken_shoulds=broken_shoulds,
        none_legal=_none_legal(counted),
        unclaimed=tuple(role.name for role in spec.roles if role.name in needed - claimed),
        unasked=unasked,
        verified=verified,
        rewrites=_tally(twins)[0],
        broken_rewrites=_broken(twins)[0],
    )


def exit_status(
    scored: Score,
    claimed: frozenset[str],
    required: Iterable[str] = (),
    strict: bool = False,
    gave_up: bool = False,
    leaks: bool = False,
    excused: Score | None = None,
    stale: bool = False,
) -> int:
    """Return the exit status of a run that came to results, by the table above.

    `excused` is the score of the cases that fail as known, alone; `stale`: the known-failing file is no longer right.
    """
    if gave_up:
        return NO_ENGINE
    if not scored.verified:
        return USAGE
    musts = scored.musts.failed - (excused.musts.failed if excused is not None else 0)
    shoulds = scored.shoulds.failed - (excused.shoulds.failed if excused is not None else 0)
    broken = musts or leaks or stale or (strict and shoulds)
    return int(bool(broken or not claimed.issuperset(required)))


def _count(case: Case, results: list[Result]) -> _Counted:
    """Apply the first table."""
    failed = [result for result in results if result.status in FAILED]
    broken = tuple(dict.fromkeys(clause for result in failed for clause in broken_by(case, result)))
    behaviours = frozenset(result.behaviour for result in results if result.behaviour)
    must: str | None = None
    should: str | None = None
    if failed:
        levels = clause_levels()
        # Only a comparison with what is legal can find that all that was broken is below the level of the case.
        compared = all(result.status is Status.FAIL and result.broken for result in failed)
        if any(map(breaks_a_must, failed)) or (case.level == "must" and not compared):
            must = "failed"
        else:
            must = "passed" if case.level == "must" else None
            if any(levels[clause] == "should" for clause in broken) or (case.level == "should" and not compared):
                should = "failed"
            else:
                should = "passed" if case.level == "should" else None
                behaviours |= {NONE_LEGAL} if case.level == "may" else frozenset()
    elif case.level != "may":
        if any(result.status is Status.NOT_RUN for result in results) or not results:
            word = "not_run"
        elif any(result.status is Status.UNSUPPORTED for result in results):
            word = "unsupported"
        else:
            word = "passed"
        must, should = (word, None) if case.level == "must" else (None, word)
    verified = bool(failed) or any(result.status in _PASSED for result in results)
    crashed = any(result.status is Status.CRASH for result in failed)
    return _Counted(case, must, should, broken, behaviours, verified, crashed)


def _tally(counted: Iterable[_Counted]) -> tuple[Tally, Tally]:
    items = list(counted)
    musts = Counter(item.must for item in items if item.must)
    shoulds = Counter(item.should for item in items if item.should)
    return Tally(**musts), Tally(**shoulds)


def _broken(counted: Iterable[_Counted]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the broken musts and shoulds, each in the declared order. A crash breaks as a must."""
    musts: set[str] = set()
    shoulds: set[str] = set()
    levels = clause_levels()
    for item in counted:
        for clause in item.broken:
            if levels[clause] == "must" or item.crashed:
                musts.add(clause)
            elif levels[clause] == "should":
                shoulds.add(clause)
    return tuple(c for c in levels if c in musts), tuple(c for c in levels if c in shoulds - musts)


def _none_legal(counted: Iterable[_Counted]) -> tuple[tuple[str, int], ...]:
    """Return the may clauses in whose cases nothing legal was seen, in the declared order, with how many cases."""
    levels = clause_levels()
    cases = Counter(clause for item in counted if not item.crashed for clause in item.broken if levels[clause] == "may")
    return tuple((clause, cases[clause]) for clause in levels if cases[clause])


def _area(area: coli_spec.Area, counted: list[_Counted]) -> AreaScore:
    musts, shoulds = _tally(counted)
    broken_musts, broken_shoulds = _broken(counted)
    seen = Counter((item.case.clauses[0], name) for item in counted for name in item.behaviours)
    return AreaScore(
        area=area,
        musts=musts,
        shoulds=shoulds,
        broken_musts=broken_musts,
        broken_shoulds=broken_shoulds,
        behaviours=tuple((clause, name, count) for (clause, name), count in sorted(seen.items())),
        verified=sum(item.verified for item in counted),
    )

"""What of a run's failures stands under which clause, and in which order: the clause to look at first comes first.

A case is about its first clause. A clause gets a section where a case about it broke it; what was broken on the way, in
cases about other clauses alone, is listed behind the sections. Sections stand in the order of

    1. the level: must (or a crash), should, may
    2. the share of the cases about the clause that broke it, so that the cause stands before what follows from it
    3. how many cases that are
    4. the order in which clauses are declared

Where cases were chosen by name each has to be shown, and where no case is about what broke something has to be: every
failing case then stands in a section, if need be in that of a clause that it is not about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import coli_spec
from coli_conformance.broken_clauses import broken_by
from coli_conformance.case import Case
from coli_conformance.corpus.rewrites import rewrite_of
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.reports.failure import Failure
from coli_conformance.score import FAILED


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `of` cases broke a clause."""

    broken: int
    of: int


@dataclass(frozen=True, slots=True)
class Section:
    """A clause that was broken, and the failing cases that stand under it.

    `about` counts the cases about the clause, `rewritten` the twins that are about it, `elsewhere` is how many cases
    about other clauses broke it too. `counts_as_must` also where one of its cases crashed.
    """

    clause: coli_spec.Clause
    failures: tuple[Failure, ...]
    about: Share
    rewritten: Share
    elsewhere: int
    counts_as_must: bool


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """A clause that was broken in `cases` cases, none of which is about it; `example` is the id of one."""

    clause: coli_spec.Clause
    cases: int
    example: str


def arranged(
    failures: Sequence[Failure], played: Mapping[str, Case], results: Iterable[Result], every_case: bool
) -> tuple[tuple[Section, ...], tuple[OnTheWay, ...]]:
    """Return the sections in their order, and the clauses that have none.

    `played` are the cases that came to a verdict, by id. With `every_case` each failure stands in a section.
    """
    failed = [result for result in results if result.status in FAILED and result.case_id in played]
    broke: dict[str, dict[str, Case]] = {}
    crashed: set[str] = set()
    for result in failed:
        case = played[result.case_id]
        for clause_id in broken_by(case, result):
            broke.setdefault(clause_id, {})[case.id] = case
            if result.status is Status.CRASH:
                crashed.add(clause_id)
    with_own = {name for name, cases in broke.items() if any(about(case) == name for case in cases.values())}
    every_case = every_case or not with_own
    sections: list[Section] = []
    on_the_way: list[OnTheWay] = []
    for clause in coli_spec.load().clauses:
        cases = broke.get(clause.id, {})
        under = tuple(each for each in failures if each.clause == clause.id and (every_case or clause.id in with_own))
        if under and not every_case:
            under = tuple(each for each in under if about(each.case) == clause.id)
        if under:
            sections.append(_section(clause, under, played.values(), cases, clause.id in crashed))
        elif cases:
            on_the_way.append(OnTheWay(clause, len(cases), next(iter(cases))))
    return tuple(sorted(sections, key=_place)), tuple(on_the_way)


def about(case: Case) -> str:
    """Return the clause that the case is about: its first."""
    return case.clauses[0]


def _section(
    clause: coli_spec.Clause,
    failures: tuple[Failure, ...],
    played: Iterable[Case],
    broke: Mapping[str, Case],
    crashed: bool,
) -> Section:
    cases = [case for case in played if about(case) == clause.id]
    own = [case for case in cases if not rewrite_of(case.id)]
    twins = [case for case in cases if rewrite_of(case.id)]
    return Section(
        clause=clause,
        failures=failures,
        about=Share(sum(case.id in broke for case in own), len(own)),
        rewritten=Share(sum(case.id in broke for case in twins), len(twins)),
        elsewhere=sum(about(case) != clause.id for case in broke.values()),
        counts_as_must=crashed or clause.level == "must",
    )


def _place(section: Section) -> tuple[int, float, int]:
    level = 0 if section.counts_as_must else 1 if section.clause.level == "should" else 2
    share = section.about.broken / section.about.of if section.about.of else 0.0
    return level, -share, -section.about.broken

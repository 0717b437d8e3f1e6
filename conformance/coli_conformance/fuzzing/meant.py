"""From an entry to a case: what must be seen of an engine that is given these files and sent these commands."""

from __future__ import annotations

from dataclasses import dataclass

import coli_spec
from coli_conformance.case import Case, SetupFile
from coli_conformance.corpus.session import CORPUS_VERSION
from coli_conformance.corpus.trace_calls import TRACE, TRACING
from coli_conformance.fuzzing.course import Course, Limit, NotMeantError
from coli_conformance.fuzzing.entry import Entry

_MOST_COURSES = 8

_SURVIVAL, _TRACE_GRAMMAR, _COUNTERS = "R17", "T01", "W22"
"""What a session is about that reads a history, that is traced, that does neither."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The case of an entry, and the limits of counters that no case can say; they hold in its only outcome."""

    entry: Entry
    case: Case
    limits: tuple[Limit, ...]


def meant(entry: Entry) -> Meant:
    """Return what the contract asks of an engine that plays `entry`; the same entry always gives the same case.

    Raises NotMeantError where the contract leaves open what a command does, or leaves too many courses open.
    """
    courses = [Course(entry.target, dict(entry.files))]
    for step in entry.steps:
        courses = [after for course in courses for after in course.step(step)]
        if len(courses) > _MOST_COURSES:
            raise NotMeantError(f"more than {_MOST_COURSES} legal courses")
    roles = set().union(*(course.roles for course in courses))
    if entry.tracing:
        roles.add("trace")
        for course in courses:
            if any(step.startswith("route ") for step in entry.steps):
                course.session.trace(TRACE)
    reads = any(step.startswith(("load ", "trust ")) for step in entry.steps)
    clause = _SURVIVAL if reads else _TRACE_GRAMMAR if entry.tracing else _COUNTERS
    outcomes = tuple(course.session.outcome(clause) for course in courses)
    about = courses[-1].session.about
    # In a step in which courses differ, the course that goes on as if nothing had happened names the clause.
    case = Case(
        id=f"{clause}-fuzz-{entry.digest}",
        since=CORPUS_VERSION,
        clauses=(clause,),
        level="must",
        roles=tuple(role.name for role in coli_spec.load().roles if role.name in roles),
        why="Found by a search; only what still shows the difference was kept.",
        steps=(entry.target.init, *entry.steps),
        outcomes=outcomes,
        setup=tuple(SetupFile(path, data=data) for path, data in entry.files),
        environment=TRACING if entry.tracing else {},
        about=dict(about),
    )
    return Meant(entry, case, tuple(courses[0].limits) if len(courses) == 1 else ())

"""The failing cases of a run under the clauses they broke, each in one section; the same in every report that lists
them."""

from __future__ import annotations

from dataclasses import replace

from coli_conformance.judge.verdict import Status
from coli_conformance.reports.failure import Failure
from coli_conformance.reports.reported import ReportedRun
from coli_conformance.reports.sections import Section, about, arranged

_NO_VERDICT = frozenset({Status.UNSUPPORTED, Status.NOT_RUN})


def failing_sections(run: ReportedRun) -> tuple[Section, ...]:
    """Return the sections of `run`, in the order of `sections.arranged`; every failing case stands in one.

    In a section those cases come first that are about its clause.
    """
    played = {r.case_id: run.cases[r.case_id] for r in run.results if r.status not in _NO_VERDICT}
    sections, _ = arranged(run.failures, played, run.results, every_case=True)
    return tuple(replace(section, failures=_own_first(section)) for section in sections)


def _own_first(section: Section) -> tuple[Failure, ...]:
    return tuple(sorted(section.failures, key=lambda failure: about(failure.case) != section.clause.id))

"""The failing cases of a run under the clauses they broke, each in one section; the same in every report that lists
them."""

from __future__ import annotations

from coli_conformance.judge.verdict import Status
from coli_conformance.reports.reported import ReportedRun
from coli_conformance.reports.sections import Section, arranged

_NO_VERDICT = frozenset({Status.UNSUPPORTED, Status.NOT_RUN})


def failing_sections(run: ReportedRun) -> tuple[Section, ...]:
    """Return the sections of `run`, in the order of `sections.arranged`; every failing case stands in one."""
    played = {r.case_id: run.cases[r.case_id] for r in run.results if r.status not in _NO_VERDICT}
    return arranged(run.failures, played, run.results, every_case=True)[0]

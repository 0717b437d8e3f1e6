"""What hears each result of a run as it comes, and keeps of a failing case what the reports need."""

from __future__ import annotations

from coli_conformance.case import Case
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result
from coli_conformance.reports.evidence import Evidence, evidence
from coli_conformance.reports.failure import Failure, again, failure
from coli_conformance.reports.kept import Keeper
from coli_conformance.reports.progress import RunProgress
from coli_conformance.score import FAILED


class Listener:
    """Hears each result; `with_evidence`: a page is wanted, which shows more of a failing case than other reports."""

    def __init__(self, keeper: Keeper | None, progress: RunProgress, *, with_evidence: bool) -> None:
        self._keeper = keeper
        self._progress = progress
        self._with_evidence = with_evidence
        self._failures: dict[str, Failure] = {}
        self._evidence: dict[str, Evidence] = {}

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failing cases, each once, in the order in which they were first seen to fail."""
        return tuple(self._failures.values())

    @property
    def evidence(self) -> dict[str, Evidence]:
        """What a page shows of the failing cases, by id."""
        return self._evidence

    def on_result(self, case: Case, result: Result, observation: Observation | None) -> None:
        """Take in one result."""
        failed = result.status in FAILED
        if failed:
            earlier = self._failures.get(case.id)
            if earlier is not None:
                self._failures[case.id] = again(earlier)
                self._keep(case, result, observation)
            else:
                self._take(case, result, observation)
        self._progress.step(failed)

    def on_settled(self, case: Case, result: Result, observation: Observation | None) -> None:
        """Take in the verdict on a case that stands instead of all those heard before."""
        self._failures.pop(case.id, None)
        self._evidence.pop(case.id, None)
        if self._keeper is not None:
            self._keeper.discard(case)
        if result.status in FAILED:
            self._take(case, result, observation)

    def _take(self, case: Case, result: Result, observation: Observation | None) -> None:
        self._failures[case.id] = failure(case, result, observation)
        if self._with_evidence:
            self._evidence[case.id] = evidence(case, result, observation)
        self._keep(case, result, observation)

    def _keep(self, case: Case, result: Result, observation: Observation | None) -> None:
        if self._keeper is not None:
            self._keeper.keep(case, result, observation)

"""What a report is made of: a finished run, with all that its readers may want to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from coli_conformance.case import Case
from coli_conformance.judge.verdict import Result
from coli_conformance.known_failing import Compared
from coli_conformance.leaks import Leak
from coli_conformance.reports.evidence import Evidence
from coli_conformance.reports.failure import Failure
from coli_conformance.score import Score
from coli_conformance.twin_run import Twins


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A finished run.

    `arguments` are the words after `coli-conformance run` that play it again. `cases` are those of `results` by id,
    `seed` what the fresh ones among them were generated from. `engine_digest` is SHA-256 over the engine's files.
    `failures` holds each failing case once; `evidence`, by case id, what a page shows of them, and is empty where no
    page was asked for. `known` is what became of the known-failing file, None where none was given.
    """

    corpus_digest: str
    corpus_version: int
    seed: int | None
    arguments: Sequence[str]
    started: datetime
    engine_name: str
    command: Sequence[str]
    engine_digest: str
    roles: frozenset[str]
    cases: Mapping[str, Case]
    results: Sequence[Result]
    scored: Score
    spawns: int
    gave_up: str | None
    reproduce: Callable[[str], str]
    twins: Twins
    leaks: Sequence[Leak]
    failures: Sequence[Failure]
    evidence: Mapping[str, Evidence]
    known: Compared | None


def sentence_of(result: Result) -> str:
    """Return what was seen in a case, in words; empty where there is nothing to say."""
    return result.detail or "; ".join(finding.sentence for finding in result.findings)


def unverified_words(scored: Score) -> str:
    """Return the share of the musts that were not verified, as it stands beside every score."""
    missing = scored.musts.total - scored.musts.verified
    if not missing:
        return "every must was verified"
    # Never 0% where some were not, never 100% where some were.
    percent = min(max(round(100 * scored.unverified), 1), 99 if scored.musts.verified else 100)
    return f"{percent}% of the musts not verified"

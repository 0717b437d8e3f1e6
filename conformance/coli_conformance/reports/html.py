"""The HTML report: one page that stands alone, to find out at a glance what broke and why."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import coli_spec
from coli_conformance import __version__
from coli_conformance.escape import shown_text
from coli_conformance.judge.verdict import Status
from coli_conformance.reports.by_clause import failing_sections
from coli_conformance.reports.excerpt import ShownLine
from coli_conformance.reports.failure import Failure
from coli_conformance.reports.reported import ReportedRun, sentence_of, unverified_words
from coli_conformance.reports.sections import Section
from coli_conformance.score import FAILED, Tally

SHOWN_IN_FULL = 20
"""Cases of one clause that are shown with all there is; of the others the page has the sentence and the command."""


def html_report(run: ReportedRun) -> str:
    """Return the page. Every text that an engine or a file supplied is escaped twice: unprintable, then markup.

    Its one script is allowed by its digest, so that no other can run whatever else gets onto the page.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only a page pays for it

    environment = Environment(
        loader=PackageLoader("coli_conformance", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = environment.get_template("report.js.j2").render()
    sections = failing_sections(run)
    return environment.get_template("report.html.j2").render(
        script=script,
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        version=__version__,
        engine=shown_text(run.engine_name),
        command=shown_text(" ".join(run.command)),
        roles=[role.name for role in coli_spec.load().roles if role.name in run.roles],
        verdict=run.scored.verdict.value,
        musts=_tally(run.scored.musts),
        shoulds=_tally(run.scored.shoulds),
        unverified=unverified_words(run.scored),
        gave_up=shown_text(run.gave_up or ""),
        corpus=run.corpus_version,
        corpus_digest=run.corpus_digest,
        engine_digest=run.engine_digest,
        seed=run.seed,
        started=run.started.strftime("%Y-%m-%d %H:%M UTC"),
        areas=_areas(run, sections),
        sections=[_section(run, section) for section in sections],
        statuses=sorted({failure.result.status.word for failure in run.failures}),
        count=len(run.failures),
        problems=[shown_text(problem) for problem in run.known.problems] if run.known is not None else [],
        flaky=_flaky(run),
        leaks=_leaks(run),
    )


def _areas(run: ReportedRun, sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Return the areas with their clauses, each with what became of the cases about it."""
    with_section = {section.clause.id for section in sections}
    scores = {area.area.letter: area for area in run.scored.areas}
    seen: dict[str, Counter[str]] = {}
    behaviours: dict[str, Counter[str]] = {}
    for result in run.results:
        own = run.cases[result.case_id].clauses[0]
        word = "fail" if result.status in FAILED else result.status.word
        seen.setdefault(own, Counter())["pass" if result.status is Status.UNEXPECTED_PASS else word] += 1
        if result.behaviour:
            behaviours.setdefault(own, Counter())[result.behaviour] += 1
    broken = {*run.scored.broken_musts, *run.scored.broken_shoulds}
    areas = []
    for area in coli_spec.load().areas:
        clauses = [c for c in coli_spec.load().clauses if c.area == area and (c.id in seen or c.id in broken)]
        if clauses:
            score = scores.get(area.letter)
            areas.append(
                {
                    "letter": area.letter,
                    "title": area.title,
                    "musts": _tally(score.musts if score else Tally()),
                    "shoulds": _tally(score.shoulds if score else Tally()),
                    "clauses": [
                        {
                            "id": clause.id,
                            "level": clause.level,
                            "rule": clause.rule,
                            "state": _state(clause.id, seen.get(clause.id, Counter()), broken),
                            "counts": _counts(seen.get(clause.id, Counter())),
                            "behaviours": [shown_text(name) for name in sorted(behaviours.get(clause.id, ()))],
                            "has_section": clause.id in with_section,
                        }
                        for clause in clauses
                    ],
                }
            )
    return areas


def _state(clause_id: str, seen: Counter[str], broken: set[str]) -> str:
    if clause_id in broken:
        return "fail"
    return "pass" if seen["pass"] or seen["fail"] else "unverified"


def _counts(seen: Counter[str]) -> str:
    return ", ".join(f"{seen[word]} {name}" for word, name in _COUNTED if seen[word]) or "no case about it"


_COUNTED = (("pass", "passed"), ("fail", "failed"), ("unsupported", "unsupported"), ("not-run", "not run"))


def _tally(tally: Tally) -> str:
    return f"{tally.passed} of {tally.verified}" if tally.verified else "none verified"


def _section(run: ReportedRun, section: Section) -> dict[str, Any]:
    clause = section.clause
    return {
        "id": clause.id,
        "level": clause.level,
        "rule": clause.rule,
        "why": clause.why,
        "settled": clause.settled,
        "behaviours": ", ".join(clause.behaviours),
        "cases": [_case(run, failure, number) for number, failure in enumerate(section.failures)],
    }


def _case(run: ReportedRun, failure: Failure, number: int) -> dict[str, Any]:
    case, result = failure.case, failure.result
    evidence = run.evidence.get(case.id) if number < SHOWN_IN_FULL else None
    known = run.known.reasons.get(case.id, "") if run.known is not None else ""
    return {
        "id": shown_text(case.id),
        "level": case.level,
        "status": result.status.word,
        "symbol": result.status.symbol,
        "why": shown_text(case.why),
        "sentence": shown_text(sentence_of(result)),
        "clauses": " ".join(dict.fromkeys((*case.clauses, *result.broken))),
        "times": failure.times,
        "known": shown_text(known),
        "findings": list(_findings(failure)),
        "evidence": evidence,
        "reproduce": shown_text(run.reproduce(case.id)),
    }


def _findings(failure: Failure) -> Iterator[dict[str, Any]]:
    """Yield the findings, with the lines each is about where these do not stand there already."""
    earlier: set[tuple[ShownLine, ...]] = set()
    for shown in failure.findings:
        finding = shown.finding
        lines = shown.lines if finding.line is not None and shown.lines not in earlier else ()
        earlier.add(shown.lines)
        yield {
            "clause": finding.clause,
            "sentence": shown_text(finding.sentence),
            "expected": shown_text(finding.expected) if finding.expected is not None else None,
            "seen": shown_text(finding.seen) if finding.seen is not None else None,
            "source": shown.source,
            "lines": lines,
        }


def _flaky(run: ReportedRun) -> list[dict[str, str]]:
    flaky = run.known.flaky if run.known is not None else ()
    return [
        {
            "case": shown_text(flake.case_id),
            "said": f"failed {flake.failed} of {flake.of} times: {shown_text(flake.reason)}",
        }
        for flake in flaky
    ]


def _leaks(run: ReportedRun) -> list[str]:
    return [f"{shown_text(leak.case_id)}: alone {leak.alone.word}, else {leak.together.word}" for leak in run.leaks]

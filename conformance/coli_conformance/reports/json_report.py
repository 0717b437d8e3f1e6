"""The JSON report: everything a run came to, for programs. `report.schema.json` beside this declares it."""

from __future__ import annotations

import json
from typing import Any

import coli_spec
from coli_conformance import __version__
from coli_conformance.case import Case
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.known_failing import Compared
from coli_conformance.leaks import Leak
from coli_conformance.reports.reported import ReportedRun, sentence_of
from coli_conformance.score import Tally

FORMAT = 1
"""The version of the report's JSON."""


def json_report(run: ReportedRun) -> str:
    """Return the report as text, ASCII with everything else escaped, ending in a newline."""
    return json.dumps(document(run), indent=1) + "\n"


def document(run: ReportedRun) -> dict[str, Any]:
    """Return the report as an object.

    `count` stands last and says how many results there are, so that a report that was cut short or put together by hand
    is noticed.
    """
    scored = run.scored
    return {
        "format": FORMAT,
        "suite": {
            "version": __version__,
            "corpus": run.corpus_version,
            "corpus_digest": run.corpus_digest,
            "seed": run.seed,
            "arguments": list(run.arguments),
        },
        "engine": {
            "name": run.engine_name,
            "command": list(run.command),
            "digest": run.engine_digest,
            "roles": [role.name for role in coli_spec.load().roles if role.name in run.roles],
        },
        "verdict": scored.verdict.value,
        "musts": _tally(scored.musts),
        "shoulds": _tally(scored.shoulds),
        "unverified": round(scored.unverified, 6),
        "gave_up": run.gave_up,
        "rewrites": {
            "played": scored.rewrites.verified,
            "failed": scored.rewrites.failed,
            "original_failed": run.twins.original_failed,
            "not_sampled": run.twins.not_sampled,
        },
        "leaks": [_leak(leak) for leak in run.leaks],
        "known_failing": _known(run.known) if run.known is not None else None,
        "results": [_result(run, run.cases[result.case_id], result) for result in run.results],
        "spawns": run.spawns,
        "count": len(run.results),
    }


def _known(known: Compared) -> dict[str, Any]:
    flaky = [
        {"case": each.case_id, "failed": each.failed, "of": each.of, "reason": each.reason} for each in known.flaky
    ]
    return {"problems": list(known.problems), "flaky": flaky}


def _leak(leak: Leak) -> dict[str, Any]:
    return {"case": leak.case_id, "after": leak.after, "alone": leak.alone.word, "together": leak.together.word}


def _tally(tally: Tally) -> dict[str, int]:
    return {"passed": tally.passed, "failed": tally.failed, "unsupported": tally.unsupported}


def _result(run: ReportedRun, case: Case, result: Result) -> dict[str, Any]:
    known = run.known.reasons.get(case.id) if run.known is not None else None
    return {
        "case": case.id,
        "clauses": list(case.clauses),
        "broken": list(result.broken),
        "level": case.level,
        "status": result.status.word,
        "behaviour": result.behaviour,
        "detail": sentence_of(result),
        "known": known if result.status is Status.KNOWN_FAILING else None,
        "reproduce": run.reproduce(case.id),
    }

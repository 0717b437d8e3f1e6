"""The JSON report: everything a run came to, for programs. `report.schema.json` beside this declares it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import coli_spec
from coli_conformance import __version__
from coli_conformance.case import Case
from coli_conformance.judge.verdict import Result
from coli_conformance.leaks import Leak
from coli_conformance.score import Score, Tally
from coli_conformance.twin_run import Twins

FORMAT = 1
"""The version of the report's JSON."""


def json_report(
    *,
    corpus_digest: str,
    seed: int | None = None,
    engine_name: str,
    command: Sequence[str],
    roles: frozenset[str],
    cases: Mapping[str, Case],
    results: Sequence[Result],
    scored: Score,
    spawns: int,
    gave_up: str | None,
    reproduce: Callable[[str], str],
    twins: Twins,
    leaks: Sequence[Leak],
) -> str:
    """Return the report as text, ASCII with everything else escaped, ending in a newline.

    `cases` are those of `results` by id, `seed` what the fresh ones among them were generated from. `count` stands last
    and says how many results there are, so that a report that was cut short or put together by hand is noticed.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "suite": {"version": __version__, "corpus_digest": corpus_digest, "seed": seed},
        "engine": {
            "name": engine_name,
            "command": list(command),
            "roles": [role.name for role in coli_spec.load().roles if role.name in roles],
        },
        "verdict": scored.verdict.value,
        "musts": _tally(scored.musts),
        "shoulds": _tally(scored.shoulds),
        "unverified": round(scored.unverified, 6),
        "gave_up": gave_up,
        "rewrites": {
            "played": scored.rewrites.verified,
            "failed": scored.rewrites.failed,
            "original_failed": twins.original_failed,
            "not_sampled": twins.not_sampled,
        },
        "leaks": [_leak(leak) for leak in leaks],
        "results": [_result(cases[result.case_id], result, reproduce) for result in results],
        "spawns": spawns,
        "count": len(results),
    }
    return json.dumps(document, indent=1) + "\n"


def _leak(leak: Leak) -> dict[str, Any]:
    return {"case": leak.case_id, "after": leak.after, "alone": leak.alone.word, "together": leak.together.word}


def _tally(tally: Tally) -> dict[str, int]:
    return {"passed": tally.passed, "failed": tally.failed, "unsupported": tally.unsupported}


def _result(case: Case, result: Result, reproduce: Callable[[str], str]) -> dict[str, Any]:
    return {
        "case": case.id,
        "clauses": list(case.clauses),
        "broken": list(result.broken),
        "level": case.level,
        "status": result.status.word,
        "behaviour": result.behaviour,
        "detail": result.detail or "; ".join(finding.sentence for finding in result.findings),
        "reproduce": reproduce(case.id),
    }

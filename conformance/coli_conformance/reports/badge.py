"""The badge: the JSON that shields.io makes one of, from an address that serves it (`endpoint` badges)."""

from __future__ import annotations

import json

from coli_conformance.reports.reported import ReportedRun, unverified_words
from coli_conformance.score import Verdict

_COLOURS = {
    Verdict.CONFORMANT: "brightgreen",
    Verdict.PARTIAL: "yellowgreen",
    Verdict.NONCONFORMANT: "red",
    Verdict.UNVERIFIED: "lightgrey",
}


def badge_report(run: ReportedRun) -> str:
    """Return the badge's JSON: the verdict, the musts that hold, and the share of them that was not verified."""
    scored = run.scored
    message = f"{scored.verdict.value}, {scored.musts.passed}/{scored.musts.verified} musts"
    if scored.unverified:
        message += f", {unverified_words(scored)}"
    badge = {
        "schemaVersion": 1,
        "label": "coli-conformance",
        "message": message,
        "color": _COLOURS[scored.verdict],
        "isError": scored.verdict is Verdict.NONCONFORMANT,
    }
    return json.dumps(badge, indent=1) + "\n"

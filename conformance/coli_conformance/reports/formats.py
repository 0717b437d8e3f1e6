"""Every format of a report, by the name under which `--report` knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coli_conformance.reports.badge import badge_report
from coli_conformance.reports.github import github_report
from coli_conformance.reports.html import html_report
from coli_conformance.reports.json_report import json_report
from coli_conformance.reports.jsonl import jsonl_report
from coli_conformance.reports.junit import junit_report
from coli_conformance.reports.markdown import markdown_report
from coli_conformance.reports.reported import ReportedRun

RENDERERS: Mapping[str, Callable[[ReportedRun], str]] = {
    "json": json_report,
    "jsonl": jsonl_report,
    "junit": junit_report,
    "html": html_report,
    "markdown": markdown_report,
    "github": github_report,
    "badge": badge_report,
}
"""What makes the text of each."""

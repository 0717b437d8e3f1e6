"""The JSON Lines report: the same as the JSON report, a line for what was run, one for each result, one at the end.

A reader can take the results as they come. The last line, of kind `end`, holds verdict and count: a report without it
was cut short.
"""

from __future__ import annotations

import json
from typing import Any

from coli_conformance.reports.json_report import document
from coli_conformance.reports.reported import ReportedRun

HEAD_FIELDS = ("format", "suite", "engine")
"""The fields of the JSON report that stand in the first line; all others but the results stand in the last."""


def jsonl_report(run: ReportedRun) -> str:
    """Return the report as text, ASCII, each line an object with a `kind`: `run`, `result` or `end`."""
    whole = document(run)
    results = whole.pop("results")
    head = {key: whole.pop(key) for key in HEAD_FIELDS}
    lines: list[dict[str, Any]] = [{"kind": "run", **head}]
    lines += [{"kind": "result", **result} for result in results]
    lines.append({"kind": "end", **whole})
    return "".join(json.dumps(line, separators=(", ", ": ")) + "\n" for line in lines)

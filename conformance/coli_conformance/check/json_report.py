"""The findings as JSON, for programs. `check.schema.json` beside this declares it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coli_conformance import __version__
from coli_conformance.check.examined import Examined
from coli_conformance.check.old_reading import OldReading

FORMAT = 1
"""The version of the report's JSON."""


def json_report(files: Sequence[Examined], unusable: Sequence[tuple[str, str]]) -> str:
    """Return the report as text, ASCII with everything else escaped, ending in a newline.

    `unusable` are the names of inputs that could not be read, and a sentence each. `count` stands last and says how
    many findings there are, so that a report that was cut short is noticed.
    """
    document = {
        "format": FORMAT,
        "suite": {"version": __version__},
        "files": [_file(examined) for examined in files],
        "unusable": [{"name": name, "sentence": sentence} for name, sentence in unusable],
        "count": sum(len(examined.findings) for examined in files),
    }
    return json.dumps(document, indent=1) + "\n"


def _file(examined: Examined) -> dict[str, Any]:
    reading = OldReading(examined)
    return {
        "name": examined.name,
        "kind": examined.kind.value,
        "stopped": examined.stopped,
        "findings": [
            {
                "code": finding.code.name,
                "clause": finding.code.clause,
                "level": finding.code.level.value,
                "line": finding.line,
                "column": finding.column,
                "width": finding.width,
                "sentence": finding.sentence,
                "old_reader": reading.of(finding),
                "do": finding.code.do,
            }
            for finding in examined.findings
        ],
    }

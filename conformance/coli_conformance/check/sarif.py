"""The findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from coli_conformance import __version__
from coli_conformance.check.catalogue import CODES
from coli_conformance.check.code import Code, Kind
from coli_conformance.check.examined import Examined
from coli_conformance.check.finding import Finding
from coli_conformance.check.old_reading import OldReading

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(files: Sequence[Examined], unusable: Sequence[tuple[str, str]]) -> str:
    """Return a log of one run as text, ASCII with everything else escaped, ending in a newline."""
    log = {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "coli-conformance check",
                        "version": __version__,
                        "rules": [_rule(code) for code in CODES],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": not unusable,
                        "toolExecutionNotifications": [
                            {"level": "error", "message": {"text": sentence}} for _, sentence in unusable
                        ],
                    }
                ],
                "results": [result for examined in files for result in _results(examined)],
            }
        ],
    }
    return json.dumps(log, indent=1) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.what},
        "help": {"text": code.do},
        "defaultConfiguration": {"level": code.level.value},
        "properties": {"clause": code.clause},
    }


def _results(examined: Examined) -> list[dict[str, Any]]:
    reading = OldReading(examined)
    return [_result(examined, finding, reading.of(finding)) for finding in examined.findings]


def _result(examined: Examined, finding: Finding, old_reader: str) -> dict[str, Any]:
    text = f"{finding.sentence} ({finding.code.clause}). {old_reader}".rstrip()
    return {
        "ruleId": finding.code.name,
        "ruleIndex": CODES.index(finding.code),
        "level": finding.code.level.value,
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(examined.name.encode("utf-8", "surrogateescape"))},
                    "region": _region(examined.kind, finding),
                }
            }
        ],
    }


def _region(kind: Kind, finding: Finding) -> dict[str, int]:
    if kind is Kind.IKU1:
        return {"byteOffset": finding.column - 1, "byteLength": finding.width}
    return {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.width,
    }

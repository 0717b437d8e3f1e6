"""The findings as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coli_conformance.check.code import Level
from coli_conformance.check.examined import Examined
from coli_conformance.check.old_reading import OldReading
from coli_conformance.reports.workflow_command import Kind, workflow_command

_COMMANDS: dict[Level, Kind] = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github_lines(files: Sequence[Examined], unusable: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield one command for each finding, and for each input that could not be read."""
    for examined in files:
        reading = OldReading(examined)
        for finding in examined.findings:
            code = finding.code
            properties = {
                "file": examined.name,
                "line": str(finding.line),
                "col": str(finding.column),
                "endColumn": str(finding.column + finding.width),
                "title": f"{code.name} ({code.clause})",
            }
            message = " ".join(filter(None, (f"{finding.sentence}.", reading.of(finding), code.do)))
            yield workflow_command(_COMMANDS[code.level], properties, message)
    for name, sentence in unusable:
        yield workflow_command("error", {"file": name}, sentence)

"""The findings as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coli_conformance.check.code import Level
from coli_conformance.check.examined import Examined
from coli_conformance.check.old_reading import OldReading
from coli_conformance.escape import shown_text

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_MESSAGE, ":": "%3A", ",": "%2C"}


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
            yield _command(_COMMANDS[code.level], properties, message)
    for name, sentence in unusable:
        yield _command("error", {"file": name}, sentence)


def _command(name: str, properties: dict[str, str], message: str) -> str:
    given = ",".join(f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in properties.items())
    return f"::{name} {given}::{_escaped(shown_text(message), _IN_MESSAGE)}"


def _escaped(text: str, characters: dict[str, str]) -> str:
    return "".join(characters.get(character, character) for character in text)

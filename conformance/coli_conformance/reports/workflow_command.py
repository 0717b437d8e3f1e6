"""Workflow commands, the lines by which a job tells GitHub what to show beside a change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from coli_conformance.escape import shown_text

Kind = Literal["error", "warning", "notice"]
"""What is made of a message."""

_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_MESSAGE, ":": "%3A", ",": "%2C"}


def workflow_command(name: Kind, properties: Mapping[str, str], message: str) -> str:
    """Return the line; whatever `properties` and `message` hold, it stays one line and one command."""
    given = ",".join(f"{key}={_escaped(shown_text(value), _IN_PROPERTY)}" for key, value in properties.items())
    lines = "\n".join(map(shown_text, message.split("\n")))
    return f"::{name} {given}::{_escaped(lines, _IN_MESSAGE)}"


def _escaped(text: str, characters: Mapping[str, str]) -> str:
    return "".join(characters.get(character, character) for character in text)

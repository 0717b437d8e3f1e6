"""JSON reports read back, so that one that was cut short or is something else is never taken for a small one."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coli_conformance import regular_file
from coli_conformance.escape import shown_text
from coli_conformance.reports.json_report import FORMAT
from coli_conformance.reports.jsonl import HEAD_FIELDS

LARGEST = 256 * 1024 * 1024
"""Bytes. A whole run takes about two million, and `--repeat` multiplies them."""
_REMEDY = "Write it again with `run --report json=PATH`."


class ReportError(Exception):
    """A report that cannot be used; the text is a sentence that names the file."""


class UnreadableReportError(ReportError):
    """There is no such file, or it cannot be read."""


class NotAReportError(ReportError):
    """The file is something else: another kind of report, or no report at all."""


class OtherFormatError(ReportError):
    """It was written by another version of the suite, with another layout."""


class TruncatedReportError(ReportError):
    """A part of the report is missing."""


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """One result as a report holds it; the fields are those of the report."""

    case: str
    level: str
    status: str
    broken: tuple[str, ...]
    behaviour: str | None
    detail: str
    reproduce: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """A report that is whole. `arguments` are the words after `coli-conformance run` that play it again."""

    name: str
    corpus_digest: str
    seed: int | None
    arguments: tuple[str, ...]
    engine_name: str
    command: tuple[str, ...]
    engine_digest: str
    verdict: str
    results: tuple[RecordedResult, ...]


def read(path: Path) -> Recorded:
    """Return the report at `path`, JSON or JSON Lines. Raises ReportError."""
    try:
        text = regular_file.read(path, LARGEST).decode("utf-8")
    except regular_file.UnusableFileError as error:
        raise UnreadableReportError(f"{error}; name a report of a run. {_REMEDY}") from error
    except UnicodeDecodeError as error:
        raise NotAReportError(f"{shown_text(str(path))}: not a JSON report, for it is not UTF-8. {_REMEDY}") from error
    return parse(text, shown_text(str(path)))


def parse(text: str, name: str) -> Recorded:
    """Return the report in `text`, which complaints call `name`. Raises ReportError."""
    document = _document(text, name)
    if "format" not in document or "suite" not in document:
        raise NotAReportError(f"{name}: this JSON is not the report of a run. {_REMEDY}")
    if document["format"] != FORMAT:
        raise OtherFormatError(
            f"{name}: a report of format {document['format']!r}, and this suite reads {FORMAT}. Use the version of the "
            "suite that wrote it, or write it again."
        )
    results = document.get("results")
    if not isinstance(results, list) or document.get("count") != len(results):
        held = len(results) if isinstance(results, list) else 0
        raise TruncatedReportError(
            f"{name}: it says {document.get('count')} results and holds {held}: a part is missing. {_REMEDY}"
        )
    try:
        return _recorded(document, name)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise NotAReportError(f"{name}: not as this suite writes reports ({error!r}). {_REMEDY}") from error


def _document(text: str, name: str) -> dict[str, Any]:
    """Return the report as one object, whichever of the two layouts `text` has."""
    first = text.partition("\n")[0]
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        head = None
    if isinstance(head, dict) and head.get("kind") == "run":
        return _from_lines(text, name)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        if text.startswith('{\n "format"'):
            raise TruncatedReportError(f"{name}:{error.lineno}: the report was cut short here. {_REMEDY}") from error
        raise NotAReportError(f"{name}:{error.lineno}: not a JSON report ({error.msg}). {_REMEDY}") from error
    except (ValueError, RecursionError) as error:
        raise NotAReportError(f"{name}: not a JSON report ({error}). {_REMEDY}") from error
    if not isinstance(document, dict):
        raise NotAReportError(f"{name}: this JSON is not the report of a run. {_REMEDY}")
    return document


def _from_lines(text: str, name: str) -> dict[str, Any]:
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise TruncatedReportError(f"{name}:{number}: the report was cut short in this line. {_REMEDY}")
        lines.append(value)
    head, end = lines[0], lines[-1]
    if end.get("kind") != "end":
        raise TruncatedReportError(f"{name}: the last line, of kind `end`, is missing: it was cut short. {_REMEDY}")
    results = [line for line in lines[1:-1] if line.get("kind") == "result"]
    return {**{key: head.get(key) for key in HEAD_FIELDS}, **end, "results": results}


def _recorded(document: dict[str, Any], name: str) -> Recorded:
    suite, engine = document["suite"], document["engine"]
    return Recorded(
        name=name,
        corpus_digest=str(suite["corpus_digest"]),
        seed=suite["seed"],
        arguments=_words(suite["arguments"]),
        engine_name=str(engine["name"]),
        command=_words(engine["command"]),
        engine_digest=str(engine["digest"]),
        verdict=str(document["verdict"]),
        results=tuple(
            RecordedResult(
                case=str(result["case"]),
                level=str(result["level"]),
                status=str(result["status"]),
                broken=tuple(map(str, result["broken"])),
                behaviour=None if result["behaviour"] is None else str(result["behaviour"]),
                detail=str(result["detail"]),
                reproduce=str(result["reproduce"]),
            )
            for result in document["results"]
        ),
    )


def _words(value: list[str]) -> tuple[str, ...]:
    """Return the words of a command line. Raises ValueError or TypeError for what cannot be one."""
    words = tuple(str(word) for word in value)
    for word in words:
        if "\0" in word:
            raise ValueError("a word of a command line holds a NUL")
        os.fsencode(word)
    return words

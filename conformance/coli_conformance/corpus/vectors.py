"""The committed vectors: cases as JSON, one file an area, written and read here and nowhere else.

Bytes stand as text where they are printable ASCII with line ends and tabs, else as hex. `vectors/README.md` explains
the files to people without Python, `vectors/schema.json` declares them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from coli_conformance.case import (
    Case,
    ExpectedTrace,
    FileExpectation,
    MessageExpectation,
    Outcome,
    Record,
    SetupFile,
    WrittenHistory,
)
from coli_conformance.corpus.meaning import render

FORMAT = 1
"""The version of the vectors' JSON."""

_REMEDY = "Vectors are never edited by hand; write them again with `coli-conformance vectors generate`."
_TEXT = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))


class VectorError(Exception):
    """A vector file that cannot be used; the message names the file and the line."""


# -- cases to JSON ----------------------------------------------------------------------------------------------------


def to_json(case: Case) -> dict[str, Any]:
    """Return `case` as the object that stands in a vector file; what is empty is left out."""
    value: dict[str, Any] = {
        "id": case.id,
        "since": case.since,
        "clauses": list(case.clauses),
        "level": case.level,
        "roles": list(case.roles),
        "why": case.why,
    }
    if case.environment:
        value["environment"] = dict(case.environment)
    if case.second_environment is not None:
        value["second_environment"] = dict(case.second_environment)
    if case.decimal_comma:
        value["decimal_comma"] = True
    if case.file_size_limit is not None:
        value["file_size_limit"] = case.file_size_limit
    if case.setup:
        value["setup"] = [_setup_to_json(item) for item in case.setup]
    value["steps"] = list(case.steps)
    if case.about:
        value["about"] = {str(step): clause for step, clause in case.about.items()}
    value["outcomes"] = [_outcome_to_json(outcome) for outcome in case.outcomes]
    return value


def _bytes_to_json(data: bytes) -> dict[str, str]:
    if _TEXT.issuperset(data):
        return {"text": data.decode("ascii")}
    return {"hex": data.hex()}


def _setup_to_json(item: SetupFile) -> dict[str, Any]:
    if item.data is not None:
        return {"path": item.path, **_bytes_to_json(item.data)}
    if item.link_to is not None:
        return {"path": item.path, "link_to": item.link_to}
    return {"path": item.path, "folder": True}


def _outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    value: dict[str, Any] = {"name": outcome.name} if outcome.name else {}
    value["answers"] = list(outcome.answers)
    if outcome.files:
        value["files"] = [_file_to_json(expected) for expected in outcome.files]
    if outcome.messages:
        value["messages"] = [_message_to_json(expected) for expected in outcome.messages]
    return value


def _file_to_json(expected: FileExpectation) -> dict[str, Any]:
    value: dict[str, Any] = {"path": expected.path, "clause": expected.clause}
    if expected.history is not None:
        written = expected.history
        value["history"] = {
            "n_layers": written.n_layers,
            "n_experts": written.n_experts,
            "engine_id": written.engine_id,
            "records": render(written.records),
        }
        if written.dropped:
            value["history"]["dropped"] = list(written.dropped)
        if written.kept:
            value["history"]["kept"] = render(written.kept)
        if written.added:
            value["history"]["added"] = render(written.added)
        if written.canonical:
            value["history"]["canonical"] = True
    elif expected.data is not None:
        value["bytes"] = _bytes_to_json(expected.data)
    elif expected.absent:
        value["absent"] = True
    elif expected.only is not None:
        value["only"] = list(expected.only)
    elif expected.somewhere is not None:
        value["somewhere"] = _bytes_to_json(expected.somewhere)
    elif expected.trace is not None:
        value["trace"] = list(expected.trace.lines)
        if expected.trace.four_decimals:
            value["four_decimals"] = True
    elif expected.same:
        value["same"] = True
    return value


def _message_to_json(expected: MessageExpectation) -> dict[str, Any]:
    value: dict[str, Any] = {"clause": expected.clause}
    if expected.any_of:
        value["any_of"] = list(expected.any_of)
    if expected.none_of:
        value["none_of"] = list(expected.none_of)
    if expected.once is not None:
        value["once"] = expected.once
        value["lines"] = expected.lines
    if expected.or_in_answer:
        value["or_in_answer"] = True
    return value


# -- JSON to cases ----------------------------------------------------------------------------------------------------


def from_json(value: Mapping[str, Any]) -> Case:
    """Return the case that `to_json` wrote. Raises KeyError, TypeError or ValueError where it is not such an object."""
    return Case(
        id=value["id"],
        since=value["since"],
        clauses=tuple(value["clauses"]),
        level=value["level"],
        roles=tuple(value["roles"]),
        why=value["why"],
        environment=dict(value.get("environment", {})),
        second_environment=dict(value["second_environment"]) if "second_environment" in value else None,
        decimal_comma=value.get("decimal_comma", False),
        file_size_limit=value.get("file_size_limit"),
        setup=tuple(_setup_from_json(item) for item in value.get("setup", ())),
        steps=tuple(value["steps"]),
        about={int(step): clause for step, clause in value.get("about", {}).items()},
        outcomes=tuple(_outcome_from_json(outcome) for outcome in value["outcomes"]),
    )


def _bytes_from_json(value: Mapping[str, str]) -> bytes:
    if "text" in value:
        return value["text"].encode("ascii")
    return bytes.fromhex(value["hex"])


def _setup_from_json(item: Mapping[str, Any]) -> SetupFile:
    if "link_to" in item:
        return SetupFile(item["path"], link_to=item["link_to"])
    if "folder" in item:
        return SetupFile(item["path"], folder=True)
    return SetupFile(item["path"], data=_bytes_from_json(item))


def _outcome_from_json(value: Mapping[str, Any]) -> Outcome:
    return Outcome(
        name=value.get("name", ""),
        answers=tuple(value["answers"]),
        files=tuple(_file_from_json(expected) for expected in value.get("files", ())),
        messages=tuple(
            MessageExpectation(
                clause=expected["clause"],
                any_of=tuple(expected.get("any_of", ())),
                none_of=tuple(expected.get("none_of", ())),
                once=expected.get("once"),
                lines=expected.get("lines", 1),
                or_in_answer=expected.get("or_in_answer", False),
            )
            for expected in value.get("messages", ())
        ),
    )


def _records(text: str) -> tuple[Record, ...]:
    numbers = iter(map(int, text.split()))
    return tuple(zip(numbers, numbers, numbers, strict=True))


def _file_from_json(value: Mapping[str, Any]) -> FileExpectation:
    written = value.get("history")
    return FileExpectation(
        path=value["path"],
        clause=value["clause"],
        history=None
        if written is None
        else WrittenHistory(
            n_layers=written["n_layers"],
            n_experts=written["n_experts"],
            engine_id=written["engine_id"],
            records=_records(written["records"]),
            dropped=tuple(written.get("dropped", ())),
            kept=_records(written.get("kept", "")),
            added=_records(written.get("added", "")),
            canonical=written.get("canonical", False),
        ),
        data=_bytes_from_json(value["bytes"]) if "bytes" in value else None,
        absent=value.get("absent", False),
        only=tuple(value["only"]) if "only" in value else None,
        somewhere=_bytes_from_json(value["somewhere"]) if "somewhere" in value else None,
        trace=ExpectedTrace(tuple(value["trace"]), value.get("four_decimals", False)) if "trace" in value else None,
        same=value.get("same", False),
    )


# -- files ------------------------------------------------------------------------------------------------------------


def area_text(area: str, cases: Iterable[Case]) -> str:
    """Return the whole text of the vector file of `area` (a letter), ending in a newline."""
    values = [to_json(case) for case in cases]
    document = {"format": FORMAT, "area": area, "count": len(values), "cases": values}
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def parse_area(text: str, name: str) -> tuple[Case, ...]:
    """Return the cases in the text of the vector file called `name`. Raises VectorError with file and line."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:  # numbers of too many digits and deep nesting are no JSONDecodeError
        where = f"{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else "1"
        raise VectorError(f"{name}:{where}: not JSON that can be read ({error}). {_REMEDY}") from error
    if (
        not isinstance(document, dict)
        or document.get("format") != FORMAT
        or not isinstance(document.get("cases"), list)
    ):
        raise VectorError(
            f"{name}:1: not a vector file of format {FORMAT}. Write it again with `coli-conformance vectors generate`, "
            "or use the version of the suite that it came with."
        )
    if document.get("count") != len(document["cases"]):
        raise VectorError(
            f"{name}:1: it says {document.get('count')} cases and holds {len(document['cases'])}: a part is missing. "
            "Write it again with `coli-conformance vectors generate`."
        )
    cases: list[Case] = []
    for index, value in enumerate(document["cases"]):
        try:
            cases.append(from_json(value))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise VectorError(
                f"{name}:{_line_of_case(text, value)}: case number {index + 1} is not a case ({error!r}). {_REMEDY}"
            ) from error
    return tuple(cases)


def _line_of_case(text: str, value: object) -> int:
    """Return the line on which the case says its id, or 1 where it says none."""
    case_id = value.get("id") if isinstance(value, dict) else None
    at = text.find(f'"id": {json.dumps(case_id)}') if case_id is not None else -1
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def committed(folder: Traversable | None = None) -> tuple[tuple[Case, ...], str]:
    """Return every committed case, in the order of the areas' files, and the digest of the corpus.

    The digest is SHA-256 over the files' bytes in that order, in hex. `folder` stands in for the packaged vectors.
    Raises VectorError where a file is missing or cannot be used.
    """
    root = resources.files("coli_vectors") if folder is None else folder
    digest = hashlib.sha256()
    cases: list[Case] = []
    names = sorted(
        item.name for item in root.iterdir() if len(item.name) == len("W.json") and item.name.endswith(".json")
    )
    if not names:
        raise VectorError(f"{root}: no vectors here. Write them with `coli-conformance vectors generate`.")
    for name in names:
        try:
            data = (root / name).read_bytes()
            text = data.decode("ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise VectorError(f"{name}:1: cannot be read ({error}).") from error
        digest.update(data)
        cases += parse_area(text, name)
    return tuple(cases), digest.hexdigest()

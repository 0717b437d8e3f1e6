"""The corpus as plain files, for projects that do without Python. `vectors/README.md` describes them.

All that it takes to play a case and to judge it stands in files that a shell can read; `index.json` says it once more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.vectors import FORMAT, to_json
from coli_conformance.reports.kept import folder_name, lay_out, session_text
from coli_conformance.reports.output import OutputError


def copy_cases(cases: Sequence[Case], digest: str, folder: Path) -> None:
    """Write a folder for each case into `folder`, and `index.json`.

    Raises OutputError where `folder` cannot be made or written, or is not empty: nothing is written over.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise OutputError(f"{folder}: this folder is not empty; name one that is empty or new.")
        entries = [_copy(case, folder) for case in cases]
        index = {"format": FORMAT, "corpus_digest": digest, "cases": entries, "count": len(entries)}
        (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        raise OutputError(f"{folder}: the cases could not be written here ({error.strerror}).") from error


def _copy(case: Case, root: Path) -> dict[str, Any]:
    """Write one case and return its entry of the index: the case's own JSON, with paths in place of bytes."""
    name = folder_name(case.id)
    folder = root / name
    files = folder / "files"
    files.mkdir(parents=True)
    lay_out(case, files)
    (folder / "session.txt").write_text(session_text(case), encoding="ascii")
    _write_surroundings(case, folder)
    entry = {key: value for key, value in to_json(case).items() if key not in {"setup", "steps", "outcomes"}}
    entry["folder"] = name
    entry["files"] = [item.path for item in case.setup if item.data is not None]
    entry["links"] = {item.path: item.link_to for item in case.setup if item.link_to is not None}
    entry["folders"] = [item.path for item in case.setup if item.folder]
    entry["session"] = f"{name}/session.txt"
    entry["outcomes"] = []
    for number, outcome in enumerate(case.outcomes, start=1):
        suffix = "" if len(case.outcomes) == 1 else f"-{number}"
        answers = folder / f"answers{suffix}.txt"
        answers.write_text("".join(f"{answer}\n" for answer in outcome.answers), encoding="ascii")
        expected = [_expected(item, folder / f"expected{suffix}", root) for item in outcome.files]
        afterwards = "".join(f"{_afterwards(item)}\n" for item in outcome.files)
        (folder / f"afterwards{suffix}.txt").write_text(afterwards, encoding="ascii")
        messages = to_json(case)["outcomes"][number - 1].get("messages", [])
        entry["outcomes"].append(
            {
                "name": outcome.name,
                "answers": f"{name}/{answers.name}",
                "files": expected,
                "messages": messages,
            }
        )
    return entry


def _write_surroundings(case: Case, folder: Path) -> None:
    """Write what a case needs and what it is about, a word or a NAME=value a line; what it has none of has no file."""
    second = case.second_environment
    surroundings = {
        "roles": case.roles,
        "level": (case.level,),
        "clauses": case.clauses,
        "environment": _assignments(case.environment),
        "second_environment": None if second is None else _assignments(second),
        "file_size_limit": None if case.file_size_limit is None else (str(case.file_size_limit),),
        "decimal_comma": () if case.decimal_comma else None,
        "links": [f"{item.path} {item.link_to}" for item in case.setup if item.link_to is not None] or None,
        "folders": [item.path for item in case.setup if item.folder] or None,
        "behaviours": [outcome.name for outcome in case.outcomes if outcome.name] or None,
    }
    for name, lines in surroundings.items():
        if lines is not None:
            (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def _assignments(environment: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in environment.items()]


def _afterwards(expected: FileExpectation) -> str:
    """Return one line: what has to be so of a file, the clause that is broken where it is not, the path."""
    if expected.history is not None:
        kind = "exact" if expected.history.canonical else "history"
    elif expected.trace is not None:
        kind = "exact" if expected.trace.four_decimals else "trace"
    elif expected.only is not None:
        return " ".join(("only", expected.clause, *expected.only))
    elif expected.somewhere is not None:
        return f"somewhere {expected.clause}"
    else:
        kind = "absent" if expected.absent else "same" if expected.same else "exact"
    return f"{kind} {expected.clause} {expected.path}"


def _expected(expected: FileExpectation, folder: Path, root: Path) -> dict[str, Any]:
    """Write the bytes that a file should hold, if that can be said in bytes, and return its entry.

    A history or a trace is right with other bytes too, as long as they mean the same, unless it is `exact` (W18, T10).
    """
    entry: dict[str, Any] = {"path": expected.path, "clause": expected.clause}
    if expected.history is not None:
        data, entry["exact"] = expected.history.canonical_bytes, expected.history.canonical
    elif expected.data is not None:
        data, entry["exact"] = expected.data, True
    elif expected.trace is not None:
        data, entry["exact"] = expected.trace.canonical_bytes, expected.trace.four_decimals
    elif expected.absent:
        return {**entry, "absent": True}
    elif expected.only is not None:
        return {**entry, "only": list(expected.only)}
    elif expected.somewhere is not None:
        data, entry["somewhere"] = expected.somewhere, True
    else:
        return {**entry, "same": True}
    target = folder / (expected.path or "somewhere")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    entry["expected"] = str(target.relative_to(root))
    return entry

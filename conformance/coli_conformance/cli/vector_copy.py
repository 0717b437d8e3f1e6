"""The corpus as plain files and one index, for projects that do without Python. `vectors/README.md` describes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
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

"""Which wording of its clause each case was written against, so that a changed clause shows the cases to look at again.

The table is committed beside the vectors, by case id. Generating keeps what stands there and adds new cases with the
wording of today; a person who has looked at a case confirms it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus.vectors import VectorError

FILE = "wordings.json"
"""The name of the table, in the folder of the vectors."""

_FORMAT = 1
_DIGITS = 8
_WORDING = re.compile(rf"[0-9a-f]{{{_DIGITS}}}\Z")


def wording(rule: str) -> str:
    """Return eight hex digits that stand for the text of a rule; blanks and line breaks make no difference."""
    return hashlib.sha256(" ".join(rule.split()).encode()).hexdigest()[:_DIGITS]


def renewed(
    cases: Iterable[Case], known: Mapping[str, str], confirmed: Collection[str], spec: coli_spec.Spec
) -> dict[str, str]:
    """Return the table for these cases: a known case keeps its wording, unless its id or its clause is in `confirmed`.

    A case that is new gets today's wording of its first clause. Cases that are gone are left out.
    """
    today = {clause.id: wording(clause.rule) for clause in spec.clauses}
    table = {}
    for case in cases:
        clause_id = case.clauses[0]
        is_confirmed = case.id in confirmed or clause_id in confirmed
        table[case.id] = today[clause_id] if is_confirmed else known.get(case.id, today[clause_id])
    return table


def earlier(cases: Iterable[Case], table: Mapping[str, str], spec: coli_spec.Spec) -> dict[str, str]:
    """Return the cases whose first clause read otherwise when they were written, each with the wording of then."""
    today = {clause.id: wording(clause.rule) for clause in spec.clauses}
    return {
        case.id: table[case.id]
        for case in cases
        if table.get(case.id, today[case.clauses[0]]) != today[case.clauses[0]]
    }


def text(table: Mapping[str, str]) -> str:
    """Return the file's text, a case on a line in ascending order."""
    document = {"format": _FORMAT, "wordings": dict(sorted(table.items()))}
    return json.dumps(document, indent=1) + "\n"


def difference(folder: Traversable, new: str) -> str:
    """Return a sentence on the first case for which the table in `folder` is not the text `new`.

    Raises VectorError where either is no table.
    """
    old_table, new_table = committed(folder), parse(new)
    for case_id in sorted(old_table.keys() ^ new_table.keys()):
        where = "is generated and not in the table" if case_id in new_table else "is not generated any more"
        return f"{FILE}: {case_id} {where}"
    return f"{FILE}: the same wordings, written otherwise"


def parse(content: str) -> dict[str, str]:
    """Return the table that stands in the file. Raises VectorError where it is none."""
    try:
        document = json.loads(content)
    except ValueError as error:
        raise VectorError(f"{FILE}: not JSON ({error}); restore the committed file.") from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise VectorError(f"{FILE}: not a table of wordings of format {_FORMAT}; restore the committed file.")
    table = document.get("wordings")
    if not isinstance(table, dict):
        raise VectorError(f"{FILE}: the key 'wordings' is missing or no object; restore the committed file.")
    for case_id, value in table.items():
        if not isinstance(value, str) or not _WORDING.match(value):
            raise VectorError(
                f"{FILE}: the wording of {case_id} is {value!r}, not {_DIGITS} hex digits; restore the committed file."
            )
    return table


def committed(folder: Traversable | None = None) -> dict[str, str]:
    """Return the committed table, empty where there is none yet. `folder` stands in for the packaged vectors."""
    root = resources.files("coli_vectors") if folder is None else folder
    try:
        return parse((root / FILE).read_text(encoding="ascii"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise VectorError(f"{FILE}: cannot be read ({error}); restore the committed file.") from error

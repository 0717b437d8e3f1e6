"""The folder of what a search found, one vector file a difference, to be tried first by the next one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus import vectors
from coli_conformance.fuzzing.course import NotMeantError
from coli_conformance.fuzzing.entry import entry_of
from coli_conformance.fuzzing.meant import Meant, meant
from coli_conformance.reports import output
from coli_conformance.reports.kept import folder_name
from coli_conformance.reports.output import OutputError

DEFAULT = Path(".coli-fuzz")


def about(asked: Meant, clause: str) -> Meant:
    """Return `asked` as a case about `clause`, which a difference was found to break."""
    case = replace(
        asked.case,
        id=f"{clause}-fuzz-{asked.entry.digest}",
        clauses=(clause,),
        level=coli_spec.load().clause(clause).level,
    )
    return replace(asked, case=case)


def save(folder: Path, case: Case) -> Path:
    """Write `case` into `folder`, which is made where there is none, and return its file. Raises OutputError."""
    path = folder / f"{folder_name(case.id)}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: nothing can be saved here ({error.strerror}); name another --corpus.") from error
    output.write(path, vectors.area_text(case.clauses[0][0], [case]))
    return path


def saved(folder: Path) -> tuple[Case, ...]:
    """Return the cases in `folder`, by name of their files; none where there is no such folder.

    Raises OutputError for a file that cannot be read or is no vector file.
    """
    cases: list[Case] = []
    for path in sorted(folder.glob("*.json")):
        try:
            cases += vectors.parse_area(path.read_text(encoding="ascii"), path.name)
        except (OSError, UnicodeDecodeError, vectors.VectorError) as error:
            raise OutputError(
                f"{path}: it is not a case that a search saved ({error}); remove it or name another --corpus."
            ) from error
    return tuple(cases)


def asked_of(case: Case) -> Meant | None:
    """Return what this version of the suite asks by the input of `case`; None where no search can make that input."""
    entry = entry_of(case)
    if entry is None:
        return None
    try:
        return about(meant(entry), case.clauses[0])
    except NotMeantError:
        return None

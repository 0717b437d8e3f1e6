"""The folder of what a search found, one vector file a difference, to be tried first by the next one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import coli_spec
from coli_conformance import regular_file
from coli_conformance.case import Case
from coli_conformance.corpus import vectors
from coli_conformance.fuzzing.course import NotMeantError
from coli_conformance.fuzzing.entry import entry_of
from coli_conformance.fuzzing.meant import Meant, meant
from coli_conformance.reports import output
from coli_conformance.reports.kept import folder_name
from coli_conformance.reports.output import OutputError

DEFAULT = Path(".coli-fuzz")
_LARGEST = 16 * 1024 * 1024
"""Bytes of one saved case, several times those of all vectors."""


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


def check(folder: Path) -> None:
    """Raise OutputError where nothing could be saved in `folder`, which need not be there yet; nothing is made."""
    nearest = folder
    try:
        while not (nearest.exists() or nearest.is_symlink()):
            nearest = nearest.parent
        output.check(nearest / "file")
    except OSError as error:
        raise OutputError(f"{folder}: nothing can be saved here ({error.strerror}); name another --corpus.") from error


def saved(folder: Path) -> tuple[Case, ...]:
    """Return the cases in `folder`, by name of their files; none where there is no such folder.

    Raises OutputError for a file that cannot be read or is no vector file.
    """
    cases: list[Case] = []
    clauses = {clause.id for clause in coli_spec.load().clauses}
    for path in sorted(folder.glob("*.json")):
        try:
            found = vectors.parse_area(regular_file.read(path, _LARGEST).decode("ascii"), path.name)
        except (regular_file.UnusableFileError, UnicodeDecodeError, vectors.VectorError) as error:
            raise OutputError(
                f"{path}: it is not a case that a search saved ({error}); remove it or name another --corpus."
            ) from error
        if not all(_is_whole(case) and clauses.issuperset(case.clauses) for case in found):
            raise OutputError(
                f"{path}: a case in it has no clause of the contract, or something else than text where text belongs; "
                "remove it or name another --corpus."
            )
        cases += found
    return tuple(cases)


def _is_whole(case: Case) -> bool:
    """Tell whether what a search uses of a case is there and is text, as it is in every case that was saved."""
    texts = (case.id, case.level, *case.clauses, *case.roles, *case.steps, *(item.path for item in case.setup))
    return bool(case.clauses) and all(isinstance(text, str) for text in texts) and isinstance(case.environment, dict)


def asked_of(case: Case) -> Meant | None:
    """Return what this version of the suite asks by the input of `case`; None where no search can make that input."""
    entry = entry_of(case)
    if entry is None:
        return None
    try:
        return about(meant(entry), case.clauses[0])
    except NotMeantError:
        return None

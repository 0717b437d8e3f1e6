"""Which cases a run plays: by id, by clause, by role."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

import coli_spec
from coli_conformance.case import Case
from coli_conformance.interruption.ids import WITH_INTERRUPT, names_interrupted_save


class SelectionError(Exception):
    """A choice of cases that cannot be meant; the message is a sentence with what was probably meant."""


def clauses_tested(case: Case) -> frozenset[str]:
    """Return every clause that `case` names: its own, and those of single answers, files and messages."""
    return frozenset(
        (
            *case.clauses,
            *case.about.values(),
            *(expected.clause for outcome in case.outcomes for expected in outcome.files),
            *(expected.clause for outcome in case.outcomes for expected in outcome.messages),
        )
    )


def select(
    cases: Sequence[Case],
    globs: Sequence[str] = (),
    clauses: Sequence[str] = (),
    role: str | None = None,
) -> tuple[Case, ...]:
    """Return the cases, in their order, that match one of `globs` and test one of `clauses` and need `role`.

    What is empty or None does not narrow the choice. A clause may be in small letters. A glob that is a case's id means
    that case, whatever characters the id has. Raises SelectionError for a glob that matches no case and no twin, an
    unknown clause or role, and a choice that leaves neither cases nor twins (`select_twins`).
    """
    for glob in globs:
        if not any(matches(case.id, glob) for case in cases):
            every_twin = _twins(cases)
            if not any(matches(twin.id, glob) for twin in every_twin):
                known_ids = [case.id for case in (every_twin if "~" in glob else cases)]
                hint = WITH_INTERRUPT if names_interrupted_save(glob) else nearest(glob, known_ids)
                raise SelectionError(f"no case matches {glob!r}. {hint}")
    known = [clause.id for clause in coli_spec.load().clauses]
    for clause in clauses:
        if clause.upper() not in known:
            raise SelectionError(f"there is no clause {clause!r}. {nearest(clause, known)}")
    check_roles([role] if role is not None else [])
    chosen = narrowed(cases, globs, clauses, role)
    if not chosen and not select_twins(cases, globs, clauses, role):
        asked = [*(f"--case {glob}" for glob in globs), *(f"--clause {clause}" for clause in clauses)]
        asked += [f"--role {role}"] if role is not None else []
        wanted = " ".join(asked) or "this corpus"
        hint = f" {WITH_INTERRUPT}" if any(map(names_interrupted_save, map(str.upper, clauses))) else ""
        raise SelectionError(f"no case is left by {wanted}; leave one of these out, or see `vectors list`.{hint}")
    return chosen


def select_twins(
    cases: Sequence[Case],
    globs: Sequence[str] = (),
    clauses: Sequence[str] = (),
    role: str | None = None,
) -> tuple[Case, ...]:
    """Return the twins of `cases` that are chosen as cases are: by their own ids, clauses and roles.

    So the id of a case does not choose its twins, and `ID*` chooses it together with them.
    """
    return narrowed(_twins(cases), globs, clauses, role)


def up_to(cases: Sequence[Case], version: int | None) -> tuple[Case, ...]:
    """Return the cases that corpus `version` (1 or more) has; all where it is None.

    Raises SelectionError for a version that this suite does not have.
    """
    newest = max((case.since for case in cases), default=1)
    if version is not None and version > newest:
        raise SelectionError(f"there is no corpus {version}: the newest here is {newest}. A newer suite may have it.")
    return tuple(case for case in cases if version is None or case.since <= version)


def every_id(cases: Iterable[Case]) -> Iterator[str]:
    """Yield the id of each of `cases` and of their twins."""
    cases = list(cases)
    yield from (case.id for case in cases)
    yield from (twin.id for twin in _twins(cases))


def check_roles(names: Iterable[str]) -> None:
    """Raise SelectionError for the first of `names` that no role has."""
    roles = [role.name for role in coli_spec.load().roles]
    for name in names:
        if name not in roles:
            raise SelectionError(f"there is no role {name!r}. The roles are {', '.join(roles)}.")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names up to five of `known` that look like `word`."""
    import difflib  # noqa: PLC0415 - only a wrong name pays for it

    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(word.casefold(), folded, n=5, cutoff=0.5)
    if not close:
        close = [name for name in folded if name.startswith(word.casefold()[:1])][:5]
    if not close:
        return "There is nothing like it."
    return f"Did you mean {', '.join(folded[name] for name in close)}?"


def _twins(cases: Iterable[Case]) -> list[Case]:
    from coli_conformance.corpus.rewrites import twins  # noqa: PLC0415 - a run makes them when the cases are played

    return [twin for case in cases for twin in twins(case)]


def narrowed(cases: Iterable[Case], globs: Sequence[str], clauses: Sequence[str], role: str | None) -> tuple[Case, ...]:
    """Return the cases that a choice leaves, as `select` describes it; there may be none."""
    wanted = {clause.upper() for clause in clauses}
    return tuple(
        case
        for case in cases
        if (not globs or any(matches(case.id, glob) for glob in globs))
        and (not wanted or not clauses_tested(case).isdisjoint(wanted))
        and (role is None or role in case.roles)
    )


def matches(case_id: str, glob: str) -> bool:
    """Tell whether a case of that id is meant by `glob`, which may be the id itself, whatever characters that has."""
    return case_id == glob or fnmatchcase(case_id, glob)

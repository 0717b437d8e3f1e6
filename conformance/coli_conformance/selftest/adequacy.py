"""Whether the corpus is good enough to judge engines by: the whole policy of the self-test.

    what is asked                                                        of
    a case is about it                                                   every clause that is not exempt
    a fault about it is shown by a case about it                         every must and should that is not exempt
    a case about its first clause sees it broken                         every fault
    some case sees it broken                                             every other clause a fault declares
    every case passes, or cannot be asked on this machine                the sound engine
    a must is broken in every area that has cases                        the engine that does nothing

A clause is also exempt where this machine can ask none of its cases (T09 without a locale that has a decimal comma).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import coli_spec
from coli_conformance.case import Case
from coli_conformance.selftest.matrix import Row
from coli_conformance.selftest.play import Played, Plays

EXEMPT = {
    "G": "a proposal for a record type is judged by it, not an engine",
    "W24": "it takes two engines saving at once, which `run --interrupt` plays; a case of the corpus is one engine's",
}
"""Clauses, or whole areas by letter, that need no case and no fault, each with the reason."""


def unaskable(sound: Played, cases: Sequence[Case]) -> frozenset[str]:
    """Return the clauses of which this machine can ask no case at all."""
    about = {case.clauses[0] for case in cases}
    return frozenset(about - {case.clauses[0] for case in cases if case.id not in sound.unsupported})


def inadequacies(plays: Plays, rows: Sequence[Row], cases: Sequence[Case]) -> Iterator[str]:
    """Yield a sentence for everything that falls short of the table above; `rows` are those of all faults."""
    yield from _of_clauses(rows, cases, unaskable(plays.sound, cases))
    for row in rows:
        if row.clause not in unaskable(plays.sound, cases):
            yield from survivals(row)
    yield from _of_the_sound_engine(plays.sound)
    yield from _of_the_blatant_fault(plays.blatant, cases)


def survivals(row: Row) -> Iterator[str]:
    """Yield a sentence where a fault is not shown, and one for each clause it declares and does not redden."""
    if not row.shown_by:
        yield (
            f"the fault {row.fault} survives: none of the {row.of} cases about {row.clause} sees it broken. Add a case "
            "in which it shows."
        )
    for clause in row.promised:
        if clause not in row.also_red:
            yield (
                f"the fault {row.fault} declares that it breaks {clause} too, and no case sees that. Add a case in "
                "which it shows, or take the clause out of its `breaks`."
            )


def _of_clauses(rows: Sequence[Row], cases: Sequence[Case], not_asked: frozenset[str]) -> Iterator[str]:
    with_case = {case.clauses[0] for case in cases}
    killed = {row.clause for row in rows if row.shown_by}
    for clause in coli_spec.load().clauses:
        if clause.id in EXEMPT or clause.area.letter in EXEMPT or clause.id in not_asked:
            continue
        if clause.id not in with_case:
            yield f"no case is about {clause.id}, a {clause.level}. Add one to the corpus."
        elif clause.level != "may" and clause.id not in killed:
            yield (
                f"no fault about {clause.id}, a {clause.level}, is shown by a case about it: nothing proves that its "
                "cases can fail. Add a faulty engine that breaks it."
            )


def _of_the_sound_engine(sound: Played) -> Iterator[str]:
    for case_id, broken in sound.broken.items():
        yield (
            f"the sound engine fails {case_id} ({', '.join(broken)}). Either the case asks what the contract does not, "
            "or the reference engine is wrong."
        )


def _of_the_blatant_fault(blatant: Played, cases: Sequence[Case]) -> Iterator[str]:
    red = {clause for broken in blatant.broken.values() for clause in broken}
    with_case = {case.clauses[0][0] for case in cases}
    broken_in = {
        clause.area.letter for clause in coli_spec.load().clauses if clause.level == "must" and clause.id in red
    }
    for area in coli_spec.load().areas:
        if area.letter in with_case - broken_in:
            yield (
                f"the engine that answers ok to everything and does nothing breaks no must in area {area.letter}. The "
                "area's cases, or the judge, see nothing."
            )

"""Everything there is to say about a clause: what is declared, and which cases and faulty engines belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import coli_spec
from coli_conformance import faults
from coli_conformance.case import Case
from coli_conformance.selection import clauses_tested
from coli_conformance.selftest.adequacy import EXEMPT
from coli_conformance.specpages import wording


@dataclass(frozen=True, slots=True)
class FaultyEngine:
    """An engine that is wrong on purpose: its name, and what is wrong with it in one sentence."""

    name: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Card:
    """A clause with what surrounds it.

    `wording` are the hex digits of its rule. `cases` have it as their first clause; `elsewhere` are those of other
    clauses that test it on the way. `faults` are about it; `also_breaking` are about another clause and break it too.
    `earlier` are the cases written against another wording of the rule, with that wording. `exempt` says why the clause
    needs no case and no fault, where that is so.
    """

    clause: coli_spec.Clause
    wording: str
    cases: tuple[Case, ...]
    elsewhere: tuple[Case, ...]
    faults: tuple[FaultyEngine, ...]
    also_breaking: tuple[FaultyEngine, ...]
    earlier: Mapping[str, str]
    exempt: str | None


def card(clause: coli_spec.Clause, cases: Sequence[Case], table: Mapping[str, str], spec: coli_spec.Spec) -> Card:
    """Return the card of a clause; `table` holds the wordings by case id (`wording.committed`)."""
    about = tuple(case for case in cases if case.clauses[0] == clause.id)
    breaking = {name: faults.breaks(fault) for name, fault in faults.all_faults().items()}
    return Card(
        clause=clause,
        wording=wording.wording(clause.rule),
        cases=about,
        elsewhere=tuple(case for case in cases if case.clauses[0] != clause.id and clause.id in clauses_tested(case)),
        faults=_described(name for name, broken in breaking.items() if broken[0] == clause.id),
        also_breaking=_described(name for name, broken in breaking.items() if clause.id in broken[1:]),
        earlier=wording.earlier(about, table, spec),
        exempt=EXEMPT.get(clause.id, EXEMPT.get(clause.area.letter)),
    )


def cards(cases: Sequence[Case], table: Mapping[str, str], spec: coli_spec.Spec) -> tuple[Card, ...]:
    """Return the card of every clause, in the order declared."""
    return tuple(card(clause, cases, table, spec) for clause in spec.clauses)


def _described(names: Iterable[str]) -> tuple[FaultyEngine, ...]:
    return tuple(FaultyEngine(name, " ".join((faults.fault(name).__doc__ or "").split())) for name in sorted(names))

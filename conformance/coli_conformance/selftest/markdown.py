"""The kill matrix as a page of Markdown: the same bytes from the same corpus and faults, wherever it is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.selftest.adequacy import EXEMPT
from coli_conformance.selftest.matrix import Row
from coli_conformance.selftest.play import LARGE_ENGINE, LARGE_INPUT

_HEAD = """\
# Kill matrix

Written by `coli-conformance self-test --write`, compared by `--check`, never edited by hand: {faults} engines, each
wrong in one way, against the {cases} cases of the corpus.

A fault is *about* a clause. *Shown by* counts the cases about that clause which saw it broken; *also red* are the other
clauses that any case saw broken on the way. A case is played against a fault only where it reaches a step of the engine
that the fault replaces, for elsewhere the two engines are one. A case of more than {input:,} bytes of input, or of more
than {engine:,} counters, is left out for a fault that another case about its clause shows.

An engine without a fault passes every case. An engine that answers `ok` to everything and does nothing breaks a must in
every area.
"""


def page(rows: Sequence[Row], cases: Sequence[Case]) -> str:
    """Return the page, ending in a newline; `rows` are those of all faults."""
    return "\n".join(_lines(rows, cases)) + "\n"


def difference(old: str, new: str) -> str | None:
    """Return a sentence on the first line in which two pages differ, or None."""
    for number, (before, after) in enumerate(zip_longest(old.split("\n"), new.split("\n")), start=1):
        if before != after:
            return (
                f"line {number} is {_quoted(before)}, and the corpus and the faults of today make it {_quoted(after)}"
            )
    return None


def _red(row: Row) -> tuple[str, ...]:
    return (row.clause, *row.also_red) if row.shown_by else row.also_red


def _quoted(text: str | None) -> str:
    return "missing" if text is None else f"`{text}`"


def _lines(rows: Sequence[Row], cases: Sequence[Case]) -> Iterator[str]:
    spec = coli_spec.load()
    yield from _HEAD.format(faults=len(rows), cases=len(cases), input=LARGE_INPUT, engine=LARGE_ENGINE).split("\n")
    yield "Exempt from having cases and faults:"
    yield ""
    yield from (f"- {name}: {reason}." for name, reason in EXEMPT.items())
    for area in spec.areas:
        clauses = [clause for clause in spec.clauses if clause.area == area]
        about = [row for row in rows if row.clause in {clause.id for clause in clauses}]
        if not about:
            continue
        yield from ("", f"## {area.letter}: {area.title}", "")
        yield "| clause | level | cases about it | faults about it | faults that redden it |"
        yield "| --- | --- | --- | --- | --- |"
        for clause in clauses:
            own = sum(row.clause == clause.id for row in rows)
            reddening = sum(clause.id in _red(row) for row in rows)
            count = sum(case.clauses[0] == clause.id for case in cases)
            yield f"| {clause.id} | {clause.level} | {count} | {own} | {reddening} |"
        yield ""
        yield "| about | fault | what is wrong with it | shown by | also red |"
        yield "| --- | --- | --- | --- | --- |"
        for row in about:
            wrong = row.wrong.replace("|", "\\|")
            red = " ".join(row.also_red)
            yield f"| {row.clause} | `{row.fault}` | {wrong} | {len(row.shown_by)} of {row.of} | {red} |"

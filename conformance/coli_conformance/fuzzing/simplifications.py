"""What is taken out of an entry first, because usually it does not matter, so that the clause says what does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.meaning import header, render
from coli_conformance.fuzzing import lines
from coli_conformance.fuzzing.entry import READS, Entry
from coli_conformance.fuzzing.smaller import with_model, with_steps

_PLAIN_NAMES = ("kimi_k3", "glm_moe_dsa")
"""A name with an id below 2147483648, and one with an id above it."""
_LOWEST_AGREED = min(coli_spec.load().agreed_numbers())


Simpler = Callable[[Entry], Iterable[Entry]]


def _without_trace(entry: Entry) -> Iterable[Entry]:
    yield replace(entry, tracing=False)


def _one_read_alone(entry: Entry) -> Iterable[Entry]:
    for read in dict.fromkeys(step for step in entry.steps if step.startswith(READS)):
        yield with_steps(entry, (read, "counts"))


def _untrusted(entry: Entry) -> Iterable[Entry]:
    yield replace(entry, steps=tuple(step.replace("trust ", "load ") for step in entry.steps))


def _with_a_plain_name(entry: Entry) -> Iterable[Entry]:
    for name in _PLAIN_NAMES:
        if entry.target.name == name:
            return
        yield with_model(entry, replace(entry.target, name=name))


def _rewritten(change: Callable[[Entry, list[Record]], list[Record]]) -> Simpler:
    """Return what rewrites the records of every file that is sound text, spaced canonically."""

    def simpler(entry: Entry) -> Iterable[Entry]:
        files = []
        for path, data in entry.files:
            text = lines.read(data)
            records = change(entry, list(text.records)) if text.sound else []
            files.append((path, render(records).encode() if text.sound else data))
        yield replace(entry, files=tuple(files))

    return simpler


def _with_the_right_header(entry: Entry, records: list[Record]) -> list[Record]:
    agreed = coli_spec.load().agreed_numbers()
    if not any(record[0] in agreed for record in records):
        return records
    return [*header(entry.target), *(record for record in records if record[0] not in agreed)]


def _as_they_are(_: Entry, records: list[Record]) -> list[Record]:
    return records


def _known(_: Entry, records: list[Record]) -> list[Record]:
    return [record for record in records if record[0] >= _LOWEST_AGREED]


def _with_a_counter(entry: Entry, records: list[Record]) -> list[Record]:
    target = entry.target
    dropped = {int(step.split(" ")[1]) for step in entry.steps if step.startswith("drop ")}
    return [
        record
        for record in records
        if record[0] < 0
        or (record[0] <= target.n_layers and record[0] not in dropped and 0 <= record[1] < target.n_experts)
    ]


def _below_the_mtp_row(entry: Entry, records: list[Record]) -> list[Record]:
    return [(0, *record[1:]) if record[0] == entry.target.n_layers else record for record in records]


def _small_counts(_: Entry, records: list[Record]) -> list[Record]:
    return [record if record[0] < 0 else (*record[:2], min(record[2], 9)) for record in records]


def _named_once(_: Entry, records: list[Record]) -> list[Record]:
    places = {record[:2]: record for record in records if record[0] >= 0}
    return [record for record in records if record[0] < 0 or places[record[:2]] is record]


ALL: tuple[Simpler, ...] = (
    _without_trace,
    _one_read_alone,
    _untrusted,
    _rewritten(_as_they_are),
    _rewritten(_with_the_right_header),
    _rewritten(_known),
    _rewritten(_with_a_counter),
    _rewritten(_below_the_mtp_row),
    _rewritten(_named_once),
    _rewritten(_small_counts),
    _with_a_plain_name,
)
"""Each gives what to try, the simplest first, in this order; what makes the difference disappear is not done."""

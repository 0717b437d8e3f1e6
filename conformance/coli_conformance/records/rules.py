"""The rules a proposal is held to, G01 to G07 with W02 and W03: one function a rule, one sentence a breach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coli_conformance.records.breach import Breach
from coli_conformance.records.proposal import HASH, TEXT_KEYS, Proposal
from coli_conformance.records.ranges import count_breaches, range_breaches
from coli_spec.model import Spec

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_MOST_NAME = 30
_OWES = {
    "purpose": "what the record is for",
    "loss": "what a reader that skips it goes without",
    "placement": "where in the history it stands",
    "multiplicity": "how many of it there are",
    "erased": "what is gone once an older build has saved, and how it comes back",
}
"""What each text of a proposal says."""
assert tuple(_OWES) == TEXT_KEYS


def breaches(proposal: Proposal, others: Sequence[Proposal], spec: Spec) -> tuple[Breach, ...]:
    """Return every breach, in the order of the rules; `others` are proposals that are checked with this one."""
    return (
        *_number(proposal, others, spec),
        *_field_count(proposal, spec),
        *_field_types(proposal, spec),
        *range_breaches(proposal, spec),
        *count_breaches(proposal, spec),
        *_skipping(proposal),
        *_erasing(proposal),
        *_name(proposal, spec),
        *_texts(proposal),
    )


def _number(proposal: Proposal, others: Sequence[Proposal], spec: Spec) -> Iterator[Breach]:
    """G01: negative, -3 or below, never used before, in range; and W03 for its range."""
    number, line = proposal.number, proposal.lines["number"]
    first = spec.fields[0]
    free = f"{spec.free_number()} is the next free one"
    taken = spec.record(number)
    if number >= 0:
        yield Breach(("G01",), line, f"the number {number} makes the record data for layer {number}; {free}")
    elif not first.holds(number):
        yield Breach(("G01", "W03"), line, f"the number {number} does not fit the first field ({first.name}); {free}")
    elif taken is not None and taken.status == "withdrawn":
        yield Breach(
            ("G01",), line, f"the number {number} was that of {taken.name}, now withdrawn, and stays unused; {free}"
        )
    elif taken is not None:
        yield Breach(("G01",), line, f"the number {number} is taken by the agreed record {taken.name}; {free}")
    for other in others:
        if other.path != proposal.path and other.number == number:
            yield Breach(
                ("G01",), line, f"the number {number} is proposed in {other.path} as well; one of the two takes another"
            )


def _field_count(proposal: Proposal, spec: Spec) -> Iterator[Breach]:
    """G02 and W02: exactly three fields, of which the number is the first."""
    count = 1 + len(proposal.fields)
    line = proposal.lines["fields"]
    if count > len(spec.fields):
        over = ", ".join(field.name for field in proposal.fields[len(spec.fields) - 1 :])
        yield Breach(
            ("G02", "W02"),
            line,
            f"the record has {count} fields; old readers take three at a time and invent a record from the rest "
            f"({over}) and the start of the next line. Pack it into a field, or spread it over several records",
        )
    elif count < len(spec.fields):
        yield Breach(
            ("G02", "W02"),
            line,
            f"the record has {count} fields; old readers fill it up from the next line, whose record is then lost. A "
            "field that means nothing is written as 0",
        )


def _field_types(proposal: Proposal, spec: Spec) -> Iterator[Breach]:
    """W03: plain integers of the fields' types; G04: what uses all 32 bits goes third."""
    second, third = spec.fields[1:]
    known = (*(type_.name for type_ in dict.fromkeys(spec.fields)), HASH)
    for position, field in enumerate(proposal.fields, start=2):
        named = f"field {position}, {field.name}: "
        if field.type not in known:
            yield Breach(
                ("W03",),
                field.line,
                f"{named}{field.type!r} is no type of a field; at anything but a plain decimal integer old readers "
                f"stop and lose every record after it. Write one of {', '.join(known)}",
            )
        elif position == 2 and field.type != second.name:
            yield Breach(
                ("G04",),
                field.line,
                f"{named}{field.type} uses all 32 bits, and the second field is {second.name}, up to {second.maximum}, "
                "in every reader already shipped. It belongs in the third field",
            )
        elif position == 3 and field.type == second.name:
            yield Breach(
                ("W03",), field.line, f"{named}the third field is {third.name} and has no sign; write {third.name}"
            )


def _skipping(proposal: Proposal) -> Iterator[Breach]:
    """G05: a reader that passes over the record reads a correct history."""
    line = proposal.lines.get("changes_data_records", 1)
    if proposal.changes_data_records is None:
        yield Breach(
            ("G05",),
            line,
            "the proposal does not say whether the data records mean something else without the record; add "
            "`changes_data_records: false` if they do not",
        )
    elif proposal.changes_data_records:
        yield Breach(
            ("G05",),
            line,
            "without the record the data records mean something else, and every old reader goes without it: it would "
            "read a wrong history in silence. What changes the data takes a new format version",
        )


def _erasing(proposal: Proposal) -> Iterator[Breach]:
    """G06: the proposal says that an older build's next save erases the record."""
    if proposal.erased_by_older_builds is True:
        return
    says = "says that it does not" if proposal.erased_by_older_builds is False else "does not say so"
    yield Breach(
        ("G06",),
        proposal.lines.get("erased_by_older_builds", 1),
        f"the next save of a build that does not know the record erases it, and the proposal {says}; write "
        "`erased_by_older_builds: true`, and under `erased` what is then gone",
    )


def _name(proposal: Proposal, spec: Spec) -> Iterator[Breach]:
    """G07: names by which the record, its cases and its fields are called."""
    name, line = proposal.name, proposal.lines["name"]
    if not _NAME.fullmatch(name) or len(name) > _MOST_NAME:
        yield Breach(
            ("G07",),
            line,
            f"the name {name!r} stands in the ids of cases: at most {_MOST_NAME} of a-z, 0-9 and -, a letter first",
        )
    elif name in {record.name for record in (spec.data, *spec.records)}:
        yield Breach(("G07",), line, f"the name {name} is that of a declared record type; choose another")
    for field in proposal.fields:
        if not _FIELD_NAME.fullmatch(field.name):
            yield Breach(("G07",), field.line, f"the field name {field.name!r} is no name of a-z, 0-9 and _")


def _texts(proposal: Proposal) -> Iterator[Breach]:
    """G07: agreed means, first of all, that the text and the field meanings are there."""
    for key, what in _OWES.items():
        if proposal.texts[key] is None:
            yield Breach(("G07",), proposal.lines.get(key, 1), f"{key!r} is not written: {what}")
    for position, field in enumerate(proposal.fields, start=2):
        if field.meaning is None:
            yield Breach(("G07",), field.line, f"field {position}, {field.name}: 'meaning' is not written")
    for key, names in (("writers", proposal.writers), ("readers", proposal.readers)):
        if not names:
            yield Breach(("G07",), proposal.lines.get(key, 1), f"{key!r} names nobody; a record nobody uses waits")

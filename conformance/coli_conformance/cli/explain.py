"""`coli-conformance explain`: a clause, a case or a code of `check` in words, or the list of clauses."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

import coli_spec
from coli_conformance.case import Case, FileExpectation, MessageExpectation, Outcome, SetupFile
from coli_conformance.check import catalogue
from coli_conformance.check.explained import code_lines
from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.corpus import vectors
from coli_conformance.corpus.rewrites import original_of, twins
from coli_conformance.escape import cut, shown_bytes
from coli_conformance.reports.lines import Line, line, width_of, wrapped, write
from coli_conformance.score import USAGE
from coli_conformance.selection import nearest

if TYPE_CHECKING:
    from coli_conformance.specpages.card import Card

_CLAUSE = re.compile(r"[A-Za-z][0-9]{2}", re.ASCII)
_RANGE = re.compile(r"\branges?\b.*\b(?:field|position)|\bfields?\b.*\brange")
"""Finds the rules that speak of the ranges of fields."""
_SHOWN_LINES = 20
_SHOWN_STEPS = 40


@click.command("explain")
@click.argument("name", metavar="[ID]", required=False)
def command(name: str | None) -> None:
    """Explain a clause, a case or a code of `check`; a letter lists the clauses of an area, nothing lists them all.

    Of a clause: its text, why it is there, the cases that test it, and the faulty engines that these kill. Of a case:
    what is done and what is expected.
    """
    width = width_of(sys.stdout)
    spec = coli_spec.load()
    areas = spec.areas if name is None else [area for area in spec.areas if area.letter == name.upper()]
    if name is None or areas:
        write(list_lines(areas, spec, width), sys.stdout)
        return
    with complaints():
        cases, _ = vectors.committed()
    clause = next((clause for clause in spec.clauses if clause.id == name.upper()), None)
    if clause is not None:
        write(clause_lines(_card(clause, cases), width), sys.stdout)
        return
    originals = [case for case in cases if case.id == original_of(name)]
    case = next((case for original in originals for case in (original, *twins(original)) if case.id == name), None)
    if case is not None:
        write(case_lines(case, width), sys.stdout)
        return
    code = catalogue.find(name)
    if code is not None:
        write(code_lines(code, width), sys.stdout)
        return
    if _CLAUSE.fullmatch(name):
        near = nearest(name, (clause.id for clause in spec.clauses))
        raise Complaint(f"there is no clause {name!r}. {near}", USAGE)
    codes = (code.name for code in catalogue.CODES)
    near = nearest(name, [*(case.id for case in cases), *(clause.id for clause in spec.clauses), *codes])
    raise Complaint(f"{name!r} is neither a clause, a case nor a code of check. {near}", USAGE)


def _card(clause: coli_spec.Clause, cases: Sequence[Case]) -> Card:
    from coli_conformance.specpages import wording  # noqa: PLC0415 - a case is explained without
    from coli_conformance.specpages.card import card  # noqa: PLC0415 - it reads every faulty engine

    with complaints():
        return card(clause, cases, wording.committed(), coli_spec.load())


def clause_lines(card: Card, width: int) -> Iterator[Line]:
    """Yield everything declared about a clause, the cases that test it, and the faulty engines that they kill."""
    clause = card.clause
    yield line((clause.id, "id"), f"  {clause.level}  ", (clause.area.title, "faint"))
    yield from wrapped(clause.rule, width, "  ")
    yield line()
    yield from _labelled("why", clause.why, width)
    yield from _labelled("roles", " ".join(clause.roles) or "none: nothing a driver is asked", width)
    if _RANGE.search(clause.rule):
        yield from _labelled("ranges", _ranges(coli_spec.load()), width)
    for decision in clause.settled:
        yield from _labelled("settled", decision, width)
    if clause.behaviours:
        yield from _labelled("legal", ", ".join(clause.behaviours), width)
    yield from _labelled("wording", card.wording, width)
    none = f"none: {card.exempt}" if card.exempt else "none"
    yield from _labelled("cases", f"{len(card.cases)} about it" if card.cases else none, width)
    yield from wrapped("  ".join(case.id for case in card.cases), width, "  ")
    if card.earlier:
        stale = ", ".join(f"{case} ({wording})" for case, wording in card.earlier.items())
        yield from _labelled("earlier", f"written against another wording, to be looked at again: {stale}", width)
    if card.elsewhere:
        yield from _labelled("also in", f"{len(card.elsewhere)} cases about other clauses", width)
        yield from wrapped("  ".join(case.id for case in card.elsewhere), width, "  ")
    yield from _labelled("faults", f"{len(card.faults)} that its cases kill" if card.faults else none, width)
    for fault in card.faults:
        yield from wrapped(f"{fault.name}: {fault.wrong}", width, "  ")
    if card.also_breaking:
        names = ", ".join(fault.name for fault in card.also_breaking)
        yield from _labelled("also", f"broken by faults about other clauses: {names}", width)


def list_lines(areas: Sequence[coli_spec.Area], spec: coli_spec.Spec, width: int) -> Iterator[Line]:
    """Yield the clauses of `areas`: id, level and the beginning of the rule, a line each."""
    for number, area in enumerate(areas):
        if number:
            yield line()
        yield line((area.letter, "id"), f"  {area.title}")
        for clause in spec.clauses:
            if clause.area == area:
                head = f"{clause.id}  {clause.level:<6}  "
                yield line("  ", head, cut(clause.rule, width - len(head) - 2))


def _ranges(spec: coli_spec.Spec) -> str:
    """Return what each field of a record can hold."""
    number = ("first", "second", "third")
    fields = zip(number, spec.fields, strict=True)
    return "; ".join(f"{word} field {field.minimum} to {field.maximum}" for word, field in fields)


def case_lines(case: Case, width: int) -> Iterator[Line]:
    """Yield a case in words: what lies in the folder, what is said, what must be answered and left behind."""
    yield line((case.id, "id"), f"  {case.level}  ", (f"since corpus {case.since}", "faint"))
    yield from wrapped(case.why, width, "  ")
    yield line()
    yield from _labelled("clauses", " ".join(case.clauses), width)
    yield from _labelled("roles", " ".join(case.roles), width)
    for name, value in case.environment.items():
        yield from _labelled("with", f"{name}={value}", width)
    if case.second_environment is not None:
        others = " ".join(f"{name}={value}" for name, value in case.second_environment.items()) or "none of these"
        yield from _labelled("again", f"the same session with {others}; the files of both runs are compared", width)
    if case.decimal_comma:
        yield from _labelled("locale", "one whose decimal point is a comma, where there is one", width)
    if case.file_size_limit is not None:
        yield from _labelled(
            "limit", f"no file grows beyond {case.file_size_limit} bytes: writes fail as on a full disk", width
        )
    for item in case.setup:
        yield line()
        yield from _setup(item, width)
    for outcome in case.outcomes:
        yield line()
        yield from _outcome(case, outcome, width)


def _labelled(label: str, text: str, width: int) -> Iterator[Line]:
    indent = " " * 11
    for number, content in enumerate(wrapped(text, width, indent)):
        yield line("  ", (f"{label:<9}", "faint"), content[1]) if not number else content


def _setup(item: SetupFile, width: int) -> Iterator[Line]:
    if item.link_to is not None:
        yield line(
            f"  {item.path} is a hard link to {item.link_to} as it is now, to see whether it is changed in place"
        )
    elif item.data is None:
        yield line(f"  {item.path} is an empty folder")
    else:
        yield line(f"  {item.path} lies there, {len(item.data)} bytes")
        yield from _content(item.data, width)


def _content(data: bytes, width: int) -> Iterator[Line]:
    """Yield the first lines of a file with their numbers; every byte that is not printable is escaped."""
    lines = data.split(b"\n")
    unfinished = lines.pop() if lines[-1] else lines.pop() and b""
    lines += [unfinished] if unfinished else []
    for number, text in enumerate(lines[:_SHOWN_LINES], start=1):
        yield line((f"{number:>9} | ", "faint"), cut(shown_bytes(text), width - 12))
    if len(lines) > _SHOWN_LINES:
        yield line((f"{'':>9} | and {len(lines) - _SHOWN_LINES} more lines", "faint"))
    if unfinished:
        yield line((f"{'':>9} | no newline at the end", "faint"))


def _outcome(case: Case, outcome: Outcome, width: int) -> Iterator[Line]:
    yield line(f"  legal behaviour {outcome.name}:" if outcome.name else "  the session, and what must be answered:")
    commands = [cut(step, width // 2) for step in case.steps[:_SHOWN_STEPS]]
    room = max(map(len, commands))
    for index, (step, answer) in enumerate(zip(commands, outcome.answers[:_SHOWN_STEPS], strict=True)):
        first, *more = answer.split("\n")
        clause = case.about.get(index)
        note = f"   ({clause})" if clause is not None else ""
        yield line(f"    {step:<{room}}  ", (cut(first, width // 2), "id"), (note, "faint"))
        for text in more:
            yield line(f"    {'':<{room}}  ", (text, "id"))
    if len(case.steps) > len(commands):
        rest = len(case.steps) - len(commands)
        yield line((f"    and {rest} more commands: `vectors show {case.id}` has them all", "faint"))
    for expected in outcome.files:
        yield from _file(expected, width)
    for message in outcome.messages:
        yield from wrapped(f"{message.clause}: {_message(message)}.", width, "  ")


def _file(expected: FileExpectation, width: int) -> Iterator[Line]:
    if expected.history is not None:
        history = expected.history
        if not history.records:
            yield line(f"  {expected.clause}: {expected.path} has zero bytes.")
            return
        bytes_too = ", byte for byte" if history.canonical else ", in this or another order"
        yield line(f"  {expected.clause}: {expected.path} holds these records{bytes_too}:")
        yield from _content(history.canonical_bytes, width)
        if history.kept:
            kept = "; ".join(" ".join(map(str, record)) for record in history.kept)
            yield from wrapped(f"These may stand there as well: {kept}.", width, "  ")
    elif expected.data is not None:
        yield line(f"  {expected.clause}: {expected.path} holds exactly:")
        yield from _content(expected.data, width)
    elif expected.absent:
        yield line(f"  {expected.clause}: there is no {expected.path}.")
    elif expected.only is not None:
        yield line(f"  {expected.clause}: nothing lies in the folder but {', '.join(expected.only) or 'nothing'}.")
    elif expected.somewhere is not None:
        yield line(f"  {expected.clause}: some file in the folder holds these bytes:")
        yield from _content(expected.somewhere, width)
    elif expected.trace is not None:
        exactly = "exactly four decimals" if expected.trace.four_decimals else "at least four decimals"
        yield line(f"  {expected.clause}: {expected.path} is this trace, its gates with {exactly}:")
        yield from _content(expected.trace.canonical_bytes, width)
    elif expected.same:
        yield line(f"  {expected.clause}: {expected.path} holds the same bytes in both runs.")
    else:
        yield line(f"  {expected.clause}: {expected.path} is judged.")


def _message(message: MessageExpectation) -> str:
    where = "standard error, or the reason in an answer," if message.or_in_answer else "standard error"
    if message.any_of:
        return f"{where} says {' or '.join(repr(text) for text in message.any_of)}"
    if message.none_of:
        return f"{where} says nothing of {' or '.join(repr(text) for text in message.none_of)}"
    return f"exactly one line of {where} says {message.once!r}"

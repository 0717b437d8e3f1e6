"""The metamorphic layer: rewrites of a history that must not matter, and the twins of a case made with them.

A twin is the same session over rewritten input; everything expected of the original is expected of it. Twins are
derived from the committed cases whenever they are needed and are not committed themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import coli_spec
from coli_conformance.case import Case, FileExpectation, Outcome, Record, SetupFile

Lines = list[str]

LARGEST = 20_000
"""Bytes of the largest input that is rewritten: several times what a reader takes at once, and quick to play often."""

_MARK = "~"
"""What stands in the id of a twin between its original's and the rewrite's name."""
_CANONICAL = re.compile(rb"(?:-?[0-9]{1,10} -?[0-9]{1,10} [0-9]{1,10}\n)+")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One rewrite: its name in the ids of twins, the clause that says it must not matter, and what it does.

    `done` says it in words, of the input. `apply` takes the lines of a canonical history without their LF and returns
    the whole new text. `injected` are the unknown header records that it adds, which a save may drop or keep (W25).
    """

    name: str
    clause: str
    done: str
    apply: Callable[[Lines], str]
    injected: tuple[Record, ...] = ()


def twins(case: Case) -> Iterator[Case]:
    """Yield the twins of `case`: one for each rewrite that changes an input file of it. Only a must has twins.

    A case has none where no input of it is a canonical text history or one is longer than LARGEST. No unknown record
    is injected where the case is itself about what a save makes of one (W25).
    """
    inputs = [item.data for item in case.setup if item.data is not None]
    if case.level != "must" or any(len(data) > LARGEST for data in inputs):
        return
    canonical = [data for data in inputs if _CANONICAL.fullmatch(data)]
    for rewrite in REWRITES:
        if rewrite.injected and "W25" in case.clauses:
            continue
        rewritten = {data: rewrite.apply(data.decode("ascii")[:-1].split("\n")).encode("ascii") for data in canonical}
        if any(before != after for before, after in rewritten.items()):
            yield _twin(case, rewrite, rewritten)


def original_of(case_id: str) -> str:
    """Return the id of the case that the twin of this id is made from; the id itself where it is not a twin's."""
    return case_id.rpartition(_MARK)[0] or case_id


def rewrite_of(case_id: str) -> str:
    """Return the name of the rewrite by which the twin of this id is made; empty where it is not a twin's."""
    original, _, name = case_id.rpartition(_MARK)
    return name if original else ""


def _twin(case: Case, rewrite: Rewrite, rewritten: dict[bytes, bytes]) -> Case:
    return replace(
        case,
        id=f"{case.id}{_MARK}{rewrite.name}",
        clauses=(rewrite.clause, *(clause for clause in case.clauses if clause != rewrite.clause)),
        roles=_with_roles(case, rewrite.clause),
        why=f"{case.why} The input is rewritten and must do the same: {rewrite.done}.",
        setup=tuple(_rewritten_setup(item, rewritten) for item in case.setup),
        about={},
        outcomes=tuple(_rewritten_outcome(outcome, rewrite, rewritten) for outcome in case.outcomes),
    )


def _with_roles(case: Case, clause: str) -> tuple[str, ...]:
    spec = coli_spec.load()
    needed = {*case.roles, *spec.clause(clause).roles}
    return tuple(role.name for role in spec.roles if role.name in needed)


def _rewritten_setup(item: SetupFile, rewritten: dict[bytes, bytes]) -> SetupFile:
    return item if item.data is None else replace(item, data=rewritten.get(item.data, item.data))


def _rewritten_outcome(outcome: Outcome, rewrite: Rewrite, rewritten: dict[bytes, bytes]) -> Outcome:
    """Expect the same, with rewritten bytes where the input's own bytes are expected to be still there."""

    def rewritten_file(expected: FileExpectation) -> FileExpectation:
        written = expected.history
        return replace(
            expected,
            clause=rewrite.clause,
            data=None if expected.data is None else rewritten.get(expected.data, expected.data),
            somewhere=None if expected.somewhere is None else rewritten.get(expected.somewhere, expected.somewhere),
            history=None if written is None else replace(written, kept=(*written.kept, *rewrite.injected)),
        )

    return replace(
        outcome,
        files=tuple(rewritten_file(expected) for expected in outcome.files),
        messages=tuple(replace(expected, clause=rewrite.clause) for expected in outcome.messages),
    )


# -- the rewrites -----------------------------------------------------------------------------------------------------


def _text(lines: Lines, end: str = "\n") -> str:
    return "".join(line + end for line in lines)


def _respaced(lines: Lines) -> str:
    """Put more than one blank or tab between fields, and some at both ends of every second line."""
    return _text(
        [
            " \t" + line.replace(" ", "  ") + "\t" if number % 2 else line.replace(" ", "\t \t")
            for number, line in enumerate(lines)
        ]
    )


def _is_data(line: str) -> bool:
    return not line.startswith("-")


def _reordered(lines: Lines) -> str:
    """Turn the order of the data records round; every header record stays where it is."""
    data = iter([line for line in reversed(lines) if _is_data(line)])
    return _text([next(data) if _is_data(line) else line for line in lines])


def _split(lines: Lines) -> str:
    """Make two records of every data record whose count can be divided: they add up to it."""
    halves: Lines = []
    for line in lines:
        layer, expert, count = line.split(" ")
        if _is_data(line) and int(count) > 1:
            halves += [f"{layer} {expert} {int(count) // 2}", f"{layer} {expert} {int(count) - int(count) // 2}"]
        else:
            halves.append(line)
    return _text(halves)


_FIRST, _SECOND, _THIRD = coli_spec.load().fields
_NEWEST_UNKNOWN = min(coli_spec.load().agreed_numbers()) - 1
_BEFORE: Record = (_NEWEST_UNKNOWN, 7, 12)
_BETWEEN: Record = (_FIRST.minimum, _SECOND.minimum, _THIRD.maximum)
_AFTER: Record = (_NEWEST_UNKNOWN - 7, _SECOND.maximum, 0)


def _line(record: Record) -> str:
    return " ".join(map(str, record))


def _with_unknown_before(lines: Lines) -> str:
    return _text([_line(_BEFORE), *lines])


def _with_unknown_after(lines: Lines) -> str:
    return _text([*lines, _line(_AFTER)])


def _with_unknown_between(lines: Lines) -> str:
    return _text([part for line in lines for part in (line, _line(_BETWEEN))][:-1])


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("crlf", "R12", "its lines end in CR LF", lambda lines: _text(lines, "\r\n")),
    Rewrite("blanks", "R12", "it has several blanks or tabs between fields and at the ends of lines", _respaced),
    Rewrite("blank-lines", "R12", "it has blank lines", lambda lines: "\n" + _text(lines, "\n\n")),
    Rewrite("no-final-newline", "R12", "its last line does not end", "\n".join),
    Rewrite("unknown-before", "R02", "an unknown header record stands first", _with_unknown_before, (_BEFORE,)),
    Rewrite(
        "unknown-between", "R02", "an unknown header record stands between any two", _with_unknown_between, (_BETWEEN,)
    ),
    Rewrite("unknown-after", "R02", "an unknown header record stands last", _with_unknown_after, (_AFTER,)),
    Rewrite("reordered", "R01", "its data records stand in the opposite order", _reordered),
    Rewrite("split", "R14", "each data record of 2 or more is two that add up to it", _split),
)
"""Every declared rewrite, in the order in which the twins of a case are made."""

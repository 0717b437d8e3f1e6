"""What is wrong with the header records of a written history: clauses W04 to W07 and W14."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import coli_spec
from coli_conformance.case import Record, WrittenHistory
from coli_conformance.judge.history_lines import Line
from coli_conformance.judge.verdict import Finding


def judge_header(path: str, lines: Sequence[Line], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield what is wrong with the place and the values of the records -1 and -2, and with unknown ones."""
    dimensions, identity = expected.header
    for position, wanted in enumerate((dimensions, identity)):
        yield from _judge_place(path, lines, wanted[0], position)
    for line in lines:
        number = line.values[0]
        if number == dimensions[0]:
            yield from _judge_dimensions(line, dimensions)
        elif number == identity[0]:
            yield from _judge_identity(line, identity)
    yield from _judge_unknown(path, lines, expected)


def _judge_place(path: str, lines: Sequence[Line], number: int, position: int) -> Iterator[Finding]:
    """Yield a finding unless the record `number` is record `position` of the file, and only that (W04)."""
    found = [line for line in lines if line.values[0] == number]
    expected = f"`{number} ...` as record {position + 1}"
    if not found:
        sentence = f"there is no `{number}` record; a history without it cannot be refused by name"
        yield Finding("W04", sentence, path=path, expected=expected, seen="no such record")
    elif len(found) > 1:
        yield found[1].finding("W04", f"a second `{number}` record; it stands once, in front", 0, expected)
    elif lines[position : position + 1] != found:
        yield found[0].finding("W04", f"the `{number}` record is not record {position + 1} of the file", 0, expected)


def _judge_dimensions(line: Line, wanted: Record) -> Iterator[Finding]:
    """Yield the first of the two dimensions that is not the session's (W05)."""
    for index in (1, 2):
        if line.value(index) != wanted[index]:
            sentence = f"the engine was initialised with {wanted[1]} layers of {wanted[2]} experts"
            yield line.finding("W05", sentence, index, _shown(wanted))
            return


def _judge_identity(line: Line, wanted: Record) -> Iterator[Finding]:
    """Yield where version and id are not in their fields (W06) or the id is not the engine's (W07)."""
    _, version, engine_id = wanted
    second, third = line.value(1), line.value(2)
    if (second, third) == (version, engine_id):
        return
    if (second, third) == (engine_id, version):
        sentence = "version and id have changed places: the version goes second, the id third"
        yield line.finding("W06", sentence, 1, _shown(wanted))
        return
    if second != version:
        yield line.finding("W06", f"the second field is not the format version {wanted[1]}", 1, _shown(wanted))
    if third != engine_id:
        sentence = f"the third field is not {wanted[2]}, FNV-1a (32 bits) of the engine's name"
        yield line.finding("W07", sentence, 2, _shown(wanted))


def _judge_unknown(path: str, lines: Sequence[Line], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield header records that nobody agreed, asked for or loaded, and asked-for ones that are missing (W14)."""
    agreed = coli_spec.load().agreed_numbers()
    seen: list[Record] = []
    for line in lines:
        for record in line.records:
            seen.append(record)
            if record[0] < 0 and record[0] not in agreed and record not in (*expected.kept, *expected.added):
                sentence = f"header record {record[0]} is not an agreed one, and no loaded file held it"
                yield line.finding("W14", sentence, 0, "no such record")
    for record in expected.added:
        if (times := seen.count(record)) != 1:
            sentence = f"the header record `{_shown(record)}` stands {times} times in {path}, once is owed"
            yield Finding("W14", sentence, path=path, expected=_shown(record), seen=f"{times} of them")


def _shown(record: Record) -> str:
    return " ".join(map(str, record))

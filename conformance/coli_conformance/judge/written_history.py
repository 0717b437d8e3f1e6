"""Judging a history that an engine wrote, by area W, in whatever case it wrote it.

The header is held against the session's identity and dimensions, the records against its counters, and the file as a
whole against the old readers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

import coli_spec
from coli_conformance.case import Record, WrittenHistory
from coli_conformance.judge.history_lines import Field, Line, cut, judge_canonical, judge_form
from coli_conformance.judge.verdict import Finding
from coli_reference import old_reader

OLD_READERS = {"glibc64": "64-bit `long`", "ilp32": "32-bit `long`"}
"""The platforms on which W15 asks an old reader, with the words for them."""

_FORM_AND_HEADER = frozenset({"W02", "W03", "W04", "W05", "W06", "W07", "W14", "W15", "W18", "W23"})
_FINDINGS_OF_ONE_CLAUSE = 3
_JUDGED_AT_LEAST = 1 << 18


def judge_history(data: bytes, path: str, expected: WrittenHistory, clause: str) -> list[Finding]:
    """Return everything that is wrong with `data`, at most a few findings a clause.

    Wrong records break `clause` besides the clause that names their fault, unless `clause` is about form or header
    alone.
    """
    if not data:
        if not expected.records:
            return []
        sentence = f"{path} has zero bytes, though {len(expected.records)} counters are not zero: the history is lost"
        return _with_clause([Finding("W22", sentence, path=path, expected="a history", seen="nothing")], clause)
    whole = len(data)
    data = _judged_part(data, expected)
    lines = cut(data)
    form = list(judge_form(path, lines))
    records = [(record, line) for line in lines for record in line.values()]
    content = list(_judge_content(path, records, expected))
    if len(data) == whole:
        content += _judge_missing(path, records, expected)
    if not expected.records:
        content.insert(0, _not_empty(data, path))
    findings = [*form, *_judge_header(path, lines, records, expected), *content]
    every_line_says_one = len(records) == len(lines)
    meant = [record for record, _ in records] if every_line_says_one else expected.records
    findings += _judge_old_readers(data, path, meant)
    if expected.canonical and expected.records:
        findings += judge_canonical(path, data, expected.canonical_bytes)
    return _capped(_with_clause(findings, clause))


def _judged_part(data: bytes, expected: WrittenHistory) -> bytes:
    """Return the whole lines that are judged of a file: all, unless it is many times as long as a right one."""
    most = _JUDGED_AT_LEAST + 4 * len(expected.canonical_bytes)
    return data if len(data) <= most else data[: data.rfind(b"\n", 0, most) + 1] or data[:most]


def _not_empty(data: bytes, path: str) -> Finding:
    return Finding(
        "W08",
        f"nothing was counted, yet {path} has {len(data)} bytes: PIN=auto takes a file of any size above 0 for a "
        "history and never falls back to stats.txt",
        path=path,
        line=1,
        column=1,
        expected="a file of zero bytes",
        seen=f"{len(data)} bytes",
    )


def _judge_header(
    path: str, lines: list[Line], records: list[tuple[Record, Line]], expected: WrittenHistory
) -> Iterator[Finding]:
    """Yield what is wrong with the header records (W04-W07) and with unknown ones (W14)."""
    if not expected.records and not any(record[0] >= 0 for record, _ in records):
        return  # W08 has said it: there should be no header at all
    heads = [line.fields[0].text for line in lines]
    dimensions, identity = expected.header
    for position, wanted in enumerate((dimensions, identity)):
        name = str(wanted[0]).encode()
        if heads.count(name) != 1 or heads[position : position + 1] != [name]:
            yield _misplaced(path, lines, name, position, heads.count(name))
    for line in lines:
        if line.fields[0].text == str(dimensions[0]).encode():
            yield from _judge_dimensions(path, line, dimensions)
        elif line.fields[0].text == str(identity[0]).encode():
            yield from _judge_identity(path, line, identity)
    yield from _judge_unknown(path, records, expected)


def _misplaced(path: str, lines: list[Line], name: bytes, position: int, count: int) -> Finding:
    shown = name.decode()
    if count > 1:
        line = [line for line in lines if line.fields[0].text == name][1]
        sentence = f"line {line.number}: a second `{shown}` record; it stands once, at the head of the file"
    elif count == 1:
        line = next(line for line in lines if line.fields[0].text == name)
        sentence = f"line {line.number}: the `{shown}` record is not record {position + 1} of the file"
    else:
        line = lines[min(position, len(lines) - 1)] if lines else Line(1, (Field(b"", 1),))
        sentence = f"there is no `{shown}` record; a history without it cannot be refused by name"
    return Finding(
        "W04",
        sentence,
        path=path,
        line=line.number,
        column=1,
        width=len(line.fields[0].text),
        expected=f"`{shown} ...` as record {position + 1}",
        seen=line.shown,
    )


def _judge_dimensions(path: str, line: Line, wanted: Record) -> Iterator[Finding]:
    for index in (1, 2):
        field = line.fields[index] if index < len(line.fields) else None
        if field is None or field.text != str(wanted[index]).encode():
            yield Finding(
                "W05",
                f"line {line.number}: the dimensions are not those the engine was initialised with, {wanted[1]} "
                f"layers of {wanted[2]} experts",
                path=path,
                line=line.number,
                column=field.column if field else 1,
                width=len(field.text) if field else 1,
                expected=" ".join(map(str, wanted)),
                seen=line.shown,
            )
            return


def _judge_identity(path: str, line: Line, wanted: Record) -> Iterator[Finding]:
    version, engine_id = (str(value).encode() for value in wanted[1:])
    second, third = ((line.fields[index].text if index < len(line.fields) else b"") for index in (1, 2))

    def finding(clause: str, sentence: str, index: int) -> Finding:
        field = line.fields[index] if index < len(line.fields) else line.fields[-1]
        return Finding(
            clause,
            f"line {line.number}: {sentence}",
            path=path,
            line=line.number,
            column=field.column,
            width=len(field.text),
            expected=" ".join(map(str, wanted)),
            seen=line.shown,
        )

    if (second, third) == (version, engine_id):
        return
    if (second, third) == (engine_id, version):
        yield finding("W06", "version and id have changed places: the version goes second, the id third", 1)
        return
    if second != version:
        yield finding("W06", f"the second field is not the format version {wanted[1]}", 1)
    if third != engine_id:
        yield finding("W07", f"the third field is not {wanted[2]}, FNV-1a (32 bits) of the engine's name", 2)


def _judge_unknown(path: str, records: list[tuple[Record, Line]], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield header records that nobody agreed and nobody loaded (W14), and asked-for ones that are missing."""
    agreed = coli_spec.load().agreed_numbers()
    seen = [record for record, _ in records]
    for record, line in records:
        if record[0] < 0 and record[0] not in agreed and record not in expected.kept and record not in expected.added:
            yield Finding(
                "W14",
                f"line {line.number}: header record {record[0]} is not an agreed one, and no loaded file held it",
                path=path,
                line=line.number,
                column=1,
                width=len(line.fields[0].text),
                seen=line.shown,
            )
    for record in expected.added:
        if seen.count(record) != 1:
            shown = " ".join(map(str, record))
            yield Finding(
                "W14",
                f"the header record `{shown}` stands {seen.count(record)} times in {path}, once is owed",
                path=path,
            )


def _judge_content(path: str, records: list[tuple[Record, Line]], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield where the data records are not the counters (W01, W09, W10, W11, W22)."""
    wanted = {(layer, expert): count for layer, expert, count in expected.records}
    written: dict[tuple[int, int], list[tuple[int, Line]]] = defaultdict(list)
    for (layer, expert, count), line in records:
        if layer < 0:
            continue
        if count == 0:
            yield _about(path, line, "W01", "a record with count 0; a history is sparse", "no record", 2)
        elif layer in expected.dropped:
            yield _about(path, line, "W09", f"layer {layer} does not route, its row was dropped", "no record", 0)
        else:
            written[layer, expert].append((count, line))
    for place, entries in written.items():
        line = entries[-1][1]
        counts = [count for count, _ in entries]
        if place not in wanted:
            yield _about(
                path,
                line,
                "W22",
                f"no counter of layer {place[0]}, expert {place[1]} was ever credited",
                "no record",
                0,
            )
        elif len(counts) > 1:
            yield _about(
                path,
                line,
                "W22",
                f"{len(counts)} records for one counter",
                f"one record, count {wanted[place]}",
                0,
            )
        elif counts[0] != wanted[place]:
            yield _about(
                path,
                line,
                "W11",
                f"the counter is {wanted[place]}, not {counts[0]}",
                " ".join(map(str, (*place, wanted[place]))),
                2,
            )


def _judge_missing(path: str, records: list[tuple[Record, Line]], expected: WrittenHistory) -> Iterator[Finding]:
    """Yield the counters that have no record (W10, W22)."""
    written = {(layer, expert) for (layer, expert, _), _ in records}
    for layer, expert, count in expected.records:
        if (layer, expert) in written:
            continue
        clause = "W10" if layer == expected.n_layers else "W22"
        which = "row n_layers, the MTP head's, is written like any other; " if clause == "W10" else ""
        sentence = f"{which}the record of layer {layer}, expert {expert} is missing from {path}"
        yield Finding(
            clause,
            sentence,
            path=path,
            expected=f"{layer} {expert} {count}",
            seen="no such record",
        )


def _about(path: str, line: Line, clause: str, sentence: str, expected: str, index: int) -> Finding:
    field = line.fields[min(index, len(line.fields) - 1)]
    return Finding(
        clause,
        f"line {line.number}: {sentence}",
        path=path,
        line=line.number,
        column=field.column,
        width=len(field.text),
        expected=expected,
        seen=line.shown,
    )


def _judge_old_readers(data: bytes, path: str, records: Iterable[Record]) -> Iterator[Finding]:
    """Yield what an old reader recovers that was not meant (W15).

    What was meant is what the lines say where each says one record, else what the counters were.
    """
    meant = _credited(records)
    for platform, words in OLD_READERS.items():
        recovered = _credited(old_reader.records(data, platform))
        if recovered == meant:
            continue
        lost, invented = meant - recovered, recovered - meant
        parts = []
        if lost:
            parts.append(f"loses {_first(lost)}")
        if invented:
            parts.append(f"invents {_first(invented)}")
        yield Finding(
            "W15",
            f"an old reader with {words} {' and '.join(parts)}",
            path=path,
            expected=f"{len(meant)} records, total {_total(meant)}",
            seen=f"{len(recovered)} records, total {_total(recovered)}",
        )
        return


def _credited(records: Iterable[Record]) -> Counter[Record]:
    return Counter(record for record in records if record[0] >= 0 and record[2] != 0)


def _first(records: Counter[Record]) -> str:
    record = min(records)
    more = f" and {records.total() - 1} more" if records.total() > 1 else ""
    return f"`{' '.join(map(str, record))}`{more}"


def _total(records: Counter[Record]) -> int:
    return sum(record[2] * times for record, times in records.items())


def _with_clause(findings: list[Finding], clause: str) -> list[Finding]:
    """Let wrong records break the expectation's own clause too."""
    own = {finding.clause for finding in findings}
    content = next((finding for finding in findings if finding.clause not in _FORM_AND_HEADER), None)
    if content is None or clause in own or clause in _FORM_AND_HEADER:
        return findings
    return [replace(content, clause=clause), *findings]


def _capped(findings: list[Finding]) -> list[Finding]:
    """Keep the first few findings of each clause: a file of dense zeros has thousands."""
    kept: list[Finding] = []
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.clause] += 1
        if count[finding.clause] <= _FINDINGS_OF_ONE_CLAUSE:
            kept.append(finding)
    return kept

"""Judging a history that an engine wrote, by area W, in whatever case it wrote it.

Its form is held against the grammar, its header against the session's identity and dimensions, its records against the
counters, and the file as a whole against the old readers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from coli_conformance.case import Record, WrittenHistory
from coli_conformance.judge.history_counters import judge_missing, judge_records
from coli_conformance.judge.history_form import judge_canonical, judge_form
from coli_conformance.judge.history_header import judge_header
from coli_conformance.judge.history_lines import cut
from coli_conformance.judge.verdict import Finding
from coli_reference import old_reader

OLD_READERS = {"glibc64": "64-bit `long`", "ilp32": "32-bit `long`"}
"""The platforms on which W15 asks an old reader, with the words for them."""

FORM_AND_HEADER = frozenset({"W02", "W03", "W04", "W05", "W06", "W07", "W14", "W15", "W18", "W23"})
"""The clauses that a file can break whatever the counters are."""

_FINDINGS_OF_ONE_CLAUSE = 3
_JUDGED_AT_LEAST = 1 << 16


def judge_history(data: bytes, path: str, expected: WrittenHistory, clause: str) -> list[Finding]:
    """Return everything that is wrong with `data`, at most a few findings a clause.

    Wrong records break `clause` besides the clause that names their fault, unless `clause` is about form or header
    alone.
    """
    if not data:
        return _with_clause(list(_judge_empty(path, expected)), clause)
    part = _judged_part(data, expected)
    lines = cut(part, path)
    findings = list(judge_form(lines))
    if not expected.records:
        findings.append(_not_empty(data, path))
    if expected.records or any(layer >= 0 for line in lines for layer, _, _ in line.records):
        findings += judge_header(path, lines, expected)
    findings += judge_records(lines, expected)
    if len(part) == len(data):
        findings += judge_missing(path, lines, expected)
    records = [record for line in lines for record in line.records]
    findings += _judge_old_readers(part, path, records if len(records) == len(lines) else expected.records)
    if expected.canonical and expected.records:
        findings += judge_canonical(path, part, expected.canonical_bytes)
    return _capped(_with_clause(findings, clause))


def _judge_empty(path: str, expected: WrittenHistory) -> Iterator[Finding]:
    if expected.records:
        sentence = f"{path} has zero bytes, though {len(expected.records)} counters are not zero: the history is lost"
        yield Finding("W22", sentence, path=path, expected="a history", seen="nothing")


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
        differences = [f"{verb} {_first(some)}" for verb, some in (("loses", lost), ("invents", invented)) if some]
        yield Finding(
            "W15",
            f"an old reader with {words} {' and '.join(differences)}",
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
    content = next((finding for finding in findings if finding.clause not in FORM_AND_HEADER), None)
    if content is None or clause in own or clause in FORM_AND_HEADER:
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

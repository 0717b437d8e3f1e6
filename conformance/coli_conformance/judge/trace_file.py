"""Judging a trace that an engine wrote, by area T, line by line against the decisions the session made."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from coli_conformance.case import ExpectedTrace
from coli_conformance.judge.verdict import Finding

LEAST_DECIMALS = 4
"""How many decimals a gate has at least (T06), and exactly where T10 is asked."""

# Longer numbers are none that an engine could have counted to, and Python refuses to read them at all.
_HEAD = re.compile(rb"([0-9]{1,20}) ([0-9]{1,20}) ([0-9]{1,20})((?: [0-9]{1,20}:[^ ]+)+)")
_CHOICE = re.compile(rb" ([0-9]+):([^ ]+)")
_GATE = re.compile(r"-?[0-9]{1,40}(?:[.,]([0-9]{1,1000}))?", re.ASCII)
_FINDINGS = 3


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line as written: call, row, layer, the experts in order and the gates' texts."""

    number: int
    head: tuple[int, int, int]
    experts: tuple[int, ...]
    gates: tuple[str, ...]
    shown: str


def judge_trace(data: bytes, path: str, expected: ExpectedTrace, clause: str) -> list[Finding]:
    """Return everything in which the trace is not the one the session's decisions make, at most a few findings.

    What breaks any of T01 to T06 also breaks `clause` where that is a later one. Under T12 it breaks that alone: the
    musts speak of sound routing.
    """
    if data == expected.canonical_bytes:
        return []
    findings = list(_judge_lines(data, path, expected))
    if clause == "T12":
        return [replace(finding, clause=clause) for finding in findings]
    if findings and not any(finding.clause == clause for finding in findings) and clause > "T06":
        findings.insert(0, replace(findings[0], clause=clause))
    return findings


def nearest_float32(decimal: str) -> Fraction:
    """Return the 32-bit float nearest to a finite decimal, exactly: the gate an engine is given."""
    (value,) = struct.unpack("<f", struct.pack("<f", float(decimal)))
    return Fraction(value)


def parse(line: bytes, number: int) -> TraceLine | None:
    """Return the parts of one line without its LF, or None where it has not the grammar of T01."""
    match = _HEAD.fullmatch(line)
    if match is None:
        return None
    choices = _CHOICE.findall(match[4])
    return TraceLine(
        number=number,
        head=(int(match[1]), int(match[2]), int(match[3])),
        experts=tuple(int(expert) for expert, _ in choices),
        gates=tuple(gate.decode("ascii", "backslashreplace") for _, gate in choices),
        shown=line.decode("ascii", "backslashreplace"),
    )


def _judge_lines(data: bytes, path: str, expected: ExpectedTrace) -> Iterator[Finding]:
    if data and not data.endswith(b"\n"):
        yield Finding(
            "T01", f"the last line of {path} does not end in LF", path=path, line=data.count(b"\n") + 1, column=1
        )
    lines: list[TraceLine] = []
    malformed = 0
    for number, text in enumerate(data.removesuffix(b"\n").split(b"\n") if data else [], start=1):
        line = parse(text, number)
        if line is None:
            malformed += 1
            if malformed <= _FINDINGS:
                yield _malformed(path, text, number)
        else:
            lines.append(line)
    wanted = [_wanted(text) for text in expected.lines]
    if not malformed:
        yield from _judge_decisions(path, lines, wanted)
    yield from _judge_gates(path, lines, wanted, expected.four_decimals)


def _malformed(path: str, text: bytes, number: int) -> Finding:
    return Finding(
        "T01",
        f"line {number} is not `<call> <row> <layer> <expert>:<gate> ...` with single spaces",
        path=path,
        line=number,
        column=1,
        width=max(1, len(text)),
        expected="three integers, then at least one expert:gate",
        seen=text.decode("ascii", "backslashreplace").replace("\r", "\\r").replace("\t", "\\t")[:120],
    )


def _wanted(text: str) -> TraceLine:
    call, row, layer, *choices = text.split(" ")
    pairs = [choice.split(":") for choice in choices]
    return TraceLine(
        number=0,
        head=(int(call), int(row), int(layer)),
        experts=tuple(int(expert) for expert, _ in pairs),
        gates=tuple(gate for _, gate in pairs),
        shown=text,
    )


def _judge_decisions(path: str, lines: list[TraceLine], wanted: list[TraceLine]) -> Iterator[Finding]:
    """Yield the first decision that is missing, out of order, or wrong in its head or its experts (T02-T05)."""
    if len(lines) != len(wanted):
        yield Finding(
            "T02",
            f"{path} has {len(lines)} lines for {len(wanted)} routing decisions",
            path=path,
            expected=f"{len(wanted)} lines",
            seen=f"{len(lines)} lines",
        )
        return
    decisions = [(line.head[1:], line.experts) for line in lines]
    wanted_decisions = [(line.head[1:], line.experts) for line in wanted]
    if decisions != wanted_decisions and Counter(decisions) == Counter(wanted_decisions):
        at = next(at for at, pair in enumerate(zip(decisions, wanted_decisions, strict=True)) if pair[0] != pair[1])
        yield _differs(path, "T02", "the decisions do not stand in the order they were made", lines[at], wanted[at])
        return
    said: set[str] = set()
    for line, right in zip(lines, wanted, strict=True):
        for clause, sentence in _faults_of(line, right):
            if clause not in said:
                said.add(clause)
                yield _differs(path, clause, sentence, line, right)


def _faults_of(line: TraceLine, right: TraceLine) -> Iterator[tuple[str, str]]:
    if line.head[0] != right.head[0]:
        yield "T03", f"call is {line.head[0]}, though {right.head[0]} moe calls had ended"
    if line.head[1:] != right.head[1:]:
        yield "T04", f"row and layer are {line.head[1]} and {line.head[2]}, not {right.head[1]} and {right.head[2]}"
    if line.experts != right.experts:
        yield "T05", "the experts are not the ones that were chosen, in selection order"


def _differs(path: str, clause: str, sentence: str, line: TraceLine, right: TraceLine) -> Finding:
    return Finding(
        clause,
        f"line {line.number}: {sentence}",
        path=path,
        line=line.number,
        column=1,
        width=len(line.shown),
        expected=right.shown,
        seen=line.shown,
    )


def _judge_gates(path: str, lines: list[TraceLine], wanted: list[TraceLine], four_decimals: bool) -> Iterator[Finding]:
    """Yield the first gate of each kind that is no decimal, too short, or not the value that was applied."""
    said: set[str] = set()
    for at, line in enumerate(lines):
        right = wanted[at] if len(lines) == len(wanted) and wanted[at].experts == line.experts else None
        for index, gate in enumerate(line.gates):
            fault = _fault_of_gate(gate, right.gates[index] if right else None, four_decimals)
            if fault is not None and fault[0] not in said:
                said.add(fault[0])
                yield Finding(
                    fault[0],
                    f"line {line.number}: {fault[1]}",
                    path=path,
                    line=line.number,
                    column=line.shown.find(f":{gate}") + 2,
                    width=len(gate),
                    expected=right.gates[index] if right else None,
                    seen=gate,
                )


def _fault_of_gate(gate: str, applied: str | None, four_decimals: bool) -> tuple[str, str] | None:
    match = _GATE.fullmatch(gate)
    if match is None:
        finite = not gate.lower().strip("+-").startswith(("nan", "inf"))
        return (
            ("T01", f"the gate {gate} is not a plain decimal") if finite else ("T12", f"the gate {gate} is not finite")
        )
    if "," in gate:
        return "T09", f"the gate {gate} has a decimal comma; the decimal point is `.` whatever the locale"
    decimals = len(match[1] or "")
    if decimals < LEAST_DECIMALS:
        return "T06", f"the gate {gate} has {decimals} decimals; at least {LEAST_DECIMALS} are owed"
    if four_decimals and decimals != LEAST_DECIMALS:
        return "T10", f"the gate {gate} has {decimals} decimals; exactly {LEAST_DECIMALS} are asked"
    if applied is not None and abs(Fraction(gate) - nearest_float32(applied)) > Fraction(1, 2 * 10**decimals):
        return "T06", f"the gate {gate} is not {applied} to within half a unit of its last digit"
    return None

"""One line of a trace: the decision it says, and everything that is wrong with its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import coli_spec
from coli_conformance.check import codes_trace as codes
from coli_conformance.check.code import Code
from coli_conformance.check.declared_lines import decimal_form, terminals
from coli_conformance.check.finding import Place
from coli_reference.trace import is_finite

_PART = re.compile(rb"[^ \t\r]++")
_HEAD = ("call", "row", "layer")
_MOST_DIGITS = 18
_NOT_FINITE = re.compile(rb"[-+]?(?:nan|inf|infinity|1\.#[A-Za-z]++)(?:\(.*\))?", re.IGNORECASE)
_COMMA = re.compile(rb"-?[0-9]++,[0-9]++")
_DECIMALS = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:\.([0-9]*+))?")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a line as written: its bytes, and the column of the first, from 1."""

    text: bytes
    column: int

    @property
    def shown(self) -> str:
        """The text, at most 40 characters of it."""
        text = self.text.decode("ascii", "backslashreplace")
        return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


@dataclass(frozen=True, slots=True)
class TraceLine:
    """What one line says: call, row and layer where all three are numbers, and its experts that are numbers."""

    head: tuple[Part, Part, Part] | None
    experts: tuple[Part, ...]
    faults: tuple[Place, ...]


@cache
def _number(name: str) -> re.Pattern[bytes]:
    return re.compile(terminals("trace")[name].encode())


def is_number(text: bytes, name: str) -> bool:
    """Tell whether a text is the number that a terminal of the grammar stands for, and no larger than 64 bits."""
    return len(text) <= _MOST_DIGITS and _number(name).fullmatch(text) is not None


def read(content: bytes, *, ended: bool, only: bool = False) -> TraceLine:
    """Return what a line says; `content` is without its LF.

    The last line of a file may lack it (not `ended`); then little more is said of it, for it may be cut anywhere. Where
    it is the `only` one, the file has no line at all, and to leave it out would leave nothing.
    """
    if not ended:
        return TraceLine(None, (), tuple(_without_end(content, only)))
    faults = list(_spacing(content))
    parts = [Part(found[0], found.start() + 1) for found in _PART.finditer(content)]
    if not parts:
        return TraceLine(None, (), tuple(faults))
    head = tuple(parts[:3])
    wrong = next((fault for part, name in zip(head, _HEAD, strict=False) if (fault := _wrong_number(part, name))), None)
    if wrong is not None:
        faults.append(wrong)
    elif len(parts) <= len(head):
        end = parts[-1].column + len(parts[-1].text)
        sentence = f"the line ends {'before its first expert' if len(head) == 3 else 'inside call, row and layer'}"
        faults.append(Place(codes.TRACE_NO_CHOICE, end, 1, sentence))
    experts = []
    for part in parts[3:]:
        expert, choice_faults = _choice(part)
        faults += choice_faults
        if expert is not None:
            experts.append(expert)
    sound_head = (head[0], head[1], head[2]) if len(head) == 3 and wrong is None else None
    return TraceLine(sound_head, tuple(experts), tuple(faults))


def _without_end(content: bytes, only: bool) -> Iterator[Place]:
    lone = tuple(_lone_carriage_return(content))
    yield from lone
    if not only:
        yield Place(codes.TRACE_CUT, len(content) + 1, 1, "the last line has no newline; it may be cut here")
    elif not lone:
        yield Place(codes.TRACE_NO_LINE, len(content) + 1, 1, "the file ends here, and no line feed ends a line of it")


def _lone_carriage_return(body: bytes) -> Iterator[Place]:
    if (at := body.find(b"\r")) >= 0:
        sentence = "a carriage return without a line feed; no line ends here"
        yield Place(codes.TRACE_LONE_CARRIAGE_RETURN, at + 1, 1, sentence)


def _spacing(content: bytes) -> Iterator[Place]:
    body = content.removesuffix(b"\r")
    if len(body) < len(content):
        yield Place(codes.TRACE_CRLF, len(content), 1, "the line ends in CRLF")
    if not body.strip(b" \t\r"):
        yield Place(codes.TRACE_SPACING, 1, 1, "a blank line; every line is a routing decision")
        return
    yield from _lone_carriage_return(body)
    strange = re.search(rb"\t|^ |  | $", body)
    if strange is not None:
        column = strange.start() + (2 if strange[0] == b"  " else 1)
        yield Place(codes.TRACE_SPACING, column, 1, "something other than one blank between two parts of the line")


def _wrong_number(part: Part, name: str) -> Place | None:
    if is_number(part.text, name.upper()):
        return None
    why = _why_no_number(part.text)
    return Place(codes.TRACE_NUMBER, part.column, len(part.text), f"the {name} is {part.shown}, {why}")


def _why_no_number(text: bytes) -> str:
    if not text.removeprefix(b"-").isdigit():
        return "which is no plain number"
    if text.startswith(b"-"):
        return "which is below 0"
    if len(text) > _MOST_DIGITS:
        return f"which has {len(text)} digits"
    return "which has zeros in front that mean nothing"


def _choice(part: Part) -> tuple[Part | None, list[Place]]:
    """Return the expert of one choice where it is a number that an engine can have, and what is wrong with both."""
    text, colon, gate_text = part.text.partition(b":")
    expert, gate = Part(text, part.column), Part(gate_text, part.column + len(text) + 1)
    faults: list[Place] = []
    sound = is_number(text, "EXPERT")
    if not text:
        faults.append(Place(codes.TRACE_NO_EXPERT, part.column, 1, "no expert id stands in front of the colon"))
    elif text.startswith(b"-") and text[1:].isdigit():
        sentence = f"expert {expert.shown} is out of range; ids begin at 0"
        faults.append(Place(codes.TRACE_EXPERT_RANGE, part.column, len(text), sentence))
    elif not sound:
        why = _why_no_number(text)
        faults.append(Place(codes.TRACE_NUMBER, part.column, len(text), f"the expert id is {expert.shown}, {why}"))
    if not colon:
        faults.append(Place(codes.TRACE_NO_GATE, part.column + len(text), 1, "no colon and gate stand behind the id"))
    elif (fault := _wrong_gate(gate)) is not None:
        faults.append(fault)
    return expert if sound else None, faults


def _wrong_gate(gate: Part) -> Place | None:
    fault = _fault_of_gate(gate)
    return None if fault is None else Place(fault[0], gate.column, max(1, len(gate.text)), fault[1])


def _fault_of_gate(gate: Part) -> tuple[Code, str] | None:
    if not gate.text:
        return codes.TRACE_GATE, "no gate stands behind the colon"
    if _NOT_FINITE.fullmatch(gate.text):
        return codes.TRACE_NOT_FINITE, f"the gate {gate.shown} is not finite"
    if _COMMA.fullmatch(gate.text):
        return codes.TRACE_COMMA, f"the gate {gate.shown} has a decimal comma"
    found = _DECIMALS.fullmatch(gate.text)
    if found is None:
        return codes.TRACE_GATE, f"the gate is {gate.shown}, which is no plain decimal"
    return _fault_of_decimal(gate, len(found[1] or b""))


def _fault_of_decimal(gate: Part, decimals: int) -> tuple[Code, str] | None:
    fewest = decimal_form("trace", "GATE").fewest_decimals
    if decimals < fewest:
        number = "1 decimal" if decimals == 1 else f"{decimals} decimals"
        return codes.TRACE_DECIMALS, f"the gate {gate.shown} has {number}; {fewest} are owed"
    if not is_finite(float(gate.text)):
        return codes.TRACE_NOT_FINITE, f"the gate {gate.shown} is beyond the largest 32-bit float"
    if decimals > fewest:
        return codes.TRACE_MORE_DECIMALS, f"the gate {gate.shown} has {decimals} decimals; {fewest} are asked"
    return None


def largest_expert() -> int:
    """Return the largest id that a history could count: what its second field holds."""
    return coli_spec.load().fields[1].maximum

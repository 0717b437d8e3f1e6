"""The findings of one file as lines for people: place, sentence, the line with a mark, old readers, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.check.code import Kind, Level
from coli_conformance.check.examined import Examined
from coli_conformance.check.finding import Finding
from coli_conformance.check.old_reading import OldReading
from coli_conformance.escape import shown_text
from coli_conformance.reports.excerpt import ShownLine, excerpt
from coli_conformance.reports.lines import Line, line, wrapped

_INDENT = "    "
_MEANING = {Level.ERROR: "bad", Level.WARNING: "weak", Level.NOTE: "faint"}
_HEX = 3


def examined_lines(examined: Examined, width: int) -> Iterator[Line]:
    """Yield everything found in one file, then one line that sums it up."""
    reading = OldReading(examined)
    for finding in examined.findings:
        yield from finding_lines(examined, finding, reading, width)
        yield line()
    yield line((shown_text(examined.name), "id"), f": {summed_up(examined)}")


def finding_lines(examined: Examined, finding: Finding, reading: OldReading, width: int) -> Iterator[Line]:
    """Yield one finding; the first line is `file:line:column: level code(clause) sentence`."""
    code = finding.code
    yield line(
        f"{shown_text(examined.name)}:{finding.line}:{finding.column}: ",
        (code.level.value, _MEANING[code.level]),
        " ",
        (f"{code.name}({code.clause})", "id"),
        f" {shown_text(finding.sentence)}",
    )
    margin = f"{finding.line:>7}"
    for part in _marked(examined.kind, finding, width - len(margin) - len(_INDENT)):
        yield line((f"{margin} | ", "faint"), part.text)
        if part.caret is not None:
            offset, length = part.caret
            yield line((f"{'':>7} | ", "faint"), " " * offset, ("^" * length, "caret"))
    yield from wrapped(reading.of(finding), width, _INDENT)
    yield from wrapped(code.do, width, _INDENT)


def _marked(kind: Kind, finding: Finding, room: int) -> tuple[ShownLine, ...]:
    at = finding.column - finding.shown_column
    if kind is Kind.IKU1:
        text = finding.shown.hex(" ")
        length = max(1, min(finding.width, len(finding.shown) - at) * _HEX - 1)
        return (ShownLine(1, text, (at * _HEX, length)),) if finding.shown else ()
    return excerpt(finding.shown, 1, at + 1, finding.width, room)


def summed_up(examined: Examined) -> str:
    """Return how many findings of each level there are, and what was not read."""
    counts = [
        f"{number} {level.value}{'' if number == 1 else 's'}" for level in Level if (number := examined.count(level))
    ]
    found = ", ".join(counts) if counts else "nothing is wrong with it"
    rest = "; the rest was not read" if examined.stopped else ""
    hint = " (--max-findings 0 reads on)" if examined.enough else ""
    return f"{examined.kind.value}, {found}{rest}{hint}"

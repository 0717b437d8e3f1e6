"""One file checked: sniffed, read with the checker of its kind, its findings in the order of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coli_conformance.check import codes_text, codes_trace
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind, Level
from coli_conformance.check.collected import Collected, Enough
from coli_conformance.check.finding import Finding, Place, in_line
from coli_conformance.check.history import HistoryChecker
from coli_conformance.check.pairs import PairsChecker
from coli_conformance.check.scan import Keeping, scan
from coli_conformance.check.sniff import is_text_with_magic, is_utf_16, kind_of
from coli_conformance.check.source import Source
from coli_conformance.check.tally import Tally
from coli_conformance.check.trace import TraceChecker, foreign

_CHECKERS: dict[Kind, Callable[[Asked, Tally | None], Any]] = {
    Kind.HISTORY: HistoryChecker,
    Kind.TRACE: TraceChecker,
    Kind.PAIRS: PairsChecker,
}


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of one file. `stopped` says that the rest was not read; `enough`, that it was for asking no more.

    `data` are its bytes where it is small and was read to its end.
    """

    name: str
    kind: Kind
    findings: tuple[Finding, ...]
    stopped: bool
    enough: bool
    data: bytes | None

    def count(self, level: Level) -> int:
        """Return how many findings have a level."""
        return sum(finding.code.level is level for finding in self.findings)

    @property
    def is_sound(self) -> bool:
        """Whether there is no error and no warning."""
        return all(finding.code.level is Level.NOTE for finding in self.findings)


def examine(
    source: Source,
    asked: Asked,
    *,
    kind: Kind | None = None,
    most: int | None = None,
    keeping: Keeping | None = None,
    tally: Tally | None = None,
) -> Examined:
    """Check an opened source, as `kind` or as what it looks like, until `most` errors and warnings are found.

    Raises SourceError where reading fails.
    """
    chosen = kind if kind is not None else kind_of(source.first)
    found = Collected(most)
    enough = stopped = False
    try:
        stopped = _read(source, chosen, asked, found, keeping, tally)
    except Enough:
        enough = stopped = True
    if not stopped and source.changed():
        code = codes_trace.TRACE_CHANGED if chosen is Kind.TRACE else codes_text.CHANGED_WHILE_READ
        found.findings.append(in_line(Place(code, 1, 1, "the file is not as it was when reading began"), 1, b""))
    findings = tuple(sorted(found.findings, key=lambda finding: (finding.line, finding.column)))
    return Examined(source.name, chosen, findings, stopped, enough, None if stopped else source.whole)


def _read(
    source: Source, kind: Kind, asked: Asked, found: Collected, keeping: Keeping | None, tally: Tally | None
) -> bool:
    """Read the source, and return whether the rest of it was left unread because it is no such file at all."""
    fatal = _no_such_file(source.first, kind)
    if fatal is not None:
        found.findings.append(fatal)
        return True
    if kind is Kind.IKU1:
        from coli_conformance.check import iku1  # noqa: PLC0415 - brings in construct, which text goes without

        for finding in iku1.findings(iku1.measure(source, tally), asked):
            found.add(finding)
        return False
    checker = _CHECKERS[kind](asked, tally)
    lines = scan(source, checker, found, keeping)
    for finding in checker.finish(lines, _first_line(source.first)):
        found.add(finding)
    return False


def _no_such_file(first: bytes, kind: Kind) -> Finding | None:
    """Return the one finding about a file whose lines would all be wrong in the same way."""
    line = _first_line(first)
    if kind is Kind.HISTORY and is_utf_16(first):
        sentence = "UTF-16, two bytes a character; the rest was not looked at"
        return in_line(Place(codes_text.UTF_16, 1, 2, sentence), 1, line)
    if kind is Kind.HISTORY and is_text_with_magic(first):
        sentence = "text that begins with the magic of the binary layout IKU1; the rest was not looked at"
        return in_line(Place(codes_text.MAGIC_IN_TEXT, 1, 4, sentence), 1, line)
    return foreign(first) if kind is Kind.TRACE else None


def _first_line(first: bytes) -> bytes:
    return first.split(b"\n", 1)[0]

"""What an old reader makes of a history from a finding on, computed by its model where the file is small (W15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined
from coli_conformance.check.finding import Finding
from coli_conformance.check.loop_differences import Fate, LoopDifference, differences
from coli_conformance.compat import recovery
from coli_reference import old_reader

_NAMED = 2
_COMPUTED = 100
"""For so many findings of a file the answer is computed; each takes time that grows with the file."""


@dataclass(frozen=True, slots=True)
class LoopReading:
    """How the loop's records differ from the text's, and the line it `stopped` in; None at the end of the file."""

    differences: tuple[LoopDifference, ...]
    stopped: int | None


class OldReading:
    """Answers for the findings of one file; the model reads it once, when first asked."""

    def __init__(self, examined: Examined) -> None:
        self._data = examined.data if examined.kind is Kind.HISTORY else None
        self._reading: LoopReading | None = None
        self._left = _COMPUTED

    def of(self, finding: Finding) -> str:
        """Return what an old reader does from the line of a finding on; empty where no old reader is meant to read."""
        if not finding.code.old_reader:
            return ""
        self._left -= 1
        if self._data is None or self._left < 0:
            return f"An old reader {finding.code.old_reader}."
        return from_line(self._read(self._data), finding.line)

    def _read(self, data: bytes) -> LoopReading:
        if self._reading is None:
            records = old_reader.records(data)
            undefined = frozenset(field.record for field in old_reader.leaves_defined_ground(data))
            self._reading = LoopReading(
                tuple(differences(data, records, undefined)), recovery.stopped(data, len(records))
            )
        return self._reading


def from_line(reading: LoopReading, line: int) -> str:
    """Return, as a sentence, how what the loop reads differs from what the lines from `line` on say."""
    if reading.stopped is not None and reading.stopped < line:
        return f"An old reader stopped in line {reading.stopped} and never gets here."
    later = [difference for difference in reading.differences if difference.last_line >= line]
    parts = [f"stops in line {reading.stopped}"] if reading.stopped is not None else []
    for fate in Fate:
        some = [difference for difference in later if difference.fate is fate]
        if some:
            parts.append(f"{fate.value} {_named(some)}")
    if not parts:
        return "An old reader recovers every record from here on."
    return f"An old reader {' and '.join([', '.join(parts[:-1]), parts[-1]] if parts[:-1] else parts)}."


def _named(some: Sequence[LoopDifference]) -> str:
    names = [difference.name for difference in some[:_NAMED]]
    left = len(some) - _NAMED
    if left > 0:
        return f"{', '.join(names)} and {left} more"
    return " and ".join(names)

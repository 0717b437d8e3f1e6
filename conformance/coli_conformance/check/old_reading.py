"""What an old reader makes of a history from a finding on, computed by its model where the file is small (W15)."""

from __future__ import annotations

from collections.abc import Sequence

from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined
from coli_conformance.check.finding import Finding
from coli_conformance.compat.recovery import Difference, Recovery, recover
from coli_conformance.compat.recovery import Kind as Fate
from coli_conformance.compat.sound_reading import shown, sound_reading
from coli_reference import old_reader

_NAMED = 2
_COMPUTED = 100
"""For so many findings of a file the answer is computed; each takes time that grows with the file."""
_VERBS = {Fate.INVENTED: "invents", Fate.CHANGED: "misreads", Fate.LOST: "loses"}


class OldReading:
    """Answers for the findings of one file; the model reads it once, when first asked."""

    def __init__(self, examined: Examined) -> None:
        self._data = examined.data if examined.kind is Kind.HISTORY else None
        self._recovery: Recovery | None = None
        self._left = _COMPUTED

    def of(self, finding: Finding) -> str:
        """Return what an old reader does from the line of a finding on; empty where no old reader is meant to read."""
        if not finding.code.old_reader:
            return ""
        self._left -= 1
        if self._data is None or self._left < 0:
            return f"An old reader {finding.code.old_reader}."
        return from_line(self._recovered(self._data), finding.line)

    def _recovered(self, data: bytes) -> Recovery:
        if self._recovery is None:
            undefined = {field.record for field in old_reader.leaves_defined_ground(data)}
            self._recovery = recover(data, sound_reading(data), old_reader.records(data), undefined)
        return self._recovery


def from_line(recovery: Recovery, line: int) -> str:
    """Return, as a sentence, how what was recovered differs from what the lines from `line` on mean."""
    if recovery.stopped is not None and recovery.stopped < line:
        return f"An old reader stopped in line {recovery.stopped} and never gets here."
    later = [difference for difference in recovery.differences if difference.last_line >= line]
    parts = [f"stops in line {recovery.stopped}"] if recovery.stopped is not None else []
    for fate, verb in _VERBS.items():
        some = [difference for difference in later if difference.kind is fate]
        if some:
            parts.append(f"{verb} {_named(some)}")
    if not parts:
        return "An old reader recovers every record from here on."
    return f"An old reader {' and '.join([', '.join(parts[:-1]), parts[-1]] if parts[:-1] else parts)}."


def _named(differences: Sequence[Difference]) -> str:
    names = [f"`{shown(difference.record)}`" for difference in differences[:_NAMED]]
    left = len(differences) - _NAMED
    if left > 0:
        return f"{', '.join(names)} and {left} more"
    return " and ".join(names)

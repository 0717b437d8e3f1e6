"""The findings of one file as they come up, and the end of it where there are more than were asked for."""

from __future__ import annotations

from coli_conformance.check.code import Code, Level
from coli_conformance.check.finding import Finding


class Enough(Exception):  # noqa: N818 - not an error: the reader asked for so many
    """As many findings as were asked for are there."""


class Collected:
    """Findings in the order of the file; `most` errors and warnings end it, None never does.

    Notes are not counted: each kind of them is told once.
    """

    def __init__(self, most: int | None) -> None:
        self.findings: list[Finding] = []
        self._most = most
        self._told: set[Code] = set()
        self._counted = 0

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless its kind is told once and was told; raise Enough where it is the last one wanted."""
        once = finding.code.once or finding.code.level is Level.NOTE
        if once and finding.code in self._told:
            return
        if once:
            self._told.add(finding.code)
        self.findings.append(finding)
        self._counted += finding.code.level is not Level.NOTE
        if self._counted == self._most:
            raise Enough

    @property
    def has_errors(self) -> bool:
        """Whether an error was found."""
        return any(finding.code.level is Level.ERROR for finding in self.findings)

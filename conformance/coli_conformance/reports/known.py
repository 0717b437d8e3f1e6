"""The part of a terminal report that is about the known-failing file: what it excuses, flaky cases, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.escape import shown_text
from coli_conformance.known_failing import Compared
from coli_conformance.reports.lines import Line, line, wrapped


def known_lines(known: Compared, width: int) -> Iterator[Line]:
    """Yield how many failures are known, each flaky case by name, and each problem of the file."""
    flaky = {flake.case_id for flake in known.flaky}
    count = len(known.excused - flaky)
    if count:
        cases = "1 case fails as known" if count == 1 else f"{count} cases fail as known"
        yield from wrapped(f"{cases}, which decides no exit status.", width, "  ", "faint")
    for flake in known.flaky:
        text = f"flaky: {flake.case_id} failed {flake.failed} of {flake.of} times ({flake.reason})"
        yield from wrapped(shown_text(text), width, "  ", "weak")
    for problem in known.problems:
        yield from wrapped(shown_text(problem), width, "  ", "bad")
    if known.problems:
        remedy = "The known-failing file is no longer right. A whole run with --fix rewrites it."
        yield from wrapped(remedy, width, "  ", "bad")
    if count or known.flaky or known.problems:
        yield line()

"""What a search comes to as an exit status.

the first that holds                                                        exit status
an expectation that the reference engine does not meet                                4
a difference in a must; in a should or may, where those count (strict);
    state that leaks from session to session; a search given up                       1
otherwise                                                                             0
"""

from __future__ import annotations

import coli_spec
from coli_conformance.fuzzing.search import Findings
from coli_conformance.judge.verdict import Status
from coli_conformance.score import SUITE_FAULT


def exit_status(found: Findings, strict: bool) -> int:
    """Return the exit status of a search; a crash or a time-out is a difference in a must, whatever the clause."""
    if found.doubtful:
        return SUITE_FAULT
    if found.in_company or found.gave_up is not None:
        return 1
    return int(any(strict or _is_must(*difference.key) for difference in found.differences))


def _is_must(status: Status, clause: str) -> bool:
    return status is not Status.FAIL or coli_spec.load().clause(clause).level == "must"

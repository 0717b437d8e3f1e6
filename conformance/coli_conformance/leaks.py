"""State that a reusable driver carries from one session into the next, found by playing cases in other company.

Sound drivers cost one pass more. Every case that shares a process is played again in a shuffled order, in one process;
each that did anything but pass in either order is then played in a process of its own. A status that is another one
alone is a leak: the offer `reusable` is broken, and from then on nothing that was seen in a shared process counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from coli_conformance.case import Case
from coli_conformance.engines import Transport
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.reusable import Reusable
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

LOCATED = 5
"""Leaks for which the earlier case is looked for: the first ones tell what is kept, and each takes some processes."""

Settled = tuple[Case, Result, Observation | None]
"""A case with the verdict it has in a process of its own, and what was seen there."""

_STEADY = (frozenset({Status.PASS}), frozenset({Status.UNSUPPORTED}))


@dataclass(frozen=True, slots=True)
class Leak:
    """A case whose status depends on what the same process played before it: `together`, where it is `alone` another.

    `after` is an earlier case that is enough to show it; None where it was not looked for, or no single case is.
    """

    case_id: str
    after: str | None
    alone: Status
    together: Status


@dataclass(frozen=True, slots=True)
class LeakSearch:
    """What a search came to. `settled` are the verdicts that stand instead of those seen in a shared process."""

    leaks: tuple[Leak, ...] = ()
    settled: tuple[Settled, ...] = ()


def find_leaks(
    transport: Reusable, cases: Sequence[Case], results: Iterable[Result], *, shuffle: bool = True, seed: int = 0
) -> LeakSearch:
    """Look for cases whose status, of those in `results`, depends on the cases played before them.

    Cases that always have a process of their own, and those that were not played, say nothing here. Without `shuffle`
    only those that did not pass are asked again. The search is the same for the same `seed`. A case that timed out is
    not played in the shuffled order, where it would cost the time-out once more.
    """
    seen = _statuses(results)
    engine = transport.description
    shared = [case for case in cases if not case.alone and case.id in seen and why_not(engine, case) is None]
    if len(shared) < 2:
        return LeakSearch()
    orders = [shared]
    if shuffle:
        orders.append(_shuffled([case for case in shared if Status.TIMEOUT not in seen[case.id]], seed))
        for case_id, statuses in _statuses(_played(transport.in_one_process(), orders[-1])).items():
            seen[case_id] |= statuses
    suspects = [case for case in shared if seen[case.id] not in _STEADY]
    settled = _settled(transport.alone, suspects)
    differing = [
        (result.status, next(status for status in Status if status in seen[case.id] - {result.status}))
        for case, result, _ in settled
        if seen[case.id] != {result.status}
    ]
    leaking = [case for case, result, _ in settled if seen[case.id] != {result.status}]
    if not leaking:
        return LeakSearch()
    known: list[str] = []
    leaks = []
    by_id = {case.id: case for case in shared}
    for case, (alone, together) in zip(leaking, differing, strict=True):
        after = None
        if len(leaks) < LOCATED:
            after = _located(case, alone, orders, [by_id[name] for name in known], transport.in_one_process())
            known += [after] if after is not None and after not in known else []
        leaks.append(Leak(case.id, after, alone, together))
    settled += _settled(transport.alone, [case for case in shared if case not in suspects])
    return LeakSearch(tuple(leaks), tuple(settled))

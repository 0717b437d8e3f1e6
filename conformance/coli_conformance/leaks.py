"""State that a reusable driver carries from one session into the next, found by playing cases in other company.

Every case that shares a process is played twice more, in one process: in a shuffled order and in the reverse of it, so
that each of any two comes before the other once. Each that did anything but pass is then played in a process of its
own. A status that is another one alone is a leak: the offer `reusable` is broken, and from then on nothing that was
seen in a shared process counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from coli_conformance.case import Case
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.reusable import Reusable
from coli_conformance.engines.transport import Transport
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

LOCATED = 5
"""Leaks for which the earlier case is looked for: the first ones tell what is kept, and each takes some processes."""

Settled = tuple[Case, Result, Observation | None]
"""A case with the verdict it has in a process of its own, and what was seen there."""

_STEADY = ({Status.PASS}, {Status.UNSUPPORTED})


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
    played again alone only, as in company it would cost the time-out each time.
    """
    seen = _statuses(results)
    engine = transport.description
    shared = [case for case in cases if not case.alone and case.id in seen and why_not(engine, case) is None]
    if len(shared) < 2:
        return LeakSearch()
    in_time = [case for case in shared if Status.TIMEOUT not in seen[case.id]]
    shuffled = _shuffled(in_time, seed) if shuffle else []
    orders = [in_time, shuffled, shuffled[::-1]]
    for order in orders[1:]:
        for case_id, statuses in _statuses(_played(transport.in_one_process(), order)).items():
            seen[case_id] |= statuses
    suspects = [case for case in shared if seen[case.id] not in _STEADY]
    settled = _settled(transport.alone, suspects)
    unlike = [(case, result.status) for case, result, _ in settled if seen[case.id] != {result.status}]
    if not unlike:
        return LeakSearch()
    after = _earlier_cases(unlike[:LOCATED], orders, transport.in_one_process())
    leaks = [
        Leak(case.id, after.get(case.id), alone, next(s for s in Status if s in seen[case.id] and s is not alone))
        for case, alone in unlike
    ]
    settled += _settled(transport.alone, [case for case in shared if seen[case.id] in _STEADY])
    return LeakSearch(tuple(leaks), tuple(settled))


def _statuses(results: Iterable[Result]) -> dict[str, set[Status]]:
    """Return every status that each case had, by its id; one that was not run has none."""
    seen: dict[str, set[Status]] = {}
    for result in results:
        if result.status is not Status.NOT_RUN:
            seen.setdefault(result.case_id, set()).add(result.status)
    return seen


def _shuffled(cases: Sequence[Case], seed: int) -> list[Case]:
    shuffled = list(cases)
    Random(seed).shuffle(shuffled)
    return shuffled


def _played(transport: Transport, cases: Sequence[Case]) -> tuple[Result, ...]:
    return run(transport, cases, on_result=lambda *_: None).results


def _settled(transport: Transport, cases: Sequence[Case]) -> list[Settled]:
    """Return the verdict on each of `cases` by `transport`; those that were not run, the run given up, are left out."""
    settled: list[Settled] = []
    run(transport, cases, on_result=lambda *seen: settled.append(seen))
    return [entry for entry in settled if entry[1].status is not Status.NOT_RUN]


def _earlier_cases(
    unlike: Iterable[tuple[Case, Status]], orders: Iterable[Sequence[Case]], transport: Transport
) -> dict[str, str]:
    """Return an earlier case for the id of each case that has another status after it than the given one, alone.

    What leaks out of one case mostly shows in many, so that the cases found already are tried first.
    """
    after: dict[str, str] = {}
    found: dict[str, Case] = {}
    for case, alone in unlike:

        def shows(before: Sequence[Case], case: Case = case, alone: Status = alone) -> bool:
            return _played(transport, [*before, case])[-1].status not in (alone, Status.NOT_RUN)

        known = (earlier for earlier in found.values() if earlier is not case and shows([earlier]))
        searched = (_bisected(order[: order.index(case)], shows) for order in orders if case in order)
        earlier = next(chain(known, filter(None, searched)), None)
        if earlier is not None:
            found[earlier.id] = earlier
            after[case.id] = earlier.id
    return after


def _bisected(prefix: Sequence[Case], shows: Callable[[Sequence[Case]], bool]) -> Case | None:
    """Return the case of `prefix` that alone makes `shows` true, or None.

    State is mostly left by a case that was played shortly before: the end of the prefix is asked in doubling lengths,
    then the one length is halved between that which shows it and that which does not.
    """
    too_few, enough = 0, 1
    while not shows(prefix[-enough:]):
        if enough >= len(prefix):
            return None
        too_few, enough = enough, min(2 * enough, len(prefix))
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if shows(prefix[-middle:]):
            enough = middle
        else:
            too_few = middle
    earlier = prefix[-enough]
    return earlier if enough == 1 or shows([earlier]) else None

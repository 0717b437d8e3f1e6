"""A whole run: the selected cases, what a reusable driver carries from one into the next, and their twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.engines.reusable import Reusable
from coli_conformance.engines.transport import Transport
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.leaks import Leak, LeakSearch, find_leaks
from coli_conformance.runner import OnResult, Run, run
from coli_conformance.twin_run import Twins, due_twins, sampled


@dataclass(frozen=True, slots=True)
class WholeRun:
    """What a whole run came to. `cases` are those of its results: the selected ones, then the twins that were due."""

    finished: Run
    cases: tuple[Case, ...]
    twins: Twins
    leaks: tuple[Leak, ...]


def whole_run(
    transport: Transport,
    cases: Sequence[Case],
    chosen_twins: Callable[[], Sequence[Case]],
    *,
    every_twin: bool,
    repeat: int,
    seed: int,
    on_result: OnResult,
    on_settled: OnResult,
) -> WholeRun:
    """Play `cases`, then the twins that are due of those that `chosen_twins` gives, all of it `repeat` times.

    `every_twin`: no sample is taken of them. A reusable driver is searched for leaks, once, in an order made from
    `seed`. Where it has one, every verdict of a shared process is replaced by that of a process of its own, which is
    told by `on_settled`, and twins have a process each. A run that was given up ends there, its twins not run.
    """
    first = run(transport, cases, repeat=repeat, on_result=on_result)
    search = _search(transport, cases, first, on_settled, seed=seed)
    results = _with_settled(first.results, search)
    shared = isinstance(transport, Reusable) and not search.leaks
    twins = due_twins(chosen_twins(), results)
    if not (every_twin or shared):
        twins = sampled(twins, transport.description)
    if first.gave_up is not None:
        rest = tuple(Result(twin.id, Status.NOT_RUN, detail=first.gave_up) for twin in twins.due)
        second = Run(first.engine, rest, first.spawns, first.gave_up)
        more = LeakSearch()
    else:
        trusted = transport.alone if isinstance(transport, Reusable) and search.leaks else transport
        second = run(trusted, twins.due, repeat=repeat, on_result=on_result)
        more = _search(trusted, twins.due, second, on_settled, shuffle=False)
    return WholeRun(
        Run(first.engine, (*results, *_with_settled(second.results, more)), transport.spawns, second.gave_up),
        (*cases, *twins.due),
        twins,
        (*search.leaks, *more.leaks),
    )


def _search(
    transport: Transport,
    cases: Sequence[Case],
    played: Run,
    on_settled: OnResult,
    *,
    shuffle: bool = True,
    seed: int = 0,
) -> LeakSearch:
    if not isinstance(transport, Reusable) or played.gave_up is not None:
        return LeakSearch()
    search = find_leaks(transport, cases, played.results, shuffle=shuffle, seed=seed)
    for case, result, observation in search.settled:
        on_settled(case, result, observation)
    return search


def _with_settled(results: Sequence[Result], search: LeakSearch) -> tuple[Result, ...]:
    """Return `results` with the settled verdict in the place of each that a shared process gave."""
    settled = {case.id: result for case, result, _ in search.settled}
    return tuple(settled.get(result.case_id, result) for result in results)

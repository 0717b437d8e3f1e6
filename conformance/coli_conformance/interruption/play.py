"""Plays an engine's save again and again, interrupted at each of its calls on files, and two of them at once."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from coli_conformance.case import Case
from coli_conformance.corpus.target import Target
from coli_conformance.engines.fixed import Fixed
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.process_per_case import ProcessPerCase
from coli_conformance.engines.reusable import Reusable
from coli_conformance.engines.transport import Transport
from coli_conformance.interruption import cases as made
from coli_conformance.interruption import two_savers
from coli_conformance.interruption.build import ENVIRONMENT, CannotInterrupt, built
from coli_conformance.interruption.calls import LOG, NOT_REACHED, Call, interrupted_at, logged
from coli_conformance.interruption.watch import calls_of_a_save, without_log
from coli_conformance.interruption.whole_history import failed_result, killed_result
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import OnResult

OpenEngine = Callable[[tuple[str, ...]], Transport]
"""Opens the engine with these words before its command."""
Choose = Callable[[Sequence[Case]], Sequence[Case]]

_IN_PROCESS = "Saves can be interrupted only in a process of their own: name a Python engine as python:MODULE:CLASS."


@dataclass(frozen=True, slots=True)
class InterruptedSaves:
    """What came of it: results in the order of their cases, and a sentence where calls could not be interrupted."""

    cases: tuple[Case, ...]
    results: tuple[Result, ...]
    spawns: int
    cannot: str | None


def interrupted_saves(open_engine: OpenEngine, choose: Choose, on_result: OnResult) -> InterruptedSaves:
    """Interrupt the saves of an engine, and let two of it save at once.

    `choose` narrows the cases to those asked for; `on_result` hears each result as it comes. Where calls cannot be
    interrupted, a case for each clause stands unsupported in the place of those that were not played. Raises
    EngineUnusable.
    """
    played: list[tuple[Case, Result]] = []

    def hear(case: Case, result: Result, observation: Observation | None = None) -> None:
        played.append((case, result))
        on_result(case, result, observation)

    with tempfile.TemporaryDirectory(prefix="coli-interrupt-") as folder:
        cannot: str | None = None
        before: tuple[str, ...] = ()
        try:
            before = (os.fspath(built(Path(folder))),)
        except CannotInterrupt as reason:
            cannot = str(reason)
        with open_engine(before) as transport:
            target = target_of(transport.description.fixed)
            for_all = (*made.each_call(target), made.two_savers(target))
            alone = process_per_case(transport)
            never = _IN_PROCESS if alone is None else why_not(transport.description, for_all[-1])
            if alone is None or never is not None:
                for case in choose(for_all):
                    hear(case, Result(case.id, Status.UNSUPPORTED, detail=never or ""))
                return _all(played, transport.spawns, never)
            calls: tuple[Call, ...] = ()
            if cannot is None:
                try:
                    calls = calls_of_a_save(alone, target)
                except CannotInterrupt as reason:
                    cannot = str(reason)
            if cannot is not None:
                for case in choose(made.each_call(target)):
                    hear(case, Result(case.id, Status.UNSUPPORTED, detail=cannot))
            for seen in _played(alone, choose(tuple(_kills_and_failures(target, calls)))):
                hear(*seen)
            invocation = alone.invocation(for_all[-1])
            spawns = transport.spawns
        held = (made.held(target, call) for call in interrupted_at(calls))
        at_once = choose((*held, made.two_savers(target)))
        for case, result in two_savers.results(invocation, target, at_once):
            hear(case, result)
    return _all(played, spawns + 2 * len(at_once), cannot)


def target_of(fixed: Fixed) -> Target:
    """Return whose histories are saved: those of whom the engine was built for, as far as that goes."""
    built_for = fixed.target
    size = built_for if fixed.dimensions is not None else made.UNBOUND
    return Target(built_for.name, size.n_layers, size.n_experts)


def invocation_of(transport: Transport, target: Target) -> Invocation | None:
    """Return how a process of the engine is started; None for an engine in this process."""
    alone = process_per_case(transport)
    return None if alone is None else alone.invocation(made.two_savers(target))


def process_per_case(transport: Transport) -> ProcessPerCase | None:
    """Return the transport by which each case has a process of its own; None for an engine in this process."""
    alone = transport.alone if isinstance(transport, Reusable) else transport
    return alone if isinstance(alone, ProcessPerCase) else None


def _kills_and_failures(target: Target, calls: Sequence[Call]) -> Iterator[Case]:
    interrupted = tuple(interrupted_at(calls))
    for call in interrupted:
        yield made.killed(target, call)
    for call in interrupted:
        yield made.failing(target, call, calls)


def _played(transport: Transport, cases: Sequence[Case]) -> Iterator[tuple[Case, Result, Observation]]:
    with closing(transport.play(cases)) as played:
        for case, observation in played:
            mode, number = case.environment[ENVIRONMENT].split()
            seen = without_log(observation)
            if all(call.number != int(number) for call in logged(observation.files.get(LOG, b""))):
                yield case, Result(case.id, Status.UNSUPPORTED, detail=NOT_REACHED), seen
            elif mode == "kill" and (seen.ending, seen.exit_status) == (Ending.EXITED, -signal.SIGKILL):
                yield case, killed_result(case, seen), seen
            else:
                yield case, failed_result(case, seen), seen


def _all(played: Sequence[tuple[Case, Result]], spawns: int, cannot: str | None) -> InterruptedSaves:
    cases = tuple(case for case, _ in played)
    return InterruptedSaves(cases, tuple(result for _, result in played), spawns, cannot)

"""Playing every faulty engine against the committed cases, several at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coli_conformance import faults
from coli_conformance.case import Case
from coli_conformance.corpus import vectors
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.invocation import scrubbed
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import OnResult, run
from coli_conformance.selftest.blatant import SaysOkAndDoesNothing
from coli_conformance.selftest.reach import recorder, replaced

LARGE_INPUT = 20_000
LARGE_ENGINE = 1_000_000
"""A case of more bytes of files and commands, or of more counters, is large: it is played against a fault only where
no other case shows it."""

SOUND = "sound"
BLATANT = "says-ok-and-does-nothing"
"""The names of the two controls; no fault has them."""

_IN_MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: most of the time of a case is making and removing its files."""

Reached = Mapping[str, frozenset[str]]
"""The steps of the sound engine by the id of the case that takes them."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the cases saw of one engine.

    `broken`: the clauses seen broken, by case id; cases that passed are left out. `unsupported`: cases that this
    machine cannot ask. `with_large`: whether the large cases were among them.
    """

    name: str
    broken: Mapping[str, tuple[str, ...]]
    unsupported: frozenset[str]
    with_large: bool


@dataclass(frozen=True, slots=True)
class Plays:
    """The sound engine, the blatant fault, and the faults in the order asked for."""

    sound: Played
    blatant: Played
    faults: tuple[Played, ...]


def is_large(case: Case) -> bool:
    """Tell whether `case` is left out for a fault that another one shows."""
    if sum(len(item.data or b"") for item in case.setup) + sum(map(len, case.steps)) > LARGE_INPUT:
        return True
    sessions = (step.split(" ") for step in case.steps if step.startswith("init "))
    return any((int(n_layers) + 1) * int(n_experts) > LARGE_ENGINE for _, _, n_layers, n_experts in sessions)


def play_all(names: Sequence[str], jobs: int, on_played: Callable[[], None]) -> Plays:
    """Play both controls and the faults of these names, in `jobs` processes; call `on_played` after each fault.

    The sound engine goes first: which of its steps a case takes decides against which faults the case is played.
    """
    # Forking is not an option: the caller may have threads. What is imported here, a process imports in a blink.
    context = multiprocessing.get_context("spawn")
    with (
        TemporaryDirectory(prefix="coli-self-test-", dir=_in_memory(), ignore_cleanup_errors=True) as root,
        ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare, initargs=(root,)) as pool,
    ):
        sound, reached = pool.submit(play_sound).result()
        blatant = pool.submit(play_blatant)
        played = []
        for one in pool.map(partial(play_fault, reached), names):
            played.append(one)
            on_played()
        return Plays(sound, blatant.result(), tuple(played))


def play_sound() -> tuple[Played, Reached]:
    """Play the sound engine against every case; return also which of its steps each case takes."""
    reached: dict[str, frozenset[str]] = {}
    touched: set[str] = set()

    def note(case: Case, result: Result, observation: object) -> None:
        del result, observation
        reached[case.id] = frozenset(touched)
        touched.clear()

    return _play(SOUND, recorder(touched), _cases(), note), reached


def play_blatant() -> Played:
    """Play the blatant fault against every case."""
    return _play(BLATANT, SaysOkAndDoesNothing, _cases())


def play_fault(reached: Reached, name: str) -> Played:
    """Play one fault against the cases that can show it, large ones only where no other case does."""
    fault = faults.fault(name)
    names = replaced(fault)
    able = [case for case in _cases() if names is None or names & reached[case.id]]
    played = _play(name, fault, [case for case in able if not is_large(case)])
    clause = faults.breaks(fault)[0]
    if any(case.clauses[0] == clause and clause in played.broken.get(case.id, ()) for case in able):
        return played
    large = _play(name, fault, [case for case in able if is_large(case)])
    return Played(name, {**played.broken, **large.broken}, played.unsupported | large.unsupported, with_large=True)


def _play(name: str, engine: type[Any], cases: Sequence[Case], on_result: OnResult | None = None) -> Played:
    with InProcess(engine, name, {}) as transport:
        results = run(transport, cases, on_result=on_result or _unheard).results
    return Played(
        name,
        {result.case_id: result.broken for result in results if result.broken},
        frozenset(result.case_id for result in results if result.status is Status.UNSUPPORTED),
        with_large=any(map(is_large, cases)),
    )


def _unheard(case: Case, result: Result, observation: object) -> None:
    """Hear a result and do nothing: the run keeps it."""


def _in_memory() -> str | None:
    return str(_IN_MEMORY) if _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK) else None


def _prepare(root: str) -> None:
    """Make a process of the pool ready: its files go below `root`, which whoever started it removes.

    A Ctrl-C ends it without a word. Of its environment only what a case begins with is kept: for each case the rest
    would be taken out and put back.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    tempfile.tempdir = root
    kept = scrubbed({})
    os.environ.clear()
    os.environ.update(kept)


@cache
def _cases() -> tuple[Case, ...]:
    return vectors.committed()[0]

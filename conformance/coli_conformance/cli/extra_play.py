"""What `run` does beside the corpus where it is asked to: saves that are interrupted, and the envelope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from coli_conformance.case import Case
from coli_conformance.cli.engine_choice import EngineChoice
from coli_conformance.engines.transport import EngineUnusable, Transport
from coli_conformance.interruption.envelope import measured, why_not_measured
from coli_conformance.interruption.envelope_table import envelope_lines
from coli_conformance.interruption.play import interrupted_saves, invocation_of, target_of
from coli_conformance.reports.lines import Line, line, wrapped
from coli_conformance.reports.progress import RunProgress
from coli_conformance.runner import OnResult
from coli_conformance.whole_run import WholeRun

Choose = Callable[[Sequence[Case]], Sequence[Case]]
"""Returns those of the given cases that are to be played."""
_IN_PROCESS = "It takes an engine in a process of its own: name a Python one as python:MODULE:CLASS."


def with_interrupted_saves(
    choice: EngineChoice, whole: WholeRun, choose: Choose, progress: RunProgress, on_result: OnResult
) -> tuple[WholeRun, str | None]:
    """Interrupt the engine's saves; return `whole` with what came of it, and a sentence where that cannot be done.

    A run that was given up is returned as it is. Raises
    EngineUnusable.
    """
    if whole.finished.gave_up is not None:
        return whole, None

    def opened(before: tuple[str, ...]) -> Transport:
        return replace(choice, wrap=(*before, *choice.wrap)).open()

    def expected(cases: Sequence[Case]) -> Sequence[Case]:
        chosen = choose(cases)
        progress.expect(len(chosen))
        return chosen

    saves = interrupted_saves(opened, expected, on_result)
    finished = replace(
        whole.finished,
        results=(*whole.finished.results, *saves.results),
        spawns=whole.finished.spawns + saves.spawns,
    )
    return replace(whole, finished=finished, cases=(*whole.cases, *saves.cases)), saves.cannot


def extra_lines(choice: EngineChoice, uninterrupted: str | None, width: int, *, envelope: bool) -> Iterator[Line]:
    """Yield why saves could not be interrupted, where there is such a sentence, and the envelope where it is wanted."""
    if uninterrupted is not None:
        yield from _cannot("Saves were not interrupted.", uninterrupted, width)
    if envelope:
        yield from _measured_lines(choice, width)


def _measured_lines(choice: EngineChoice, width: int) -> Iterator[Line]:
    """Measure the envelope of the engine, and yield it as lines."""
    try:
        transport = choice.open()
    except EngineUnusable as error:
        yield from _cannot("The envelope was not measured.", str(error).partition("\n")[0], width)
        return
    with transport:
        target = target_of(transport.description.fixed)
        invocation = invocation_of(transport, target)
        cannot = why_not_measured(transport.description)
    if invocation is None or cannot is not None:
        yield from _cannot("The envelope was not measured.", cannot or _IN_PROCESS, width)
    else:
        yield from envelope_lines(measured(invocation, target.name), width)


def _cannot(what: str, why: str, width: int) -> Iterator[Line]:
    yield from wrapped(f"{what} {why}", width, "  ", "weak")
    yield line()

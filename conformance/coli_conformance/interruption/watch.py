"""Watches a save that nothing interrupts, for the calls at which others then are."""

from __future__ import annotations

from dataclasses import replace

from coli_conformance.corpus.target import Target
from coli_conformance.engines.transport import Transport
from coli_conformance.escape import shown_bytes
from coli_conformance.interruption import cases
from coli_conformance.interruption.build import CannotInterrupt
from coli_conformance.interruption.calls import LOG, Call, logged, of_the_save
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Status

_SHOWN = 400


def calls_of_a_save(transport: Transport, target: Target) -> tuple[Call, ...]:
    """Return the calls on files of a save, in their order; the engine is started by way of `interrupt.c`.

    Raises CannotInterrupt where they cannot be seen, there are none, or the save does not go well by itself.
    """
    watched = cases.watched(target)
    without_save, whole = (seen for _, seen in transport.play(watched))
    if LOG not in whole.files or LOG not in without_save.files:
        said = shown_bytes(whole.stderr.strip()[:_SHOWN]) or whole.detail or "it said nothing"
        raise CannotInterrupt(f"The calls of this engine could not be watched: {said}")
    verdict = judge(watched[1], without_log(whole))
    if verdict.status is not Status.PASS:
        raise CannotInterrupt(
            f"A save that nothing interrupted did not go well, and is to be put right first: {verdict.detail}"
        )
    calls = of_the_save(logged(whole.files[LOG]), logged(without_save.files[LOG]))
    if not calls:
        raise CannotInterrupt(
            "No call on a file in the working folder was seen when this engine saved. It may be a 32-bit program, "
            "write through a mapping of the file, or have another process write."
        )
    return calls


def without_log(observation: Observation) -> Observation:
    """Return what was seen of the engine, the log of its calls left out."""
    return replace(observation, files={path: data for path, data in observation.files.items() if path != LOG})

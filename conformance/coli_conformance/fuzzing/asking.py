"""Putting entries to an engine: many in a row as fast as its transport is, or one in a process of its own."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.transport import Transport
from coli_conformance.fuzzing.meant import Meant
from coli_conformance.fuzzing.verdict import judged
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status


@dataclass(frozen=True, slots=True)
class Answered:
    """An entry, what was seen of the engine that played it, and the verdict."""

    asked: Meant
    result: Result
    observation: Observation


def can_be_asked(transport: Transport, asked: Meant) -> bool:
    """Tell whether the engine claims what the entry needs and can play such a session."""
    return why_not(transport.description, asked.case) is None


def ask_all(transport: Transport, several: Sequence[Meant]) -> Generator[Answered, None, None]:
    """Play entries and yield what each came to, in the order given. Closing it early ends what is running."""
    played = transport.play([asked.case for asked in several])
    try:
        for asked, (_, observation) in zip(several, played, strict=True):
            yield Answered(asked, judged(asked, observation), observation)
    finally:
        played.close()


def ask(transport: Transport, asked: Meant) -> Answered:
    """Play one entry with nothing before it: its process, where it has one, is new."""
    (answered,) = ask_all(transport, [asked])
    return answered


def reference_agrees(asked: Meant) -> bool:
    """Tell whether the reference engine does what is expected, without which no engine is blamed."""
    from coli_reference.engine import ReferenceEngine  # noqa: PLC0415 - only a difference asks for it

    with InProcess(ReferenceEngine, "reference", {}) as reference:
        return ask(reference, asked).result.status is Status.PASS

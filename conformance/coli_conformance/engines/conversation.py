"""How one case is put to a process: what is started, what it reads, and how what it did is understood."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from coli_conformance.case import Case
from coli_conformance.engines.greeting import HELLO, after_greeting
from coli_conformance.engines.invocation import Invocation
from coli_conformance.judge.observation import Observation


class Conversation(Protocol):
    """What a process of its own is told of a case, and what its output means in the terms of the protocol."""

    def invocation(self, case: Case) -> Invocation:
        """Return how the process for `case` is started."""

    def sent(self, case: Case) -> bytes:
        """Return all that it gets on standard input."""

    def understood(self, case: Case, seen: Observation) -> Observation:
        """Return `seen`, whose `stdout` is all that the process wrote, as answers to the steps of `case`."""


class DriverConversation:
    """The driver protocol: the same command for every case, told everything on standard input."""

    def __init__(self, invocation: Invocation) -> None:
        self._invocation = invocation

    def invocation(self, case: Case) -> Invocation:
        """Return the one way the driver is started."""
        del case
        return self._invocation

    def sent(self, case: Case) -> bytes:
        """Return `hello` and the steps."""
        return HELLO + commands(case)

    def understood(self, case: Case, seen: Observation) -> Observation:
        """Return `seen` without the answer to `hello`."""
        del case
        return replace(seen, stdout=after_greeting(seen.stdout))


def commands(case: Case) -> bytes:
    """Return the commands of a case as they are sent, `hello` left out."""
    return "".join(f"{step}\n" for step in case.steps).encode()

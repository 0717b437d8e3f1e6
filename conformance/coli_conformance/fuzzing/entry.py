"""One input of the search: the files an engine finds and the commands it is sent. What must be seen follows from it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACING
from coli_spec.loader import MOST_EXPERTS, MOST_LAYERS

READS = ("load", "trust")
"""The verbs that read a history."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The files by path, and the protocol commands that follow on `init`. `tracing`: ROUTE_TRACE is set."""

    target: Target
    files: tuple[tuple[str, bytes], ...]
    steps: tuple[str, ...]
    tracing: bool = False

    @property
    def size(self) -> int:
        """How much there is to look at: the bytes of files and commands."""
        return sum(len(data) for _, data in self.files) + sum(len(step) + 1 for step in self.steps)

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that name the entry, whatever else is known of it."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]


def entry_of(case: Case) -> Entry | None:
    """Return the entry that a case plays, or None where it is more than files, one session and its commands."""
    if case.file_size_limit is not None or case.decimal_comma or dict(case.environment) not in ({}, TRACING):
        return None
    files = tuple((item.path, item.data) for item in case.setup if item.data is not None)
    if len(files) != len(case.setup) or not case.steps:
        return None
    verb, *words = case.steps[0].split(" ")
    if verb != "init" or len(words) != 3 or any(step.startswith("init ") for step in case.steps[1:]):
        return None
    try:
        target = Target(words[0], int(words[1]), int(words[2]))
    except ValueError:
        return None
    if target.init != case.steps[0] or not (
        0 < target.n_layers <= MOST_LAYERS and 0 < target.n_experts <= MOST_EXPERTS
    ):
        return None
    return Entry(target, files, case.steps[1:], tracing=bool(case.environment))

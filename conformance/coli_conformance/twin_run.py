"""The metamorphic layer of a run: which twins of the selected cases are played, and which are left out.

    original        its twins
    passed          are played
    failed          are left out: that they fail as well would say nothing new
    unsupported     are played as far as they can be, and are else unsupported as well
    not run         are not run
    not selected    are played: somebody named them

All of them are played where one process plays many cases. Elsewhere, where no case is named, it is a sample: for each
rewrite, in the order of a hash of their ids, as many twins as it takes to have SAMPLE that can be played. What is left
out counts nowhere, and the report says how many that are.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.corpus.rewrites import original_of, rewrite_of
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.judge.verdict import Result
from coli_conformance.score import FAILED

SAMPLE = 25
"""Twins of each rewrite in a sample."""


@dataclass(frozen=True, slots=True)
class Twins:
    """The twins of a run: those `due`, in their order, and how many were left out for which reason."""

    due: tuple[Case, ...] = ()
    original_failed: int = 0
    not_sampled: int = 0


def due_twins(chosen: Sequence[Case], results: Iterable[Result]) -> Twins:
    """Return the twins of `chosen` that are due after `results`, those of the originals."""
    failed = {result.case_id for result in results if result.status in FAILED}
    due = tuple(twin for twin in chosen if original_of(twin.id) not in failed)
    return Twins(due, original_failed=len(chosen) - len(due))


def sampled(twins: Twins, engine: EngineDescription) -> Twins:
    """Return `twins` with a sample of those that are due, the same for every run of the same selection."""
    by_rewrite: defaultdict[str, list[Case]] = defaultdict(list)
    for twin in sorted(twins.due, key=lambda twin: zlib.crc32(twin.id.encode())):
        by_rewrite[rewrite_of(twin.id)].append(twin)
    taken: set[str] = set()
    for group in by_rewrite.values():
        playable = 0
        for twin in group:
            if playable == SAMPLE:
                break
            taken.add(twin.id)
            playable += why_not(engine, twin) is None
    due = tuple(twin for twin in twins.due if twin.id in taken)
    return Twins(due, twins.original_failed, len(twins.due) - len(due))

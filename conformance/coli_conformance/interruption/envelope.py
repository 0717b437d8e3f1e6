"""The envelope: what a load and a save cost in time and memory as a history grows to ten and a hundred times the size.

It is a measurement, shown and never scored: no clause sets a time. Growth that is quadratic is said, for an engine that
compares each record with all others is quick on a small history and takes hours on a large one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from coli_conformance.case import SetupFile
from coli_conformance.corpus.meaning import history, skewed_counts
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.engines import folder
from coli_conformance.engines.children import Children
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.invocation import Invocation
from coli_conformance.engines.limits import Limits
from coli_conformance.engines.removal import remove
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.escape import shown_text
from coli_conformance.interruption.dialogue import Dialogue

SIZES = ((1, 78, 256), (10, 247, 810), (100, 780, 2560))
"""How many times the counters of GLM-5.2, n_layers and n_experts: the same shape, each number times the square root."""
PATIENCE = 60.0
"""Seconds for one command; an engine that takes longer is not asked for a larger size."""
QUADRATIC = 25.0
"""Ten times the records taking so many times as long, or as much memory, is called quadratic (which would be 100)."""
Number = TypeVar("Number", int, float)
_BEST_OF = 3
_LONG = 2.0
"""Seconds; what took so long is not measured again."""
_SHORT = 0.05
_SMALL = 16 << 20
"""Seconds and bytes below which a cost tells nothing of how it grows."""
_LIMITS = Limits(memory=8 << 30, cpu=4 * PATIENCE, file=1 << 30, folder=4 << 30)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one size cost: seconds, and bytes of memory at the peak beyond what the engine took before the load.

    `seconds` over PATIENCE mean that the engine was killed then. None is what could not be measured.
    """

    times: int
    n_layers: int
    n_experts: int
    records: int
    load: float | None = None
    save: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """The costs, smallest size first, and a sentence on what could not be measured, empty where all was."""

    costs: tuple[Cost, ...]
    cannot: str = ""


def why_not_measured(engine: EngineDescription) -> str | None:
    """Return a sentence where the envelope of `engine` cannot be measured, else None."""
    missing = " ".join(sorted({"load", "save"} - engine.roles))
    if missing:
        return f"It takes roles that the engine does not claim: {missing}."
    if engine.fixed.dimensions is not None:
        return f"It takes three sizes, and the engine was built for {engine.fixed.text}."
    return None


def measured(invocation: Invocation, name: str) -> Envelope:
    """Measure the engine that is started as `invocation` says, under the identity `name`."""
    patient = replace(invocation, timeout=PATIENCE, limits=_LIMITS)
    costs: list[Cost] = []
    with closing(CaseFolders()) as folders, closing(Children()) as children:
        for times, n_layers, n_experts in SIZES:
            target = Target(name, n_layers, n_experts)
            records = skewed_counts(range(n_layers + 1), n_experts, n_experts)
            setup = SetupFile(HISTORY, data=history(target, *records).text.encode())
            best = Cost(times, n_layers, n_experts, len(records))
            for _ in range(_BEST_OF):
                path = folders.make()
                folder.fill(path, [setup])
                with closing(_Asked(Dialogue(patient, children, path))) as asked:
                    seen = _cost(asked, best, target.init, sum(count for _, _, count in records))
                remove(path)
                if asked.wrong:
                    return Envelope((*costs, seen), asked.wrong)
                best = _better(best, seen)
                if (seen.load or 0) + (seen.save or 0) > _LONG:
                    break
            costs.append(best)
    return Envelope(tuple(costs))


class _Asked:
    """An engine that is timed. Once an answer was wrong or late, `wrong` is a sentence, and nothing more is asked."""

    def __init__(self, engine: Dialogue) -> None:
        self.engine = engine
        self.wrong = ""

    def seconds(self, command: str, right: str) -> float | None:
        """Return how long the right answer to `command` took; more than PATIENCE where it never came."""
        if self.wrong:
            return None
        began = time.perf_counter()
        self.engine.ask([command])
        answered = self.engine.wait()
        took = time.perf_counter() - began
        if not answered:
            _, detail = self.engine.end()
            self.wrong = f"`{command}` was not answered. {detail}"
            return took if took >= PATIENCE else None
        (answer,) = self.engine.answers
        if answer != right:
            self.wrong = f"`{command}` was answered by `{shown_text(answer)}`, and `{right}` is right."
            return None
        return took

    def close(self) -> None:
        """End the engine."""
        self.engine.end()


def _cost(asked: _Asked, of: Cost, init: str, total: int) -> Cost:
    asked.seconds(init, "ok")
    before = asked.engine.peak_memory()
    load = asked.seconds(f"load {HISTORY}", f"ok {total}")
    save = asked.seconds("save saved", "ok")
    after = asked.engine.peak_memory() if not asked.wrong else None
    memory = after - before if after is not None and before is not None else None
    return replace(of, load=load, save=save, memory=memory)


def _better(one: Cost, other: Cost) -> Cost:
    """Return the lower of both in every respect."""
    return replace(
        one,
        load=_lower(one.load, other.load),
        save=_lower(one.save, other.save),
        memory=_lower(one.memory, other.memory),
    )


def _lower(one: Number | None, other: Number | None) -> Number | None:
    return min((number for number in (one, other) if number is not None), default=None)


def quadratic(envelope: Envelope) -> Iterator[str]:
    """Yield a sentence for every cost that grows like the square of the size, from one size to the next."""
    for smaller, larger in pairwise(envelope.costs):
        times = larger.times // smaller.times
        for what, before, after, least in (
            ("A load takes", smaller.load, larger.load, _SHORT),
            ("A save takes", smaller.save, larger.save, _SHORT),
            ("The memory is", smaller.memory, larger.memory, _SMALL),
        ):
            if before and after and after > least and after / before > QUADRATIC:
                yield (
                    f"{what} {after / before:.0f} times as much for {times} times the records, which is quadratic "
                    "growth: look for a search through all records, or a buffer copied, for each record."
                )

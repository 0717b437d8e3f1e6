"""Several legal readings of the same files written down: what `load` and then `counts` answer for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case, Outcome, Record
from coli_conformance.corpus.meaning import ascending
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target


@dataclass(frozen=True, slots=True)
class Reading:
    """What one load comes to: the data records it credits, and whether it says so or refuses."""

    credited: tuple[Record, ...] = ()
    refused: bool = False

    @property
    def answer(self) -> str:
        """The answer to the load."""
        return "refused" if self.refused else f"ok {sum(count for _, _, count in self.credited)}"


REFUSED = Reading(refused=True)
"""The file is refused and nothing is credited."""

Legal = Iterable[tuple[str, Sequence[Reading]]]
"""The name of a behaviour, empty where the clause is no `may`, and what the case's loads come to."""


def case_of_readings(
    target: Target,
    case_id: str,
    why: str,
    files: Mapping[str, bytes | str | None],
    legal: Legal,
    roles: Sequence[str] = (),
) -> Case:
    """Return a case that loads each of `files` (None: no such file), asks for the counters and accepts `legal`.

    Where two behaviours come to the same answers the first one listed gives the outcome its name.
    """
    session = Session(target)
    for path, content in files.items():
        if content is not None:
            session.given(path, content)
        session.say(f"load {path}", "any")
    session.say("counts", "any")
    outcomes: dict[tuple[str, ...], Outcome] = {}
    for name, readings in legal:
        answers = ("ok", *(reading.answer for reading in readings), _counters(readings))
        outcomes.setdefault(answers, Outcome(answers, name=name))
    return session.case(case_id, why, roles=roles, outcomes=tuple(outcomes.values()))


def _counters(readings: Iterable[Reading]) -> str:
    sums: Counter[tuple[int, int]] = Counter()
    for reading in readings:
        for layer, expert, count in reading.credited:
            sums[layer, expert] += count
    return ascending((layer, expert, count) for (layer, expert), count in sums.items() if count) + "ok"

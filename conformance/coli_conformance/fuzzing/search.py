"""The search: entries played until time or number is up, differences confirmed, shrunk, told apart and saved."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from coli_conformance.case import Case
from coli_conformance.engines.transport import Transport
from coli_conformance.fuzzing import saved
from coli_conformance.fuzzing.asking import Answered, ask, ask_all, can_be_asked, reference_agrees
from coli_conformance.fuzzing.meant import Meant
from coli_conformance.fuzzing.shrinking import LONGEST, shrink, shrinking_words
from coli_conformance.fuzzing.verdict import Key, key_of
from coli_conformance.judge.observation import Ending
from coli_conformance.judge.verdict import Status
from coli_conformance.runner import GIVE_UP_AFTER
from coli_conformance.score import FAILED

_AT_ONCE_AT_LEAST, _AT_ONCE_AT_MOST = 32, 2000
_SECONDS_AT_ONCE = 1.0
"""About so long plays one process before differences are looked into."""
_MOST_ATTEMPTS = 4
"""So often a difference of one kind is shrunk, though it turned out the time before to be one that is known."""
_FRUITLESS = 3000
"""Entries in a row that cannot be asked of the engine, after which none will be."""
MOST_BEYOND = 25.0
"""Seconds that differences are shrunk beyond those of the search, all of them together."""


class NothingToAskError(Exception):
    """The engine can play none of the entries; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in its smallest form. `size` and `size_before`, of files and commands, are in bytes.

    `kept`: it was saved by an earlier search. `whole`: there was time to make it as small as it gets.
    """

    answered: Answered
    size_before: int
    kept: bool = False
    whole: bool = True

    @property
    def key(self) -> Key:
        """The status, and the clause it is shown under."""
        return key_of(self.answered.result)


@dataclass(slots=True)
class Findings:
    """What a search came to, growing while it goes on.

    `inputs` counts what was played, by kind. `in_company` are differences that an entry shows in a process that played
    others before, and not alone. `doubtful` are cases whose expectation the reference engine does not meet.
    `gave_up` is a sentence where the search ended before its time. `shrinking` says what is made smaller at the moment.
    """

    inputs: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    passing_again: list[Case] = field(default_factory=list)
    in_company: int = 0
    doubtful: list[Case] = field(default_factory=list)
    gave_up: str | None = None
    shrinking: str | None = None
    seconds: float = 0.0


OnInput = Callable[[Findings, float], None]
"""Hears after each input, and each try to make one smaller, what there is so far, and how many seconds went by."""


def search(
    transport: Transport,
    entries: Iterator[tuple[str, Meant]],
    *,
    seconds: float | None,
    count: int | None,
    folder: Path,
    on_input: OnInput,
) -> Findings:
    """Play what `folder` has saved, then `entries`, until `seconds` or `count` inputs are over; save what is found.

    To shrink a difference takes LONGEST seconds at most, and all that is beyond `seconds` takes MOST_BEYOND at most;
    an input under way then is waited for.
    Raises NothingToAskError, OutputError, and EngineUnusable where the engine cannot be started any more.
    """
    return _Search(transport, seconds, count, folder, on_input).whole(entries)


class _Search:
    """One search under way."""

    def __init__(
        self, transport: Transport, seconds: float | None, count: int | None, folder: Path, on_input: OnInput
    ) -> None:
        self._transport = transport
        self._seconds = seconds
        self._count = count
        self._folder = folder
        self._on_input = on_input
        self._found = Findings()
        self._begin = time.monotonic()
        self._known: set[Key] = set()
        self._attempts: Counter[Key] = Counter()
        self._stopped_in_a_row = 0

    def whole(self, entries: Iterator[tuple[str, Meant]]) -> Findings:
        saved.check(self._folder)  # now, and not when hours of search have found something
        self._try_saved()
        at_once = _AT_ONCE_AT_LEAST
        while not self._over():
            batch = self._next(entries, at_once)
            began = time.monotonic()
            suspects, played = self._play(batch)
            if played < len(batch):
                entries = chain(batch[played:], entries)
            rate = played / max(time.monotonic() - began, 1e-3)
            at_once = int(min(max(rate * _SECONDS_AT_ONCE, _AT_ONCE_AT_LEAST), _AT_ONCE_AT_MOST))
            for number, suspect in enumerate(suspects):
                self._look_into(suspect, len(suspects) - number)
        self._found.seconds = time.monotonic() - self._begin
        return self._found

    def _over(self) -> bool:
        found = self._found
        return (
            found.gave_up is not None
            or (self._seconds is not None and time.monotonic() - self._begin >= self._seconds)
            or (self._count is not None and found.inputs.total() >= self._count)
        )

    def _next(self, entries: Iterator[tuple[str, Meant]], at_once: int) -> list[tuple[str, Meant]]:
        if self._count is not None:
            at_once = min(at_once, self._count - self._found.inputs.total())
        batch: list[tuple[str, Meant]] = []
        fruitless = 0
        for kind, asked in entries:
            if can_be_asked(self._transport, asked):
                batch.append((kind, asked))
                fruitless = 0
            else:
                fruitless += 1
            if len(batch) >= at_once:
                break
            if fruitless == _FRUITLESS:
                raise NothingToAskError(
                    f"{_FRUITLESS} inputs in a row need roles that the engine does not claim, or another identity or "
                    "other dimensions than it was built for; a search needs an engine that claims `load` or `save`."
                )
        return batch

    def _play(self, batch: Sequence[tuple[str, Meant]]) -> tuple[list[Answered], int]:
        """Play entries; return the first of each difference not known yet, and how many were played.

        A time-out that is a new difference ends the batch: it is looked into before the next one costs as much again.
        """
        suspects: dict[Key, Answered] = {}
        played = 0
        answers = ask_all(self._transport, [asked for _, asked in batch])
        try:
            for (kind, _), answered in zip(batch, answers, strict=True):
                played += 1
                self._found.inputs[kind] += 1
                self._on_input(self._found, time.monotonic() - self._begin)
                if answered.result.status in FAILED:
                    key = key_of(answered.result)
                    if key not in self._known and self._attempts[key] < _MOST_ATTEMPTS:
                        suspects.setdefault(key, answered)
                stood_still = answered.observation.ending is Ending.TIMEOUT
                if self._hopeless(answered) or (stood_still and suspects) or self._over():
                    break
        finally:
            answers.close()
        return list(suspects.values()), played

    def _hopeless(self, answered: Answered) -> bool:
        """Tell whether the engine stood still or did not start so often in a row that nothing more can be learned."""
        ending = answered.observation.ending
        self._stopped_in_a_row = self._stopped_in_a_row + 1 if ending in (Ending.TIMEOUT, Ending.NOT_STARTED) else 0
        if self._stopped_in_a_row < GIVE_UP_AFTER:
            return False
        what = "timed out" if ending is Ending.TIMEOUT else "could not be started"
        self._found.gave_up = f"The search was given up: the engine {what} {GIVE_UP_AFTER} times in a row."
        return True

    def _look_into(self, suspect: Answered, left: int) -> None:
        """Confirm, shrink and save what may be a new difference; it is one of so many that are `left`."""
        if key_of(suspect.result) in self._known:
            return
        self._attempts[key_of(suspect.result)] += 1
        until = time.monotonic() + self._seconds_to_shrink(left)
        alone = ask(self._transport, suspect.asked)
        if alone.result.status not in FAILED:
            self._found.in_company += 1
            return
        seconds = until - time.monotonic()
        shrunk = shrink(self._transport, alone, seconds=seconds, known=self._known, on_try=self._on_try)
        self._found.shrinking = None
        self._add(shrunk.answered, suspect.asked.entry.size, kept=False, whole=shrunk.whole)

    def _seconds_to_shrink(self, left: int) -> float:
        """Return how long the next of the differences `left` may take, so that there is as much for each of them."""
        if self._seconds is None:
            return LONGEST
        return min(LONGEST, (self._begin + self._seconds + MOST_BEYOND - time.monotonic()) / left)

    def _on_try(self, smallest: Answered, tries: int) -> None:
        self._found.shrinking = shrinking_words(smallest, tries)
        self._on_input(self._found, time.monotonic() - self._begin)

    def _add(self, answered: Answered, size_before: int, *, kept: bool, whole: bool = True) -> None:
        key = key_of(answered.result)
        if key in self._known:
            return
        self._known.add(key)
        if not reference_agrees(answered.asked):
            self._found.doubtful.append(answered.asked.case)
            return
        asked = saved.about(answered.asked, key[1])
        result = replace(answered.result, case_id=asked.case.id)
        answered = replace(answered, asked=asked, result=result)
        self._found.differences.append(Difference(answered, size_before, kept, whole))
        saved.save(self._folder, asked.case)

    def _try_saved(self) -> None:
        """Play first what earlier searches saved; several that show the same difference now are one."""
        kept = [asked for case in saved.saved(self._folder) if (asked := saved.asked_of(case)) is not None]
        playable = [asked for asked in kept if can_be_asked(self._transport, asked)]
        for asked in playable:
            answered = ask(self._transport, asked)
            self._found.inputs["saved"] += 1
            self._on_input(self._found, time.monotonic() - self._begin)
            if answered.result.status in FAILED:
                self._add(answered, asked.entry.size, kept=True)
            elif answered.result.status is Status.PASS:
                self._found.passing_again.append(asked.case)

"""The smallest entry that still shows a difference: commands, then records, then fields, then bytes are taken away."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from coli_conformance.engines.transport import Transport
from coli_conformance.fuzzing import lines, simplifications, smaller
from coli_conformance.fuzzing.asking import Answered, ask, can_be_asked
from coli_conformance.fuzzing.course import NotMeantError
from coli_conformance.fuzzing.entry import Entry
from coli_conformance.fuzzing.meant import meant
from coli_conformance.fuzzing.verdict import Key, key_of
from coli_conformance.score import FAILED

LONGEST = 10.0
"""Seconds after which the smallest entry so far has to do; a try under way then is waited for."""
MOST_TRIES = 400
"""Tries after which it has to do: more than differences need, and the same for an engine that is slow on one day."""

_SHORT_RUN = 3
"""Runs up to this length are left out wherever they stand; two header records go together or not at all."""
_MOST_PIECES = 300
"""Pieces of a file that are left out one by one; a piece of a short file is a byte."""

Item = TypeVar("Item")


def fewest(items: Sequence[Item], holds: Callable[[Sequence[Item]], bool]) -> Sequence[Item]:
    """Return a part of `items`, in order, of which nothing more can be left out so that `holds` is still true.

    `holds` is true of `items`. Runs are left out before single items, the last ones first.
    """
    size = len(items)
    while size:
        before = len(items)
        step = 1 if size <= _SHORT_RUN else size
        for start in range(len(items) - size, -step, -step):
            fewer = [*items[: max(start, 0)], *items[start + size :]]
            if len(fewer) < len(items) and holds(fewer):
                items = fewer
        if size > 1 or len(items) == before:
            size = (size + 1) // 2 if size > 1 else 0
    return items


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest entry found, and how many were tried. `whole`: nothing was left to try when it ended."""

    answered: Answered
    tries: int
    whole: bool


OnTry = Callable[[Answered, int], None]
"""Hears after each try what the smallest entry is, and how many were tried."""


def shrinking_words(smallest: Answered, tries: int) -> str:
    """Return what a line of progress says."""
    return f"shrinking {key_of(smallest.result)[1]}: {smallest.asked.entry.size} bytes after {tries} tries"


def shrink(
    transport: Transport,
    found: Answered,
    *,
    seconds: float = LONGEST,
    tries: int = MOST_TRIES,
    known: Collection[Key] = (),
    on_try: OnTry | None = None,
) -> Shrunk:
    """Return the smallest entry found that comes to the same verdict as `found`: status and clause.

    Before anything else what usually does not matter is taken out, one thing after the other, and then the clause may
    become another: that a history was read wrongly breaks R12 while it has tabs, and R01 if it does so without them.
    A difference that is one of `known` by then is not made smaller. The end comes after `seconds` or `tries`.
    """
    return _Shrinking(transport, found, seconds, tries, on_try).smallest(known)


class _Shrinking:
    """One shrinking under way: the smallest entry so far, and which were tried."""

    def __init__(self, transport: Transport, found: Answered, seconds: float, tries: int, on_try: OnTry | None) -> None:
        self._transport = transport
        self._best = found
        self._deadline = time.monotonic() + seconds
        self._most_tries = tries
        self._on_try = on_try
        self._tries = 0
        self._tried: set[Entry] = set()

    def smallest(self, known: Collection[Key]) -> Shrunk:
        for simpler in simplifications.ALL:
            any(self._holds(entry, same_clause=False) for entry in simpler(self._entry))
        if key_of(self._best.result) not in known:
            self._reduce()
        return Shrunk(self._best, self._tries, whole=not self._over)

    @property
    def _over(self) -> bool:
        return self._tries >= self._most_tries or time.monotonic() >= self._deadline

    def _reduce(self) -> None:
        """Take away all that can be, what is large first, until a round takes nothing away."""
        before: Entry | None = None
        while before != self._entry and not self._over:
            before = self._entry
            self._fewer_commands()
            self._fewer_files()
            for path, _ in self._entry.files:
                self._fewer_lines(path)
            self._smaller_model()
            self._smaller_numbers()
            for path, _ in self._entry.files:
                self._fewer_bytes(path)

    @property
    def _entry(self) -> Entry:
        return self._best.asked.entry

    def _holds(self, entry: Entry, *, same_clause: bool = True) -> bool:
        """Tell whether `entry` still shows the difference; it is the smallest from then on."""
        if entry == self._entry or entry in self._tried or self._over:
            return False
        self._tried.add(entry)
        try:
            asked = meant(entry)
        except NotMeantError:
            return False
        if not can_be_asked(self._transport, asked):
            return False
        answered = ask(self._transport, asked)
        self._tries += 1
        if self._on_try is not None:
            self._on_try(self._best, self._tries)
        if answered.result.status is not self._best.result.status or answered.result.status not in FAILED:
            return False
        if same_clause and key_of(answered.result) != key_of(self._best.result):
            return False
        self._best = answered
        return True

    def _fewer_commands(self) -> None:
        fewest(self._entry.steps, lambda steps: self._holds(smaller.with_steps(self._entry, steps)))

    def _fewer_files(self) -> None:
        fewest(self._entry.files, lambda files: self._holds(replace(self._entry, files=tuple(files))))

    def _fewer_lines(self, path: str) -> None:
        *ended, last = dict(self._entry.files).get(path, b"").split(b"\n")
        every = [*(line + b"\n" for line in ended), *([last] if last else [])]
        fewest(every, lambda few: self._holds(smaller.with_file(self._entry, path, b"".join(few))))

    def _fewer_bytes(self, path: str) -> None:
        """Leave out runs of bytes, down to single bytes once the file is short."""
        data = dict(self._entry.files).get(path, b"")
        if lines.read(data).canonical:
            # Its lines and numbers were made fewer and smaller; of single bytes only the last one may not matter.
            self._holds(smaller.with_file(self._entry, path, data[:-1]))
            return
        run = 1 + len(data) // _MOST_PIECES
        pieces = [data[start : start + run] for start in range(0, len(data), run)]
        fewest(pieces, lambda few: self._holds(smaller.with_file(self._entry, path, b"".join(few))))

    def _smaller_numbers(self) -> None:
        """Make each number as small as it can be."""
        position = 0
        while position < len(numbers := smaller.numbers(self._entry)):
            number, entry = numbers[position], self._entry
            smaller.least(number.text, partial(self._holds_with, entry, number))
            position += 1

    def _holds_with(self, entry: Entry, number: smaller.Number, text: bytes) -> bool:
        return self._holds(smaller.with_number(entry, number, text))

    def _smaller_model(self) -> None:
        for target in smaller.models(self._entry.target):
            if self._holds(smaller.with_model(self._entry, target)):
                return

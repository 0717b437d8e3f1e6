"""The calls on files that a save makes, as `interrupt.c` logs them, and which of them are interrupted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

LOG = ".coli-interrupt-log"
"""The name of the log in the working folder of a case."""
SHOWN_AT_EACH_END = 5
"""Calls of one kind at which a save is interrupted, from its beginning and from its end. Engines that write each record
by itself make hundreds, and those in the middle are alike."""

NOT_REACHED = "The engine made other calls this time than when it was watched, and never came to this one."

_MOVES = frozenset({"rename", "link"})
_NAMELESS = " (deleted)"
"""How the system marks the name of a file that has none: one made without a name and linked in later."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `number` counts all of a session from 1, `ordinal` those of the same word in the save from 1.

    `word` is open (for writing), write, truncate, sync, close, rename, link or unlink; `names` are the file, relative
    to the working folder, and for rename and link the new name.
    """

    number: int
    word: str
    names: tuple[str, ...]
    ordinal: int = 0

    @property
    def place(self) -> str:
        """Return such as `write-3`."""
        return f"{self.word}-{self.ordinal}"

    @property
    def text(self) -> str:
        """Return such as `write 3 (of .coli_usage.tmp)`."""
        return f"{self.word} {self.ordinal} (of {' to '.join(self.names)})"


def logged(log: bytes) -> tuple[Call, ...]:
    """Return the calls of a log; a line that was cut off by the end of the process is left out."""
    complete = log.decode("utf-8", "backslashreplace").split("\n")[:-1]
    return tuple(
        Call(int(number), word, tuple(names)) for number, word, *names in (line.split("\t") for line in complete)
    )


def of_the_save(whole: Sequence[Call], without_save: Sequence[Call]) -> tuple[Call, ...]:
    """Return the calls of a session that its last command, the save, makes.

    `without_save` are those of the same session without it: what both begin and end with is not the save's.
    """
    before = _alike(whole, without_save)
    after = _alike(whole[before:][::-1], without_save[before:][::-1])
    seen: Counter[str] = Counter()
    calls: list[Call] = []
    for call in whole[before : len(whole) - after]:
        seen[call.word] += 1
        calls.append(Call(call.number, call.word, call.names, seen[call.word]))
    return tuple(calls)


def _alike(one: Sequence[Call], other: Sequence[Call]) -> int:
    """Return how many calls both begin with; names are not compared, since temporary ones are never twice the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0].word == pair[1].word, zip(one, other, strict=False)))


def interrupted_at(calls: Sequence[Call]) -> Iterator[Call]:
    """Yield the calls at which a save is interrupted: all but the middle of many of one kind."""
    number_of = Counter(call.word for call in calls)
    for call in calls:
        if call.ordinal <= SHOWN_AT_EACH_END or call.ordinal > number_of[call.word] - SHOWN_AT_EACH_END:
            yield call


def on_the_history(call: Call, calls: Sequence[Call], history: str) -> bool:
    """Tell whether records are lost with a call: one that writes, or ends, what is or becomes the history.

    Closing a file that was synced by the call before loses nothing. (Not every language can tell how a close went.)
    """
    if call.word in _MOVES or call.word in {"open", "unlink"}:
        return False
    earlier = [other for other in calls if other.number < call.number and other.names == call.names]
    if call.word == "close" and earlier and earlier[-1].word == "sync":
        return False
    name = call.names[0]
    becomes = {move.names[0] for move in calls if move.word in _MOVES and move.names[-1] == history}
    return name == history or name in becomes or name.endswith(_NAMELESS)


def in_place_by(call: Call, calls: Sequence[Call], history: str) -> bool:
    """Tell whether an earlier call of the save already put the new file in the place of the history."""
    return any(move.number < call.number and move.word in _MOVES and move.names[-1] == history for move in calls)

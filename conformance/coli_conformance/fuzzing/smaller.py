"""Entries a step smaller than another one: with fewer commands, other bytes in a file, a smaller number or model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from coli_conformance.corpus.iku1_block import front
from coli_conformance.corpus.meaning import header, render
from coli_conformance.corpus.target import Target
from coli_conformance.fuzzing.entry import Entry

_NUMBER = re.compile(rb"-?[0-9]+")
_WORD = 4
"""Bytes of a count in IKU1."""
_MOST_NUMBERS = 60
"""Numbers of one file that are tried; a file of more has lines enough to leave out first."""
_MOST_DIGITS = 30
"""Digits up to which a number is looked at by its value; of a longer one digits are left out."""
_SMALL = (0, 1, 2, 3, 5, 7, 10, 20, -3, -10)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in an entry: in the file at `path`, or where that is empty in the command at index `step`."""

    path: str
    step: int
    start: int
    text: bytes


def with_steps(entry: Entry, steps: Sequence[str]) -> Entry:
    """Return the entry with other commands; files that none of them names are left out."""
    words = {word for step in steps for word in step.split(" ")[1:]}
    return replace(entry, steps=tuple(steps), files=tuple(item for item in entry.files if item[0] in words))


def with_file(entry: Entry, path: str, data: bytes) -> Entry:
    """Return the entry with other bytes in one file."""
    return replace(entry, files=tuple((name, data if name == path else held) for name, held in entry.files))


def numbers(entry: Entry) -> list[Number]:
    """Return the numbers of files and of commands, in the order in which they stand."""
    found = [
        Number(path, 0, match.start(), match[0])
        for path, data in entry.files
        for match in list(_NUMBER.finditer(data))[:_MOST_NUMBERS]
    ]
    for index, step in enumerate(entry.steps):
        if step.startswith(("add ", "route ", "drop ")):
            found += [Number("", index, match.start(), match[0]) for match in _NUMBER.finditer(step.encode())]
    return found


def with_number(entry: Entry, number: Number, text: bytes) -> Entry:
    """Return the entry with `text` in place of `number`."""
    end = number.start + len(number.text)
    if number.path:
        data = dict(entry.files)[number.path]
        return with_file(entry, number.path, data[: number.start] + text + data[end:])
    step = entry.steps[number.step].encode()
    changed = (step[: number.start] + text + step[end:]).decode()
    return replace(entry, steps=(*entry.steps[: number.step], changed, *entry.steps[number.step + 1 :]))


def least(text: bytes, holds: Callable[[bytes], bool]) -> bytes:
    """Return the simplest number that was found for which `holds` is true, which it is of `text`.

    Small ones are tried first. Then the gap below is halved again and again, so that a number is found in as many tries
    as it has bits, and the one nearer to zero is not among those that hold.
    """
    while len(text) > _MOST_DIGITS:
        if not holds(text[: len(text) // 2]):
            return text
        text = text[: len(text) // 2]
    value = int(text)
    small = next((number for number in _SMALL if _simpler(number, value) and holds(b"%d" % number)), value)
    sign = -1 if small < 0 else 1
    # The small ones before the first that holds were tried, and do not hold.
    tried = _SMALL[: _SMALL.index(small)] if small in _SMALL else _SMALL
    too_small = max((abs(number) for number in tried if 0 <= number * sign < abs(small)), default=0)
    enough = abs(small)
    while enough - too_small > 1:
        middle = (too_small + enough) // 2
        if holds(b"%d" % (sign * middle)):
            enough = middle
        else:
            too_small = middle
    return b"%d" % (sign * enough) if enough != abs(value) or small != value else text


def _simpler(candidate: int, value: int) -> bool:
    if abs(candidate) != abs(value):
        return abs(candidate) < abs(value)
    return candidate > value


def models(target: Target) -> Iterator[Target]:
    """Yield smaller models of the same name: the smallest, then those with fewer layers, then those with fewer experts.

    Layers and experts are not made fewer together, as that would take as many tries as there are pairs of them.
    """
    layers, experts = target.n_layers, target.n_experts
    sizes = [
        (1, 1),
        *((fewer, experts) for fewer in (1, 2, 3, 4, layers // 2, layers - 1)),
        *((layers, fewer) for fewer in (1, 2, 3, 4, experts // 2, experts - 1)),
    ]
    for n_layers, n_experts in dict.fromkeys(sizes):
        if 1 <= n_layers <= layers and 1 <= n_experts <= experts and (n_layers, n_experts) != (layers, experts):
            yield replace(target, n_layers=n_layers, n_experts=n_experts)


def with_model(entry: Entry, target: Target) -> Entry:
    """Return the entry as one of `target`; header records of the model before become those of this one."""
    changes = [
        (render([old]).encode()[:-1], render([new]).encode()[:-1])
        for old, new in zip(header(entry.target), header(target), strict=True)
    ]
    files = []
    for path, data in entry.files:
        changed = _resized(data, entry.target, target)
        for old, new in changes:
            changed = re.sub(rb"(?m)^%b(?=\s|$)" % re.escape(old), new, changed)
        files.append((path, changed))
    return replace(entry, target=target, files=tuple(files))


def _resized(data: bytes, old: Target, new: Target) -> bytes:
    """Return an IKU1 block of the old model as one of the new, the front of its words kept; other bytes as they are."""
    own = front(old.n_layers, old.n_experts)
    if not data.startswith(own):
        return data
    end, new_end = (len(own) + target.n_layers * target.n_experts * _WORD for target in (old, new))
    return front(new.n_layers, new.n_experts) + data[len(own) : new_end] + data[end:]

"""Entries a step smaller than another one: with fewer commands, other bytes in a file, a smaller number or model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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


def below(text: bytes) -> Iterator[bytes]:
    """Yield what is simpler than a number, the simplest first: small ones, its half, then ever less is taken off it."""
    if len(text) > 30:
        yield text[: len(text) // 2]
        return
    value = int(text)
    nearer = (value - int(value / 2**shift) for shift in range(1, 1 + abs(value).bit_length()))
    smaller = (candidate for candidate in (*_SMALL, *nearer) if _simpler(candidate, value))
    yield from (b"%d" % candidate for candidate in dict.fromkeys(smaller))


def _simpler(candidate: int, value: int) -> bool:
    if abs(candidate) != abs(value):
        return abs(candidate) < abs(value)
    return candidate > value


def models(target: Target) -> Iterator[Target]:
    """Yield smaller models of the same name, the smallest first."""
    for n_layers in (1, 2, 3, 4, target.n_layers // 2, target.n_layers - 1, target.n_layers):
        for n_experts in (1, 2, 3, 4, target.n_experts // 2, target.n_experts - 1, target.n_experts):
            if 1 <= n_layers <= target.n_layers and 1 <= n_experts <= target.n_experts:
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

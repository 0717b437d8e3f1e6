"""The old readers that a file is given to: the model of each platform, and compiled loops beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coli_conformance.case import Record
from coli_reference import old_reader

PLATFORM_WORDS = {
    "glibc64": "64-bit long",
    "musl": "musl",
    "ilp32": "32-bit long",
    "windows": "Windows",
}
"""Each platform of the model in words."""


@dataclass(frozen=True, slots=True)
class Reader:
    """An old reader by name; `read` returns, for each of several files, every record it parses."""

    name: str
    read: Callable[[Sequence[bytes]], list[list[Record]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Readers that parse the same records from one file, and these records, header records included."""

    readers: tuple[str, ...]
    records: list[Record]


def modelled() -> tuple[Reader, ...]:
    """Return the model of every platform."""
    return tuple(Reader(PLATFORM_WORDS[platform], _model(platform)) for platform in old_reader.PLATFORMS)


def _model(platform: str) -> Callable[[Sequence[bytes]], list[list[Record]]]:
    def read(files: Sequence[bytes]) -> list[list[Record]]:
        return [old_reader.records(data, platform) for data in files]

    return read


def outcomes(files: Sequence[bytes], readers: Sequence[Reader]) -> list[list[Outcome]]:
    """Return, for each file, what the readers parse, those that agree together, in the order of the readers."""
    grouped: list[list[Outcome]] = [[] for _ in files]
    for reader in readers:
        for groups, records in zip(grouped, reader.read(files), strict=True):
            same = next((at for at, outcome in enumerate(groups) if outcome.records == records), None)
            if same is None:
                groups.append(Outcome((reader.name,), records))
            else:
                groups[same] = Outcome((*groups[same].readers, reader.name), groups[same].records)
    return grouped

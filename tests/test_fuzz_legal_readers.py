"""Readers that differ where the contract lets them differ: a search must find nothing about any of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from coli_conformance.engines.in_process import InProcess
from coli_conformance.fuzzing.asking import ask_all
from coli_conformance.fuzzing.source import entries
from coli_conformance.fuzzing.verdict import key_of
from coli_conformance.judge.verdict import Status
from coli_reference import history
from coli_reference.engine import ReferenceEngine
from coli_reference.history import Record
from coli_reference.trust import Refused

INPUTS = 1000

_CONVERSIONS = re.compile(rb"\s*([+-]?[0-9]++)\s*([+-]?[0-9]++)\s*([+-]?[0-9]++)")


def lines_of(data: bytes) -> Iterator[Record | None]:
    """Yield the record of each line that is not blank, None where it is malformed."""
    return (history.parse_line(line) for line in data.split(b"\n") if not history.is_blank(line))


class SkipsMalformedLines(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        return [record for record in lines_of(data) if record is not None]


class RefusesMalformedFiles(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        records = list(lines_of(data))
        if None in records:
            raise Refused("a line of it is malformed")
        return [record for record in records if record is not None]


class RefusesAndKeepsWhatCameBefore(ReferenceEngine):
    """Credits as it reads, and says `refused` at a malformed line."""

    malformed = False

    def parse(self, data: bytes) -> list[Record]:
        self.malformed = None in list(lines_of(data))
        return super().parse(data)

    def read(self, path: str, *, trusted: bool) -> int | None:
        self.malformed = False
        total = super().read(path, trusted=trusted)
        return None if self.malformed else total


class FallsOutOfStep(ReferenceEngine):
    """Reads three numbers at a time, whatever the lines, up to one that is out of its field's range."""

    def parse(self, data: bytes) -> list[Record]:
        records: list[Record] = []
        at = 0
        while (found := _CONVERSIONS.match(data, at)) is not None:
            record = Record(*(int(text[:30]) for text in found.groups()))
            if not history.in_range(record):
                break
            records.append(record)
            at = found.end()
        return records


class TakesTheFirstThreeFields(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        records = (history.parse_line(b" ".join(line.split()[:3])) for line in data.split(b"\n"))
        return [record for record in records if record is not None]


class EndsLinesAtAnyWhiteSpace(ReferenceEngine):
    """Takes form feeds, vertical tabs and lone carriage returns for line ends, as Python's splitlines does."""

    def parse(self, data: bytes) -> list[Record]:
        records = (history.parse_line(line) for line in re.split(rb"[\r\n\f\v]", data))
        return [record for record in records if record is not None]


class SaturatesNumbers(ReferenceEngine):
    """Keeps numbers outside their fields at the ends of the fields."""

    def parse(self, data: bytes) -> list[Record]:
        lowest, highest = (-(2**31), -(2**31), 0), (2**31 - 1, 2**31 - 1, 2**32 - 1)
        records = []
        for line in data.split(b"\n"):
            if found := re.fullmatch(rb"[ \t]*(-?[0-9]+)[ \t]+(-?[0-9]+)[ \t]+(-?[0-9]+)[ \t]*\r?", line):
                numbers = (int(text[:30]) for text in found.groups())
                clamped = (
                    min(max(number, low), high) for number, low, high in zip(numbers, lowest, highest, strict=True)
                )
                records.append(Record(*clamped))
        return records


class RefusesOddHeaders(ReferenceEngine):
    """Refuses a header that no writer makes, where the reference reads it (R24)."""

    def parse(self, data: bytes) -> list[Record]:
        records = super().parse(data)
        agreed = [record.first for record in records if record.first in (history.DIMENSIONS, history.IDENTITY)]
        if agreed not in ([], [history.DIMENSIONS, history.IDENTITY]):
            raise Refused("its header is not one that a writer makes")
        return records


@pytest.mark.parametrize(
    "engine",
    [
        *(ReferenceEngine, SkipsMalformedLines, RefusesMalformedFiles, RefusesAndKeepsWhatCameBefore),
        *(FallsOutOfStep, TakesTheFirstThreeFields, EndsLinesAtAnyWhiteSpace, SaturatesNumbers, RefusesOddHeaders),
    ],
)
def test_nothing_is_found_about_a_legal_reader(engine: type[Any]) -> None:
    asked = [entry for _, entry in islice(entries(seed=11), INPUTS)]
    with InProcess(engine, engine.__name__, {}) as transport:
        wrong = [
            (key_of(answered.result), answered.result.detail, answered.asked.entry)
            for answered in ask_all(transport, asked)
            if answered.result.status is not Status.PASS
        ]
    assert wrong == []

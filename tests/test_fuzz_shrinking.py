"""Shrinking ends: after so many tries, after so many seconds, and all of it soon after the search itself."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coli_conformance import faults
from coli_conformance.case import Case
from coli_conformance.corpus.meaning import header, render
from coli_conformance.corpus.target import Target
from coli_conformance.engines.in_process import InProcess
from coli_conformance.fuzzing import search as search_module
from coli_conformance.fuzzing import shown, shrinking
from coli_conformance.fuzzing.asking import Answered, ask
from coli_conformance.fuzzing.entry import Entry
from coli_conformance.fuzzing.meant import meant
from coli_conformance.fuzzing.progress import SearchProgress
from coli_conformance.fuzzing.search import MOST_BEYOND, search
from coli_conformance.fuzzing.source import entries
from coli_conformance.fuzzing.verdict import key_of
from coli_conformance.judge.verdict import Status
from coli_reference.engine import ReferenceEngine
from coli_reference.history import Record

FAULT = "stop-at-minus3"
GLM = Target("glm_moe_dsa", 5, 8)


def large() -> Entry:
    """Return an entry that the fault fails, and that takes many tries to make small."""
    data = [(number % 5, number % 8, 1000 + number) for number in range(40)]
    records = [(-57, 9, 9), *header(GLM), *data]
    return Entry(GLM, (("a", render(records).encode()), ("b", b"1 1 1\n")), ("load b", "load a", "counts", "save c"))


def shrunk(**limits: Any) -> tuple[Answered, shrinking.Shrunk]:
    with InProcess(faults.fault(FAULT), FAULT, {}) as transport:
        found = ask(transport, meant(large()))
        return found, shrinking.shrink(transport, found, **limits)


def test_without_a_limit_nothing_is_left_that_does_not_matter() -> None:
    _, smallest = shrunk()
    assert smallest.whole
    assert key_of(smallest.answered.result) == (Status.FAIL, "R02")
    assert smallest.answered.asked.entry.size < 30
    assert smallest.tries < 100


def test_after_so_many_tries_the_smallest_so_far_has_to_do() -> None:
    heard: list[int] = []
    found, smallest = shrunk(tries=7, on_try=lambda _, tries: heard.append(tries))
    _, again = shrunk(tries=7)
    assert (smallest.tries, smallest.whole) == (7, False)
    assert heard == [1, 2, 3, 4, 5, 6, 7]
    assert smallest.answered.result.status is Status.FAIL
    assert smallest.answered.asked.entry.size < found.asked.entry.size
    assert smallest.answered.asked.entry == again.answered.asked.entry


def test_without_time_nothing_is_tried() -> None:
    found, smallest = shrunk(seconds=0)
    assert (smallest.answered, smallest.tries, smallest.whole) == (found, 0, False)


def test_a_known_difference_is_not_made_smaller() -> None:
    _, smallest = shrunk(known={(Status.FAIL, "R02")})
    assert smallest.tries <= 12, "no more than what is taken out before the clause is settled"


class Clock:
    """A time of its own, which only playing makes go by."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


class Careless(ReferenceEngine):
    """Breaks clauses that have nothing to do with each other, so that each difference is shrunk for itself."""

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        pass

    def is_iku1(self, data: bytes) -> bool:
        return False

    def parse(self, data: bytes) -> list[Record]:
        return [record for record in super().parse(data) if record.third < 2**31]

    def data_records(self) -> list[Record]:
        return super().data_records()[1:]


class Slow(InProcess):
    """An engine of which each session takes so many seconds of the clock."""

    clock: Clock
    seconds: float

    def play(self, cases: Iterable[Case]) -> Any:
        for item in super().play(list(cases)):
            self.clock.now += self.seconds
            yield item


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    for module in (search_module, shrinking):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
    yield clock


@pytest.mark.parametrize("seconds_each", [0.05, 0.15, 0.5])
def test_a_search_ends_soon_after_its_time(clock: Clock, seconds_each: float, tmp_path: Path) -> None:
    with Slow(Careless, "slow", {}) as transport:
        transport.clock, transport.seconds = clock, seconds_each
        found = search(transport, entries(1), seconds=5, count=None, folder=tmp_path, on_input=lambda *_: None)
    assert found.differences
    # Of each difference a try that is under way is waited for, and it is confirmed before.
    assert clock.now <= 5 + MOST_BEYOND + 20 * seconds_each
    assert {case.stem for case in tmp_path.iterdir()} == {
        difference.answered.asked.case.id for difference in found.differences
    }


def test_what_was_not_made_as_small_as_it_gets_is_named(clock: Clock, tmp_path: Path) -> None:
    with Slow(Careless, "slow", {}) as transport:
        transport.clock, transport.seconds = clock, 1.0
        found = search(transport, entries(1), seconds=5, count=None, folder=tmp_path, on_input=lambda *_: None)
    cut_short = [difference.answered.asked.case.id for difference in found.differences if not difference.whole]
    assert cut_short
    text = " ".join(text for line in shown.foot_lines(found, tmp_path, 300) for text, *_ in line)
    assert "not as small as it gets" in text
    assert all(name in text for name in cut_short)


class Heard(SearchProgress):
    """Keeps what the line would say."""

    said: list[str]

    def show(self, **fields: Any) -> None:
        self.said.append(fields["description"])


def test_the_line_of_progress_says_what_is_being_shrunk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("coli_conformance.fuzzing.progress._EVERY", 0)
    progress = Heard(io.StringIO(), 5, None)
    progress.said = []
    with InProcess(faults.fault(FAULT), FAULT, {}) as transport:
        found = search(transport, entries(1), seconds=None, count=100, folder=tmp_path, on_input=progress.on_input)
    assert found.differences
    assert any("; shrinking R02: " in said for said in progress.said)
    assert "shrinking" not in progress.said[0]
    assert found.shrinking is None

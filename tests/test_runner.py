"""The runner: what is played, what is not, in which order results come, and when a run is given up."""

from collections.abc import Generator, Iterable
from types import TracebackType
from typing import Self

import pytest

from coli_conformance import runner
from coli_conformance.case import Case, Outcome
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.judge.verdict import Result, Status

OK = Observation(b"ok\n")
LATE = Observation(b"", ending=Ending.TIMEOUT, exit_status=-9)
NOT_STARTED = Observation(b"", ending=Ending.NOT_STARTED, exit_status=None)


class Scripted:
    """A transport that shows each case the next of the given observations, and notes what is asked of it."""

    def __init__(self, *seen: Observation, roles: Iterable[str] = ("load",)) -> None:
        self.description = EngineDescription("scripted", ("scripted",), frozenset(roles), "by heart")
        self.spawns = 0
        self.played: list[str] = []
        self.stopped = False
        self.closed = False
        self._seen = list(seen)

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        try:
            for case in cases:
                self.spawns += 1
                self.played.append(case.id)
                yield case, self._seen.pop(0) if self._seen else OK
        finally:
            self.stopped = True

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def case(number: int, *roles: str) -> Case:
    return Case(
        id=f"R01-{number}",
        since=1,
        clauses=("R01",),
        level="must",
        roles=roles or ("load",),
        why="",
        steps=("init glm 3 4",),
        outcomes=(Outcome(answers=("ok",)),),
    )


def run(transport: Scripted, *cases: Case, repeat: int = 1) -> tuple[runner.Run, list[tuple[str, Status, bool]]]:
    """Return the run, and for each call of on_result the case, its status and whether there was an observation."""
    told: list[tuple[str, Status, bool]] = []

    def on_result(case: Case, result: Result, observation: Observation | None) -> None:
        assert result.case_id == case.id
        told.append((case.id, result.status, observation is not None))

    return runner.run(transport, cases, repeat=repeat, on_result=on_result), told


def statuses(results: Iterable[Result]) -> list[Status]:
    return [result.status for result in results]


def test_every_case_is_judged_and_told_in_order() -> None:
    transport = Scripted(OK, Observation(b"error\n"), OK)
    done, told = run(transport, case(1), case(2), case(3))
    assert statuses(done.results) == [Status.PASS, Status.FAIL, Status.PASS]
    assert told == [("R01-1", Status.PASS, True), ("R01-2", Status.FAIL, True), ("R01-3", Status.PASS, True)]
    assert (done.engine, done.spawns, done.gave_up) == (transport.description, 3, None)


def test_case_of_a_role_not_claimed_is_not_played() -> None:
    transport = Scripted()
    done, told = run(transport, case(1, "load", "save"), case(2))
    assert transport.played == ["R01-2"]
    assert told == [("R01-1", Status.UNSUPPORTED, False), ("R01-2", Status.PASS, True)]
    assert "save" in done.results[0].detail
    assert "load" not in done.results[0].detail


def test_repeat_plays_the_whole_selection_again() -> None:
    transport = Scripted(OK, OK, OK, Observation(b"error\n"))
    done, _ = run(transport, case(1), case(2), repeat=2)
    assert transport.played == ["R01-1", "R01-2", "R01-1", "R01-2"]
    assert [result.case_id for result in done.results] == transport.played
    assert statuses(done.results) == [Status.PASS, Status.PASS, Status.PASS, Status.FAIL]


@pytest.mark.parametrize(("seen", "words"), [(LATE, "timed out"), (NOT_STARTED, "could not be started")])
def test_five_in_a_row_end_the_run(seen: Observation, words: str) -> None:
    transport = Scripted(*[seen] * 9)
    done, told = run(transport, *map(case, range(7)))
    assert len(transport.played) == 5
    assert transport.stopped
    assert statuses(done.results)[5:] == [Status.NOT_RUN] * 2
    assert told[5:] == [("R01-5", Status.NOT_RUN, False), ("R01-6", Status.NOT_RUN, False)]
    assert done.gave_up is not None
    assert words in done.gave_up


def test_five_not_in_a_row_do_not_end_the_run() -> None:
    transport = Scripted(*[LATE] * 4, OK, *[NOT_STARTED] * 4, OK)
    done, _ = run(transport, *map(case, range(10)))
    assert done.gave_up is None
    assert Status.NOT_RUN not in statuses(done.results)


def test_a_case_not_played_does_not_break_the_row() -> None:
    transport = Scripted(*[LATE] * 5)
    cases = [case(number, "load" if number % 2 else "save") for number in range(11)]
    done, _ = run(transport, *cases)
    assert done.gave_up is not None
    assert statuses(done.results)[-1] is Status.UNSUPPORTED


def test_interrupt_ends_everything() -> None:
    transport = Scripted()

    def on_result(case: Case, result: Result, observation: Observation | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(transport, [case(1), case(2)], on_result=on_result)
    assert transport.stopped
    assert transport.closed

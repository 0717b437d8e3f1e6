"""Playing the matrix: each writer's sessions, then every file they left behind with each reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import render
from coli_conformance.corpus.session import Session
from coli_conformance.engines.transport import EngineUnusable, Transport
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.matrix.cells import Cell, CellStatus, Written
from coli_conformance.matrix.difference import reading_in_words
from coli_conformance.matrix.scenarios import HISTORY, Scenario
from coli_conformance.runner import run

_BREACHES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Played:
    result: Result
    observation: Observation | None


def written_files(name: str, transport: Transport, scenarios: Sequence[Scenario]) -> tuple[Written, ...]:
    """Let the engine write a history in each scenario, and return what it left behind, in that order.

    Raises EngineUnusable where it times out or fails to start again and again.
    """
    played = _play(name, transport, [scenario.writing for scenario in scenarios])
    return tuple(_written(name, scenario, one) for scenario, one in zip(scenarios, played, strict=True))


def cells_of(reader: str, transport: Transport, files: Sequence[Written]) -> tuple[Cell, ...]:
    """Let the engine read every file, and return a cell for each, in that order. Raises EngineUnusable.

    Equal bytes that mean the same to the same identity are read once.
    """
    cases = {_key(written): _reading(written) for written in files if written.data is not None}
    played = dict(zip(cases, _play(reader, transport, list(cases.values())), strict=True))
    return tuple(_cell(reader, written, played) for written in files)


def _play(name: str, transport: Transport, cases: Sequence[Case]) -> list[_Played]:
    played: list[_Played] = []
    finished = run(
        transport, cases, on_result=lambda _, result, observation: played.append(_Played(result, observation))
    )
    if finished.gave_up is not None:
        last = next(one for one in reversed(played) if one.observation is not None)
        raise EngineUnusable(f"{name} was given up after several cases in a row. {last.result.detail}")
    return played


def _written(name: str, scenario: Scenario, played: _Played) -> Written:
    """Return the file of one session; a session that went wrong otherwise still counts by what it wrote."""
    result, observation = played.result, played.observation
    data: bytes | None = None
    reason = ""
    if observation is None or result.status in {Status.UNSUPPORTED, *_STOPPED}:
        reason = f"the writer: {result.detail}"
    elif HISTORY in observation.files:
        data = _with_unknown(observation.files[HISTORY], scenario)
    else:
        instead = observation.oddities.get(HISTORY)
        reason = f"the writer left no file `{HISTORY}`" + (f" but {instead}" if instead else "")
    return Written(
        writer=name,
        scenario=scenario.name,
        target=scenario.target,
        meant=scenario.meant,
        data=data,
        reason=reason,
        supported=result.status is not Status.UNSUPPORTED,
        breaches=tuple(
            f"{finding.clause}: {finding.sentence}"
            for finding in result.findings[:_BREACHES_SHOWN]
            if finding.path is not None
        ),
    )


_STOPPED = (Status.CRASH, Status.TIMEOUT, Status.PROTOCOL)


def _with_unknown(data: bytes, scenario: Scenario) -> bytes:
    """Return `data` with the scenario's unknown header record standing before the data, unless it is there already."""
    if scenario.unknown is None:
        return data
    line = render([scenario.unknown]).encode()
    lines = data.splitlines(keepends=True)
    if any(other.split() == line.split() for other in lines):
        return data
    at = next((index for index, other in enumerate(lines) if not other.lstrip().startswith(b"-")), len(lines))
    return b"".join([*lines[:at], line, *lines[at:]])


def _key(written: Written) -> tuple[object, ...]:
    return written.target, written.meant, written.roles, written.data


def _reading(written: Written) -> Case:
    """Return the session of a reader with the writer's identity and dimensions: load the file, show the counters."""
    assert written.data is not None
    session = Session(written.target)
    session.given(HISTORY, written.data)
    session.load(HISTORY, written.meant)
    session.counts()
    return session.case(f"R01-matrix-{written.scenario}", "What a writer wrote is read.", roles=written.roles)


def _cell(reader: str, written: Written, played: Mapping[tuple[object, ...], _Played]) -> Cell:
    if written.data is None:
        status = CellStatus.FAIL if written.supported else CellStatus.UNSUPPORTED
        return Cell(written, reader, status, written.reason)
    one = played[_key(written)]
    result, observation = one.result, one.observation
    if result.status is Status.PASS:
        return Cell(written, reader, CellStatus.PASS)
    if result.status is Status.UNSUPPORTED or observation is None:
        return Cell(written, reader, CellStatus.UNSUPPORTED, f"the reader: {result.detail}")
    if result.status in _STOPPED:
        return Cell(written, reader, CellStatus.FAIL, result.detail)
    return Cell(written, reader, CellStatus.FAIL, reading_in_words(observation, written.meant, result.detail))

"""The run: every selected case played against an engine, judged, and handed on as it comes in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from coli_conformance.case import Case
from coli_conformance.comma_locale import comma_locale
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.transport import EngineDescription, Transport
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.judge.verdict import Result, Status

GIVE_UP_AFTER = 5
"""So many time-outs or failed starts in a row end the run: an engine that hangs in every case would cost hours."""

OnResult = Callable[[Case, Result, Observation | None], None]


@dataclass(frozen=True, slots=True)
class Run:
    """What a whole run came to.

    `results` stand in the order of the cases, the whole selection again for each repeat. `gave_up` is a
    sentence where the rest was not run, else None.
    """

    engine: EngineDescription
    results: tuple[Result, ...]
    spawns: int
    gave_up: str | None


def run(transport: Transport, cases: Sequence[Case], *, repeat: int = 1, on_result: OnResult) -> Run:
    """Play `cases` against the engine, `repeat` times (1 or more), and judge what was seen.

    `on_result` is called once for each result, in order; its observation is None where the case was not played. A case
    that cannot be asked of the engine (`engines.playable`) is unsupported and is not played. A case with a second
    environment is played twice and judged once. After GIVE_UP_AFTER time-outs or failed starts in a row the rest is not
    run. A KeyboardInterrupt ends every process, removes every file and is raised again.
    """
    selection = tuple(_in_its_locale(case) for case in cases) * repeat
    engine = transport.description
    reasons = [why_not(engine, case) for case in selection]
    played = transport.play(_runs(case for case, reason in zip(selection, reasons, strict=True) if reason is None))
    results: list[Result] = []
    hopeless = 0
    gave_up: str | None = None
    try:
        for case, unsupported in zip(selection, reasons, strict=True):
            observation: Observation | None = None
            if unsupported is not None:
                result = Result(case.id, Status.UNSUPPORTED, detail=unsupported)
            elif gave_up is not None:
                result = Result(case.id, Status.NOT_RUN, detail=gave_up)
            else:
                observation = _next_observation(played, case)
                result = judge(case, observation, _next_observation(played, case) if case.second_run else None)
                hopeless = hopeless + 1 if observation.ending in (Ending.TIMEOUT, Ending.NOT_STARTED) else 0
                if hopeless == GIVE_UP_AFTER:
                    gave_up = _gave_up(observation)
                    played.close()
            results.append(result)
            on_result(case, result, observation)
    except KeyboardInterrupt:
        played.close()
        transport.close()
        raise
    finally:
        played.close()
    return Run(engine, tuple(results), transport.spawns, gave_up)


def _next_observation(played: Generator[tuple[Case, Observation], None, None], case: Case) -> Observation:
    played_case, observation = next(played)
    if played_case.id != case.id:
        raise AssertionError(f"the transport yielded {played_case.id} where {case.id} was due")
    return observation


def _in_its_locale(case: Case) -> Case:
    """Return `case` with the locale it asks for in its environment, where this machine has one (T09)."""
    name = comma_locale() if case.decimal_comma else None
    return case if name is None else replace(case, environment={**case.environment, "LC_ALL": name})


def _runs(cases: Iterable[Case]) -> Iterator[Case]:
    for case in cases:
        yield case
        second = case.second_run
        if second is not None:
            yield second


def _gave_up(observation: Observation) -> str:
    what = "timed out" if observation.ending is Ending.TIMEOUT else "could not be started"
    return (
        f"The run was given up: the engine {what} or failed to start in {GIVE_UP_AFTER} cases in a row. "
        "Play one of them alone with --case, and raise --timeout if the engine is only slow."
    )

"""The run: every selected case played against an engine, judged, and handed on as it comes in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.engines import EngineDescription, Transport
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

    `on_result` is called once for each result, in order; its observation is None where the case was not
    played. A case that needs a role the engine does not claim is unsupported and is not played. After
    GIVE_UP_AFTER time-outs or failed starts in a row the rest is not run. A KeyboardInterrupt ends every
    process, removes every file and is raised again.
    """
    selection = tuple(cases) * repeat
    claimed = transport.description.roles
    played = transport.play(case for case in selection if claimed.issuperset(case.roles))
    results: list[Result] = []
    hopeless = 0
    gave_up: str | None = None
    try:
        for case in selection:
            observation: Observation | None = None
            if not claimed.issuperset(case.roles):
                result = _unsupported(case, claimed)
            elif gave_up is not None:
                result = Result(case.id, Status.NOT_RUN, detail=gave_up)
            else:
                observation = _next_observation(played, case)
                result = judge(case, observation)
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
    return Run(transport.description, tuple(results), transport.spawns, gave_up)


def _next_observation(played: Generator[tuple[Case, Observation], None, None], case: Case) -> Observation:
    played_case, observation = next(played)
    if played_case.id != case.id:
        raise AssertionError(f"the transport yielded {played_case.id} where {case.id} was due")
    return observation


def _unsupported(case: Case, claimed: frozenset[str]) -> Result:
    missing = " ".join(role for role in case.roles if role not in claimed)
    return Result(case.id, Status.UNSUPPORTED, detail=f"It needs roles that the engine does not claim: {missing}.")


def _gave_up(observation: Observation) -> str:
    what = "timed out" if observation.ending is Ending.TIMEOUT else "could not be started"
    return (
        f"The run was given up: the engine {what} or failed to start in {GIVE_UP_AFTER} cases in a row. "
        "Play one of them alone with --case, and raise --timeout if the engine is only slow."
    )

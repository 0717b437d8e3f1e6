"""The histories that an engine writes while the cases are played: every one, in whatever case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.engines.transport import Transport
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result
from coli_conformance.protocol import split_answers
from coli_conformance.runner import Run, run

_SAVE = "save "


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A history that an engine wrote, in which case and under which path."""

    case_id: str
    path: str
    data: bytes


def saving(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the cases in which an engine is told to save a history."""
    return tuple(case for case in cases if any(step.startswith(_SAVE) for step in case.steps))


def play(transport: Transport, cases: Sequence[Case]) -> tuple[tuple[WrittenFile, ...], Run]:
    """Play `cases` and return the histories that the engine says it saved and that are there, with the run."""
    files: list[WrittenFile] = []

    def on_result(case: Case, result: Result, observation: Observation | None) -> None:
        del result
        if observation is not None:
            files.extend(_saved(case, observation))

    finished = run(transport, cases, on_result=on_result)
    return tuple(files), finished


def _saved(case: Case, observation: Observation) -> list[WrittenFile]:
    """Return the files of a case whose last save was answered with ok; a failed save says nothing of the writer."""
    answers, _ = split_answers(observation.stdout)
    saved: dict[str, bool] = {}
    for step, answer in zip(case.steps, answers, strict=False):
        if step.startswith(_SAVE):
            saved[step.removeprefix(_SAVE)] = answer.split(b" ")[0] == b"ok"
    return [
        WrittenFile(case.id, path, observation.files[path])
        for path, was_saved in saved.items()
        if was_saved and path in observation.files
    ]

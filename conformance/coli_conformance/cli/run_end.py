"""The end of a run: it is held to the known-failing file and scored, reports are written, and the verdict is said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import click

from coli_conformance.cli.complaint import complaints
from coli_conformance.cli.engine_choice import EngineChoice
from coli_conformance.cli.listener import Listener
from coli_conformance.cli.report_option import TO_STANDARD_OUTPUT
from coli_conformance.engine_digest import engine_digest
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.known_failing import Compared, KnownFailing, compare
from coli_conformance.reports import lines, output
from coli_conformance.reports.apart import leak_lines, left_out_lines
from coli_conformance.reports.broken import broken_lines
from coli_conformance.reports.known import known_lines
from coli_conformance.reports.reported import ReportedRun
from coli_conformance.reports.summary import table_lines, verdict_lines
from coli_conformance.score import Score, exit_status, score
from coli_conformance.whole_run import WholeRun


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked for, as far as its end depends on it.

    `arguments` play it again. `corpus_ids` gives the id of every case there is; `partial`: not all of these were
    selected. `known_path` is where the known-failing file is rewritten, None where it is not.
    """

    choice: EngineChoice
    arguments: Sequence[str]
    corpus_digest: str
    corpus_version: int
    corpus_ids: Callable[[], Iterable[str]]
    seed: int | None
    required: Sequence[str]
    strict: bool
    show_all: bool
    partial: bool
    reports: Sequence[tuple[str, Path]]
    known: KnownFailing | None
    known_path: Path | None
    started: datetime


def ended(asked: Asked, listener: Listener, whole: WholeRun, say_more: Callable[[int], None]) -> int:
    """Tell what `whole` came to, write the reports, and return the exit status.

    `say_more` writes what stands before the verdict, given the width of lines. Raises Complaint.
    """
    finished = whole.finished
    gave_up = finished.gave_up is not None
    scored = score(whole.cases, finished.results, finished.engine.roles, gave_up=gave_up)
    compared = _compared(asked, whole)
    status = exit_status(
        scored,
        finished.engine.roles,
        asked.required,
        asked.strict,
        gave_up=gave_up,
        leaks=bool(whole.leaks),
        excused=_excused(whole, compared),
        stale=compared is not None and bool(compared.problems),
    )
    run = _reported(asked, listener, whole, scored, compared)
    with complaints():
        for kind, path in asked.reports:
            _write(kind, path, run)
    width = lines.width_of(sys.stdout)
    _say_what_broke(asked, run, width)
    lines.write(leak_lines(whole.leaks, asked.choice.reproduce_together, width), sys.stdout)
    if compared is not None:
        lines.write(known_lines(compared, width), sys.stdout)
    lines.write(table_lines(scored, width), sys.stdout)
    lines.write(left_out_lines(whole.twins, width), sys.stdout)
    say_more(width)
    missing = [name for name in asked.required if name not in finished.engine.roles]
    selected = len(whole.cases) if asked.partial else None
    foot = verdict_lines(scored, selected, missing, asked.strict, finished.gave_up, width, leaks=len(whole.leaks))
    lines.write(foot, sys.stdout)
    return status


def _compared(asked: Asked, whole: WholeRun) -> Compared | None:
    """Hold the run to the known-failing file, rewritten before where that is asked for; None where there is none."""
    results = whole.finished.results
    if asked.known is None:
        return None
    if asked.known_path is None or whole.finished.gave_up is not None:
        if asked.known_path is not None:
            click.echo(f"{asked.known_path}: left as it was, for the run was given up.", err=True)
        return compare(asked.known, results, asked.corpus_ids)
    from coli_conformance.known_failing_fix import fixed  # noqa: PLC0415 - only --fix needs it

    new = fixed(asked.known, results, asked.corpus_ids)
    with complaints():
        output.write(asked.known_path, new.text)
    click.echo(new.sentence, err=True)
    # A failure without a reason is not a known one yet.
    return compare(new.kept, results, asked.corpus_ids)


def _excused(whole: WholeRun, compared: Compared | None) -> Score | None:
    """Return the score of the cases that fail as known alone."""
    if compared is None:
        return None
    cases = [case for case in whole.cases if case.id in compared.excused]
    results = [result for result in whole.finished.results if result.case_id in compared.excused]
    return score(cases, results, whole.finished.engine.roles)


def _reported(
    asked: Asked, listener: Listener, whole: WholeRun, scored: Score, compared: Compared | None
) -> ReportedRun:
    finished = whole.finished
    engine = finished.engine
    results = compared.results if compared is not None else finished.results
    known = {result.case_id for result in results if result.status is Status.KNOWN_FAILING}
    return ReportedRun(
        corpus_digest=asked.corpus_digest,
        corpus_version=asked.corpus_version,
        seed=asked.seed,
        arguments=asked.arguments,
        started=asked.started,
        engine_name=engine.name,
        command=engine.command,
        engine_digest=engine_digest(engine.command, python_class=asked.choice.python_class is not None),
        roles=engine.roles,
        cases={case.id: case for case in whole.cases},
        results=results,
        scored=scored,
        spawns=finished.spawns,
        gave_up=finished.gave_up,
        reproduce=asked.choice.reproduce,
        twins=whole.twins,
        leaks=whole.leaks,
        failures=tuple(
            replace(each, result=_as_known(each.result)) if each.case.id in known else each
            for each in listener.failures
        ),
        evidence=listener.evidence,
        known=compared,
    )


def _as_known(result: Result) -> Result:
    return replace(result, status=Status.KNOWN_FAILING)


def _write(kind: str, path: Path, run: ReportedRun) -> None:
    from coli_conformance.reports.formats import RENDERERS  # noqa: PLC0415 - only a run with a report needs it

    text = RENDERERS[kind](run)
    if path == TO_STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        output.write(path, text)


def _say_what_broke(asked: Asked, run: ReportedRun, width: int) -> None:
    """Write the sections of what broke; what fails as known has been looked at already and stands in none."""
    excused = run.known.excused if run.known is not None else frozenset()
    results = [result for result in run.results if result.case_id not in excused]
    silent = {result.case_id for result in results if result.status in {Status.UNSUPPORTED, Status.NOT_RUN}}
    played = {result.case_id: run.cases[result.case_id] for result in results if result.case_id not in silent}
    broken = broken_lines(
        [failure for failure in run.failures if failure.case.id not in excused],
        played,
        results,
        asked.choice.reproduce,
        width,
        show_all=asked.show_all,
        symbols=lines.is_colourful(sys.stdout),
    )
    lines.write(broken, sys.stdout)

"""The verdict as GitHub annotations: one for each broken clause, for only the first ten of a step are shown."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.judge.verdict import Status
from coli_conformance.reports.by_clause import failing_sections
from coli_conformance.reports.reported import ReportedRun, sentence_of, unverified_words
from coli_conformance.reports.sections import Section
from coli_conformance.reports.workflow_command import Kind, workflow_command


def github_report(run: ReportedRun) -> str:
    """Return the annotations, a line each: an error for a broken must, a warning for a should, notices for the rest."""
    return "".join(f"{line}\n" for line in _lines(run))


def _lines(run: ReportedRun) -> Iterator[str]:
    scored = run.scored
    passed = f"{scored.musts.passed} of {scored.musts.verified} musts hold, {unverified_words(scored)}"
    verdict = f"{run.engine_name}: {scored.verdict.value}. {passed}."
    yield workflow_command("notice", {"title": "coli-conformance"}, verdict)
    for problem in run.known.problems if run.known is not None else ():
        yield workflow_command("error", {"title": "known-failing file"}, problem)
    for section in failing_sections(run):
        yield _annotation(run, section)
    for flake in run.known.flaky if run.known is not None else ():
        title = {"title": f"flaky: {flake.case_id}"}
        yield workflow_command("notice", title, f"It failed {flake.failed} of {flake.of} times. {flake.reason}")
    for leak in run.leaks:
        message = f"{leak.case_id} depends on what came before: alone {leak.alone.word}, else {leak.together.word}."
        yield workflow_command("error", {"title": "state leaks from case to case"}, message)
    if run.gave_up is not None:
        yield workflow_command("error", {"title": "the run was given up"}, run.gave_up)


def _annotation(run: ReportedRun, section: Section) -> str:
    clause = section.clause
    new = [failure for failure in section.failures if failure.result.status is not Status.KNOWN_FAILING]
    first = (new or section.failures)[0]
    count = f"{len(section.failures)} failing case{'s' if len(section.failures) != 1 else ''}"
    lines = [
        f"{clause.rule} {count}{'' if new else ', all of them known'}, such as {first.case.id}:",
        sentence_of(first.result),
        run.reproduce(first.case.id),
    ]
    level: Kind = "notice"
    if new and section.counts_as_must:
        level = "error"
    elif new and clause.level == "should":
        level = "warning"
    title = f"{clause.id} ({clause.level}) is broken" if clause.level != "may" else f"{clause.id}: nothing legal seen"
    return workflow_command(level, {"title": title}, "\n".join(lines))

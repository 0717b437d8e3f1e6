"""The Markdown report, made for a job's summary page: verdict, table of areas, what broke and how to see it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coli_conformance import __version__
from coli_conformance.escape import cut, shown_text
from coli_conformance.judge.verdict import Status
from coli_conformance.reports.by_clause import failing_sections
from coli_conformance.reports.failure import Failure
from coli_conformance.reports.reported import ReportedRun, sentence_of, unverified_words
from coli_conformance.reports.sections import Section
from coli_conformance.score import Tally

_SHOWN_CASES = 5
_MOST = 500_000
"""Characters; a job's summary may have a mebibyte in all."""
_SENTENCE = 400
_MARKUP = frozenset("\\`*_{}[]<>()#+-!|&~@:")


def markdown_report(run: ReportedRun) -> str:
    """Return the page, ending in a newline; whatever an engine supplied is text on it and no markup."""
    lines: list[str] = []
    size = 0
    for line in _lines(run):
        size += len(line) + 1
        if size > _MOST:
            lines.append("\n*The rest is left out: it is more than a summary page takes.*")
            break
        lines.append(line)
    return "\n".join(lines) + "\n"


def _lines(run: ReportedRun) -> Iterator[str]:
    scored = run.scored
    yield f"## {_text(run.engine_name)}: {scored.verdict.value}"
    yield ""
    yield (
        f"{scored.musts.passed} of {scored.musts.verified} musts and {scored.shoulds.passed} of "
        f"{scored.shoulds.verified} shoulds hold; {unverified_words(scored)}."
    )
    yield ""
    if run.gave_up is not None:
        yield from (_text(run.gave_up), "")
    yield "| area | must | should | broken |"
    yield "| --- | --- | --- | --- |"
    for area in scored.areas:
        broken = " ".join((*area.broken_musts, *area.broken_shoulds)) or "-"
        name = f"{area.area.letter} {_text(area.area.title)}"
        yield f"| {name} | {_tally(area.musts)} | {_tally(area.shoulds)} | {broken} |"
    yield ""
    yield from _known(run)
    for section in failing_sections(run):
        yield from _section(run, section)
    for leak in run.leaks:
        yield f"- State leaks: {_code(leak.case_id)} alone {leak.alone.word}, after others {leak.together.word}"
    seed = f", seed {run.seed}" if run.seed is not None else ""
    yield from ("", f"coli-conformance {__version__}, corpus {run.corpus_version}{seed}")


def _known(run: ReportedRun) -> Iterator[str]:
    """Yield what the known-failing file came to; flaky cases by name."""
    if run.known is None:
        return
    if run.known.problems:
        yield from ("### The known-failing file is no longer right", "")
        yield from (f"- {_text(problem)}" for problem in run.known.problems)
        yield ""
    if run.known.flaky:
        yield from ("### Flaky", "")
        for flake in run.known.flaky:
            yield f"- {_code(flake.case_id)} failed {flake.failed} of {flake.of} times: {_text(flake.reason)}"
        yield ""


def _section(run: ReportedRun, section: Section) -> Iterator[str]:
    clause = section.clause
    yield f"### {clause.id} ({clause.level}): {_text(clause.rule)}"
    yield from ("", _text(clause.why), "")
    for failure in section.failures[:_SHOWN_CASES]:
        yield from _case(run, failure)
    rest = section.failures[_SHOWN_CASES:]
    yield from _rest(rest, clause.id)


def _case(run: ReportedRun, failure: Failure) -> Iterator[str]:
    word = "" if failure.result.status is Status.FAIL else f" ({failure.result.status.word})"
    yield f"- {_code(failure.case.id)}{word}: {_text(cut(shown_text(sentence_of(failure.result)), _SENTENCE))}"
    if run.known is not None and failure.case.id in run.known.reasons:
        yield f"  Known: {_text(run.known.reasons[failure.case.id])}"
    yield from ("", f"  {_code(run.reproduce(failure.case.id))}", "")


def _rest(rest: Sequence[Failure], clause_id: str) -> Iterator[str]:
    if rest:
        yield from (f"{len(rest)} more about {clause_id}: `--clause {clause_id}` shows them all.", "")


def _tally(tally: Tally) -> str:
    return f"{tally.passed}/{tally.verified}" if tally.verified else "-"


def _text(text: str) -> str:
    """Return `text` on one line with all that Markdown or HTML would act on escaped."""
    return "".join(f"\\{c}" if c in _MARKUP else c for c in shown_text(text))


def _code(text: str) -> str:
    """Return `text` as code, within more backticks than follow one another in it."""
    inert = shown_text(text)
    fence = "`"
    while fence in inert:
        fence += "`"
    # A blank on both sides belongs to the marks where the text itself begins or ends with one of theirs.
    return f"{fence} {inert} {fence}" if "`" in inert else f"{fence}{inert}{fence}"

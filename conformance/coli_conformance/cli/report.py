"""`coli-conformance report`: what changed between two reports, and a run made again and compared with its report."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.escape import cut, shown_text
from coli_conformance.score import NO_ENGINE, USAGE

if TYPE_CHECKING:
    from coli_conformance.recorded import Recorded
    from coli_conformance.report_diff import Change

_SENTENCE = 200
_SHOWN = 50


@click.group("report")
def command() -> None:
    """What changed between two reports; a run made again and compared."""


@command.command("diff")
@click.argument("old", metavar="OLD", type=click.Path(path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(path_type=Path))
def diff(old: Path, new: Path) -> int:
    """Say what fails, passes or is unverified in NEW and was not in OLD; both are json or jsonl reports of `run`.

    \b
    Exit status:
      0  nothing is worse
      1  a case is newly failing or newly unverified
      2  a report cannot be used
    """
    from coli_conformance.report_diff import difference  # noqa: PLC0415 - for this command alone

    before, after = _read(old), _read(new)
    if before.corpus_digest != after.corpus_digest:
        click.echo("The reports are of different corpora: a case that only NEW has counts as changed where it fails.")
    found = difference(before, after)
    for title, changes in (
        ("newly failing", found.newly_failing),
        ("newly passing", found.newly_passing),
        ("newly unverified", found.newly_unverified),
    ):
        _show(title, changes)
    click.echo(f"{shown_text(before.engine_name)} {before.verdict} -> {shown_text(after.engine_name)} {after.verdict}")
    return int(found.is_worse)


@command.command("verify")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
def verify(file: Path) -> int:
    """Run again what FILE, a json or jsonl report, says was run, and compare.

    This starts the command that FILE names, in this folder; verify no report that you would not run. Corpus, engine and
    seed must be those of the report. A run that was interrupted or given up cannot be verified.

    \b
    Exit status:
      0  every case came to the same again
      1  a case did not
      2  the report cannot be used, or its corpus or engine is not here
      3  the engine could not be asked
    """
    from coli_conformance.report_diff import unlike  # noqa: PLC0415 - for this command alone

    recorded = _read(file)
    _check_corpus(recorded)
    again = _played_again(recorded)
    if again.engine_digest != recorded.engine_digest:
        raise Complaint(
            f"{file}: the engine is another than that of the report, for its files have changed. Build the one that "
            "was tested, or make a new report.",
            USAGE,
        )
    if again.corpus_digest != recorded.corpus_digest or again.seed != recorded.seed:
        raise Complaint(f"{file}: the run played another corpus or seed than the report says it is of.", USAGE)
    different = list(unlike(recorded, again))
    for sentence in different[:_SHOWN]:
        click.echo(f"  {shown_text(sentence)}")
    if len(different) > _SHOWN:
        click.echo(f"  and {len(different) - _SHOWN} more")
    number = len({result.case for result in again.results})
    click.echo(
        f"{len(different)} of {number} cases came to something else." if different else f"all {number} cases same"
    )
    return int(bool(different))


def _read(path: Path) -> Recorded:
    from coli_conformance.recorded import ReportError, read  # noqa: PLC0415 - --help needs it not

    try:
        return read(path)
    except ReportError as error:
        raise Complaint(str(error), USAGE) from error


def _show(title: str, changes: Sequence[Change]) -> None:
    click.echo(f"{title}: {len(changes)}")
    for change in changes[:_SHOWN]:
        click.echo(f"  {shown_text(change.case)}  {shown_text(change.before)} -> {shown_text(change.after)}")
        if change.result.detail:
            click.echo(f"      {cut(shown_text(change.result.detail), _SENTENCE)}")
    if len(changes) > _SHOWN:
        click.echo(f"  and {len(changes) - _SHOWN} more")


def _check_corpus(recorded: Recorded) -> None:
    """Raise Complaint where the corpus of this suite cannot be that of the report; before an engine is started."""
    from coli_conformance.corpus import vectors  # noqa: PLC0415 - only a run again needs it

    if "--manifest" in recorded.arguments:
        return  # the corpus may be made for the engine; the run itself says which it was
    with complaints():
        _, digest = vectors.committed()
    if digest != recorded.corpus_digest:
        raise Complaint(
            f"{recorded.name}: its corpus is not the one of this suite. Use the version of the suite that wrote it.",
            USAGE,
        )


def _played_again(recorded: Recorded) -> Recorded:
    """Return the report of the same run, made again. Raises Complaint."""
    from coli_conformance.cli.run import command as run  # noqa: PLC0415 - only a run again needs it
    from coli_conformance.recorded import ReportError, parse  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "again.json"
        arguments = ["--report", f"json={path}", *recorded.arguments]
        shown = shlex.join(["coli-conformance", "run", *recorded.arguments])
        click.echo(f"again: {shown_text(shown)}")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                status = run.main(arguments, "coli-conformance run", standalone_mode=False)
        except click.ClickException as error:
            raise Complaint(
                f"{recorded.name}: what it says was run cannot be: {error.format_message()}", USAGE
            ) from error
        sys.stdout.flush()
        if status == NO_ENGINE or not path.exists():
            raise Complaint(f"{recorded.name}: the run was given up, so there is nothing to compare.", NO_ENGINE)
        try:
            return parse(path.read_text(encoding="utf-8"), recorded.name)
        except ReportError as error:
            raise Complaint(str(error), USAGE) from error

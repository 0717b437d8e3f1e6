"""`coli-conformance check`: what is wrong with a history, an IKU1 file, a trace or a table of pairs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.progress import ReadingProgress
from coli_conformance.check.salvage import Salvage, SalvageError, salvage_lines
from coli_conformance.check.shown import examined_lines
from coli_conformance.check.source import Source, SourceError
from coli_conformance.check.summary import bars_for, summary_lines
from coli_conformance.check.tally import Tally
from coli_conformance.cli.complaint import Complaint
from coli_conformance.cli.engine_and_dims import asked_for
from coli_conformance.escape import shown_text
from coli_conformance.reports import lines
from coli_conformance.score import USAGE

_MOST = 50


@click.command("check")
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="[default: told by the first bytes]")
@click.option("--engine", "engine_name", metavar="NAME", help="Check for this registered engine.")
@click.option("--dims", metavar="LxE", help="Check for so many layers and experts. [default: the engine's]")
@click.option("--format", "output", type=click.Choice(["text", "json", "github", "sarif"]), default="text")
@click.option(
    "--max-findings",
    type=click.IntRange(0),
    metavar="N",
    default=_MOST,
    help=f"Stop reading a file after so many errors and warnings; 0 never does. [default: {_MOST}]",
)
@click.option("--summary", is_flag=True, help="Also show what is inside: writer, sizes, hottest experts, each layer.")
@click.option(
    "--salvage",
    "out",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write what a strict reader accepts of the one FILE to a new file, and list what was left out.",
)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    kind: str | None,
    engine_name: str | None,
    dims: str | None,
    output: str,
    max_findings: int,
    summary: bool,
    out: Path | None,
    paths: tuple[Path, ...],
) -> int:
    """Find what is wrong with histories, IKU1 files, traces and tables of pairs; `-` is standard input.

    A finding is `file:line:column: level code(clause) sentence`, the line, what an old reader makes of it, and what to
    do. Columns count bytes from 1. `explain CODE` says more of a code. No file is ever changed.

    \b
    Exit status:
      0  no error and no warning; notes do not count
      1  an error or a warning
      2  wrong usage, or a file that cannot be read
      4  a fault of the suite itself
    """
    asked = asked_for(engine_name, dims)
    if out is not None and (len(paths) > 1 or output != "text"):
        raise click.UsageError("--salvage takes one FILE and goes with --format text alone.")
    if summary and output != "text":
        raise click.UsageError("--summary goes with --format text alone.")
    chosen = None if kind is None else Kind(kind)
    most = None if max_findings == 0 or out is not None else max_findings
    files: list[Examined] = []
    unusable: list[tuple[str, str]] = []
    for path in paths:
        tally = Tally() if summary else None
        try:
            files.append(_examined(path, asked, chosen, most, out, tally))
        except SourceError as error:
            unusable.append((str(path), str(error)))
            click.echo(f"coli-conformance: {shown_text(str(error))}", err=True)
            continue
        if output == "text":
            _show(files[-1], tally)
    _report(output, files, unusable)
    if unusable:
        return USAGE
    return 0 if all(examined.is_sound for examined in files) else 1


def _examined(
    path: Path, asked: Asked, kind: Kind | None, most: int | None, out: Path | None, tally: Tally | None
) -> Examined:
    with ReadingProgress(sys.stderr) as progress, Source(path, progress.advance) as source:
        progress.total = source.size
        if out is None:
            return examine(source, asked, kind=kind, most=most, tally=tally)
        try:
            with Salvage(out) as salvage:
                examined = examine(source, asked, kind=kind, keeping=salvage.keeping, tally=tally)
                salvage.finish(examined)
        except SalvageError as error:
            raise Complaint(str(error), USAGE) from error
    lines.write(salvage_lines(salvage, lines.width_of(sys.stdout)), sys.stdout)
    return examined


def _show(examined: Examined, tally: Tally | None) -> None:
    width = lines.width_of(sys.stdout)
    lines.write(examined_lines(examined, width), sys.stdout)
    if tally is not None:
        lines.write(summary_lines(examined, tally, bars_for(sys.stdout), width), sys.stdout)


def _report(output: str, files: Sequence[Examined], unusable: Sequence[tuple[str, str]]) -> None:
    """Write the findings of all files in a format for programs; text was written file by file."""
    if output == "json":
        from coli_conformance.check.json_report import json_report  # noqa: PLC0415 - only where it is asked for

        click.echo(json_report(files, unusable), nl=False)
    elif output == "sarif":
        from coli_conformance.check.sarif import sarif  # noqa: PLC0415 - as above

        click.echo(sarif(files, unusable), nl=False)
    elif output == "github":
        from coli_conformance.check.github import github_lines  # noqa: PLC0415 - as above

        for text in github_lines(files, unusable):
            click.echo(text)

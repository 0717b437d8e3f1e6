"""`coli-conformance matrix`: every writer's files against every reader."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT

FORMATS = ("json", "html")


def _reports(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path], ...]:
    """Return format and path of each report asked for, known to be writable; for click, which calls it back."""
    del context, parameter
    from coli_conformance.reports import output  # noqa: PLC0415 - not for --help

    reports = []
    for value in values:
        kind, _, path = value.partition("=")
        if kind not in FORMATS or not path:
            raise click.BadParameter(f"{value!r} is not FORMAT=PATH; the formats are: {', '.join(FORMATS)}.")
        with complaints():
            output.check(Path(path))
        reports.append((kind, Path(path)))
    return tuple(reports)


@click.command("matrix")
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=PATH",
    callback=_reports,
    help="Write a report to a file; the formats are json and html. Repeatable.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at a time. [default: the cores]")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    metavar="S",
    help="Seconds for a session.",
)
@click.argument("engines_file", metavar="ENGINES.yaml", type=click.Path(path_type=Path))
def command(
    reports: tuple[tuple[str, Path], ...],
    jobs: int | None,
    timeout: float,
    engines_file: Path,
) -> int:
    """Let every engine that writes a history write it, and every engine that reads one read it.

    What a reader makes of a file is compared with what its writer was told, scenario by scenario. Histories of earlier
    generations of writers, the gold files, are read as well.

    \b
    ENGINES.yaml lists the engines:
      engines:
        - {name: mine, command: [./driver]}                    a driver command
        - {name: theirs, python: "my_engine:MyEngine"}         a Python engine
        - {name: dashboard, load: [./dump, "{path}"]}          a command that reads one file
        - {name: shipped, old-reader: ilp32}                   the model of the old loop
        - {name: mine 1.2, family: mine, version: "1.2", command: [./driver-1.2], writes: false}

    \b
    Exit status:
      0  every supported cell passed
      1  a cell failed
      2  wrong usage, or nothing was verified
      3  an engine did not start, did not speak the protocol, claimed no role, or was given up
      4  a fault of the suite itself
    """
    # Imported here: --help needs none of these.
    from coli_conformance.engines.transport import EngineUnusable  # noqa: PLC0415
    from coli_conformance.matrix import engines_file as listed  # noqa: PLC0415
    from coli_conformance.matrix.cells import CellStatus  # noqa: PLC0415
    from coli_conformance.matrix.html_report import html_report  # noqa: PLC0415
    from coli_conformance.matrix.json_report import json_report  # noqa: PLC0415
    from coli_conformance.matrix.table import matrix_lines  # noqa: PLC0415
    from coli_conformance.matrix.whole import play  # noqa: PLC0415
    from coli_conformance.reports import lines, output  # noqa: PLC0415
    from coli_conformance.score import NO_ENGINE, USAGE  # noqa: PLC0415

    with complaints():
        entries = listed.read(engines_file)
        try:
            matrix = play(entries, engines_file.resolve().parent, jobs or os.cpu_count() or 1, timeout)
        except EngineUnusable as error:
            raise Complaint(str(error), NO_ENGINE) from error
        render = {"json": json_report, "html": html_report}
        for kind, path in reports:
            output.write(path, render[kind](matrix))
    lines.write(matrix_lines(matrix, lines.width_of(sys.stdout)), sys.stdout)
    if matrix.count(CellStatus.FAIL):
        return 1
    return 0 if matrix.count(CellStatus.PASS) else USAGE

"""`coli-conformance self-test`: the kill matrix of the suite itself, and whether its corpus is adequate."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from coli_conformance import faults, regular_file
from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.engine_choice import cores
from coli_conformance.comma_locale import HOW_TO_INSTALL
from coli_conformance.corpus import vectors
from coli_conformance.reports import output
from coli_conformance.reports.lines import line, width_of, write
from coli_conformance.reports.progress import RunProgress
from coli_conformance.score import USAGE
from coli_conformance.selection import nearest
from coli_conformance.selftest import markdown
from coli_conformance.selftest.adequacy import inadequacies, survivals, unaskable
from coli_conformance.selftest.matrix import rows
from coli_conformance.selftest.play import Plays, play_all
from coli_conformance.selftest.terminal import matrix_lines, shown_lines, verdict_lines

_LARGEST_PAGE = 1 << 24


@click.command("self-test")
@click.option("--fault", "names", multiple=True, metavar="NAME", help="Only this faulty engine. Repeatable.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at a time. [default: the cores]")
@click.option("--write", "write_path", type=click.Path(path_type=Path), help="Write the matrix here, as Markdown.")
@click.option(
    "--check", "check_path", type=click.Path(path_type=Path), help="Exit with 1 where this file is not the matrix."
)
def command(names: tuple[str, ...], jobs: int | None, write_path: Path | None, check_path: Path | None) -> int:
    """Play every faulty engine that the suite has against its own corpus.

    Says which fault is shown by how many cases, and whether the corpus is adequate: every clause has cases, every must
    and should has a fault that they show, every fault is shown, a sound engine passes everything, and an engine that
    does nothing is caught.

    \b
    Exit status: 0 the corpus is adequate, 1 it is not, or --check found a difference, 2 wrong usage.
    """
    if names and (write_path or check_path):
        raise click.UsageError("--write and --check are about the whole matrix; leave --fault out.")
    _check_names(names)
    with complaints():
        cases, _ = vectors.committed()
        if write_path is not None:
            output.check(write_path)
    plays = _play(names or tuple(faults.all_faults()), jobs or cores())
    matrix = rows(plays.faults, cases)
    width = width_of(sys.stdout)
    write(matrix_lines(matrix, width), sys.stdout)
    if names:
        write(shown_lines(matrix, width), sys.stdout)
        return int(any(True for row in matrix for _ in survivals(row)))
    not_asked = dict.fromkeys(sorted(unaskable(plays.sound, cases)), HOW_TO_INSTALL)
    problems = list(inadequacies(plays, matrix, cases))
    write(verdict_lines(matrix, cases, problems, not_asked, width), sys.stdout)
    if not_asked and (write_path or check_path):
        raise Complaint(f"the matrix is not whole here, so it is neither written nor compared: {HOW_TO_INSTALL}", USAGE)
    page = markdown.page(matrix, cases)
    if write_path is not None:
        with complaints():
            output.write(write_path, page)
    if check_path is not None and _differs(check_path, page):
        return 1
    return int(bool(problems))


def _check_names(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in faults.all_faults():
            raise Complaint(f"there is no fault {name!r}. {nearest(name, faults.all_faults())}", USAGE)


def _play(names: tuple[str, ...], jobs: int) -> Plays:
    with RunProgress(sys.stderr, len(names)) as progress:
        return play_all(names, jobs, lambda: progress.step(failed=False))


def _differs(path: Path, page: str) -> bool:
    """Say where the file differs from `page`, and tell whether it does."""
    try:
        difference = markdown.difference(regular_file.read(path, _LARGEST_PAGE).decode("utf-8"), page)
    except regular_file.UnusableFileError as error:
        raise Complaint(f"{error}; name the file that --write wrote.", USAGE) from error
    except UnicodeDecodeError as error:
        raise Complaint(f"{path}: this is not UTF-8; name the file that --write wrote.", USAGE) from error
    if difference is not None:
        again = f"Write it again with `coli-conformance self-test --write {path}` and look at what changed."
        write([line((f"{path}: {difference}. {again}", "bad"))], sys.stdout)
    return difference is not None

"""`coli-conformance vectors`: the committed cases, and how they are written."""

from __future__ import annotations

import json
import shutil
import sys
from fnmatch import fnmatchcase
from importlib import resources
from pathlib import Path

import click

import coli_spec
from coli_conformance import regular_file
from coli_conformance.case import Case
from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.corpus import vectors
from coli_conformance.escape import cut
from coli_conformance.reports import output
from coli_conformance.score import USAGE
from coli_conformance.selection import nearest
from coli_conformance.specpages import wording

_LARGEST = 1 << 28


@click.group("vectors")
def command() -> None:
    """The corpus of generated cases: list, show, copy, generate."""


@command.command("list")
@click.argument("pattern", metavar="[GLOB]", default="*")
def list_cases(pattern: str) -> None:
    """List the cases, or those whose id matches GLOB: id, level, roles, and why each is there.

    On a terminal a line is cut at its width, elsewhere it is whole.
    """
    cases, _ = _committed()
    chosen = [case for case in cases if case.id == pattern or fnmatchcase(case.id, pattern)]
    if not chosen:
        raise Complaint(f"no case matches {pattern!r}. {nearest(pattern, (case.id for case in cases))}", USAGE)
    width = max(len(case.id) for case in chosen)
    for case in chosen:
        text = f"{case.id:<{width}}  {case.level:<6}  {','.join(case.roles)}  {case.why}"
        click.echo(cut(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


@command.command("show")
@click.argument("case_id", metavar="ID")
def show(case_id: str) -> None:
    """Show a case as it stands in the vectors, as JSON; `explain ID` puts it in words."""
    click.echo(json.dumps(vectors.to_json(found(case_id)), indent=1))


@command.command("copy")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def copy(folder: Path) -> None:
    """Write every case as plain files, with one JSON index, for projects that do without Python."""
    from coli_conformance.cli.vector_copy import copy_cases  # noqa: PLC0415 - for this command alone

    cases, digest = _committed()
    with complaints():
        copy_cases(cases, digest, folder)
    click.echo(f"{len(cases)} cases written to {folder}.")


@command.command("generate")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where the files are not what is generated.")
@click.option(
    "--output",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder other than the suite's own.",
)
@click.option(
    "--confirm-wording",
    "confirmed",
    multiple=True,
    metavar="ID",
    help="Note that this case, or every case of this clause, still fits what its clause says today. Repeatable.",
)
@click.pass_context
def generate(context: click.Context, check: bool, folder: Path | None, confirmed: tuple[str, ...]) -> None:
    """Generate the cases from the declarations, then SPEC.md and the clause pages; write what changed.

    The pages belong to a checkout: with --output, and where the suite is installed without one, cases alone are
    written.
    """
    from coli_conformance.cli.vector_pages import check_pages, write_pages  # noqa: PLC0415 - for this command alone
    from coli_conformance.corpus import generate as generated_cases  # noqa: PLC0415 - it takes time to import

    if check and confirmed:
        raise click.UsageError("--confirm-wording writes and --check does not; leave one of them out.")
    target = folder if folder is not None else _own_folder()
    cases = generated_cases()
    with complaints():
        texts = {**area_texts(cases), wording.FILE: wording_text(cases, target, confirmed)}
    stale = sorted(path for path in target.glob("[A-Z].json") if path.name not in texts)
    changed = {name: text for name, text in texts.items() if _text_of(target / name) != text}
    if check:
        for name, text in changed.items():
            click.echo(wording.difference(target, text) if name == wording.FILE else difference(target / name, text))
        for path in stale:
            click.echo(f"{path.name}: nothing is generated for this area any more")
        stale_pages = check_pages(target) if folder is None else 0
        if changed or stale or stale_pages:
            click.echo("Run `coli-conformance vectors generate` and commit what it writes.")
        else:
            click.echo(f"The {len(texts)} files{' and the pages' if folder is None else ''} are what is generated.")
        context.exit(1 if changed or stale or stale_pages else 0)
    with complaints():
        for name, text in changed.items():
            output.write(target / name, text)
            click.echo(f"{name}: written")
    for path in stale:
        path.unlink()
        click.echo(f"{path.name}: removed")
    written_pages = write_pages(target) if folder is None else 0
    if not changed and not stale and not written_pages:
        click.echo("Nothing changed.")


def found(case_id: str) -> Case:
    """Return the committed case of that id. Raises Complaint, with what looks like it, where there is none."""
    cases, _ = _committed()
    for case in cases:
        if case.id == case_id:
            return case
    raise Complaint(f"there is no case {case_id!r}. {nearest(case_id, (case.id for case in cases))}", USAGE)


def area_texts(cases: tuple[Case, ...]) -> dict[str, str]:
    """Return the text of each area's vector file, by the file's name."""
    areas: dict[str, list[Case]] = {}
    for case in cases:
        areas.setdefault(case.clauses[0][0], []).append(case)
    return {f"{area}.json": vectors.area_text(area, its_cases) for area, its_cases in areas.items()}


def wording_text(cases: tuple[Case, ...], folder: Path, confirmed: tuple[str, ...]) -> str:
    """Return the table of wordings that belongs beside these cases, given the one that is in the folder.

    Raises Complaint for a confirmed id that is neither a case nor a clause with cases, VectorError for a broken table.
    """
    known = {case.id for case in cases} | {case.clauses[0] for case in cases}
    for name in confirmed:
        if name not in known:
            raise Complaint(f"{name!r} is no case and no clause that has cases. {nearest(name, sorted(known))}", USAGE)
    return wording.text(wording.renewed(cases, wording.committed(folder), confirmed, coli_spec.load()))


def difference(path: Path, text: str) -> str:
    """Return a sentence on the first case in which the file at `path` is not `text`."""
    old = _text_of(path)
    if old is None:
        return f"{path.name}: there is no such file"
    try:
        committed = vectors.parse_area(old, path.name)
    except vectors.VectorError as error:
        return str(error)
    generated = vectors.parse_area(text, path.name)
    for one, other in zip(committed, generated, strict=False):
        if one.id != other.id:
            return f"{path.name}: where {other.id} is generated, the file has {one.id}"
        if vectors.to_json(one) != vectors.to_json(other):
            return f"{path.name}: {one.id} is not what is generated"
    if len(committed) != len(generated):
        longer = max(committed, generated, key=len)
        where = "is not generated any more" if longer is committed else "is generated and not in the file"
        return f"{path.name}: {longer[min(len(committed), len(generated))].id} {where}"
    return f"{path.name}: the same cases, written otherwise"


def _committed() -> tuple[tuple[Case, ...], str]:
    with complaints():
        return vectors.committed()


def _own_folder() -> Path:
    folder = resources.files("coli_vectors")
    if not isinstance(folder, Path):
        raise Complaint("the suite's own vectors are not in a folder that can be written; use --output DIR.", USAGE)
    return folder


def _text_of(path: Path) -> str | None:
    if not path.exists():
        return None
    try:
        return regular_file.read(path, _LARGEST).decode("ascii", "replace")
    except regular_file.UnusableFileError as error:
        raise Complaint(f"{error}; remove it, and it is written again.", USAGE) from error

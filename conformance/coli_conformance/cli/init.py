"""`coli-conformance init`: a driver to start from, with its manifest, CI job and list of known failures."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from coli_conformance.cli.complaint import Complaint
from coli_conformance.escape import shown_text
from coli_conformance.score import USAGE
from coli_conformance.starter import KITS, StarterError, write


@click.command("init")
@click.argument("language", metavar="|".join(KITS), type=click.Choice(list(KITS)))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def command(language: str, folder: Path) -> None:
    """Write a driver to start from into DIR, with a manifest, a CI job, a list of known failures and a README.

    The driver can do nothing yet, and every case fails until it is filled in; DIR/README.md says how. No file that is
    there already is written over.
    """
    try:
        written = write(language, folder)
    except StarterError as error:
        raise Complaint(str(error), USAGE) from error
    for name in written:
        click.echo(shown_text(str(folder / name)))
    kit = KITS[language]
    click.echo("\nNow:")
    click.echo(f"  cd {shown_text(shlex.quote(str(folder)))}")
    if kit.build:
        click.echo(f"  {kit.build}")
    click.echo("  coli-conformance run --manifest coli-engine.yaml")

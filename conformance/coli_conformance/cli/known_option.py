"""The options `--known-failing FILE` and `--fix`: the file is known to be usable before the engine is run."""

from __future__ import annotations

from pathlib import Path

import click

from coli_conformance import known_failing
from coli_conformance.cli.complaint import complaints
from coli_conformance.known_failing import KnownFailing
from coli_conformance.reports import output


def known_option(path: Path | None, fix: bool, partial: bool) -> KnownFailing | None:
    """Return the known-failing file, None where none was named; raise click.UsageError or Complaint."""
    if path is None:
        if fix:
            raise click.UsageError("--fix rewrites the known-failing file; name it with --known-failing FILE.")
        return None
    if fix and partial:
        raise click.UsageError(
            "--fix rewrites the known-failing file from a whole run, or entries of cases that are not played would be "
            "lost. Leave out --case, --clause, --role and --corpus."
        )
    with complaints():
        if not fix:
            return known_failing.read(path)
        output.check(path)
        return known_failing.read(path) if path.exists() else KnownFailing(str(path))

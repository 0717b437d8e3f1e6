"""The option `--report FORMAT=PATH`: which report goes to which file."""

from __future__ import annotations

from pathlib import Path

import click

from coli_conformance.cli.complaint import complaints
from coli_conformance.reports import output

FORMATS = ("json",)


def report_path(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the paths of the JSON reports asked for, each known to be writable; for click, which calls it back."""
    del context, parameter
    paths = []
    for value in values:
        kind, separator, path = value.partition("=")
        if kind not in FORMATS or not separator or not path:
            raise click.BadParameter(f"{value!r} is not FORMAT=PATH; the formats are: {', '.join(FORMATS)}.")
        with complaints():
            output.check(Path(path))
        paths.append(Path(path))
    return tuple(paths)

"""The option `--report FORMAT=PATH`: which report goes to which file."""

from __future__ import annotations

from pathlib import Path

import click

from coli_conformance.cli.complaint import complaints
from coli_conformance.reports import output

FORMATS = ("json", "jsonl", "junit", "html", "markdown", "github", "badge")
"""The formats; `reports.formats` knows how each is made."""
TO_STANDARD_OUTPUT = Path("-")
"""Where annotations may go as well, for that is where GitHub reads them."""


def report_path(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path], ...]:
    """Return each report asked for as format and path, known to be writable; for click, which calls it back."""
    del context, parameter
    asked: list[tuple[str, Path]] = []
    for value in values:
        kind, separator, name = value.partition("=")
        path = Path(name)
        if kind not in FORMATS or not separator or not name:
            raise click.BadParameter(f"{value!r} is not FORMAT=PATH; the formats are: {', '.join(FORMATS)}.")
        if path == TO_STANDARD_OUTPUT and kind != "github":
            raise click.BadParameter(f"{value!r}: the report for people goes to standard output; name a file.")
        if path in [other for _, other in asked]:
            raise click.BadParameter(f"{value!r}: another report goes to this file; name a file for each.")
        if path != TO_STANDARD_OUTPUT:
            with complaints():
                output.check(path)
        asked.append((kind, path))
    return tuple(asked)

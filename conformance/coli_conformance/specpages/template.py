"""The jinja2 environment of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment() -> Environment:
    """Return the environment; the pages are Markdown, whose texts are escaped as such (`markdown.prose`)."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only a page pays for it

    return Environment(
        loader=PackageLoader("coli_conformance", "specpages"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

"""`vectors generate`, the pages: SPEC.md, the clause pages and the diagrams of the checkout around the vectors."""

from __future__ import annotations

from pathlib import Path

import click

from coli_conformance import specpages
from coli_conformance.cli.complaint import complaints


def check_pages(vectors: Path) -> int:
    """Say which pages are not what is generated, and return how many; none where the vectors lie in no checkout."""
    root = _checkout(vectors)
    if root is None:
        return 0
    with complaints():
        differences = specpages.check_all(root)
    for sentence in differences:
        click.echo(sentence)
    return len(differences)


def write_pages(vectors: Path) -> int:
    """Write the pages that changed, say which, and return how many; none where the vectors lie in no checkout."""
    root = _checkout(vectors)
    if root is None:
        return 0
    with complaints():
        changed = specpages.write_all(root)
    for path in changed:
        click.echo(f"{path.relative_to(root)}: {'written' if path.exists() else 'removed'}")
    return len(changed)


def _checkout(vectors: Path) -> Path | None:
    """Return the checkout whose vectors these are, or None where they are an installed copy."""
    root = vectors.parent
    return root if (root / specpages.SPECIFICATION).parent.joinpath("coli_spec").is_dir() else None

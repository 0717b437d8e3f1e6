"""The corpus made for an engine that was built for one identity or one set of dimensions."""

from __future__ import annotations

import hashlib

from coli_conformance import corpus
from coli_conformance.case import Case
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.vectors import area_text


def made_for(target: Target) -> tuple[tuple[Case, ...], str]:
    """Return every case made for `target`, and the digest that `vectors.committed` would give for its files."""
    cases = corpus.generate(target)
    digest = hashlib.sha256()
    for area in sorted(corpus.areas()):
        text = area_text(area, (case for case in cases if case.clauses[0].startswith(area)))
        digest.update(text.encode("ascii"))
    return cases, digest.hexdigest()

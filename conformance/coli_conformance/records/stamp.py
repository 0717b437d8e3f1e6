"""The last line of an evidence page: what it is evidence for, by digest, so that stale evidence is noticed."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, get_args

from coli_conformance import __version__

Verdict = Literal["holds", "incomplete", "fails"]
"""`incomplete`: nothing failed, and one of the two reference engines could not be asked."""

_SUITE = (
    ("coli_spec", "records.yaml"),
    ("coli_spec", "engines.yaml"),
    ("coli_reference", "old_reader.py"),
    ("coli_reference", "old_reader.c"),
    ("coli_conformance", "corpus/agreed_records.py"),
    ("coli_conformance", "records/rules.py"),
    ("coli_conformance", "records/ranges.py"),
)
"""What evidence rests on: where one of these changes, it has to be gathered again."""
_PATTERN = re.compile(r"<!-- evidence 1; proposal ([0-9a-f]{64}); suite ([0-9a-f]{64}); ([a-z]+) -->")


@dataclass(frozen=True, slots=True)
class Stamp:
    """The digests of the proposal and of the suite, as hexadecimal digits, and what the evidence came to."""

    proposal: str
    suite: str
    verdict: Verdict

    @property
    def text(self) -> str:
        """The line, which a renderer of Markdown does not show."""
        return f"<!-- evidence 1; proposal {self.proposal}; suite {self.suite}; {self.verdict} -->"


def suite_digest() -> str:
    """Return the SHA-256 of the suite's version and of every file that evidence rests on."""
    digest = hashlib.sha256(__version__.encode())
    for package, name in _SUITE:
        digest.update(hashlib.sha256((resources.files(package) / name).read_bytes()).digest())
    return digest.hexdigest()


def evidence_path(proposal: Path) -> Path:
    """Return where the evidence for a proposal stands: beside it."""
    return proposal.with_suffix(".evidence.md")


def read_stamp(page: str) -> Stamp | None:
    """Return the stamp that a page ends with, or None where it ends with none."""
    lines = page.rstrip("\n").rsplit("\n", 1)
    found = _PATTERN.fullmatch(lines[-1])
    if found is None:
        return None
    for verdict in get_args(Verdict):
        if found[3] == verdict:
            return Stamp(found[1], found[2], verdict)
    return None

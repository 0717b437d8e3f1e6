"""What the cases about widths, trusted reads and long inputs begin with: files loaded, and the counters asked for."""

from __future__ import annotations

from coli_conformance.corpus.meaning import History
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

FOUND = ".coli_usage"


def loaded(
    target: Target,
    content: History,
    text: str | None = None,
    trusted: bool = False,
    dropped: tuple[int, ...] = (),
    clause: str | None = None,
) -> Session:
    """Return a session that loads a file meaning `content`, as `text` where that is not canonical, and counts.

    A wrong answer to the load breaks `clause`, or else the case's first.
    """
    session = Session(target)
    session.drop(*dropped)
    session.given(FOUND, content.text if text is None else text)
    session.load(FOUND, content, trusted=trusted, clause=clause)
    session.counts()
    return session


def refused(target: Target, content: History, text: str | None = None, trusted: bool = False) -> Session:
    """Return a session in which a file of `content`, or of `text`, is refused and leaves no counter behind (R07)."""
    session = Session(target)
    session.given(FOUND, content.text if text is None else text)
    session.refused(FOUND, trusted=trusted)
    session.counts(clause="R07")
    return session

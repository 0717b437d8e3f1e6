"""Many loads in one session, and loads of a file that changed: the last one is read like the first (R01, R05, R06, R09,
R14, R20)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, header, history, inside, legacy
from coli_conformance.corpus.reader_loaded import FOUND
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

GLM = Target("glm_moe_dsa", 78, 256)
_OTHER = "other.txt"
_TOP = coli_spec.load().fields[2].maximum
_LOADS = 1_100
"""More loads than the 1,024 files that a process may commonly have open."""
_FILES = 70
_GOOD_LOADS = 260
"""More loads than a byte can count."""
_TRUSTS = 20
_FULL_COUNTS = 257
"""Counts of 32 bits that together take more than 40."""


def r01_rewritten(target: Target) -> Iterator[Case]:
    """R01: what a load reads is what the file holds then, also where the session has read and rewritten it."""
    content = history(target, *inside(target, (3, 2, 5)))
    session = Session(target)
    session.given(FOUND, content)
    session.load(FOUND, content)
    session.add(*inside(target, (3, 2, 1)))
    session.save(FOUND, clause="W12")
    session.load(FOUND, session.nonzero())
    session.counts()
    yield session.case(
        "R01-rewritten-by-a-save",
        "What was kept of a file when it was read first is not what it holds after a save.",
        clauses=("W12",),
    )


def r14_many_loads(target: Target) -> Iterator[Case]:
    """R14: a load adds to the counters however many came before, of one file or of many."""
    content = legacy(*inside(target, (3, 2, 5)))
    session = Session(target)
    session.given(FOUND, content)
    for _ in range(_LOADS):
        session.load(FOUND, content)
    session.counts()
    yield session.case(f"R14-{_LOADS}-loads", "A file that is read and not closed is one fewer that can be opened.")
    session = Session(target)
    for index in range(_FILES):
        one = history(target, *inside(target, (index, index, 1 + index)))
        session.given(f"usage-{index}", one)
        session.load(f"usage-{index}", one)
    session.counts()
    yield session.case(f"R14-{_FILES}-files", "A table of the files that were read must not run out of room.")


def r05_after_many_loads(target: Target) -> Iterator[Case]:
    """R05: the identity is checked at every load, however many good histories came before."""
    good = history(target, *inside(target, (3, 2, 5)))
    session = Session(target)
    session.given(FOUND, good)
    session.given(_OTHER, History((*header(target, engine=target.stranger.engine_id), *good.data)))
    for _ in range(_GOOD_LOADS):
        session.load(FOUND, good, clause="R01")
    session.refused(_OTHER)
    session.counts(clause="R07")
    yield session.case(
        f"R05-after-{_GOOD_LOADS}-good-loads",
        "A check made at the first loads alone lets the next stranger in.",
        ("R07",),
    )


def r06_many_trusted_reads(target: Target) -> Iterator[Case]:
    """R06: a typed path is trusted as often as it is typed."""
    data = inside(target, (3, 2, 5))
    session = Session(target)
    session.given(_OTHER, History((*header(target, engine=target.stranger.engine_id), *data)))
    for _ in range(_TRUSTS):
        session.load(_OTHER, data, trusted=True)
    session.counts()
    yield session.case(f"R06-{_TRUSTS}-trusted-reads", "The user's word does not wear out.")


def r09_totals(target: Target) -> Iterator[Case]:
    """R09: a total is the sum of one load's accepted counts: beyond 40 bits, and whatever an earlier file held.

    Whether a late header is refused is the subject of R20, so the first load may come to anything.
    """
    session = Session(GLM)
    for path, row in ((FOUND, 3), (_OTHER, 40)):
        full: tuple[Record, ...] = tuple((row + at // 256, at % 256, _TOP) for at in range(_FULL_COUNTS))
        session.given(path, legacy(*full))
        session.load(path, full)
    yield session.case(
        f"R09-{_FULL_COUNTS}-full-counts", "The sum of many full counters takes more than 40 bits, in every file."
    )
    good = history(target, *inside(target, (0, 1, 5)))
    late, _ = header(target, n_layers=target.n_layers + 1)
    session = Session(target)
    session.given(_OTHER, legacy(*inside(target, (3, 2, 9)), late))
    session.given(FOUND, good)
    session.say(f"load {_OTHER}", "any")
    session.load(FOUND, good)
    yield session.case(
        "R09-after-a-late-header", "Counts that were summed before the refusal are no part of the next total."
    )


def r20_full_counter(target: Target) -> Iterator[Case]:
    """R20: a counter at its largest value is still there after a late refusal."""
    full = inside(target, (3, 2, _TOP))
    late, _ = header(target, n_layers=target.n_layers + 1)
    session = Session(target)
    session.given(FOUND, history(target, *full))
    session.given(_OTHER, legacy(*inside(target, (3, 2, 5)), late))
    session.load(FOUND, full, clause="R01")
    session.refused(_OTHER)
    session.counts()
    yield session.case(
        f"R20-after-{_TOP}", "Taken back by subtracting, counts that a full counter never took leave it short."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r01_rewritten,
    r14_many_loads,
    r05_after_many_loads,
    r06_many_trusted_reads,
    r09_totals,
    r20_full_counter,
)

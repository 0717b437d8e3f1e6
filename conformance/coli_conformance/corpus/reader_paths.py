"""Paths of every legal kind: a history is read from the path that is named, and written to it (R01, W12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, SetupFile
from coli_conformance.corpus.meaning import history, inside
from coli_conformance.corpus.reader_loaded import FOUND
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_DEEP = "/".join((100 * "d", 100 * "e", 100 * "f", FOUND))
_NAME_MAX = 255
"""Bytes that a name may have on the file systems in common use."""
_ROOM = 55
"""Bytes that a writer may add to a name for its temporary file."""


def _paths(longest_name: int) -> dict[str, tuple[str, str]]:
    """Return paths by name, each with the reason to try it."""
    return {
        "percent": ("usage%d-100%s", "A path is no format."),
        "dash": ("-usage", "A path that begins with a dash is no option."),
        "upper-case": ("Usage.TXT", "A path is taken as it is written."),
        "two-folders": ("models/glm/usage", "No folder of a path is left out."),
        f"name-of-{longest_name}-bytes": (longest_name * "u", "A buffer of 64 or 128 bytes does not hold every name."),
        f"{len(_DEEP)}-bytes": (_DEEP, "A buffer of 256 bytes does not hold every path."),
    }


def r01_any_path(target: Target) -> Iterator[Case]:
    """R01: a history is read in full from the path that is named."""
    content = history(target, *inside(target, (3, 2, 5)))
    for name, (path, why) in _paths(_NAME_MAX).items():
        session = Session(target)
        session.given(path, content)
        session.load(path, content)
        if path.startswith("-"):
            # As a word of a command line it may well be an option, so a command that reads one file is not asked.
            session.load(path, content)
        session.counts()
        yield session.case(f"R01-path-{name}", why)
    session = Session(target)
    session.setup.append(SetupFile("model", folder=True))
    session.given(FOUND, content)
    session.load(f"model/../{FOUND}", content)
    session.counts()
    yield session.case("R01-path-dot-dot", "A path may lead into a folder and out again.")


def w12_any_path(target: Target) -> Iterator[Case]:
    """W12: a save replaces the history at the path that is named."""
    for name, (path, why) in _paths(_NAME_MAX - _ROOM).items():
        session = Session(target)
        session.given(path, history(target, (0, 0, 1000)))
        session.add((0, 0, 30), (1, target.n_experts - 1, 2))
        session.save(path)
        yield session.case(f"W12-path-{name}", why)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (r01_any_path, w12_any_path)

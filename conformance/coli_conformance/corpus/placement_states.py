"""Which history PIN= takes after something has happened: an earlier look, a read, a refusal (P01, P03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.placement import FALLBACK
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import stranger
from coli_conformance.corpus.writer_saved import HISTORY

_FOUND = f"ok {HISTORY} untrusted"
_MINE, _OTHER = "mine.txt", "other.txt"


def p01_after_a_look_or_a_read(target: Target) -> Iterator[Case]:
    """P01: every look goes by the sizes of that moment; what was found, read or refused before is no part of it."""
    sound = history(target, (0, 0, 5))
    session = Session(target)
    session.say("pin auto", "ok", clause="P02")
    session.add((0, 0, 5))
    session.save(HISTORY)
    session.say("pin auto", _FOUND)
    yield session.case("P01-saved-after-a-look", "A look that found nothing is not remembered.")
    session = Session(target)
    session.given(HISTORY, sound)
    session.given(FALLBACK, sound)
    session.load(HISTORY, sound, clause="R01")
    session.say("pin auto", _FOUND)
    yield session.case("P01-loaded-before", "A history that was read is still the one that is there.")
    yield _refused_before(target)


def _refused_before(target: Target) -> Case:
    """Return the case of a look after a refusal: at the refused history, or past it where the reader set it aside.

    W21 has that done by the time of a save, and leaves a reader free to do it at once.
    """
    sessions = []
    for answer in (_FOUND, f"ok {FALLBACK} untrusted"):
        session = Session(target)
        session.given(HISTORY, history(stranger(target), (0, 0, 5)))
        session.given(FALLBACK, history(target, (0, 0, 5)))
        session.refused(HISTORY, clause="R05")
        session.say("pin auto", answer)
        sessions.append(session)
    sessions[1].files.append(FileExpectation(HISTORY, "P01", absent=True))
    return sessions[0].case(
        "P01-refused-before",
        "The size decides; a refusal is no size, and no falling back.",
        roles=("identify",),
        outcomes=[session.outcome("P01") for session in sessions],
    )


def p03_after_another_path(target: Target) -> Iterator[Case]:
    """P03: whether a path is trusted follows from how it was given, and from nothing that went before."""
    sound, theirs = history(target, (0, 0, 5)), history(stranger(target), (0, 0, 5))
    for slug, looks, why in (
        ("typed-after-typed", (_MINE, _OTHER), "The second path is not the first one."),
        ("typed-after-found", ("auto", _MINE), "What was found before takes no trust from what is typed."),
        ("found-after-typed", (_MINE, "auto"), "What was typed before gives no trust to what is found."),
    ):
        session = Session(target)
        for path in (HISTORY, _MINE, _OTHER):
            session.given(path, sound)
        for value in looks:
            session.say(f"pin {value}", _FOUND if value == "auto" else f"ok {value} trusted")
        yield session.case(f"P03-{slug}", why)
    session = Session(target)
    session.given(_MINE, theirs)
    session.refused(_MINE, clause="R05")
    session.say(f"pin {_MINE}", f"ok {_MINE} trusted|ok")  # none is there where the reader set it aside
    yield session.case(
        "P03-typed-after-refused",
        "Typing the path of a history that was refused is how the user vouches for it.",
        roles=("identify",),
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (p01_after_a_look_or_a_read, p03_after_another_path)

"""Fresh cases of which history PIN= takes (area P)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case
from coli_conformance.corpus.fresh_values import model, records, unregistered_name
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.placement import FALLBACK
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY


def _folder(chance: Random, *paths: str, empty: tuple[str, ...] = ()) -> Session:
    """Return a session whose folder has a history of its own or of another engine at each path."""
    target = model(chance)
    session = Session(target)
    for path in paths:
        writer = chance.choice((target, Target(unregistered_name(chance), target.n_layers, target.n_experts)))
        session.given(path, history(writer, *records(chance, writer, chance.randint(2, 9))))
    for path in empty:
        session.given(path, "")
    return session


def p01_history_with_bytes(chance: Random) -> Iterator[Case]:
    """P01: a .coli_usage with bytes in it is taken, whatever stands beside it."""
    session = _folder(chance, FALLBACK, HISTORY)
    session.say("pin auto", f"ok {HISTORY} untrusted")
    yield session.case("P01-fresh-both", "The engine's own history comes first.")


def p02_fallback(chance: Random) -> Iterator[Case]:
    """P02: where it is empty or absent, stats.txt is taken, and without that nothing."""
    session = _folder(chance, FALLBACK, empty=chance.choice(((), (HISTORY,))))
    session.say("pin auto", f"ok {FALLBACK} untrusted")
    yield session.case("P02-fresh-fallback", "A run that routed nothing hides no statistics.")
    session = _folder(chance, f"{unregistered_name(chance, shortest=6)}.txt", empty=(HISTORY, FALLBACK))
    session.say("pin auto", "ok")
    yield session.case("P02-fresh-neither", "A file of another name is not taken for a history.")


def p03_typed_is_trusted(chance: Random) -> Iterator[Case]:
    """P03: a typed path is a trusted read."""
    typed = f"{unregistered_name(chance, shortest=6)}.txt"
    session = _folder(chance, HISTORY, typed)
    session.say(f"pin {typed}", f"ok {typed} trusted")
    session.say("pin auto", f"ok {HISTORY} untrusted")
    yield session.case("P03-fresh-typed", "The user typed the one and the engine finds the other.")


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (p01_history_with_bytes, p02_fallback, p03_typed_is_trusted)

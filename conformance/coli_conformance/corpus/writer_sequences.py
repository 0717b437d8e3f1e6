"""Cases for long sessions and large models: many saves, many counters, several reads (W09, W12, W13, W18-W22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, FileExpectation, Outcome
from coli_conformance.corpus.meaning import History, header, history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY, saved

KIMI = Target("kimi_k3", 93, 896)
_TOP = coli_spec.load().fields[2].maximum
_SAVES = 9
_ROWS, _EXPERTS = 330, 100
"""Rows and experts that make 33,000 counters, more than a signed number of 16 bits can count."""


def w09_dropped_late(target: Target) -> Iterator[Case]:
    """W09: no dropped row is written, also where it was dropped after a load, or is the MTP head's."""
    content = history(target, (0, 0, 50), (1, target.n_experts - 1, 3))
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content)
    session.drop(0)
    session.save(HISTORY)
    yield session.case(
        "W09-dropped-after-a-load", why="An engine may read its history before it knows which layers route."
    )
    session = Session(target)
    session.add((target.n_layers, 0, 50), (1 % target.n_layers, 0, 3))
    session.drop(target.n_layers)
    session.save(HISTORY)
    yield session.case(
        "W09-mtp-row-dropped-after-counting", why="What the MTP head's row had counted goes with it, as a layer's does."
    )


def w12_many_saves(target: Target) -> Iterator[Case]:
    """W12: every save replaces the file at its path by the counters of that moment, the ninth like the first."""
    session = Session(target)
    for _ in range(_SAVES):
        session.add((0, 0, 1))
        session.save(HISTORY)
    yield session.case(f"W12-{_SAVES}-saves", why="A run that saves every hour saves all day.")
    session = Session(target)
    for path in ("first", "second", "third", "fourth"):
        session.add((0, 0, 1))
        session.save(path)
    yield session.case("W12-four-paths", why="What is written goes by the counters, whatever was saved elsewhere.")


def w13_dense_saved(target: Target) -> Iterator[Case]:
    """W13: writing IKU1 changes the counters as little as any other save."""
    inkling = Target("inkling", target.n_layers, target.n_experts)
    session = Session(inkling)
    session.add((0, 0, 5), (inkling.n_layers - 1, inkling.n_experts - 1, 7))
    session.say("dense stats.iku1", "ok")
    session.counts()
    session.save(HISTORY)
    yield session.case("W13-after-a-dense-save", roles=["load"], why="Both layouts are written of the same counters.")


def w18_order_of_wide_rows(target: Target) -> Iterator[Case]:
    """W18: layers ascend before experts do, also where a row is wider than 256."""
    del target
    yield saved(KIMI, (3, 0, 1), (1, 800, 2), (2, 0, 3), (2, 300, 4), (1, 300, 5), canonical=True).case(
        "W18-93x896", why="Sorted by layer times 256 plus expert, expert 800 of layer 1 comes after layer 2."
    )


def w19_loaded_and_counted(target: Target) -> Iterator[Case]:
    """W19: a counter stays at the largest count wherever the parts of its sum came from."""
    content = history(target, (0, 0, _TOP))
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content)
    session.add((0, 0, 2))
    session.counts()
    yield session.case(
        "W19-loaded-then-added", why="Loaded and counted parts that are kept apart are summed somewhere: there, too."
    )


def w21_whatever_comes_between(target: Target) -> Iterator[Case]:
    """W21: a refused file survives a save to its path, whatever was read before, after, or by which name."""
    foreign = History((*header(target, engine=target.stranger.engine_id), (0, 0, 1000)))
    wrong = History((*header(target, n_layers=target.n_layers + 1), (0, 0, 1000)))
    good, also_good = legacy((0, 0, 5)), "good.txt"
    session = Session(target)
    session.given(HISTORY, wrong)
    session.refused(HISTORY, trusted=True, clause="R03")
    yield _survives(session, wrong, "W21-refused-when-typed", "A typed path that was refused holds counts as well.")
    session = Session(target)
    session.given(HISTORY, foreign)
    session.given(also_good, good)
    session.refused(HISTORY, clause="R05")
    session.load(also_good, good)
    yield _survives(session, foreign, "W21-good-load-after", "A good file elsewhere makes no refusal undone.")
    session = Session(target)
    session.given(HISTORY, foreign)
    session.given("other.txt", wrong)
    session.refused(HISTORY, clause="R05")
    session.refused("other.txt", clause="R03")
    yield _survives(session, foreign, "W21-another-refused-after", "More than one path can have been refused.")
    session = Session(target)
    session.given(HISTORY, foreign)
    session.refused(f"./{HISTORY}", clause="R05")
    yield _survives(session, foreign, "W21-by-another-name", "A path with a dot in front leads to the same file.")


def _survives(session: Session, refused: History, case_id: str, why: str) -> Case:
    """Return the case in which `session` saves where `refused` lies: an error, or the file is set aside."""
    content = refused.text.encode()
    session.add((0, 0, 1))
    session.save(HISTORY)
    failing = Outcome((*session.answers[:-1], "error"), files=(FileExpectation(HISTORY, "W21", data=content),))
    session.files.append(FileExpectation("", "W21", somewhere=content))
    return session.case(case_id, why, outcomes=[session.outcome("W21"), failing])


def w22_many_counters(target: Target) -> Iterator[Case]:
    """W22: there is no number of counters at which writing ends.

    The file is not looked into: what the engine reads of it tells how much it wrote, in fewer bytes of vectors.
    """
    wide = Target(target.name, _ROWS, _EXPERTS)
    session = Session(wide)
    for layer in range(_ROWS):
        session.route(layer, 0, *((expert, "1") for expert in range(_EXPERTS)))
    session.say(f"save {HISTORY}", "ok")
    session.load(HISTORY, session.nonzero())
    yield session.case(
        f"W22-{_ROWS * _EXPERTS}-counters", roles=["load"], why="The largest model has 84,224 counters to write."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w09_dropped_late,
    w12_many_saves,
    w13_dense_saved,
    w18_order_of_wide_rows,
    w19_loaded_and_counted,
    w21_whatever_comes_between,
    w22_many_counters,
)

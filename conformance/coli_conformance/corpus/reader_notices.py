"""Refusals and notices in longer sessions, with longer paths and other reasons (R18, R19)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, MessageExpectation, Outcome
from coli_conformance.corpus.iku1_block import INKLING, block
from coli_conformance.corpus.meaning import History, header, inside, legacy
from coli_conformance.corpus.reader_loaded import FOUND
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_LINES_OF_ONE_NOTICE = 4
_MANY_TIMES = 9
_LONG = f"{70 * 'd'}/{70 * 'u'}"
_TYPED = "typed.txt"


def _foreign(target: Target, writer: Target | None = None) -> History:
    writer = target.stranger if writer is None else writer
    return History((*header(target, engine=writer.engine_id), *inside(target, (3, 2, 6))))


def _says(text: str) -> MessageExpectation:
    return MessageExpectation("R18", any_of=(text,))


def r18_paths(target: Target) -> Iterator[Case]:
    """R18: the path that a refusal gives, and the one it points to, are whole."""
    for name, path in (("141-bytes", _LONG), ("in-a-folder", f"model/{FOUND}")):
        session = Session(target)
        session.given(path, _foreign(target))
        session.refused(path, clause="R05")
        base = path.rpartition("/")[2]
        session.messages += [_says(path), MessageExpectation("R18", none_of=(f"PIN={base}",))]
        yield session.case(f"R18-path-{name}", "A path that is cut at either end leads nowhere.")


def r18_every_refusal(target: Target) -> Iterator[Case]:
    """R18: every refused path is reported, not the first alone."""
    session = Session(target)
    paths = ("first.txt", "second.txt", "third.txt")
    for path in paths:
        session.given(path, _foreign(target))
        session.refused(path, clause="R05")
        session.messages.append(_says(path))
    yield session.case("R18-three-paths", "Of two refused files the user would hear of one.")


def r18_late_and_cut(target: Target) -> Iterator[Case]:
    """R18: a refusal for a late header (R20) or of a block that was cut off (I06) is reported where it occurs."""
    late, _ = header(target, n_layers=target.n_layers + 1)
    content = legacy(*inside(target, (3, 2, 9)), late)
    session = Session(target)
    session.given(FOUND, content)
    session.refused(FOUND)
    session.messages.append(_says(FOUND))
    read = Session(target)
    read.load(FOUND, content)
    yield session.case(
        "R18-late-header",
        "A refusal that comes late is as silent a cold start.",
        outcomes=[session.outcome("R18"), read.outcome("R18")],
    )
    inkling = Target(INKLING, target.n_layers, target.n_experts)
    counts = ((0, 0, 7),)
    session = Session(inkling)
    session.given("stats.iku1", block(inkling.n_layers, inkling.n_experts, counts)[:-1])
    session.refused("stats.iku1")
    session.messages.append(_says("stats.iku1"))
    read_total = Outcome(("ok", f"ok {sum(count for *_, count in counts)}"))
    nothing = Outcome(("ok", "ok 0"))
    yield session.case(
        "R18-iku1-cut-off",
        "The user should hear of a copy that was cut off.",
        outcomes=[session.outcome("R18"), read_total, nothing],
        roles=("iku1",),
    )


def r19_after_refusals(target: Target) -> Iterator[Case]:
    """R19: a refusal that was reported before takes nothing of the notice."""
    writers = [Target(engine.name) for engine in coli_spec.load().engines if engine.history]
    first, second = [writer for writer in writers if writer.name not in {target.name, INKLING}][:2]
    dimensions = History((*header(target, n_layers=target.n_layers + 1), *inside(target, (3, 2, 6))))
    for name, refused, clause in (
        ("other-dimensions", dimensions, "R03"),
        ("another-writer", _foreign(target, first), "R05"),
    ):
        session = Session(target)
        session.given(FOUND, refused)
        session.given(_TYPED, _foreign(target, second))
        session.refused(FOUND, clause=clause)
        session.load(_TYPED, inside(target, (3, 2, 6)), trusted=True, clause="R06")
        session.messages.append(MessageExpectation("R19", once=second.name, lines=_LINES_OF_ONE_NOTICE))
        yield session.case(f"R19-after-a-refusal-of-{name}", "One message said is not the other one said.")


def r19_once_in_long_sessions(target: Target) -> Iterator[Case]:
    """R19: the notice comes once, whatever paths are read and however often the session saves."""
    writer, data = target.stranger, inside(target, (3, 2, 6))
    session = Session(target)
    for index in range(_MANY_TIMES):
        session.given(f"typed-{index}", _foreign(target))
        session.load(f"typed-{index}", data, trusted=True, clause="R06")
    session.messages.append(MessageExpectation("R19", once=writer.name, lines=_LINES_OF_ONE_NOTICE))
    yield session.case(f"R19-{_MANY_TIMES}-paths", "Once a process, and not once for each path.")
    session = Session(target)
    session.given(_TYPED, _foreign(target))
    for _ in range(_MANY_TIMES):
        session.load(_TYPED, data, trusted=True, clause="R06")
        session.say(f"save {FOUND}", "ok", clause="W12")
    session.messages.append(MessageExpectation("R19", once=writer.name, lines=_LINES_OF_ONE_NOTICE))
    yield session.case(f"R19-{_MANY_TIMES}-reads-and-saves", "A save begins no new process.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r18_paths,
    r18_every_refusal,
    r18_late_and_cut,
    r19_after_refusals,
    r19_once_in_long_sessions,
)

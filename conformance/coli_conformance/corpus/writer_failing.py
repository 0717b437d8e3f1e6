"""Cases for saves that fail or should: on a full disk or a bad path (W17), over a history that was refused (W21)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, FileExpectation, Outcome, Record, SetupFile
from coli_conformance.corpus.meaning import History, header, history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import stranger
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.corpus.writer_saving import TEMPORARY

UNREGISTERED_ID = 12345
"""An id that no registered engine has."""

_BUFFER = 4096
"""The bytes that a C library commonly holds back before it writes to a file."""


def w17_failed_save_keeps_the_old(target: Target) -> Iterator[Case]:
    """A save that fails leaves the previous history as it was and says `error`."""
    new = ((0, 0, 4294967295), (1, target.n_experts - 1, 4294967295))
    head = len(History(header(target)).text)
    for limit, where in (
        (0, "before the first byte"),
        (5, "in the first record"),
        (head, "after the header"),
        (head + 5, "in the data"),
    ):
        yield _limited(target, new).case(
            f"W17-limit-{limit}",
            file_size_limit=limit,
            why=f"The disk is full {where}; a small file shows it only when it is closed.",
        )
    wide = Target(target.name, 16, 64)
    many = tuple((1 + at // 60, at % 60, 4294967295 - at) for at in range(300))
    for limit, where in ((_BUFFER // 2, "while the first buffer is written"), (_BUFFER, "after a whole first buffer")):
        yield _limited(wide, many).case(
            f"W17-300-records-limit-{limit}",
            file_size_limit=limit,
            why=f"The disk is full {where}, in the middle of the records.",
        )
    session = Session(target)
    session.add(*new)
    session.say(f"save {HISTORY}", "error")
    session.files.append(FileExpectation(HISTORY, "W17", absent=True))
    yield session.case(
        "W17-limit-20-first-save",
        file_size_limit=20,
        why="Where there was no history before, half of one is not there afterwards.",
    )
    session = _limited(target, new)
    session.counts()
    session.say(f"save {HISTORY}", "error")
    yield session.case(
        "W17-limit-20-twice", file_size_limit=20, why="A failed save costs no counts, and the next one fails as loudly."
    )
    yield from _bad_paths(target)


def _limited(target: Target, counts: tuple[Record, ...]) -> Session:
    """Return a session whose save over an existing history cannot succeed for lack of room."""
    old = history(target, (0, 0, 1000))
    session = Session(target)
    session.given(HISTORY, old)
    session.add(*counts)
    session.say(f"save {HISTORY}", "error")
    session.files.append(FileExpectation(HISTORY, "W17", data=old.text.encode()))
    return session


def _bad_paths(target: Target) -> Iterator[Case]:
    """Yield saves to paths that cannot be written, even by a user who may write everywhere."""
    session = Session(target)
    session.given("blocked", "a file\n")
    session.add((0, 0, 1))
    session.say(f"save blocked/{HISTORY}", "error")
    session.files.append(FileExpectation("blocked", "W17", data=b"a file\n"))
    yield session.case(
        "W17-folder-is-a-file", why="There is no folder to write in; answering ok loses every count of the run."
    )
    session = Session(target)
    session.given("blocked", "a file\n")
    session.say(f"save blocked/{HISTORY}", "error")
    yield session.case(
        "W17-folder-is-a-file-nothing-routed", why="An empty history that cannot be created is a failed save as well."
    )
    session = Session(target)
    session.given("blocked", "a file\n")
    session.add((0, 0, 1))
    session.say(f"save blocked/{HISTORY}", "error")
    session.save(HISTORY)
    yield session.case(
        "W17-then-a-good-path", why="After a save that failed, the next one to a good path holds every count."
    )
    session = Session(target)
    session.setup.append(SetupFile("taken", folder=True))
    session.given("taken/inside", "kept\n")
    session.add((0, 0, 1))
    session.say("save taken", "error")
    session.files.append(FileExpectation("taken/inside", "W17", data=b"kept\n"))
    yield session.case(
        "W17-path-is-a-folder", why="A rename over a folder fails last of all, after a write that went well."
    )
    old = history(target, (0, 0, 1000))
    session = Session(target)
    session.given(HISTORY, old)
    session.setup.append(SetupFile(TEMPORARY, folder=True))
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W17-temporary-name-taken",
        outcomes=[session.outcome("W17"), _every_save_fails(session, old.text.encode(), "W17")],
        why="A temporary file that cannot be opened is a failed save, unless the writer finds another name for it.",
    )


def _every_save_fails(session: Session, old: bytes, clause: str) -> Outcome:
    """Return the outcome of `session` in which each save answers `error` and the history's path still holds `old`."""
    answers = tuple(
        "error" if step.startswith("save ") else answer
        for step, answer in zip(session.steps, session.answers, strict=True)
    )
    return Outcome(answers, files=(FileExpectation(HISTORY, clause, data=old),))


def w21_refused_file_survives(target: Target) -> Iterator[Case]:
    """A save to a path whose load was refused answers `error`, or the refused file is set aside beside it."""
    own, next_version = ((0, 0, 1),), coli_spec.load().format_version + 1
    foreign = history(stranger(target), (0, 0, 1000)).text.encode()
    for slug, head, clause, why in (
        (
            "unknown-engine",
            header(target, engine=UNREGISTERED_ID),
            "R05",
            "An engine without a known name has weeks of counts to lose as well.",
        ),
        (
            "more-layers",
            header(target, n_layers=target.n_layers + 1),
            "R03",
            "Another size of the same model is not this one's to erase.",
        ),
        (
            "more-experts",
            header(target, n_experts=target.n_experts + 1),
            "R03",
            "A merged or pruned model's history stays its own.",
        ),
        (
            f"version-{next_version}",
            header(target, version=next_version),
            "R04",
            "An older build does not erase what a newer one counted.",
        ),
    ):
        content = History((*head, (0, 0, 1000))).text.encode()
        yield _refused_then_saved(f"W21-{slug}", target, content, clause, own, why)
    yield _refused_then_saved(
        "W21-other-engine",
        target,
        foreign,
        "R05",
        own,
        "Two engines that share a folder erase each other's history run after run.",
    )
    yield _refused_then_saved(
        "W21-nothing-routed",
        target,
        foreign,
        "R05",
        (),
        "An empty history is not worth another engine's counts: no truncation to zero bytes.",
    )
    yield _refused_then_saved(
        "W21-saved-twice",
        target,
        foreign,
        "R05",
        own,
        "The second save does not overwrite what the first one set aside.",
        saves=2,
    )
    session = Session(target)
    session.given(HISTORY, foreign)
    session.refused(HISTORY, clause="R05")
    session.add(*own)
    session.save("elsewhere")
    session.files.append(FileExpectation(HISTORY, "W21", data=foreign))
    yield session.case(
        "W21-saved-elsewhere", why="A save to another path is not in question: it succeeds, and touches nothing else."
    )
    if target.name != "inkling":
        from coli_spec import iku1  # noqa: PLC0415 - brings in construct

        dense = iku1.build(target.n_layers, target.n_experts, {(0, 0): 1000})
        yield _refused_then_saved(
            "W21-iku1",
            target,
            dense,
            "I02",
            own,
            "A dense history of inkling is refused and kept like a text one.",
            roles=("iku1",),
        )


def _refused_then_saved(
    case_id: str,
    target: Target,
    content: bytes,
    clause: str,
    counts: tuple[Record, ...],
    why: str,
    saves: int = 1,
    roles: tuple[str, ...] = (),
) -> Case:
    """Return the case of a load that breaks `clause` where it is not refused, followed by saves to the same path."""
    session = Session(target)
    session.given(HISTORY, content)
    session.refused(HISTORY, clause=clause)
    session.add(*counts)
    for _ in range(saves):
        session.save(HISTORY)
    failing = _every_save_fails(session, content, "W21")
    session.files.append(FileExpectation("", "W21", somewhere=content))
    return session.case(case_id, why, roles=roles, outcomes=[session.outcome("W21"), failing])


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (w17_failed_save_keeps_the_old, w21_refused_file_survives)

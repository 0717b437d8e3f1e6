"""Saves after sessions that took an unusual way: trusted reads, folders, many refusals, failures elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation, Outcome, SetupFile
from coli_conformance.corpus.meaning import History, header, history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import stranger
from coli_conformance.corpus.writer_saved import HISTORY, saved

_IN_A_FOLDER = f"model/{HISTORY}"
_TYPED = "typed.txt"
_REFUSED_PATHS = 20
_SAVES = 5


def w13_saved_before_a_trusted_read(target: Target) -> Iterator[Case]:
    """W13: a save holds what a trusted read brought, also where nothing else changed since the save before."""
    content = history(stranger(target), (0, 0, 5), (1, 0, 7))
    session = Session(target)
    session.given(_TYPED, content)
    session.add((0, 0, 1))
    session.save(HISTORY)
    session.load(_TYPED, content, trusted=True, clause="R06")
    session.save(HISTORY)
    yield session.case(
        "W13-saved-before-a-trusted-read",
        roles=["identify"],
        why="A save that is left out when nothing was counted must not overlook what was read.",
    )


def w16_wherever_and_whatever_was_read(target: Target) -> Iterator[Case]:
    """W16: the old file is not changed in place in a folder either, nor after a trusted read."""
    old = history(target, (0, 0, 1000), (1, 0, 4))
    for name, path, trusted, why in (
        ("in-a-folder", _IN_A_FOLDER, False, "The new file is written beside the old one, in its folder."),
        ("trusted-before", HISTORY, True, "A path that was typed is replaced like one that was found."),
    ):
        before = path.replace(HISTORY, "before")
        session = Session(target)
        session.given(path, old)
        session.setup.append(SetupFile(before, link_to=path))
        session.files.append(FileExpectation(before, "W16", data=old.text.encode()))
        if trusted:
            session.load(path, old, trusted=True)
        session.add((0, 0, 1))
        session.save(path)
        yield session.case(f"W16-{name}", why=why)


def w18_order_of_the_widest_rows(target: Target) -> Iterator[Case]:
    """W18: layers ascend before experts do, in rows as wide as they can be."""
    wide = Target(target.name, 5, 4096)
    yield saved(wide, (1, 3, 1), (0, 4095, 2), (1, 2000, 3), (2, 0, 4), (0, 1500, 5), canonical=True).case(
        "W18-5x4096", why="Sorted by layer times 1024 plus expert, expert 4095 of layer 0 comes after layer 1."
    )


def w20_in_a_folder(target: Target) -> Iterator[Case]:
    """W20: no temporary file is left anywhere by a save into a folder, be the folder there or not."""
    session = Session(target)
    session.setup.append(SetupFile("model", folder=True))
    session.add((0, 0, 1))
    session.save(_IN_A_FOLDER)
    session.files.append(FileExpectation("", "W20", only=("model", _IN_A_FOLDER)))
    yield session.case("W20-in-a-folder", why="Where a temporary file is made elsewhere it is removed there.")
    session = Session(target)
    session.add((0, 0, 1))
    session.say(f"save {_IN_A_FOLDER}", "ok|error")
    session.files.append(FileExpectation("", "W20", only=("model", _IN_A_FOLDER)))
    yield session.case(
        "W20-folder-is-missing", why="The temporary file was written well, and has nowhere to go: it is removed."
    )


def w21_whatever_happened_since(target: Target) -> Iterator[Case]:
    """W21: a refused file survives in a folder, after a trusted read, after a failed save, and many saves."""
    content = history(stranger(target), (0, 0, 1000))
    session = _refused(target, content, _IN_A_FOLDER)
    yield _survives(session, content, "W21-in-a-folder", "A path in a folder is remembered as well.", path=_IN_A_FOLDER)
    good = legacy((0, 0, 5))
    session = _refused(target, content)
    session.given(_TYPED, good)
    session.load(_TYPED, good, trusted=True)
    yield _survives(session, content, "W21-trusted-read-after", "Trust in one file is none in another.")
    session = _refused(target, content)
    session.given("blocked", "a file\n")
    session.add((0, 0, 1))
    session.say(f"save blocked/{HISTORY}", "error", clause="W17")
    yield _survives(
        session, content, "W21-failed-save-elsewhere", "A save that failed elsewhere says nothing about this path."
    )
    session = _refused(target, content)
    yield _survives(session, content, f"W21-{_SAVES}-saves", "Whoever tries again is told again.", saves=_SAVES)


def w21_many_refused_paths(target: Target) -> Iterator[Case]:
    """W21: of many refused paths none is forgotten, the first as little as the last."""
    content, others = history(stranger(target), (0, 0, 1000)), history(stranger(target), (0, 0, 1))
    paths = [f"usage-{index}" for index in range(_REFUSED_PATHS)]
    for name, path in (("first", paths[0]), ("last", paths[-1])):
        session = Session(target)
        for each in paths:
            # Only the file at `path` holds these bytes, so that it is missed where it is destroyed.
            session.given(each, content if each == path else others)
            session.refused(each, clause="R05")
        yield _survives(
            session,
            content,
            f"W21-{name}-of-{_REFUSED_PATHS}-refused-paths",
            "A list of eight or sixteen refused paths is soon full.",
            path=path,
        )


def w21_late_header(target: Target) -> Iterator[Case]:
    """W21: a file that was refused for a late header survives; where it was read (R20), it may be replaced."""
    late, _ = header(target, n_layers=target.n_layers + 1)
    content = legacy((0, 0, 1000), late)
    reading = Session(target)
    reading.load(HISTORY, content)
    reading.add((0, 0, 1))
    reading.save(HISTORY)
    yield _survives(
        _refused(target, content, clause="R20"),
        content,
        "W21-late-header",
        "A file that was refused at its end was refused.",
        or_else=(reading.outcome("W21"),),
    )


def _refused(target: Target, content: History, path: str = HISTORY, clause: str = "R05") -> Session:
    session = Session(target)
    session.given(path, content)
    session.refused(path, clause=clause)
    return session


def _survives(
    session: Session,
    refused: History,
    case_id: str,
    why: str,
    path: str = HISTORY,
    saves: int = 1,
    or_else: tuple[Outcome, ...] = (),
) -> Case:
    """Return the case in which `session` saves where `refused` lies: every time an error, or the file is set aside."""
    content = refused.text.encode()
    session.add((0, 0, 1))
    for _ in range(saves):
        session.save(path)
    answers = (*session.answers[:-saves], *saves * ["error"])
    failing = Outcome(answers, files=(FileExpectation(path, "W21", data=content),))
    session.files.append(FileExpectation("", "W21", somewhere=content))
    return session.case(case_id, why, outcomes=[session.outcome("W21"), failing, *or_else])


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w13_saved_before_a_trusted_read,
    w16_wherever_and_whatever_was_read,
    w18_order_of_the_widest_rows,
    w20_in_a_folder,
    w21_whatever_happened_since,
    w21_many_refused_paths,
    w21_late_header,
)

"""Cases for replacing a file: with the current counters (W12), never in place (W16), leaving nothing behind (W20)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation, SetupFile
from coli_conformance.corpus.meaning import history, legacy, render
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY, grid

TEMPORARY = f"{HISTORY}.tmp"
"""The name that a writer with one fixed temporary name most likely gives it."""


def w12_replaced(target: Target) -> Iterator[Case]:
    """A save over an existing history replaces it by the current counters."""
    last = target.n_experts - 1
    for saves, why in (
        (2, "A rename that fails over an existing file leaves the first save there for ever."),
        (3, "What made the second save work, such as a name used once, has to work again."),
    ):
        session = Session(target)
        for row in range(saves):
            session.route(1, row, (last, "1.0"))
            session.save(HISTORY)
        yield session.case(f"W12-{saves}-saves", why=why)
    crlf = render(history(target, (1, 0, 7)).records, end="\r\n")
    for slug, content, why in (
        (
            "longer-history",
            history(target, *grid(target)).text,
            "Opened without truncation, the file keeps the tail of the old one.",
        ),
        ("shorter-history", history(target, (0, 0, 1)).text, "The old size is no limit for the new file."),
        ("zero-bytes", "", "A file of zero bytes, as a run without routing leaves it, is a file to replace."),
        ("legacy", legacy((1, 0, 7)).text, "A file without a header is replaced as well, not continued."),
        ("crlf", crlf, "A file from Windows is replaced as well, line ends included."),
        (
            "same-counters",
            history(target, (0, 0, 30), (1, last, 2)).text,
            "A file that was not loaded is not added to the counters.",
        ),
    ):
        session = Session(target)
        session.given(HISTORY, content)
        session.add((0, 0, 30), (1, last, 2))
        session.save(HISTORY)
        yield session.case(f"W12-over-{slug}", why=why)
    session = Session(target)
    session.add((0, 0, 1))
    session.save("first")
    session.add((0, 0, 1))
    session.save("second")
    yield session.case(
        "W12-two-paths", why="A save goes to the path it names, and leaves the file of another save as it was."
    )
    session = Session(target)
    session.setup.append(SetupFile("model", folder=True))
    for _ in range(2):
        session.add((0, 0, 1))
        session.save(f"model/{HISTORY}")
    yield session.case(
        "W12-in-a-folder",
        why="The new file is made beside the old one, in its folder, wherever the engine was started.",
    )
    session = Session(target)
    session.add((0, 0, 1))
    session.save(HISTORY)
    session.add((0, 0, 1), (1, last, 5))
    session.save(HISTORY)
    session.load(HISTORY, [(0, 0, 2), (1, last, 5)])
    yield session.case(
        "W12-second-save-read-back",
        why="What a load finds is the second save, whole, as soon as the save has answered.",
    )


def w16_not_in_place(target: Target) -> Iterator[Case]:
    """The old file is never changed in place; a hard link to it shows the old bytes after the save."""
    old = history(target, (0, 0, 1000), (1, 0, 4))
    for slug, counts, why in (
        ("longer", grid(target), "A file that grows is not written over the old one either."),
        (
            "same-size",
            ((0, 0, 1001), (1, 0, 5)),
            "A file of the same size tempts to overwrite the digits that changed.",
        ),
        ("shorter", ((0, 0, 1),), "A file that shrinks is not the old one cut short."),
        ("empty", (), "An empty history is a new file of zero bytes, not the old one truncated."),
    ):
        session = _linked(target, old.text)
        session.add(*counts)
        session.save(HISTORY)
        yield session.case(f"W16-{slug}", why=why)
    session = _linked(target, old.text)
    session.load(HISTORY, old)
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W16-loaded-before", why="The usual run: load, count, save. The handle that read the file is not written to."
    )
    session = _linked(target, "")
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case("W16-over-zero-bytes", why="A file of zero bytes is replaced like any other, not filled.")


def _linked(target: Target, old: str) -> Session:
    """Return a session whose folder holds `old` at the history's path, and a hard link that must go on showing it."""
    session = Session(target)
    session.given(HISTORY, old)
    session.setup.append(SetupFile("before", link_to=HISTORY))
    session.files.append(FileExpectation("before", "W16", data=old.encode()))
    return session


def w20_nothing_left_behind(target: Target) -> Iterator[Case]:
    """No temporary file stays after a save, failed or not."""
    old = history(target, (0, 0, 1000))
    session = Session(target)
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield _only(session, HISTORY).case("W20-first-save", why="After the rename there is one file, the history.")
    session = Session(target)
    session.given(HISTORY, old)
    session.add((0, 0, 1))
    session.save(HISTORY)
    session.save(HISTORY)
    yield _only(session, HISTORY).case(
        "W20-over-a-history", why="The old file was not moved aside for the new one, nor left as a backup."
    )
    session = Session(target)
    session.save(HISTORY)
    yield _only(session, HISTORY).case(
        "W20-nothing-routed", why="Whoever creates a temporary file before looking for counts removes it again."
    )
    session = Session(target)
    session.add((0, 0, 1))
    session.save("first")
    session.save("second")
    yield _only(session, "first", "second").case(
        "W20-two-paths", why="Each path has a temporary file of its own to clean up."
    )
    session = Session(target)
    session.given(HISTORY, old)
    session.given(TEMPORARY, history(target, *grid(target)))
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield _only(session, HISTORY, TEMPORARY).case(
        "W20-beside-a-stale-one",
        why="What a run that was killed left behind neither stops the next save nor gets into its file.",
    )
    session = Session(target)
    session.given(HISTORY, old)
    session.add(*grid(target))
    session.say(f"save {HISTORY}", "ok|error")
    yield _only(session, HISTORY).case(
        "W20-disk-full", file_size_limit=20, why="The half of a file that fitted is removed when the save gives up."
    )
    session = Session(target)
    session.setup.append(SetupFile("taken", folder=True))
    session.given("taken/inside", "kept\n")
    session.add((0, 0, 1))
    session.say("save taken", "ok|error")
    yield _only(session, "taken", "taken/inside").case(
        "W20-path-is-a-folder", why="The temporary file was written well, and only the rename fails: it goes too."
    )


def _only(session: Session, *paths: str) -> Session:
    """Return the session, now expecting no file but `paths` in the folder."""
    session.files.append(FileExpectation("", "W20", only=paths))
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (w12_replaced, w16_not_in_place, w20_nothing_left_behind)

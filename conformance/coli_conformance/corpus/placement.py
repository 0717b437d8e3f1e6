"""Cases for which history PIN= takes (area P): by size where it is found, and as it is where it was typed."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

from coli_conformance.case import Case, SetupFile
from coli_conformance.corpus.meaning import History, header, history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import stranger
from coli_conformance.corpus.writer_saved import HISTORY

FALLBACK = "stats.txt"
"""What PIN=auto takes where the history is missing or empty."""

Files = Mapping[str, bytes | str | History]
"""What lies in the folder, by path."""

_FOUND = f"ok {HISTORY} untrusted"
_FALLEN_BACK = f"ok {FALLBACK} untrusted"


def _pinned(target: Target, case_id: str, why: str, answer: str, files: Files, value: str = "auto") -> Case:
    """Return the case in which `files` lie in the folder and `pin` is asked what PIN=`value` would read."""
    session = Session(target)
    for path, content in files.items():
        session.given(path, content)
    session.say(f"pin {value}", answer)
    return session.case(case_id, why)


def p01_history_with_bytes(target: Target) -> Iterator[Case]:
    """Under PIN=auto, a .coli_usage that is larger than zero bytes is the one that is read."""
    sound = history(target, (0, 0, 5))
    other = stranger(target)
    for slug, content, why in (
        ("alone", sound, "The history that the engine maintains itself is the first choice."),
        ("legacy", legacy((0, 0, 5)), "A history from before the header existed is one as well."),
        ("one-newline", "\n", "The size decides, and one byte is more than none."),
        (
            "header-alone",
            History(header(target)),
            "The file is not opened to choose it: a header without data has a size too.",
        ),
        (
            "other-engine",
            history(other, (0, 0, 5)),
            "Whose it is shows when it is read; refusing it is not falling back.",
        ),
        ("iku1", struct.pack("<4sII", b"IKU1", 1, 1) + bytes(4), "The layout is no part of the choice either."),
    ):
        yield _pinned(target, f"P01-{slug}", why, _FOUND, {HISTORY: content})
    larger = history(target, *((0, 0, 4294967295) for _ in range(20)))
    for slug, content, fallback, why in (
        ("before-stats", sound, sound, "Where both are usable the engine's own history comes first."),
        ("before-larger-stats", "0 0 1\n", larger, "The larger file is not the better one."),
        ("before-empty-stats", sound, "", "An empty fallback takes nothing away."),
    ):
        yield _pinned(target, f"P01-{slug}", why, _FOUND, {FALLBACK: fallback, HISTORY: content})
    session = Session(target)
    session.given(FALLBACK, sound)
    session.route(target.n_layers, 0, (0, "0.5"))
    session.save(HISTORY)
    session.say("pin auto", _FOUND)
    yield session.case("P01-saved-by-this-run", "The next look finds what this run has saved.", roles=("save",))


def p02_fallback(target: Target) -> Iterator[Case]:
    """Where .coli_usage is missing or empty, stats.txt takes its place; without a usable one there is no history."""
    sound = history(target, (0, 0, 5))
    scenarios: tuple[tuple[str, str, Files, str], ...] = (
        (
            "empty-history",
            _FALLEN_BACK,
            {HISTORY: "", FALLBACK: sound},
            "A run that routed nothing hides no statistics.",
        ),
        ("no-history", _FALLEN_BACK, {FALLBACK: sound}, "A model without a history of its own has its statistics."),
        ("one-byte-of-stats", _FALLEN_BACK, {FALLBACK: "\n"}, "The size decides here as well."),
        ("both-empty", "ok", {HISTORY: "", FALLBACK: ""}, "Two empty files are no history."),
        ("empty-stats-alone", "ok", {FALLBACK: ""}, "An empty fallback is no history."),
        ("empty-history-alone", "ok", {HISTORY: ""}, "An empty history without a fallback is no history."),
        ("nothing", "ok", {}, "Nothing there is nothing to read, and no error."),
        ("other-names", "ok", {"usage": sound, "coli_usage": sound, "stats": sound}, "No other file is taken for one."),
    )
    for slug, answer, files, why in scenarios:
        yield _pinned(target, f"P02-{slug}", why, answer, files)
    session = Session(target)
    session.given(FALLBACK, sound)
    session.save(HISTORY)
    session.say("pin auto", _FALLEN_BACK)
    yield session.case(
        "P02-saved-empty", "A save without counts leaves zero bytes, so the fallback stays in sight.", roles=("save",)
    )


def p03_typed_is_trusted(target: Target) -> Iterator[Case]:
    """A path given as PIN=<file> is a trusted read, and a file found by PIN=auto is not."""
    sound, other = history(target, (0, 0, 5)), history(stranger(target), (0, 0, 5))
    for slug, path, content, why in (
        ("typed", "mine.txt", sound, "The user typed it, so the user vouches for it."),
        ("typed-history", HISTORY, sound, "Trust follows how the path was reached: typed, even this one is trusted."),
        ("typed-stats", FALLBACK, sound, "The fallback's name, typed, is trusted as well."),
        ("typed-other-engine", "theirs.txt", other, "This is what the advice of a refusal leads to."),
    ):
        yield _pinned(target, f"P03-{slug}", why, f"ok {path} trusted", {path: content}, value=path)
    yield _pinned(
        target,
        "P03-typed-beside-a-history",
        "What was typed is taken, whatever else there is.",
        "ok mine.txt trusted",
        {HISTORY: sound, FALLBACK: sound, "mine.txt": sound},
        value="mine.txt",
    )
    yield _pinned(
        target,
        "P03-typed-dot-auto",
        "A path to a file of the name auto is a path.",
        "ok ./auto trusted",
        {"auto": sound, HISTORY: sound},
        value="./auto",
    )
    session = Session(target)
    session.setup.append(SetupFile("model", folder=True))
    session.given("model/usage.txt", sound)
    session.say("pin model/usage.txt", "ok model/usage.txt trusted")
    yield session.case("P03-typed-in-a-folder", "A path is taken as it was typed, folder included.")
    stats: Files = {FALLBACK: sound}
    for slug, value, files, why in (
        ("missing", "nope.txt", stats, "A typed path that leads nowhere is not what the engine finds itself."),
        ("zero-bytes", "e.txt", {**stats, "e.txt": ""}, "A typed history without a byte is empty, and is the one."),
    ):
        yield _pinned(target, f"P03-typed-{slug}", why, f"ok {value} trusted|ok", files, value=value)
    yield _pinned(
        target,
        "P03-typed-auto-txt",
        "Only the whole word is no path.",
        "ok auto.txt trusted",
        {"auto.txt": sound, HISTORY: sound},
        value="auto.txt",
    )
    yield _pinned(
        target, "P03-found-history", "Nobody vouched for what the engine found itself.", _FOUND, {HISTORY: other}
    )
    yield _pinned(
        target, "P03-found-stats", "Nor for the fallback it found.", _FALLEN_BACK, {HISTORY: "", FALLBACK: other}
    )
    yield _pinned(
        target,
        "P03-found-beside-auto",
        "PIN=auto is a word and no path, also where a file has that name.",
        _FOUND,
        {"auto": sound, HISTORY: sound},
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (p01_history_with_bytes, p02_fallback, p03_typed_is_trusted)

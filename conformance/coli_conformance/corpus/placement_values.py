"""Sizes and paths that are easily taken for something else: 256 bytes for none (P01, P02), a path for a word (P03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, SetupFile
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.placement import FALLBACK
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY

_256_BYTES = 42 * "0 0 1\n" + 4 * "\n"


def p01_size_of_a_whole_byte(target: Target) -> Iterator[Case]:
    """P01: a size is a size, also where its last eight bits are zero."""
    session = Session(target)
    session.given(HISTORY, _256_BYTES)
    session.say("pin auto", f"ok {HISTORY} untrusted")
    yield session.case("P01-256-bytes", "In one byte, a size of 256 is none.")


def p02_size_of_a_whole_byte(target: Target) -> Iterator[Case]:
    """P02: of the fallback, too, 256 bytes are more than none."""
    session = Session(target)
    session.given(FALLBACK, _256_BYTES)
    session.say("pin auto", f"ok {FALLBACK} untrusted")
    yield session.case("P02-256-bytes-of-stats", "In one byte, a size of 256 is none.")


def p03_path_like_any_other(target: Target) -> Iterator[Case]:
    """P03: whatever is not the word auto is a path, taken as it was typed."""
    for slug, path, why in (
        *((f"typed-{word}", word, "PIN has one word; this is a path.") for word in ("0", "1", "off", "none")),
        ("typed-autosave", "autosave", "Only the whole word is no path, and this begins with it."),
        ("typed-equals-sign", "run=3.txt", "The value goes on behind a second equals sign."),
        ("typed-colon", "glm:5.txt", "One path is not a list of them."),
        ("typed-comma", "glm,5.txt", "A comma divides no paths."),
        ("typed-number-sign", "run#3.txt", "Nothing in a path begins a comment."),
        ("typed-200-bytes", "h" * 196 + ".txt", "Paths are longer than a buffer of 64 bytes."),
    ):
        yield _typed(target, f"P03-{slug}", path, why)
    for name, slug in ((HISTORY, "history"), (FALLBACK, "stats")):
        yield _typed(
            target,
            f"P03-typed-{slug}-in-a-folder",
            f"model/{name}",
            "Another model's file has the name that the engine looks for; it was typed all the same.",
            SetupFile("model", folder=True),
        )
    yield _typed(
        target,
        "P03-typed-parent-folder",
        "model/../mine.txt",
        "Two dots lead up from a folder; without them the path leads elsewhere.",
        SetupFile("model", folder=True),
        lies_at="mine.txt",
    )


def _typed(target: Target, case_id: str, path: str, why: str, *setup: SetupFile, lies_at: str | None = None) -> Case:
    """Return the case in which `path` is typed beside a history that could be found.

    Where its shorter spelling is `lies_at`, either may be named: they are one file.
    """
    session = Session(target)
    session.setup += setup
    sound = history(target, (0, 0, 5))
    session.given(HISTORY, sound)
    session.given(lies_at or path, sound)
    session.say(f"pin {path}", "|".join(f"ok {name} trusted" for name in (path, lies_at) if name))
    return session.case(case_id, why)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    p01_size_of_a_whole_byte,
    p02_size_of_a_whole_byte,
    p03_path_like_any_other,
)

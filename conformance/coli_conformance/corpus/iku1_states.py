"""IKU1 whose bytes look like text, under names that look like inkling's, and after trusted reads (I01, I02)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.iku1_block import INKLING, block, inside_block, refused_block
from coli_conformance.corpus.meaning import history, inside
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_FILE = "stats.iku1"
_TYPED = "typed.txt"
_LIKE_TEXT = {
    0x0A0D: "the bytes CR LF",
    0x0A0D0A0D: "the bytes CR LF twice",
    0x1A: "the byte that ends a text file on Windows",
    0x0A: "the byte LF",
}


def i01_words_like_text(target: Target) -> Iterator[Case]:
    """I01: a count is read as it is, whatever its bytes mean in a text."""
    reader = Target(INKLING, target.n_layers, target.n_experts)
    for count, meaning in _LIKE_TEXT.items():
        counts = tuple(dict.fromkeys(inside_block(reader, (0, 1, count), (3, 6, count))))
        session = Session(reader)
        session.given(_FILE, block(reader.n_layers, reader.n_experts, counts))
        session.load(_FILE, counts)
        session.counts()
        yield session.case(f"I01-count-{count}", f"A block opened as a text loses or changes {meaning}.")


def i02_names_like_inkling(target: Target) -> Iterator[Case]:
    """I02: an engine whose name begins or ends like inkling's is another engine."""
    for name in ("inkling2", "inklin", "my_inkling", "inkling_large"):
        reader = Target(name, target.n_layers, target.n_experts)
        content = block(reader.n_layers, reader.n_experts, inside_block(reader, (0, 1, 2)))
        yield refused_block(reader, content).case(f"I02-{name}", "Names are equal or they are not.")


def i02_after_trusted_reads(target: Target) -> Iterator[Case]:
    """I02: a block that was found is refused, whatever was typed before it."""
    if target.name == INKLING:
        return
    counts = inside_block(target, (0, 1, 2))
    text = history(target, *inside(target, (3, 2, 5)))
    for name, path in (("block", _FILE), ("text", _TYPED)):
        session = Session(target)
        session.given(_FILE, block(target.n_layers, target.n_experts, counts))
        session.given(_TYPED, text)
        if name == "block":
            session.load(path, counts, trusted=True, clause="I04")
        else:
            session.load(path, text, trusted=True, clause="R01")
        session.refused(_FILE)
        session.counts()
        yield session.case(f"I02-after-a-trusted-{name}", "The user vouched for one read, and not for the next.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    i01_words_like_text,
    i02_names_like_inkling,
    i02_after_trusted_reads,
)

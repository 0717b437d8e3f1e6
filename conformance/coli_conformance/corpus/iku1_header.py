"""What a reader owes the header of IKU1: other dimensions, huge ones, and files that are cut off (I03, I05, I06)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.iku1_block import INKLING, MAGIC, block, front, refused_block
from coli_conformance.corpus.meaning import legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_FILE = "stats.iku1"
_WORD_MAX = (1 << 32) - 1


def _filled(n_layers: int, n_experts: int) -> bytes:
    """Return a whole block without a zero, so that whatever is credited shows."""
    cells = range(n_layers * n_experts)
    return block(n_layers, n_experts, [(cell // n_experts, cell % n_experts, cell + 1) for cell in cells])


def i03_other_dimensions(target: Target) -> Iterator[Case]:
    """I03: a block of other dimensions is refused, trusted or not, though it is whole."""
    for layers, experts in dict.fromkeys(((target.n_layers, target.n_experts), (16, 64))):
        declared = (
            (layers - 1, experts),
            (layers + 1, experts),
            (layers, experts - 1),
            (layers, experts + 1),
            (experts, layers),
            (layers * experts, 1),
        )
        for pair in declared:
            if pair == (layers, experts) or 0 in pair:
                continue
            why = f"Layer and expert follow from the position, so {pair[0]} x {pair[1]} shifts every count."
            name = f"I03-{layers}x{experts}-declared-{pair[0]}x{pair[1]}"
            content = _filled(*pair)
            yield refused_block(Target(INKLING, layers, experts), content).case(name, why)
            if (layers, experts) == (target.n_layers, target.n_experts):
                yield refused_block(Target(INKLING, layers, experts), content, trusted=True).case(
                    f"{name}-trusted", why
                )
                if target.name != INKLING:
                    yield refused_block(target, content, trusted=True).case(f"{name}-{target.name}-trusted", why)


def i05_huge_dimensions(target: Target) -> Iterator[Case]:
    """I05: dimensions that are not the engine's own, however huge, are refused from the header alone.

    Only the header says what is wrong: behind it lies as much as the engine's own block would take.
    """
    layers, experts = target.n_layers, target.n_experts
    declared = {
        "largest-by-largest": (_WORD_MAX, _WORD_MAX),
        "largest-by-1": (_WORD_MAX, 1),
        "own-by-largest": (layers, _WORD_MAX),
        "largest-by-own": (_WORD_MAX, experts),
        "0-by-0": (0, 0),
        "own-by-0": (layers, 0),
        "0-by-own": (0, experts),
        "product-0-in-32-bits": (1 << 16, 1 << 16),
        "product-0-in-64-bits": (1 << 31, 1 << 31),
        "sign-bit": (1 << 31, 1 << 31 | 1),
        "own-layers-and-sign-bit": (1 << 31 | layers, experts),
        "cells-wrap-to-own-in-32-bits": (layers + (1 << 29), experts),
        "bytes-wrap-to-own-in-32-bits": (layers + (1 << 27), experts),
    }
    if (layers, experts) == (5, 8):
        # 1574487853 * 2929007048 is 40 + 2**62, so that times 4 it is the 160 bytes of 5 x 8 in 64 bits.
        declared["bytes-wrap-to-own-in-64-bits"] = (1574487853, 2929007048)
    own_words = _filled(layers, experts)[len(front(0, 0)) :]
    why = "Twelve bytes must not claim memory or time."
    for name, pair in declared.items():
        yield refused_block(Target(INKLING, layers, experts), front(*pair) + own_words).case(f"I05-{name}", why)
    for name in ("largest-by-largest", "own-by-largest", "0-by-0"):
        content = front(*declared[name])
        yield refused_block(Target(INKLING, layers, experts), content).case(f"I05-{name}-header-alone", why)
        if target.name != INKLING:
            yield refused_block(target, content + own_words, trusted=True).case(
                f"I05-{name}-{target.name}-trusted", why
            )


def i06_cut_off(target: Target) -> Iterator[Case]:
    """I06: a file shorter than its header and its dimensions ask for is refused, crediting nothing.

    A file of fewer than four bytes is no IKU1 yet; what becomes of it is R17's to see.
    """
    reader = Target(INKLING, target.n_layers, target.n_experts)
    whole = _filled(reader.n_layers, reader.n_experts)
    header_bytes, row_bytes = len(front(0, 0)), 4 * reader.n_experts
    for length in (len(MAGIC), len(MAGIC) + 1, 6, 8, 10, header_bytes - 1, header_bytes):
        yield refused_block(reader, whole[:length]).case(f"I06-{length}-bytes", "The copy ends with or in its header.")
    cuts = {
        "inside-first-word": header_bytes + 2,
        "after-first-row": header_bytes + row_bytes,
        "inside-row": header_bytes + row_bytes + row_bytes // 2,
        "last-row-missing": len(whole) - row_bytes,
        "last-word-missing": len(whole) - 4,
        "2-bytes-short": len(whole) - 2,
        "1-byte-short": len(whole) - 1,
    }
    for name, length in cuts.items():
        if length < len(whole):
            yield refused_block(reader, whole[:length]).case(
                f"I06-{name}", "A cut copy looks as if later layers were never used."
            )
    yield refused_block(reader, whole[:-1], trusted=True).case("I06-1-byte-short-trusted", "Trust adds no bytes.")
    good = legacy((0, 0, 100))
    session = Session(reader)
    session.given(".coli_usage", good)
    session.given(_FILE, whole[:-row_bytes])
    session.load(".coli_usage", good, clause="R08")
    session.refused(_FILE)
    session.load(".coli_usage", good, clause="R08")
    session.counts()
    yield session.case("I06-between-good-files", "The refusal changes nothing before or after it.", (), ("load",))


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (i03_other_dimensions, i05_huge_dimensions, i06_cut_off)

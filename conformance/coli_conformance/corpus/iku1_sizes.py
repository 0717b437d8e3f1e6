"""IKU1 of wide and deep models, on typed paths, and written over older files (I01, I04, I06, I08)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation, Record
from coli_conformance.corpus.iku1_block import INKLING, block, inside_block, refused_block
from coli_conformance.corpus.meaning import legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_FILE = "stats.iku1"


def _read(reader: Target, counts: tuple[Record, ...], trusted: bool = False, dropped: tuple[int, ...] = ()) -> Session:
    session = Session(reader)
    session.drop(*dropped)
    session.given(_FILE, block(reader.n_layers, reader.n_experts, counts))
    session.load(_FILE, counts, trusted=trusted)
    session.counts()
    return session


def i01_wide_and_deep(target: Target) -> Iterator[Case]:
    """I01: layers above 255 and experts above 1023 are read to their own counters."""
    del target
    deep, wide = Target(INKLING, 300, 2), Target(INKLING, 2, 1100)
    layers = tuple((layer, layer % 2, 1 + layer) for layer in (0, 127, 128, 255, 256, 299))
    experts = tuple((expert % 2, expert, 1 + expert) for expert in (0, 255, 256, 511, 512, 1023, 1024, 1099))
    for reader, counts in ((deep, layers), (wide, experts)):
        yield _read(reader, counts).case(
            f"I01-{reader.n_layers}x{reader.n_experts}", "The place in the block is a number of more than one byte."
        )


def i01_dense_over_a_file(target: Target) -> Iterator[Case]:
    """I01: IKU1 that is written replaces what stood at its path."""
    inkling = Target(INKLING, target.n_layers, target.n_experts)
    counts = inside_block(inkling, (3, 2, 6))
    session = Session(inkling)
    session.given(_FILE, b"x" * 1000)
    session.given("history.txt", legacy(*counts))
    session.load("history.txt", legacy(*counts), clause="R08")
    session.say(f"dense {_FILE}", "ok")
    session.files.append(FileExpectation(_FILE, "I01", data=block(inkling.n_layers, inkling.n_experts, counts)))
    yield session.case("I01-dense-over-a-longer-file", "An older file is replaced, whatever it holds.", (), ("load",))


def i04_wide_rows_trusted(target: Target) -> Iterator[Case]:
    """I04: the rows of a typed block are as wide as the engine's own."""
    del target
    reader = Target("kimi_k3", 2, 896)
    counts = tuple((expert % 2, expert, 1 + expert) for expert in (0, 127, 255, 256, 300, 512, 895))
    yield _read(reader, counts, trusted=True).case("I04-2x896", "Rows of 896 do not come in steps of 256.")


def i06_cut_off_trusted(target: Target) -> Iterator[Case]:
    """I06: another engine that reads a block by a typed path refuses a cut one, too."""
    if target.name == INKLING:
        return
    whole = block(target.n_layers, target.n_experts, inside_block(target, (0, 1, 2)))
    for name, length in (("header-alone", 12), ("last-word-missing", len(whole) - 4)):
        yield refused_block(target, whole[:length], trusted=True).case(
            f"I06-{name}-other-engine-trusted", "Trust sets the identity aside and adds no counts."
        )


def i08_dropped_rows_trusted(target: Target) -> Iterator[Case]:
    """I08: with several rows dropped, a typed block's other rows keep their places."""
    reader = Target("glm_moe_dsa", target.n_layers, target.n_experts)
    cells = range(reader.n_layers * reader.n_experts)
    every = tuple((cell // reader.n_experts, cell % reader.n_experts, 1 + cell) for cell in cells)
    yield _read(reader, every, trusted=True, dropped=(0, 1)).case(
        "I08-trusted-first-two-rows", "Every row that routes is read, the last one like the first.", clauses=("R09",)
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    i01_wide_and_deep,
    i01_dense_over_a_file,
    i04_wide_rows_trusted,
    i06_cut_off_trusted,
    i08_dropped_rows_trusted,
)

"""What a reader owes IKU1, inkling's dense binary layout (I01-I08)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator

import coli_spec
from coli_conformance.case import Case, FileExpectation, Record
from coli_conformance.corpus.meaning import inside, legacy, skewed_counts
from coli_conformance.corpus.reader_outcomes import REFUSED, Reading, case_of_readings
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

MAGIC = b"IKU1"
INKLING = "inkling"
_FILE = "stats.iku1"
_WORD_MAX = (1 << 32) - 1


def block(n_layers: int, n_experts: int, counts: Iterable[Record]) -> bytes:
    """Return the file that declares these dimensions and holds `counts`, all other words zero, little-endian."""
    words = [0] * (n_layers * n_experts)
    for layer, expert, count in counts:
        words[layer * n_experts + expert] += count
    return front(n_layers, n_experts) + struct.pack(f"<{len(words)}I", *words)


def front(n_layers: int, n_experts: int) -> bytes:
    """Return the twelve bytes of a header."""
    return MAGIC + struct.pack("<II", n_layers, n_experts)


def _inkling(target: Target) -> Target:
    return Target(INKLING, target.n_layers, target.n_experts)


def inside_block(target: Target, *data: Record) -> tuple[Record, ...]:
    """Return `data` moved inside a block of the target's dimensions, which has no MTP row."""
    return tuple((layer % target.n_layers, expert, count) for layer, expert, count in inside(target, *data))


def _read(reader: Target, counts: Iterable[Record], dropped: tuple[int, ...] = (), trusted: bool = False) -> Session:
    session = Session(reader)
    session.drop(*dropped)
    counts = tuple(counts)
    session.given(_FILE, block(reader.n_layers, reader.n_experts, counts))
    session.load(_FILE, counts, trusted=trusted)
    session.counts()
    return session


def refused_block(reader: Target, content: bytes, trusted: bool = False) -> Session:
    """Return a session in which a file is refused and leaves no counter behind."""
    session = Session(reader)
    session.given(_FILE, content)
    session.refused(_FILE, trusted=trusted)
    session.counts()
    return session


def i01_inkling_reads(target: Target) -> Iterator[Case]:
    """I01: inkling reads IKU1, every count that is not zero to its own layer and expert."""
    reader = _inkling(target)
    layers, experts = reader.n_layers, reader.n_experts
    few = inside_block(reader, (0, 1, 2), (3, 6, 3))
    every = tuple((cell // experts, cell % experts, cell + 1) for cell in range(layers * experts))
    bytes_apart = zip(range(layers * experts), (1, 0x100, 0x10000, 0x1000000, 0x01020304, 0x04030201), strict=False)
    blocks: dict[str, tuple[Iterable[Record], str]] = {
        "few-counts": (few, "Most words of a block are zero."),
        "every-counter": (every, "With no two counts alike, a transposed block shows."),
        "byte-order": (
            [(cell // experts, cell % experts, count) for cell, count in bytes_apart],
            "Counts whose bytes differ show a wrong byte order.",
        ),
        "all-zero": ((), "A block without a count is an empty history."),
        "last-word": ([(layers - 1, experts - 1, 9)], "The last word of the file counts."),
        **{
            f"count-{count}": (inside_block(reader, (3, 2, count)), "Words are unsigned and hold 32 bits.")
            for count in coli_spec.load().fields[2].boundaries()
            if count > 1 << 31
        },
    }
    for name, (counts, why) in blocks.items():
        yield _read(reader, counts).case(f"I01-{name}", why)
    yield _read(reader, few, trusted=True).case("I01-trusted", "A typed path can lead to inkling's own block.")
    for size, counts in (
        (Target(INKLING, 8, 5), [(cell // 5, cell % 5, cell + 1) for cell in range(40)]),
        (Target(INKLING, 1, 1), [(0, 0, 7)]),
        (Target(INKLING, 66, 256), list(skewed_counts(range(1, 66), 256, 40))),
    ):
        yield _read(size, counts).case(f"I01-{size.n_layers}x{size.n_experts}", "Models differ in size and shape.")


def i01_adding_up(target: Target) -> Iterator[Case]:
    """I01: a block adds to the counters like a text history (R14)."""
    reader = _inkling(target)
    counts = inside_block(reader, (0, 1, 2), (3, 6, 3))
    session = Session(reader)
    session.given(_FILE, block(reader.n_layers, reader.n_experts, counts))
    session.given(".coli_usage", legacy(*counts, *inside(reader, (5, 0, 9))))
    session.load(_FILE, counts)
    session.load(".coli_usage", legacy(*counts, *inside(reader, (5, 0, 9))), clause="R08")
    session.load(_FILE, counts)
    session.counts()
    yield session.case("I01-block-text-block", "Both layouts of one engine's history add up.", ("R14",), ("load",))


def i01_dense_save(target: Target) -> Iterator[Case]:
    """I01: what an engine writes as IKU1 is that layout to the byte, rows 0..n_layers-1 alone."""
    reader = _inkling(target)
    counts = tuple(sorted(inside_block(reader, (0, 1, 2), (3, 6, _WORD_MAX - 2))))
    for name, extra, dropped in (
        ("counts", (), ()),
        ("no-count", (), ()),
        ("mtp-row", ((reader.n_layers, 0, 9),), ()),
        ("dropped-row", (), (0,)),
    ):
        meant = () if name == "no-count" else counts
        session = Session(reader)
        session.drop(*dropped)
        session.given(".coli_usage", legacy(*meant, *extra))
        session.load(".coli_usage", legacy(*meant, *extra), clause="R08")
        session.say(f"dense {_FILE}", "ok")
        words = [record for record in meant if record[0] not in dropped]
        session.files.append(FileExpectation(_FILE, "I01", data=block(reader.n_layers, reader.n_experts, words)))
        yield session.case(f"I01-dense-{name}", "The layout leaves nothing open: one session, one file.", (), ("load",))


def i02_other_engines_refuse(target: Target) -> Iterator[Case]:
    """I02: any other engine refuses IKU1 on an untrusted read."""
    names = [engine.name for engine in coli_spec.load().engines if engine.history and engine.name != INKLING]
    for name in (*names, "my_engine"):
        reader = Target(name, target.n_layers, target.n_experts)
        content = block(reader.n_layers, reader.n_experts, inside_block(reader, (0, 1, 2), (3, 6, 3)))
        yield refused_block(reader, content).case(f"I02-{name}", "The block is inkling's, though it does not say so.")
    reader = Target(target.name if target.name != INKLING else "glm_moe_dsa", target.n_layers, target.n_experts)
    good = inside(reader, (3, 2, 100))
    session = Session(reader)
    session.given(".coli_usage", legacy(*good))
    session.given(_FILE, block(reader.n_layers, reader.n_experts, inside_block(reader, (0, 1, 2))))
    session.load(".coli_usage", legacy(*good), clause="R08")
    session.refused(_FILE)
    session.load(".coli_usage", legacy(*good), clause="R08")
    session.counts()
    yield session.case("I02-between-good-files", "The refusal changes nothing before or after it.", (), ("load",))


def i04_trusted_read(target: Target) -> Iterator[Case]:
    """I04: a trusted read by another engine with equal dimensions reads it."""
    for name in (engine.name for engine in coli_spec.load().engines if engine.history):
        if name != INKLING:
            reader = Target(name, target.n_layers, target.n_experts)
            yield _read(reader, inside_block(reader, (0, 1, 2), (3, 6, 3)), trusted=True).case(
                f"I04-{name}", "Whoever types the path has vouched for the file."
            )
    other = Target("olmoe", 16, 64)
    yield _read(other, skewed_counts(range(16), 64, 40), trusted=True).case(
        "I04-16x64", "A larger block by a typed path."
    )


def i07_bytes_after_block(target: Target) -> Iterator[Case]:
    """I07: bytes that follow the block are ignored, or the file is refused."""
    reader = _inkling(target)
    counts = inside_block(reader, (0, 1, 2), (3, 6, 3))
    tails = {
        "one-byte": b"\n",
        "one-word": struct.pack("<I", 7),
        "one-row": struct.pack("<I", 7) * reader.n_experts,
        "text": b"3 2 5\n",
        "second-block": block(reader.n_layers, reader.n_experts, counts),
    }
    for name, tail in tails.items():
        session_file = block(reader.n_layers, reader.n_experts, counts) + tail
        yield case_of_readings(
            reader,
            f"I07-{name}",
            "No writer puts anything behind the block, so readers were free to differ.",
            {_FILE: session_file},
            [("ignore", [Reading(counts)]), ("refuse", [REFUSED])],
        )


def i08_dropped_rows(target: Target) -> Iterator[Case]:
    """I08: counts for dropped rows are discarded here too, and the block has no MTP row."""
    for reader in dict.fromkeys((_inkling(target), Target(INKLING, 16, 64))):
        size = f"{reader.n_layers}x{reader.n_experts}"
        counts = inside_block(reader, (2, 3, 50), (3, 4, 7))
        dense = counts[0][0]
        why = "The block carries every layer, dense ones included."
        yield _read(reader, counts, dropped=(dense,)).case(f"I08-{size}-row-{dense}", why, clauses=("R09",))
        session = _read(reader, counts, dropped=(dense,))
        session.save(".coli_usage", clause="W09")
        yield session.case(f"I08-{size}-row-{dense}-save", f"{why} The next save must not show them.", ("W09",))
        full = [
            (cell // reader.n_experts, cell % reader.n_experts, cell + 1)
            for cell in range(reader.n_layers * reader.n_experts)
        ]
        yield _read(reader, full, dropped=(0, reader.n_layers - 1)).case(
            f"I08-{size}-first-and-last-row", "Rows behind a dropped one keep their places.", clauses=("R09",)
        )
        session = Session(reader)
        mtp = legacy((reader.n_layers, 0, 9))
        session.given(".coli_usage", mtp)
        session.given(_FILE, block(reader.n_layers, reader.n_experts, full))
        session.load(".coli_usage", mtp, clause="R08")
        session.load(_FILE, full)
        session.counts()
        yield session.case(f"I08-{size}-mtp-row", "The counters of the MTP row stay as they are.", (), ("load",))
    reader = Target("glm_moe_dsa", target.n_layers, target.n_experts)
    counts = inside_block(reader, (2, 3, 50), (3, 4, 7))
    yield _read(reader, counts, dropped=(counts[0][0],), trusted=True).case(
        "I08-trusted", "A typed path does not give a dense layer experts."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    i01_inkling_reads,
    i01_adding_up,
    i01_dense_save,
    i02_other_engines_refuse,
    i04_trusted_read,
    i07_bytes_after_block,
    i08_dropped_rows,
)

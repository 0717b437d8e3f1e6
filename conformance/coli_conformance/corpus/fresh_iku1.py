"""Fresh cases of what a reader owes IKU1, inkling's dense binary layout (area I)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case, FileExpectation
from coli_conformance.corpus.fresh_values import (
    COUNT_MAX,
    THIRD_OF_MAX,
    model,
    records,
    registered_name,
    unregistered_name,
)
from coli_conformance.corpus.iku1_block import INKLING, block, front, refused_block
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY

_FILE = "stats.iku1"


def _filled(chance: Random, n_layers: int, n_experts: int) -> bytes:
    """Return a whole block of these dimensions in which half the counts or more are not zero."""
    declared = Target(INKLING, n_layers, n_experts)
    cells = n_layers * n_experts
    return block(n_layers, n_experts, records(chance, declared, chance.randint(cells // 2, cells), range(n_layers)))


def i01_inkling_reads(chance: Random) -> Iterator[Case]:
    """I01: inkling reads every count to its own layer and expert, besides text, and writes the same layout."""
    real = Target(INKLING, 66, 256)
    words = records(chance, real, 1000, range(real.n_layers))
    session = Session(real)
    session.given(_FILE, block(real.n_layers, real.n_experts, words))
    session.load(_FILE, words)
    session.counts()
    yield session.case("I01-fresh-66x256", "The place of a word says whose count it is.")
    small = model(chance, INKLING)
    words, text = (
        records(chance, small, 8, range(small.n_layers), THIRD_OF_MAX),
        records(chance, small, 8, most=THIRD_OF_MAX),
    )
    session = Session(small)
    session.given(HISTORY, history(small, *text))
    session.given(_FILE, block(small.n_layers, small.n_experts, words))
    session.load(HISTORY, text, clause="R01")
    session.load(_FILE, words)
    session.counts()
    yield session.case("I01-fresh-text-and-block", "Both layouts add up.", ("R14",), ("load",))
    session = Session(small)
    session.given(HISTORY, history(small, *text))
    session.load(HISTORY, text, clause="R01")
    session.say(f"dense {_FILE}", "ok")
    written = [record for record in text if record[0] < small.n_layers]
    session.files.append(FileExpectation(_FILE, "I01", data=block(small.n_layers, small.n_experts, written)))
    yield session.case("I01-fresh-dense", "The layout leaves nothing open.", roles=("load",))


def i02_other_engines_refuse(chance: Random) -> Iterator[Case]:
    """I02: any other engine refuses IKU1 on an untrusted read."""
    for slug, name in (
        ("registered", registered_name(chance, other_than=INKLING)),
        ("unregistered", unregistered_name(chance)),
    ):
        reader = model(chance, name)
        content = _filled(chance, reader.n_layers, reader.n_experts)
        yield refused_block(reader, content).case(
            f"I02-fresh-{slug}", "The block is inkling's, though it does not say so."
        )


def i03_other_dimensions(chance: Random) -> Iterator[Case]:
    """I03: a block of other dimensions is refused, trusted or not, though it is whole."""
    reader = model(chance, INKLING)
    layers, experts = reader.n_layers, reader.n_experts
    for slug, declared, trusted in (
        ("layers", (layers + chance.choice((-1, 1)), experts), False),
        ("experts", (layers, experts + 1), True),
        ("swapped", (experts, layers), False),
    ):
        yield refused_block(reader, _filled(chance, *declared), trusted).case(
            f"I03-fresh-{slug}", "Layer and expert follow from the place, so every count would shift."
        )


def i04_trusted_read(chance: Random) -> Iterator[Case]:
    """I04: a trusted read by another engine with equal dimensions reads the block, bar dropped rows (I08)."""
    reader = model(chance, registered_name(chance, other_than=INKLING))
    words = records(chance, reader, 8, range(reader.n_layers))
    for slug, dropped, clauses in (("typed", (), ()), ("dropped-row", (words[0][0],), ("I08",))):
        session = Session(reader)
        session.drop(*dropped)
        session.given(_FILE, block(reader.n_layers, reader.n_experts, words))
        session.load(_FILE, words, trusted=True)
        session.counts()
        yield session.case(f"I04-fresh-{slug}", "Whoever types the path has vouched for the file.", clauses)


def i05_huge_dimensions(chance: Random) -> Iterator[Case]:
    """I05: huge dimensions are refused from the header."""
    reader = model(chance, INKLING)
    own = _filled(chance, reader.n_layers, reader.n_experts)[len(front(0, 0)) :]
    huge = front(chance.randint(1 << 16, COUNT_MAX), chance.randint(1 << 16, COUNT_MAX))
    yield refused_block(reader, huge + own).case("I05-fresh-huge", "Twelve bytes must not claim memory or time.")


def i06_cut_off(chance: Random) -> Iterator[Case]:
    """I06: a block that is cut off anywhere is refused."""
    reader = model(chance, INKLING)
    whole = _filled(chance, reader.n_layers, reader.n_experts)
    length = chance.randint(len(whole) // 2, len(whole) - 1)
    yield refused_block(reader, whole[:length]).case(
        "I06-fresh-cut", "A cut copy looks as if later layers were never used."
    )


def i08_dropped_rows(chance: Random) -> Iterator[Case]:
    """I08: counts for dropped rows are discarded here too, and not written back."""
    reader = model(chance, INKLING)
    dropped = chance.sample(range(reader.n_layers), 1)
    routing = [row for row in range(reader.n_layers) if row not in dropped]
    words = (*records(chance, reader, 6, routing), *records(chance, reader, 3, dropped))
    session = Session(reader)
    session.drop(*dropped)
    session.given(_FILE, block(reader.n_layers, reader.n_experts, words))
    session.load(_FILE, words)
    session.counts()
    session.save(HISTORY, clause="W09")
    yield session.case("I08-fresh-dropped-row", "The block carries every layer, dense ones included.", ("W09", "R09"))


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (
    i01_inkling_reads,
    i02_other_engines_refuse,
    i03_other_dimensions,
    i04_trusted_read,
    i05_huge_dimensions,
    i06_cut_off,
    i08_dropped_rows,
)

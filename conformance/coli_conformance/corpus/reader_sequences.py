"""Several reads in one session: no read decides about a later one (R05-R07, R11, R14, R22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.iku1_block import block, inside_block
from coli_conformance.corpus.meaning import History, header, history, inside, legacy
from coli_conformance.corpus.reader_loaded import FOUND, loaded
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import stranger

GLM = Target("glm_moe_dsa", 78, 256)
_DENSE = "stats.iku1"
_TYPED, _ALSO_TYPED = "typed.txt", "also-typed.txt"
_NOBODY = 12345
_MANY_TIMES = 9


def r06_after_a_refusal(target: Target) -> Iterator[Case]:
    """R06: a path that was refused when it was found is read when it is typed, which is what the refusal advises."""
    data = inside(target, (3, 2, 6))
    session = Session(target)
    session.given(FOUND, History((*header(target, engine=target.stranger.engine_id), *data)))
    session.refused(FOUND, clause="R05")
    session.load(FOUND, data, trusted=True)
    session.counts()
    yield session.case(
        "R06-after-its-refusal", "Advice that does not help once it is followed goes in circles.", ("R05",)
    )


def r05_after_trusted_reads(target: Target) -> Iterator[Case]:
    """R05: however many histories were read because their paths were typed, the next one found is checked."""
    data, more = inside(target, (3, 2, 5)), inside(target, (0, 1, 2))
    session = Session(target)
    session.given(_TYPED, History((*header(target, engine=target.stranger.engine_id), *data)))
    session.given(_ALSO_TYPED, History((*header(target, engine=_NOBODY), *more)))
    session.load(_TYPED, data, trusted=True, clause="R06")
    session.load(_ALSO_TYPED, more, trusted=True, clause="R06")
    session.refused(_TYPED)
    session.refused(_ALSO_TYPED)
    session.counts(clause="R07")
    yield session.case(
        "R05-after-two-trusted-writers", "A writer whose file was typed is no friend for good.", ("R06",)
    )


def r07_after_a_refused_block(target: Target) -> Iterator[Case]:
    """R07: a good text is read in full after IKU1 of other dimensions was refused, typed or not."""
    good = history(target, *inside(target, (0, 1, 100), (3, 2, 5)))
    for trusted in (False, True):
        session = Session(target)
        session.given(_DENSE, block(target.n_layers + 1, target.n_experts, [(0, 0, 3)]))
        session.given(FOUND, good)
        session.refused(_DENSE, trusted=trusted, clause="I03")
        session.load(FOUND, good)
        session.counts()
        yield session.case(
            "R07-text-after-a-block" + "-trusted" * trusted, "What one file declared is not the next one's.", ("I03",)
        )


def r07_after_many_refusals(target: Target) -> Iterator[Case]:
    """R07: as many refusals as there are leave a good file readable."""
    good = history(target, *inside(target, (3, 2, 5)))
    session = Session(target)
    session.given("wrong.txt", History((*header(target, n_layers=target.n_layers + 1), *good.data)))
    session.given(FOUND, good)
    for _ in range(_MANY_TIMES):
        session.refused("wrong.txt", clause="R03")
    session.load(FOUND, good)
    session.counts()
    yield session.case(f"R07-{_MANY_TIMES}-refusals", "A refusal takes no room that runs out.", ("R03",))


def r11_many_dropped_rows(target: Target) -> Iterator[Case]:
    """R11: any number of rows can be dropped, and rows of any number; a load before or after makes no difference."""
    del target
    places = tuple((layer, 7 * layer % 256, 1 + layer) for layer in range(GLM.n_layers + 1))
    for name, dropped, why in (
        ("first-12-rows", tuple(range(12)), "There is no room that ends after eight of them."),
        ("rows-above-31-and-63", (31, 32, 63, 64, 70, 78), "A mask of 32 or 64 bits is not as long as the rows."),
    ):
        yield loaded(GLM, history(GLM, *places), dropped=dropped).case(f"R11-78x256-{name}", why, clauses=("R09",))


def r14_mtp_row_twice(target: Target) -> Iterator[Case]:
    """R14: two records of the MTP row add up as those of a layer do."""
    mtp = target.n_layers
    yield loaded(target, legacy((mtp, 0, 5), (0, 0, 1), (mtp, 0, 6))).case(
        "R14-mtp-row-twice", "The last row is summed by the same rule."
    )


def r22_every_kind_of_sum(target: Target) -> Iterator[Case]:
    """R22: a counter stops at its largest value in the MTP row, on a trusted read, and where a block is added."""
    large = 4_000_000_000
    mtp = legacy((target.n_layers, 0, large), (target.n_layers, 0, large))
    yield loaded(target, mtp).case("R22-mtp-row", "The last row's counters stop as well.", clauses=("R14",))
    yield loaded(target, mtp, trusted=True).case("R22-trusted", "A typed path makes none wrap.", clauses=("R14",))
    inkling = Target("inkling", target.n_layers, target.n_experts)
    counts = inside_block(inkling, (3, 2, large))
    session = Session(inkling)
    session.given(_DENSE, block(inkling.n_layers, inkling.n_experts, counts))
    session.load(_DENSE, counts, clause="I01")
    session.load(_DENSE, counts, clause="I01")
    session.counts()
    yield session.case(
        "R22-block-twice", "Words of a block are added to counters that may be near their end.", ("I01",)
    )


def w13_trusted_history_saved(target: Target) -> Iterator[Case]:
    """W13: what came by a typed path is saved in full, the MTP row included."""
    content = history(stranger(target), (0, 0, 1), (target.n_layers, 0, 5))
    session = Session(target)
    session.given(_TYPED, content)
    session.load(_TYPED, content, trusted=True, clause="R06")
    session.save(FOUND)
    yield session.case("W13-trusted-mtp-row", "Counts do not depend on who wrote them down first.", roles=["identify"])


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r06_after_a_refusal,
    r05_after_trusted_reads,
    r07_after_a_refused_block,
    r07_after_many_refusals,
    r11_many_dropped_rows,
    r14_mtp_row_twice,
    r22_every_kind_of_sum,
    w13_trusted_history_saved,
)

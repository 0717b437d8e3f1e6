"""Cases for rows in a written history: none at all (W08), dropped ones (W09), the MTP head's (W10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import header, history, render
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY, grid, loaded, saved


def w08_empty_is_zero_bytes(target: Target) -> Iterator[Case]:
    """A history without a count is a file of zero bytes."""
    layers = range(target.n_layers + 1)
    yield saved(target).case(
        "W08-nothing-routed",
        why="A header alone gives the file a size, and PIN=auto then never falls back to stats.txt.",
    )
    yield saved(target, (0, 0, 0)).case("W08-add-0", why="Crediting 0 is not counting: the file stays at zero bytes.")
    session = Session(target)
    session.endcall()
    session.endcall()
    session.save(HISTORY)
    yield session.case(
        "W08-calls-without-a-row", roles=["trace"], why="Moe calls that routed no row have counted nothing."
    )
    session = Session(target)
    session.save(HISTORY)
    session.save(HISTORY)
    yield session.case(
        "W08-saved-twice", why="The second save of nothing over a file of zero bytes adds nothing, not even a newline."
    )
    session = Session(target)
    session.given(HISTORY, history(target, (0, 0, 7)))
    session.save(HISTORY)
    yield session.case(
        "W08-over-a-history",
        why="The file shows the counters of this engine, which has none; what stood there was never loaded.",
    )
    session = loaded(target, "")
    session.save(HISTORY)
    yield session.case(
        "W08-after-an-empty-history", why="A file of zero bytes that was loaded and saved has zero bytes again."
    )
    session = loaded(target, render(header(target)))
    session.save(HISTORY)
    yield session.case(
        "W08-after-a-header-alone",
        why="A header without data, as some writer left it, counts nothing and is not written back.",
    )
    session = Session(target)
    session.drop(*layers)
    session.save(HISTORY)
    yield session.case(
        "W08-every-row-dropped",
        roles=["bounds"],
        why="A model none of whose layers routes leaves a file of zero bytes.",
    )
    content = history(target, (0, 0, 50))
    session = Session(target)
    session.given(HISTORY, content)
    session.drop(0)
    session.load(HISTORY, content)
    session.save(HISTORY)
    yield session.case(
        "W08-only-a-dropped-row-loaded",
        roles=["bounds"],
        why="Every record of the loaded file was for a dropped row, so nothing counts.",
    )


def w09_no_dropped_row(target: Target) -> Iterator[Case]:
    """No record is written for a dropped row."""
    mtp, last = target.n_layers, target.n_experts - 1
    for dropped, name in {mtp // 2: "middle", 0: "first", mtp: "mtp"}.items():
        content = history(target, *grid(target))
        session = Session(target)
        session.given(HISTORY, content)
        session.drop(dropped)
        session.load(HISTORY, content)
        session.save(HISTORY)
        yield session.case(
            f"W09-loaded-{name}-row",
            why=f"Row {dropped} was dropped before the load that names it; its records go no further.",
        )
    session = Session(target)
    session.drop(0)
    session.add((1, last, 3))
    session.save(HISTORY)
    yield session.case(
        "W09-first-row",
        why="The loop over rows steps over a dropped one, and does not stop at it or read through NULL.",
    )
    session = Session(target)
    session.drop(0, 0)
    session.add((1, last, 3))
    session.save(HISTORY)
    yield session.case("W09-dropped-twice", why="Dropping a row that is gone already frees nothing a second time.")
    session = Session(target)
    session.add((0, 0, 50), (1, last, 3))
    session.drop(0)
    session.save(HISTORY)
    yield session.case("W09-dropped-after-counting", why="What a row had counted before it was dropped is not written.")
    session = Session(target)
    session.drop(*range(target.n_layers))
    session.add((mtp, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W09-all-but-the-mtp-row", why="With every layer's row dropped, the one row left is written, and the right one."
    )
    glm = Target(target.name, 78, 256)
    session = Session(glm)
    session.drop(0, 1, 2)
    session.add((3, 0, 11), (77, 255, 12), (78, 255, 13))
    session.save(HISTORY)
    yield session.case(
        "W09-78x256-layers-0-to-2",
        why="The shape of GLM-5.2: three dense layers in front, the other rows at their own numbers.",
    )


def w10_mtp_row(target: Target) -> Iterator[Case]:
    """Row n_layers is written like any other."""
    mtp, last = target.n_layers, target.n_experts - 1
    yield saved(target, (mtp, 0, 9)).case(
        "W10-mtp-row-alone", why="A loop that ends at n_layers - 1 finds nothing to write here."
    )
    yield saved(target, (mtp, last, 4294967295)).case(
        "W10-last-counter-of-all", why="The last expert of the last row stands at the very end of the table."
    )
    yield saved(target, (mtp - 1, 0, 4), (mtp, 0, 6)).case(
        "W10-beside-the-last-layer",
        why="The last layer and the MTP head are two rows, written neither as one nor exchanged.",
    )
    session = Session(target)
    session.route(mtp, 0, (last, "1.0"))
    session.save(HISTORY)
    yield session.case("W10-routed", why="A routing decision of the MTP head is counted like that of a layer.")
    content = history(target, (mtp, 0, 9))
    session = loaded(target, content.text, *content.data)
    session.save(HISTORY)
    yield session.case("W10-loaded", why="The MTP head's counts survive a load and a save.")
    yield saved(Target(target.name, 1, 1), (0, 0, 2), (1, 0, 3)).case(
        "W10-1x1", why="The smallest model has two rows of one expert each."
    )
    yield saved(Target(target.name, 78, 256), (77, 255, 3), (78, 0, 4), (78, 255, 5)).case(
        "W10-78x256", why="At the size of GLM-5.2 the MTP head's row is 78."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w08_empty_is_zero_bytes,
    w09_no_dropped_row,
    w10_mtp_row,
)

"""Cases for counters and their records: exact (W11), untouched by a save (W13), not wrapped (W19), each once (W22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history, legacy, render, skewed_counts
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY, grid, loaded, saved

_COUNT = coli_spec.load().fields[2]
_GLM_ROWS = range(3, 79)
"""The rows of GLM-5.2 that route: layers 3 to 77 and the MTP head's."""


def w11_exact_counts(target: Target) -> Iterator[Case]:
    """Counts are exact from 1 to 4294967295."""
    last = target.n_experts - 1
    for count in _COUNT.boundaries():
        if count:
            yield saved(target, (0, 0, count)).case(
                f"W11-{count}",
                why=f"A count of {count} is written digit by digit, in whatever type it is kept or printed.",
            )
    for count, kind in (
        (256, "8 bits"),
        (65536, "16 bits"),
        (16777217, "the 24 bits of a float"),
        (10**9, "nine digits"),
    ):
        yield saved(target, (0, 0, count), (1, last, count - 1)).case(
            f"W11-{count}", why=f"A count that does not fit {kind}, beside one that does or nearly does."
        )
    for first, second in ((2147483647, 1), (1, 4294967294), (2147483648, 2147483647)):
        yield saved(target, (0, 0, first), (0, 0, second)).case(
            f"W11-{first}-plus-{second}",
            why="A counter that gets there in two steps passes the sign bit or fills the last bit.",
        )
    session = Session(target)
    for row in range(257):
        session.route(0, row, (0, "1.0"))
    session.save(HISTORY)
    yield session.case("W11-routed-257-times", why="Every routing decision counts 1, past what one byte holds.")


def w13_saving_changes_nothing(target: Target) -> Iterator[Case]:
    """A save does not change the counters; loading, counting and saving gives the sums."""
    last = target.n_experts - 1
    session = saved(target, (0, 0, 5), (1, last, 4294967295))
    session.counts()
    yield session.case(
        "W13-counts-after-a-save", roles=["load"], why="A save that frees or clears the table shows it here."
    )
    session = Session(target)
    session.add((0, 0, 5), (1, last, 2))
    session.save("first")
    session.save("second")
    yield session.case("W13-saved-twice", roles=["load"], why="Two saves in a row write the same history.")
    yield from _loaded_then_saved(target)
    yield from _loaded_and_counted(target)
    yield _glm_real()
    yield _inkling_iku1()


def _loaded_then_saved(target: Target) -> Iterator[Case]:
    """Yield loads of files of several kinds, saved as they were."""
    last = target.n_experts - 1
    own = history(target, (0, 0, 1000), (1, last, 4))
    session = loaded(target, own.text, *own.data)
    session.save(HISTORY)
    yield session.case("W13-loaded-and-saved", why="Without counting in between, the file holds what was loaded.")
    session = loaded(target, own.text, *own.data)
    session.load(HISTORY, own)
    session.save(HISTORY)
    yield session.case("W13-loaded-twice", why="Two loads count twice, as two loads were asked for.")
    old = legacy((0, 0, 1000), (1, last, 4))
    session = loaded(target, old.text, *old.data)
    session.save(HISTORY)
    yield session.case("W13-legacy", why="Counts from before the header live on in a file with one.")
    session = loaded(target, render(own.records, end="\r\n"), *own.data)
    session.save(HISTORY)
    yield session.case("W13-crlf", why="A history that came from Windows keeps every count.")


def _loaded_and_counted(target: Target) -> Iterator[Case]:
    """Yield loads with counting before, after, or both."""
    last = target.n_experts - 1
    own = history(target, (0, 0, 1000), (1, last, 4))
    session = loaded(target, own.text, *own.data)
    for row in range(3):
        session.route(1, row, (0, "1.0"))
    session.save(HISTORY)
    yield session.case("W13-loaded-and-routed", why="One short run does not replace the weeks that were loaded.")
    session = loaded(target, own.text, *own.data)
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W13-loaded-and-counted-on", why="The new selection of a loaded expert comes on top of its old count."
    )
    session = saved(target, (0, 0, 7), (1, 0, 1))
    session.load(HISTORY, [(0, 0, 7), (1, 0, 1)])
    session.save(HISTORY)
    yield session.case(
        "W13-loads-what-it-saved", why="The engine reads the file it has just written, and adds it to what it holds."
    )
    session = Session(target)
    session.given(HISTORY, own)
    session.add((0, 0, 3))
    session.load(HISTORY, own)
    session.save(HISTORY)
    yield session.case("W13-counted-before-loading", why="What was counted before the load is still there after it.")
    session = Session(target)
    session.given(HISTORY, own)
    session.load(HISTORY, own)
    session.add((0, 0, 1))
    session.save(HISTORY)
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W13-saved-twice-after-a-load", why="The second save of a run does not add the loaded counts once more."
    )
    nearly = history(target, (0, 0, _COUNT.maximum - 1))
    session = loaded(target, nearly.text, *nearly.data)
    session.add((0, 0, 1))
    session.save(HISTORY)
    yield session.case(
        f"W13-{_COUNT.maximum - 1}-plus-1", why="The sum of loaded and counted is exact up to the last value."
    )


def _glm_real() -> Case:
    """Return the load and save of a history of real size: 19,000 records of GLM-5.2, dense layers dropped."""
    old = legacy(*skewed_counts(_GLM_ROWS, 256, 250))
    session = Session(Target("glm_moe_dsa", 78, 256))
    session.given(HISTORY, old)
    session.drop(0, 1, 2)
    session.load(HISTORY, old)
    session.route(3, 0, *((expert, "0.1250") for expert in range(8)))
    session.save(HISTORY)
    return session.case(
        "W13-78x256-real",
        clauses=["W22"],
        roles=["bounds"],
        why="Weeks of counting, 19,000 records from before the header, and one token more.",
    )


def _inkling_iku1() -> Case:
    """Return inkling's move from its dense layout to text."""
    from coli_spec import iku1  # noqa: PLC0415 - brings in construct

    inkling = Target("inkling", 5, 8)
    counts = {(0, 1): 2, (3, 6): 3, (4, 7): 4294967295}
    meant = [(layer, expert, count) for (layer, expert), count in counts.items()]
    session = loaded(inkling, iku1.build(inkling.n_layers, inkling.n_experts, counts), *meant)
    session.save(HISTORY)
    return session.case(
        "W13-inkling-iku1",
        roles=["iku1"],
        why="The counts of an older dense file live on as text, each at its own expert.",
    )


def w19_no_wrapping(target: Target) -> Iterator[Case]:
    """A counter at 4294967295 stays there. Asked through `counts`: in a file the same fault would break W11 or W22."""
    top = _COUNT.maximum
    for first, second in ((top, 1), (top - 1, 2), (top, top), (2147483648, 2147483648)):
        session = Session(target)
        session.add((0, 0, first), (0, 0, second))
        session.counts()
        yield session.case(
            f"W19-{first}-plus-{second}", why="The sum has 33 bits; the counter keeps the largest it can hold."
        )
    session = Session(target)
    session.add((0, 0, top))
    for row in range(3):
        session.route(0, row, (0, "1.0"))
    session.counts()
    yield session.case(
        f"W19-{top}-then-routed", why="Routing counts through another path than `add`, and wraps there on its own."
    )
    session = Session(target)
    session.add((0, 0, 7), (target.n_layers, 0, top), (target.n_layers, 0, 1))
    session.counts()
    yield session.case(f"W19-{top}-in-the-mtp-row", why="What does not fit one counter is carried into no other.")


def w22_every_counter_once(target: Target) -> Iterator[Case]:
    """Each non-zero counter of a row that routes has exactly one record."""
    last = target.n_experts - 1
    yield saved(target, *grid(target)).case(
        "W22-every-counter", why="With no counter at zero, none may be missing from the file."
    )
    ends = tuple((layer, expert, 1 + layer) for layer in (0, target.n_layers) for expert in sorted({0, last}))
    yield saved(target, *ends).case(
        "W22-corners", why="The first and last expert of the first and last row are where loops go wrong."
    )
    session = Session(target)
    for call in range(3):
        session.route(1, call, (last, "0.5000"))
        session.route(0, call, (0, "0.5000"))
    session.save(HISTORY)
    yield session.case(
        "W22-routed-again-and-again",
        why="A writer that logs selections as they come repeats an expert; a history adds up.",
    )
    twice = history(target, (0, 0, 3), (1, last, 1), (0, 0, 9))
    session = loaded(target, twice.text, *twice.data)
    session.save(HISTORY)
    yield session.case(
        "W22-loaded-duplicates", why="Two records of one expert in the loaded file are one record in the saved one."
    )
    own = history(target, (0, 0, 100))
    session = loaded(target, own.text, *own.data)
    session.add((0, 0, 20))
    session.route(0, 0, (0, "1.0"))
    session.save(HISTORY)
    yield session.case("W22-loaded-added-and-routed", why="However a counter got its count, it is one counter.")
    kimi = Target("kimi_k3", 93, 896)
    yield saved(kimi, *skewed_counts(range(1, 93), kimi.n_experts, 4)).case(
        "W22-93x896-368-records", why="Experts beyond 255 and rows of 896: a key of layer and one byte mixes them up."
    )
    yield saved(kimi, *((layer, 896 - 256 * layer, 1 + layer) for layer in range(1, 4)), (2, 0, 9), (1, 384, 5)).case(
        "W22-93x896-aliases", why="Counters that become the same one where a row is taken to be 256 experts wide."
    )
    content = history(kimi, *skewed_counts(range(1, 93), kimi.n_experts, 100))
    session = loaded(kimi, content.text, *content.data)
    session.save(HISTORY)
    yield session.case(
        "W22-93x896-9200-records-loaded", why="A history of many pages is loaded and saved without a record lost."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w11_exact_counts,
    w13_saving_changes_nothing,
    w19_no_wrapping,
    w22_every_counter_once,
)

"""What a reader credits and what it discards: bounds, dropped rows, sums and totals (R09-R11, R14, R22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, history, inside, legacy, slug
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

GLM = Target("glm_moe_dsa", 78, 256)
_COUNT_MAX = coli_spec.load().fields[2].maximum


def _loaded(target: Target, *contents: History, dropped: tuple[int, ...] = (), trusted: bool = False) -> Session:
    """Return a session that drops rows, loads the files one after the other and asks for the counters."""
    session = Session(target)
    session.drop(*dropped)
    for index, content in enumerate(contents):
        path = f"history-{index + 1}.txt"
        session.given(path, content)
        session.load(path, content, trusted=trusted)
    session.counts()
    return session


def _outside(target: Target) -> dict[str, Record]:
    """Return records outside the counters of `target`, by what is outside."""
    layers, experts = target.n_layers, target.n_experts
    smallest, largest = coli_spec.load().fields[1].minimum, coli_spec.load().fields[1].maximum
    return {
        **{f"layer-{layer}": (layer, 0, 100) for layer in (layers + 1, layers + 2, 1000 + layers, largest)},
        **{f"expert-{slug(expert)}": (0, expert, 100) for expert in (experts, experts + 1, -1, largest, smallest)},
        "layer-and-expert": (layers + 1, experts, 100),
    }


def r09_total_of_accepted(target: Target) -> Iterator[Case]:
    """R09: the total sums up the accepted records and nothing else."""
    good = inside(target, (3, 2, 5))
    bad_layer, bad_expert = (target.n_layers + 4, 1, 100), (1 % (target.n_layers + 1), 91 + target.n_experts, 200)
    yield _loaded(target, history(target, *good, bad_layer, bad_expert)).case(
        "R09-two-of-three-outside", "Counts of discarded records tell the user that a history fits which does not."
    )
    yield _loaded(target, legacy(*good, bad_layer, bad_expert)).case(
        "R09-legacy-two-of-three-outside", "Legacy text declares no dimensions, so the bounds alone decide."
    )
    yield _loaded(target, legacy(bad_layer, bad_expert)).case("R09-all-outside", "A file can fit in no record at all.")
    yield _loaded(target, legacy(bad_layer, *good), trusted=True).case(
        "R09-trusted", "A typed path has the same total."
    )
    huge = (target.n_layers + 1, 0, _COUNT_MAX)
    yield _loaded(target, legacy(huge, *good, huge)).case(
        "R09-largest-counts-outside", "Discarded counts must not touch the total, not even for a moment."
    )
    dense = 2 % target.n_layers
    yield _loaded(target, legacy(*inside(target, (dense, 3, 50), (3, 4, 7))), dropped=(dense,)).case(
        f"R09-row-{dense}-dropped",
        "A record can lie within the dimensions and still have no counter.",
        clauses=("R11",),
    )


def r10_bounds(target: Target) -> Iterator[Case]:
    """R10: a record outside the counters is discarded and reading continues; row n_layers is inside."""
    for reader in (target, GLM):
        size = f"{reader.n_layers}x{reader.n_experts}"
        before, after = inside(reader, (3, 2, 5)), inside(reader, (4, 1, 8))
        for name, record in _outside(reader).items():
            yield _loaded(reader, history(reader, *before, record, *after)).case(
                f"R10-{size}-{name}", "Such a record must neither hit memory nor end the read.", clauses=("R09",)
            )
        corners = (
            (0, 0, 1),
            (0, reader.n_experts - 1, 2),
            (reader.n_layers, 0, 3),
            (reader.n_layers, reader.n_experts - 1, 4),
        )
        yield _loaded(reader, history(reader, *corners)).case(
            f"R10-{size}-corners", "The four corners are inside, and row n_layers is the MTP head's."
        )
        mtp = ((reader.n_layers, 0, 7), (reader.n_layers + 1, 0, 9))
        yield _loaded(reader, legacy(*mtp)).case(f"R10-{size}-mtp-row", "The row after the layers is the last one.")


def r10_all_at_once(target: Target) -> Iterator[Case]:
    """R10: any number of records outside, in front of the first one inside."""
    content = legacy(*_outside(target).values(), *inside(target, (3, 2, 5)))
    yield _loaded(target, content).case("R10-outside-first", "Reading goes on after all of them.", clauses=("R09",))


def r11_dropped_rows(target: Target) -> Iterator[Case]:
    """R11: a record for a dropped row is discarded: not part of the total, not in a later save."""
    dense, mtp = 2 % target.n_layers, target.n_layers
    data = inside(target, (dense, 3, 50), (3, 4, 7))
    why = "A dense layer once credited stays in the history for good."
    for name, content in (("legacy", legacy(*data)), ("header", history(target, *data))):
        yield _loaded(target, content, dropped=(dense,)).case(f"R11-{name}-row-{dense}", why, clauses=("R09",))
        session = _loaded(target, content, dropped=(dense,))
        session.save(".coli_usage", clause="W09")
        yield session.case(f"R11-{name}-row-{dense}-save", f"{why} The next save must not show it.", clauses=("W09",))
    yield _loaded(target, legacy(*data, (mtp, 0, 20)), dropped=(mtp,)).case(
        "R11-mtp-row", "A model without an MTP head drops that row."
    )
    session = _loaded(target, legacy(*data, (mtp, 0, 20)), dropped=(mtp,))
    session.save(".coli_usage")
    yield session.case("R11-mtp-row-save", "What was discarded must not come back in the next save.", clauses=("W09",))
    every_row = tuple(range(target.n_layers + 1))
    yield _loaded(target, legacy(*data), dropped=every_row).case("R11-every-row", "With no row left nothing fits.")
    yield _loaded(target, legacy(*data), dropped=(dense,), trusted=True).case(
        "R11-trusted", "A typed path does not give a dense layer experts."
    )
    spread = tuple((layer, 7 * layer % 256, 1 + layer) for layer in range(GLM.n_layers + 1))
    yield _loaded(GLM, history(GLM, *spread), dropped=(0, 1, 2)).case(
        "R11-78x256-rows-0-1-2", "GLM-5.2 has three dense layers in front.", clauses=("R09",)
    )


def r14_counts_add_up(target: Target) -> Iterator[Case]:
    """R14: a load adds to the counters that are there, and two records for one expert add up."""
    place = inside(target, (3, 2, 5), (3, 2, 9))
    yield _loaded(target, legacy(*place)).case("R14-twice", "Joined files name one expert twice.")
    yield _loaded(target, history(target, *place)).case("R14-twice-with-header", "It is the same below a header.")
    others = inside(target, (0, 1, 1), (4, 1, 8))
    yield _loaded(target, legacy(place[0], others[0], place[1], others[1], place[0])).case(
        "R14-three-times-apart", "The records of one expert need not be neighbours."
    )
    yield _loaded(target, legacy(*inside(target, *[(3, 2, 1)] * 1000))).case(
        "R14-x1000", "A thousand records for one expert are a thousand."
    )
    first, second = history(target, *inside(target, (0, 1, 1000), (3, 2, 5))), legacy(*inside(target, (0, 1, 3)))
    yield _loaded(target, first, second).case("R14-two-files", "A second file adds to what the first one left.")
    yield _loaded(target, first, first, first).case("R14-same-file-content-three-times", "Every load counts.")
    yield _loaded(target, first, second, trusted=True).case("R14-two-files-trusted", "Trusted reads add as well.")


def r22_counter_stops(target: Target) -> Iterator[Case]:
    """R22: a counter that a load would take past 4294967295 stops at that value; the total does not."""
    why = "Wrapped around, the most used expert becomes a cold one."
    pairs = ((4_000_000_000, 4_000_000_000), (_COUNT_MAX, 1), (1, _COUNT_MAX), (_COUNT_MAX, _COUNT_MAX))
    for first, second in pairs:
        data = inside(target, (0, 0, first), (0, 0, second))
        yield _loaded(target, legacy(*data)).case(f"R22-{first}-{second}", why, clauses=("R14",))
    halves = [legacy(*inside(target, (3, 2, count))) for count in (3_000_000_000, 3_000_000_000)]
    yield _loaded(target, *halves).case("R22-two-files", f"{why} Two files add like two records.", clauses=("R14",))
    at_most = inside(target, (3, 2, _COUNT_MAX - 1), (3, 2, 1))
    yield _loaded(target, legacy(*at_most)).case("R22-exactly-reached", "The largest count itself is no overflow.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r09_total_of_accepted,
    r10_bounds,
    r10_all_at_once,
    r11_dropped_rows,
    r14_counts_add_up,
    r22_counter_stops,
)

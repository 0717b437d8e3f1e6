"""Numbers that do not fit where a reader keeps them: layers, experts, counts, how many there are (R01, R10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, Record, SetupFile
from coli_conformance.corpus.meaning import History, history, inside, legacy, slug
from coli_conformance.corpus.reader_loaded import loaded
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

KIMI = Target("kimi_k3", 93, 896)
_WIDTHS = (7, 8, 9, 10, 11)
"""Bits of the numbers that layers and experts of large models may not fit into."""
_MANY = 33_000
"""More records than a signed number of 16 bits can count."""


def _around(limit: int) -> tuple[int, ...]:
    """Return what stands around each power of two of _WIDTHS, up to `limit`, and `limit` itself."""
    near = (2**bits + step for bits in _WIDTHS for step in (-1, 0, 1))
    return (*(number for number in near if number < limit), limit)


def _told_apart(*places: tuple[int, int]) -> tuple[Record, ...]:
    """Return a record for each place (layer, expert), no two with the same count."""
    return tuple((layer, expert, 1 + index) for index, (layer, expert) in enumerate(places))


def r01_wide_models(target: Target) -> Iterator[Case]:
    """R01: every layer and every expert of the largest models has a counter of its own."""
    deep, wide, largest = (Target(target.name, *size) for size in ((300, 8), (2, 4096), (1000, 4096)))
    layers = _told_apart(*((layer, layer % 8) for layer in _around(deep.n_layers)))
    experts = _told_apart(*((expert % 3, expert) for expert in _around(wide.n_experts - 1)))
    corners = _told_apart((0, 0), (0, 4095), (127, 1024), (256, 255), (513, 2047), (1000, 0), (1000, 4095))
    for reader, records, why in (
        (deep, layers, "Layers above 127 and above 255 do not fit one byte."),
        (wide, experts, "Experts around each power of two land elsewhere where the number is cut."),
        (largest, corners, "The largest model that a session may have."),
    ):
        yield loaded(reader, history(reader, *records)).case(f"R01-{reader.n_layers}x{reader.n_experts}", why)


def r01_exact_counts(target: Target) -> Iterator[Case]:
    """R01: counts around the powers of two are read exactly; those above 2147483647 are R15's."""
    counts = (2**bits + step for bits in (7, 8, 15, 16, 24) for step in (-1, 0, 1))
    records = inside(target, *((index // 8, index, count) for index, count in enumerate(counts)))
    yield loaded(target, history(target, *records)).case(
        "R01-counts-around-8-16-24-bits", "Kept in so many bits, with or without a sign, some of them are others."
    )


def r01_many_records(target: Target) -> Iterator[Case]:
    """R01: there is no number of records at which reading ends."""
    content = legacy(*inside(target, *((0, index % 8, 1) for index in range(_MANY))))
    yield loaded(target, content).case(
        f"R01-{_MANY}-records", "The largest model fills 84,224 counters; a number of 16 bits ends long before."
    )


def r01_in_a_folder(target: Target) -> Iterator[Case]:
    """R01: the file that is read is the one at the path, folder included."""
    inner, outer = legacy(*inside(target, (3, 2, 5))), legacy(*inside(target, (3, 2, 70)))
    session = Session(target)
    session.setup.append(SetupFile("model", folder=True))
    session.given("model/usage.txt", inner)
    session.given("usage.txt", outer)
    session.load("model/usage.txt", inner)
    session.counts()
    yield session.case("R01-in-a-folder", "A file of the same name nearer by is another file.")


def r10_cut_numbers(target: Target) -> Iterator[Case]:
    """R10: what lies outside the counters does not come in when its number is cut or counted from the other end."""
    size = f"{target.n_layers}x{target.n_experts}"
    good = inside(target, (3, 2, 5))
    (layer, expert, _), last = good[0], target.n_experts
    aliases: dict[str, tuple[Record, str]] = {
        **{
            f"expert-{slug(-back)}": (
                (layer, -back, 100),
                "A negative index counts from the end of a row, or before it.",
            )
            for back in dict.fromkeys((2, last))
        },
        **{
            f"layer-{layer + above}": ((layer + above, expert, 100), "With its upper bits cut the layer is inside.")
            for above in (256, 65536)
            if layer + above > target.n_layers
        },
        **{
            f"expert-{expert + above}": ((layer, expert + above, 100), "With its upper bits cut the expert is inside.")
            for above in (256, 65536)
            if expert + above >= last
        },
    }
    for name, (record, why) in aliases.items():
        yield loaded(target, history(target, record, *good)).case(f"R10-{size}-cut-{name}", why, clauses=("R09",))


def r10_wide_mtp_row(target: Target) -> Iterator[Case]:
    """R10: row n_layers is as wide as every other row."""
    del target
    mtp = KIMI.n_layers
    content: History = legacy(*_told_apart((mtp, 0), (mtp, 255), (mtp, 256), (mtp, 300), (mtp, 895), (mtp - 1, 895)))
    yield loaded(KIMI, content).case("R10-93x896-mtp-row-wide", "The MTP head has as many experts as a layer.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r01_wide_models,
    r01_exact_counts,
    r01_many_records,
    r01_in_a_folder,
    r10_cut_numbers,
    r10_wide_mtp_row,
)

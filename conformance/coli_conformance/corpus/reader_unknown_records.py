"""What a reader owes header records that it does not know (R02)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, history, inside, legacy, slug
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_SMALLEST = coli_spec.load().fields[0].minimum
FIRST_FIELDS = (-3, -4, -5, -9, -10, -11, -19, -20, -21, -100, _SMALLEST + 1, _SMALLEST)
"""The next numbers to be agreed, numbers that begin with the digits of agreed ones, and the ends of the range."""

_MANY = 1000


def positions(target: Target) -> dict[str, tuple[History, int, str]]:
    """Return the places a header record can stand in: a history without it, the index it goes to, and the words."""
    data = inside(target, (3, 2, 5), (4, 1, 8))
    whole, bare = history(target, *data), legacy(*data)
    return {
        "first": (whole, 0, "before the dimensions"),
        "after-dimensions": (whole, 1, "between dimensions and identity"),
        "after-identity": (whole, 2, "before the first data record"),
        "among-data": (whole, 3, "between data records"),
        "last": (whole, 4, "at the end"),
        "legacy-first": (bare, 0, "at the front of a file without the agreed header records"),
        "legacy-among-data": (bare, 1, "between data records of a file without the agreed header records"),
    }


def skipped(target: Target, content: History, at: int, *records: Record) -> Session:
    """Return a session that loads `content` with `records` standing at index `at`."""
    session = Session(target)
    widened = content.inserted(at, *records)
    session.given(".coli_usage", widened)
    session.load(".coli_usage", widened)
    session.counts()
    return session


def r02_unknown_header_records(target: Target) -> Iterator[Case]:
    """R02: a header record with first field -3 or below is passed over, for any values, at any place, in any number.

    Every first field meets three positions of four. The other two fields walk through their boundaries meanwhile, so
    that each position and each first field meets most boundaries of both.
    """
    _, second_type, third_type = coli_spec.load().fields
    seconds, thirds = second_type.boundaries(), third_type.boundaries()
    for row, first in enumerate(FIRST_FIELDS):
        for column, (position, (content, at, words)) in enumerate(positions(target).items()):
            if (row + column) % 4 == 3:
                continue
            times = 1 + (row + column) % 2
            record = (first, seconds[(row + column) % len(seconds)], thirds[(2 * row + column) % len(thirds)])
            yield skipped(target, content, at, *[record] * times).case(
                f"R02-{position}-{slug(*record)}" + "-twice" * (times == 2),
                f"A record type agreed later may stand {words}; skipping it must not end or disturb the reading.",
            )


def r02_many_unknown_header_records(target: Target) -> Iterator[Case]:
    """R02: as many of them as there are."""
    for position, (content, at, words) in positions(target).items():
        if position in {"first", "after-identity", "among-data", "legacy-first"}:
            records: list[Record] = [(-3, index, index * index) for index in range(_MANY)]
            yield skipped(target, content, at, *records).case(
                f"R02-{position}-x{_MANY}", f"A later format may put a thousand records {words}."
            )


def r02_lookalikes(target: Target) -> Iterator[Case]:
    """R02: `-10 ...` is not `-1 ...`, and values that look like dimensions or ids mean nothing in other records."""
    foreign = Target("kimi_k3", 99, 512)
    lookalikes: tuple[tuple[Record, str], ...] = (
        ((-3, 7, 12), "An unknown record with everyday numbers."),
        ((-3, foreign.n_layers, foreign.n_experts), "Its fields look like the dimensions of another model."),
        ((-3, 1, foreign.engine_id), "Its fields look like the identity of another engine."),
        ((-3, 2, target.engine_id), "Its fields look like a later format version."),
        ((-10, target.n_layers, target.n_experts + 1), "Matched as text, -10 begins like the dimensions record."),
        ((-15, 3, 4), "Matched as text, -15 begins like the dimensions record."),
        ((-20, 3, 4), "Matched as text, -20 begins like the identity record."),
        ((-21, 2, foreign.engine_id), "Matched as text, -21 begins like the identity record."),
    )
    places = positions(target)
    for record, why in lookalikes:
        for position in ("after-identity", "legacy-first"):
            content, at, _ = places[position]
            yield skipped(target, content, at, record).case(f"R02-{position}-{slug(*record)}", why)
    session = Session(target)
    widened = legacy(*inside(target, (3, 2, 5))).inserted(0, *[(first, 0, 0) for first in FIRST_FIELDS])
    session.given(".coli_usage", widened)
    session.load(".coli_usage", widened)
    session.counts()
    yield session.case("R02-legacy-first-all-numbers", "Records of many unknown types follow one another.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r02_unknown_header_records,
    r02_many_unknown_header_records,
    r02_lookalikes,
)

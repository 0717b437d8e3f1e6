"""Fresh cases of what a reader owes the records of a history: all of them, exactly, and no others (area R)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case, Record
from coli_conformance.corpus.fresh_values import (
    COUNT_MAX,
    THIRD_OF_MAX,
    model,
    outside,
    records,
    shuffled,
    spaced,
    unknown,
)
from coli_conformance.corpus.meaning import History, history, legacy
from coli_conformance.corpus.reader_outcomes import REFUSED, Reading, case_of_readings
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY

_TURN = 1 << 32
"""What a number wraps by where it is stored in 32 bits."""
_BLANKS = (" ", "\t", "   ", " \t ")
_ENDS = ("\n", "\r\n", "\n\n", " \n", "\t\r\n", "\r\n \t\r\n")


def _read(target: Target, content: History, text: str | None = None) -> Session:
    """Return a session that loads a file meaning `content`, as `text` where that is not canonical, and counts."""
    session = Session(target)
    session.given(HISTORY, content.text if text is None else text)
    session.load(HISTORY, content)
    session.counts()
    return session


def r01_text(chance: Random) -> Iterator[Case]:
    """R01: every record of canonical text is read. One of many pages is among the cases of W22."""
    target = model(chance)
    yield _read(target, history(target, *records(chance, target, 12))).case(
        "R01-fresh-text", "A dozen records of a small model."
    )


def r02_unknown_header_records(chance: Random) -> Iterator[Case]:
    """R02: unknown header records are skipped, whatever their fields, their places and their number."""
    target = model(chance)
    sound = history(target, *records(chance, target, 6))
    for slug, at, why in (
        ("first", 0, "The file begins with a record agreed later."),
        ("among-data", chance.randint(3, 8), "It stands behind the first data record."),
    ):
        yield _read(target, sound.inserted(at, unknown(chance))).case(f"R02-fresh-{slug}", why)
    strewn = sound
    for _ in range(chance.randint(9, 40)):
        strewn = strewn.inserted(chance.randint(0, len(strewn.records)), unknown(chance))
    yield _read(target, strewn).case("R02-fresh-strewn", "Many of them stand everywhere.")
    mirrored = [
        (-layer, expert, count) for layer, expert, count in records(chance, target, 3, range(3, target.n_layers + 1))
    ]
    yield _read(target, sound.inserted(2, *mirrored)).case(
        "R02-fresh-magnitudes-of-layers", "Without the minus they would be data records."
    )
    tens = [(-chance.randint(10, 29), chance.randint(0, 9), chance.randint(0, COUNT_MAX)) for _ in range(3)]
    yield _read(target, legacy(*sound.data).inserted(0, *tens)).case(
        "R02-fresh-two-digits", "Matched as text, they begin like the agreed ones."
    )


def r08_legacy(chance: Random) -> Iterator[Case]:
    """R08: data records without a header are read as they stand."""
    target = model(chance)
    content = legacy(*shuffled(chance, records(chance, target, 9)))
    yield _read(target, content).case("R08-fresh-unsorted", "Nothing ordered the records of old tools.")


def r09_total_of_accepted(chance: Random) -> Iterator[Case]:
    """R09: the total is that of the accepted records."""
    target = model(chance)
    discarded = [outside(chance, target) for _ in range(4)]
    content = legacy(*shuffled(chance, (*records(chance, target, 5), *discarded)))
    yield _read(target, content).case("R09-fresh-some-outside", "Discarded counts are no part of what was read.")


def r10_bounds(chance: Random) -> Iterator[Case]:
    """R10: what is outside the counters is discarded and reading goes on; the MTP row is inside."""
    target = model(chance)
    layers, experts = target.n_layers, target.n_experts
    beside: tuple[Record, ...] = (
        (layers + 1, chance.randrange(experts), chance.randint(1, COUNT_MAX)),
        (chance.randrange(layers), experts, chance.randint(1, COUNT_MAX)),
        (chance.randint(1, layers), -1, chance.randint(1, COUNT_MAX)),
    )
    mtp_row = records(chance, target, 2, [layers])
    content = history(target, *beside, *records(chance, target, 4, range(layers)), *mtp_row)
    yield _read(target, content).case("R10-fresh-just-outside", "One step beyond is as far out as any.", ["R09"])


def r11_dropped_rows(chance: Random) -> Iterator[Case]:
    """R11: records for dropped rows are discarded, not counted and not written back."""
    target = model(chance)
    for slug, row in (("layer", chance.randrange(target.n_layers)), ("mtp-row", target.n_layers)):
        routing = [other for other in range(target.n_layers + 1) if other != row]
        data = (*records(chance, target, 4, routing), *records(chance, target, 3, [row]))
        content = chance.choice((history(target, *data), legacy(*data)))
        session = Session(target)
        session.drop(row)
        session.given(HISTORY, content)
        session.load(HISTORY, content)
        session.counts()
        session.save(HISTORY, clause="W09")
        yield session.case(
            f"R11-fresh-{slug}", "A row once credited would stay in the history for good.", ["W09", "R09"]
        )


def r12_white_space(chance: Random) -> Iterator[Case]:
    """R12: other spacing and line ends read the same."""
    for slug, separators, ends, why in (
        ("crlf", (" ",), ("\r\n",), "The file went through Windows."),
        ("tabs", ("\t",), ("\n",), "A tab separates like a blank."),
        ("blank-lines", (" ",), ("\n\n", "\n \n"), "A blank line is no record and no end."),
        ("mixed", _BLANKS, _ENDS, "Runs of blanks and all else that means nothing, mixed."),
    ):
        target = model(chance)
        content = history(target, *records(chance, target, 8))
        text = spaced(chance, content.records, separators, ends)
        yield _read(target, content, text).case(f"R12-fresh-{slug}", why)
    target = model(chance)
    content = history(target, *records(chance, target, 8))
    yield _read(target, content, content.text.removesuffix("\n")).case(
        "R12-fresh-no-final-newline", "The last record counts without a newline."
    )


def r13_zero_bytes(chance: Random) -> Iterator[Case]:
    """R13: a file of zero bytes is an empty history."""
    target = model(chance)
    content = history(target, *records(chance, target, 4))
    session = Session(target)
    session.given(HISTORY, content)
    session.given("empty.txt", "")
    session.load(HISTORY, content, clause="R01")
    session.load("empty.txt", ())
    session.counts()
    yield session.case("R13-fresh-after-counts", "An empty history adds nothing and takes nothing away.")


def r14_counts_add_up(chance: Random) -> Iterator[Case]:
    """R14: records for one expert add up, within a file and from file to file."""
    target = model(chance)
    first, second, third = (records(chance, target, 8, most=THIRD_OF_MAX) for _ in range(3))
    again = tuple((layer, expert, chance.randint(1, THIRD_OF_MAX)) for layer, expert, _ in first)
    yield _read(target, history(target, *shuffled(chance, (*first, *again)))).case(
        "R14-fresh-twice", "Each expert is named twice, in any order."
    )
    session = Session(target)
    for path, content in (
        ("1.txt", history(target, *first)),
        ("2.txt", legacy(*second)),
        ("3.txt", history(target, *third)),
    ):
        session.given(path, content)
        session.load(path, content)
    session.counts()
    yield session.case("R14-fresh-three-files", "Each file adds to what the ones before it left.")


def r15_large_counts(chance: Random) -> Iterator[Case]:
    """R15: counts above 2147483647 are read exactly."""
    target = model(chance)
    large = [
        (layer, expert, chance.randint(COUNT_MAX // 2 + 1, COUNT_MAX))
        for layer, expert, _ in records(chance, target, 6)
    ]
    yield _read(target, history(target, *large)).case("R15-fresh-large", "Read as signed, each would be negative.")


def r21_out_of_range(chance: Random) -> Iterator[Case]:
    """R21: numbers outside their fields are not wrapped into other numbers."""
    target = model(chance)
    bad, *good = shuffled(chance, records(chance, target, 4))
    turns = chance.choice((1, 2, chance.randint(3, 1 << 20))) * _TURN
    for position, name in enumerate(("layer", "expert", "count")):
        beyond = (bad[0] + turns * (position == 0), bad[1] + turns * (position == 1), bad[2] + turns * (position == 2))
        legal = [[REFUSED], [Reading()], [Reading(tuple(good))]]
        if name == "count":
            legal += [[Reading(((*bad[:2], COUNT_MAX), *good))], [Reading((beyond, *good))]]
        yield case_of_readings(
            target,
            f"R21-fresh-{name}",
            f"In 32 bits the {name} would be one that is in range.",
            {HISTORY: legacy(beyond, *good).text},
            [("", readings) for readings in legal],
            roles=["bounds"],
        )


def r22_counter_stops(chance: Random) -> Iterator[Case]:
    """R22: a counter that a load would take past the largest count stops there, and reading goes on."""
    target = model(chance)
    first = records(chance, target, 4)
    more = [(layer, expert, chance.randint(COUNT_MAX - count, COUNT_MAX)) for layer, expert, count in first[:2]]
    yield _read(target, legacy(*first[:2], *more, *first[2:])).case(
        "R22-fresh-twice", "The second record asks for more than the counter holds.", ["R14"]
    )


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (
    r01_text,
    r02_unknown_header_records,
    r08_legacy,
    r09_total_of_accepted,
    r10_bounds,
    r11_dropped_rows,
    r12_white_space,
    r13_zero_bytes,
    r14_counts_add_up,
    r15_large_counts,
    r21_out_of_range,
    r22_counter_stops,
)

"""Cases for the form of a written history: sparse (W01), plain fields (W02, W03), canonical (W18), lines (W23)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history, legacy, render
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_conformance.corpus.writer_saved import HISTORY, grid, loaded, saved


def w01_sparse(target: Target) -> Iterator[Case]:
    """A history has no record with count 0."""
    last = target.n_experts - 1
    yield saved(target, (0, 0, 5), (1, last, 0)).case(
        "W01-add-0", why="A counter that was credited 0 is as unused as one that was never credited."
    )
    yield saved(target, (1, last, 7)).case(
        "W01-one-counter",
        why="A writer that prints the whole table writes a 0 for every counter but this one.",
    )
    if target.n_experts > 1:
        yield saved(target, (0, 1, 3), (1, 0, 2)).case(
            "W01-one-expert-of-a-row",
            why="A writer that prints a row as soon as one expert in it counts writes the others as 0.",
        )
    zero = history(target, (0, 0, 5), (1, last, 0))
    session = loaded(target, zero.text, *zero.data)
    session.save(HISTORY)
    yield session.case(
        "W01-loaded-0", why="A count of 0 that stood in a loaded file must not be carried into the next one."
    )
    dense = history(target, *((layer, expert, 0) for layer, expert, _ in grid(target)), (1, 0, 4))
    session = loaded(target, dense.text, *dense.data)
    session.save(HISTORY)
    yield session.case(
        "W01-loaded-0-everywhere",
        why="A dense file of an older tool comes out sparse, whatever it declared as counted.",
    )
    session = loaded(target, zero.text, *zero.data)
    session.route(1, 0, (last, "1.0"))
    session.save(HISTORY)
    yield session.case(
        "W01-loaded-0-then-routed", why="A counter loaded as 0 and then routed to has one record, with count 1."
    )


def w02_three_fields(target: Target) -> Iterator[Case]:
    """Every record has exactly three fields."""
    last = target.n_experts - 1
    session = Session(target)
    session.route(0, 0, (0, "0.7500"))
    session.route(1, 1, (last, "0.2500"))
    session.save(HISTORY)
    yield session.case(
        "W02-routed-with-gates",
        why="A gate belongs in the trace; as a fourth field it becomes an old reader's next layer.",
    )
    wide = Target(target.name, 1000, 4096)
    yield saved(wide, (1000, 4095, 4294967295), (999, 4094, 4294967294)).case(
        "W02-widest-fields",
        why="Columns of a fixed width without a blank run into one number when every field is at its widest.",
    )
    unknown = history(target, (0, 0, 5)).inserted(2, (-3, 7, 12))
    session = Session(target)
    session.given(HISTORY, unknown)
    session.load(HISTORY, unknown)
    session.save(HISTORY)
    yield session.case(
        "W02-after-an-unknown-record",
        why="A header record that is carried over comes back with all three of its fields, or not at all.",
    )
    yield saved(target, (target.n_layers, 0, 6)).case(
        "W02-mtp-row", why="The MTP row is told by its number; a mark beside it is a fourth field."
    )


def w03_plain_integers(target: Target) -> Iterator[Case]:
    """Every field is a plain decimal integer in the range of its field."""
    last = target.n_experts - 1
    for count, why in (
        (2147483648, "Printed with %d, this count becomes -2147483648."),
        (
            4294967295,
            "Printed with %d, this count becomes -1: a sign in the third field, and the most used expert lost.",
        ),
        (1000000, "Printed with %g, this count becomes 1e+06, and an old reader takes the 1 and stops at the rest."),
        (16777217, "Held in a float, this count becomes 16777216, or gets a decimal point."),
    ):
        yield saved(target, (0, 0, count), (1, last, 1)).case(f"W03-count-{count}", why=why)
    highest = Target(
        max(NAMES_AT_BOUNDARIES, key=lambda name: Target(name).engine_id), target.n_layers, target.n_experts
    )
    yield saved(highest, (0, 0, 3)).case(
        f"W03-id-{highest.engine_id}", why="Printed with %d, the id in the third field becomes -1."
    )
    digits = Target("1e6", target.n_layers, target.n_experts)
    yield saved(digits, (0, 0, 3)).case(
        "W03-name-1e6", why="A name that reads like a number is still hashed: the name itself never stands in a field."
    )
    content = legacy((0, 0, 9))
    session = loaded(target, content.text, *content.data)
    session.save(HISTORY)
    yield session.case(
        "W03-after-legacy", why="A comment line that tells where the counts came from ends an old reader's loop."
    )


def w18_canonical(target: Target) -> Iterator[Case]:
    """Single blanks, LF after every record, ascending layer, then expert."""
    last = target.n_experts - 1
    yield saved(target, (0, 0, 1), canonical=True).case(
        "W18-one-record", why="The last line has its LF too: a file without it looks cut off."
    )
    yield saved(target, *reversed(grid(target)), canonical=True).case(
        "W18-counted-in-descending-order",
        why="A writer that keeps counters in order of first use writes this file backwards.",
    )
    yield saved(target, (1, 0, 4294967295), (1, last, 1), (0, 0, 10), canonical=True).case(
        "W18-narrow-and-wide-counts", why="Columns padded to one width have more than one blank between fields."
    )
    ten = Target(target.name, 16, 64)
    yield saved(ten, (10, 2, 1), (2, 10, 1), (10, 10, 1), (2, 2, 1), (2, 9, 1), (9, 0, 1), canonical=True).case(
        "W18-numbers-of-one-and-two-digits",
        why="Records sorted as text put layer 10 before layer 2, and expert 10 before expert 2.",
    )
    if target.n_experts > 1:
        descending = history(target, (1, last, 4), (1, 0, 3), (0, last, 2), (0, 0, 1))
        session = loaded(target, descending.text, *descending.data)
        session.save(HISTORY, canonical=True)
        yield session.case(
            "W18-loaded-in-descending-order", why="The order of a loaded file is not the order of the next one."
        )
    loose = history(target, (0, 0, 3), (1, last, 5))
    session = loaded(target, render(loose.records, separator=" \t ", end="\r\n"), *loose.data)
    session.save(HISTORY, canonical=True)
    yield session.case(
        "W18-loaded-with-tabs-and-crlf", why="White space of a loaded file, its CRLF above all, does not come back."
    )
    session = Session(target)
    session.add((1, last, 2))
    session.save("first", canonical=True)
    session.add((0, 0, 1))
    session.save("second", canonical=True)
    yield session.case(
        "W18-saved-twice",
        why="A counter that comes into use between two saves goes to its place, not to the end of the file.",
    )


def w23_a_line_each(target: Target) -> Iterator[Case]:
    """Every record stands on a line of its own."""
    yield saved(target, *((0, expert, 1 + expert) for expert in range(min(target.n_experts, 8)))).case(
        "W23-one-row",
        why="A writer that breaks lines by row puts these records on one, and tools that go by lines see the first.",
    )
    wide = Target(target.name, 1, 4096)
    yield saved(wide, *((1, expert, 4294967295) for expert in range(0, 4096, 41))).case(
        "W23-a-row-of-100", why="A row that does not fit one buffer of the writer is not cut within a record."
    )
    session = Session(target)
    session.given(HISTORY, history(target, (0, 0, 8)).text.removesuffix("\n"))
    session.add((0, 0, 9), (1, 0, 1))
    session.save(HISTORY)
    yield session.case(
        "W23-over-a-file-without-final-newline",
        why="A writer that appends glues its first record to the last one of this file.",
    )
    crlf = history(target, (0, 0, 3), (1, 0, 2))
    session = loaded(target, render(crlf.records, end="\r\n"), *crlf.data)
    session.save(HISTORY)
    yield session.case(
        "W23-after-crlf", why="After a file from Windows, lines still end in LF and none is left with a lone CR."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w01_sparse,
    w02_three_fields,
    w03_plain_integers,
    w18_canonical,
    w23_a_line_each,
)

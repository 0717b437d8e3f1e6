"""Fresh cases of what a writer owes: header, rows, counters, and the file it replaces (area W)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from coli_conformance.case import Case, FileExpectation, SetupFile
from coli_conformance.corpus.fresh_values import (
    COUNT_MAX,
    THIRD_OF_MAX,
    choices,
    count,
    model,
    real_model,
    records,
    registered_name,
    shuffled,
    unregistered_name,
)
from coli_conformance.corpus.iku1_block import INKLING, block
from coli_conformance.corpus.meaning import history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import picks
from coli_conformance.corpus.writer_saved import HISTORY, loaded, saved


def w01_zeros_loaded(chance: Random) -> Iterator[Case]:
    """W01: records of count 0 that were loaded are not written."""
    target = model(chance)
    drawn = records(chance, target, 8)
    content = legacy(*shuffled(chance, (*drawn[::2], *((layer, expert, 0) for layer, expert, _ in drawn[1::2]))))
    session = loaded(target, content.text, *content.data)
    session.save(HISTORY)
    yield session.case("W01-fresh-zeros-loaded", why="A counter that was only named is still zero.")


def w04_form(chance: Random) -> Iterator[Case]:
    """W04: a history is its header and three fields a line, and an old reader recovers what was meant."""
    target = model(chance)
    once = (chance.randint(0, target.n_layers), chance.randrange(target.n_experts), 1)
    session = saved(target, *records(chance, target, 9, most=THIRD_OF_MAX), once)
    yield session.case(
        "W04-fresh-form",
        clauses=["W02", "W03", "W14", "W15", "W23"],
        why="Shipped readers know no other form than this.",
    )


def w05_dimensions(chance: Random) -> Iterator[Case]:
    """W05: the dimensions are the engine's own, whatever rows are dropped and experts counted."""
    for slug, target in (("small", model(chance)), ("real", real_model(chance))):
        dropped = tuple(chance.sample(range(target.n_layers), 2))
        session = Session(target)
        session.drop(*dropped)
        rows = [row for row in range(target.n_layers + 1) if row not in dropped]
        session.add(*records(chance, target, 6, rows))
        session.save(HISTORY)
        yield session.case(
            f"W05-fresh-{slug}-model",
            clauses=["W09"],
            why="What was counted or dropped does not change the dimensions.",
        )


def w07_engine_ids(chance: Random) -> Iterator[Case]:
    """W07: any valid name has its own hash as id."""
    for slug, name in (
        ("high-id", unregistered_name(chance, high=True)),
        ("low-id", unregistered_name(chance, high=False)),
        ("long-name", unregistered_name(chance, shortest=32, longest=63)),
        ("registered", registered_name(chance)),
    ):
        target = model(chance, name)
        session = saved(target, *records(chance, target, 5))
        yield session.case(f"W07-fresh-{slug}", clauses=["W06"], why=f"The id is computed from {name}, not looked up.")


def w08_empty(chance: Random) -> Iterator[Case]:
    """W08: a run that counted nothing leaves zero bytes, over an existing history as well."""
    target = model(chance)
    session = Session(target)
    session.given(HISTORY, history(target, *records(chance, target, 4)))
    session.save(HISTORY)
    yield session.case("W08-fresh-over-a-history", why="The old file was not loaded, so none of its counts remain.")


def w09_dropped_rows(chance: Random) -> Iterator[Case]:
    """W09: records for dropped rows are not written, however they came in."""
    target = model(chance)
    dropped = chance.sample(range(target.n_layers + 1), 2)
    routing = [row for row in range(target.n_layers + 1) if row not in dropped]
    content = history(target, *records(chance, target, 3, routing), *records(chance, target, 3, dropped))
    session = Session(target)
    session.given(HISTORY, content)
    session.drop(*dropped)
    session.load(HISTORY, content)
    session.save(HISTORY)
    yield session.case("W09-fresh-loaded", why="The loaded history names rows that do not route.")


def w10_mtp_row(chance: Random) -> Iterator[Case]:
    """W10: the MTP row is written like any other."""
    target = model(chance)
    session = saved(target, *records(chance, target, 3, [target.n_layers]))
    yield session.case("W10-fresh-mtp-row-alone", why="Every count is in the row after the layers.")


def w11_exact_counts(chance: Random) -> Iterator[Case]:
    """W11: counts are exact, also where they were reached in steps."""
    target = model(chance)
    yield saved(target, *records(chance, target, 12)).case(
        "W11-fresh-counts", why="Counts of every size stand beside each other."
    )
    steps = [record for _ in range(3) for record in records(chance, target, 6, most=THIRD_OF_MAX)]
    yield saved(target, *steps).case("W11-fresh-in-steps", why="A counter reaches its count in several steps.")


def w12_replaced(chance: Random) -> Iterator[Case]:
    """W12: a save replaces what stands at its path by the current counters."""
    target = model(chance)
    session = Session(target)
    session.given(HISTORY, history(target, *records(chance, target, 12)))
    session.add(*records(chance, target, 3, most=THIRD_OF_MAX))
    session.save(HISTORY)
    session.add(*records(chance, target, 3, most=THIRD_OF_MAX))
    session.save(HISTORY)
    yield session.case(
        "W12-fresh-over-a-longer-history", why="Nothing of the longer file, or of the first save, is left."
    )


def w13_loaded_and_counted(chance: Random) -> Iterator[Case]:
    """W13: loading, counting and saving gives old plus new, and the counters stay as they are."""
    target = model(chance)
    old, new = (records(chance, target, 8, most=THIRD_OF_MAX) for _ in range(2))
    session = loaded(target, history(target, *old).text, *old)
    session.add(*new)
    session.save(HISTORY)
    session.counts()
    yield session.case("W13-fresh-loaded-and-counted", why="A short run does not replace the weeks before it.")
    content = history(target, *old)
    session = Session(target)
    session.add(*new)
    session.given("older.txt", content)
    session.save(HISTORY)
    session.load("older.txt", content)
    session.load(HISTORY, new)
    session.save(HISTORY)
    yield session.case("W13-fresh-loads-what-it-saved", why="What was saved is loaded on top of what is counted.")
    inkling = Target(INKLING, target.n_layers, target.n_experts)
    words = records(chance, inkling, 8, range(inkling.n_layers))
    session = loaded(inkling, block(inkling.n_layers, inkling.n_experts, words), *words)
    session.save(HISTORY)
    yield session.case("W13-fresh-iku1", roles=["iku1"], why="The counts of a dense file live on as text.")


def w16_not_in_place(chance: Random) -> Iterator[Case]:
    """W16: a hard link to the old file shows the old bytes after the save."""
    target = model(chance)
    old = history(target, *records(chance, target, 4, most=THIRD_OF_MAX))
    session = Session(target)
    session.given(HISTORY, old)
    session.setup.append(SetupFile("before", link_to=HISTORY))
    session.files.append(FileExpectation("before", "W16", data=old.text.encode()))
    session.load(HISTORY, old)
    session.add(*records(chance, target, 4, most=THIRD_OF_MAX))
    session.save(HISTORY)
    yield session.case("W16-fresh-loaded-before", why="The usual run, with another name for the old file.")


def w18_canonical(chance: Random) -> Iterator[Case]:
    """W18: the bytes are canonical, in whatever order the counters were counted."""
    target = model(chance)
    session = saved(target, *shuffled(chance, records(chance, target, 12)), canonical=True)
    yield session.case("W18-fresh-counted-in-any-order", why="The order of counting does not show in the file.")


def w19_no_wrapping(chance: Random) -> Iterator[Case]:
    """W19: a counter that would pass the largest count stays there."""
    target = model(chance)
    session = Session(target)
    for layer, expert, first in records(chance, target, 4):
        session.add((layer, expert, first), (layer, expert, chance.randint(COUNT_MAX - first, COUNT_MAX)))
    session.counts()
    yield session.case("W19-fresh-two-steps", why="The second step asks for more than the counter holds.")


def w20_nothing_left_behind(chance: Random) -> Iterator[Case]:
    """W20: no temporary file stays after a save."""
    target = model(chance)
    paths = (HISTORY, f"saved-{unregistered_name(chance)}.txt")
    session = Session(target)
    for path in paths:
        session.add(*records(chance, target, 3, most=THIRD_OF_MAX))
        session.save(path)
    session.files.append(FileExpectation("", "W20", only=paths))
    yield session.case("W20-fresh-two-paths", why="After two saves there are two files.")


def w21_refused_file_survives(chance: Random) -> Iterator[Case]:
    """W21: a save over a refused file answers `error`, or sets that file aside."""
    target = model(chance)
    for slug, other, clause in (
        ("other-engine", Target(unregistered_name(chance), target.n_layers, target.n_experts), "R05"),
        ("more-layers", Target(target.name, target.n_layers + chance.randint(1, 9), target.n_experts), "R03"),
    ):
        content = history(other, *records(chance, other, 5))
        session = Session(target)
        session.given(HISTORY, content)
        session.refused(HISTORY, clause=clause)
        session.add(*records(chance, target, 3))
        session.say(f"save {HISTORY}", "ok|error")
        session.files.append(FileExpectation("", "W21", somewhere=content.text.encode()))
        yield session.case(f"W21-fresh-{slug}", why="What a run could not read is not its own to erase.")


def w22_every_counter_once(chance: Random) -> Iterator[Case]:
    """W22: every non-zero counter has one record, in models and histories of every size."""
    target = model(chance, unregistered_name(chance, shortest=8))
    cells = ((layer, expert) for layer in range(target.n_layers + 1) for expert in range(target.n_experts))
    yield saved(target, *((*cell, count(chance)) for cell in cells)).case(
        "W22-fresh-every-counter", why="No counter is zero."
    )
    session = Session(target)
    for row in range(12):
        session.route(chance.randint(0, target.n_layers), row, *picks(choices(chance, target.n_experts)))
    session.save(HISTORY)
    yield session.case("W22-fresh-routed", why="Selections are counted one by one and written as sums.")
    wide = Target("kimi_k3", 93, 896)
    old = records(chance, wide, 4200)
    session = loaded(wide, history(wide, *old).text, *old)
    session.counts(clause="R01")
    session.save(HISTORY)
    yield session.case(
        "W22-fresh-93x896-4200-records",
        "A history of many pages, its experts beyond 255, goes in and out.",
        ["R01"],
    )


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (
    w01_zeros_loaded,
    w04_form,
    w05_dimensions,
    w07_engine_ids,
    w08_empty,
    w09_dropped_rows,
    w10_mtp_row,
    w11_exact_counts,
    w12_replaced,
    w13_loaded_and_counted,
    w16_not_in_place,
    w18_canonical,
    w19_no_wrapping,
    w20_nothing_left_behind,
    w21_refused_file_survives,
    w22_every_counter_once,
)

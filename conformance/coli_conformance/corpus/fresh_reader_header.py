"""Fresh cases of what a reader owes the header, what a refusal leaves behind, and bytes nobody meant (area R)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from string import digits

import coli_spec
from coli_conformance.case import Case, MessageExpectation, Record
from coli_conformance.corpus.fresh_values import (
    COUNT_MAX,
    THIRD_OF_MAX,
    model,
    records,
    registered_name,
    unregistered_name,
)
from coli_conformance.corpus.meaning import History, header, history, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_conformance.corpus.writer_saved import HISTORY

_FOUND = "found.txt"


def _after_a_good_one(chance: Random, target: Target, wrong: tuple[Record, ...], trusted: bool = False) -> Session:
    """Return a session that loads a good history and is then given one headed by `wrong`, which it must refuse."""
    good = history(target, *records(chance, target, 4))
    session = Session(target)
    session.given(HISTORY, good)
    session.given(_FOUND, History((*wrong, *records(chance, target, 5))))
    session.load(HISTORY, good, clause="R01")
    session.refused(_FOUND, trusted=trusted)
    session.counts(clause="R07")
    return session


def r03_other_dimensions(chance: Random) -> Iterator[Case]:
    """R03: other dimensions are refused, in either number, trusted or not."""
    for slug, trusted in (("layers", False), ("experts", False), ("smaller", True), ("swapped", True)):
        target = model(chance)
        layers, experts = target.n_layers, target.n_experts
        declared = {
            "layers": (layers + chance.choice((-1, 1)), experts),
            "experts": (layers, experts + chance.choice((-1, 1))),
            "smaller": (chance.randint(1, layers - 1), chance.randint(1, experts - 1)),
            "swapped": (experts, layers),
        }[slug]
        yield _after_a_good_one(chance, target, header(target, *declared), trusted).case(
            f"R03-fresh-{slug}", f"Records of {declared[0]} x {declared[1]} mean other experts.", ("R07",)
        )


def r04_later_version(chance: Random) -> Iterator[Case]:
    """R04: a later format version is refused, trusted or not."""
    newest, largest = coli_spec.load().format_version, coli_spec.load().fields[1].maximum
    for slug, version, trusted in (
        ("next", newest + 1, False),
        ("any-trusted", chance.randint(newest + 1, largest), True),
    ):
        target = model(chance)
        yield _after_a_good_one(chance, target, header(target, version=version), trusted).case(
            f"R04-fresh-{slug}", f"Nobody knows what version {version} will mean.", ("R07",)
        )


def _strangers(chance: Random, target: Target) -> dict[str, int]:
    """Return ids that are not the target's: of a registered engine, of an unregistered one, and of nobody."""
    return {
        "registered": Target(registered_name(chance, other_than=target.name)).engine_id,
        "unregistered": Target(unregistered_name(chance)).engine_id,
        "zero": 0,
    }


def r05_other_identity(chance: Random) -> Iterator[Case]:
    """R05: another engine's history is refused on an untrusted read."""
    target = model(chance)
    for slug, number in _strangers(chance, target).items():
        yield _after_a_good_one(chance, target, header(target, engine=number)).case(
            f"R05-fresh-{slug}", "The ranking of another model would fill the cache.", ("R07",)
        )


def r06_trusted_read(chance: Random) -> Iterator[Case]:
    """R06: the same history is read by a typed path."""
    target = model(chance)
    strangers = _strangers(chance, target)
    for slug in ("registered", "unregistered"):
        data = records(chance, target, 5)
        session = Session(target)
        session.given("typed.txt", History((*header(target, engine=strangers[slug]), *data)))
        session.load("typed.txt", data, trusted=True)
        session.counts()
        yield session.case(f"R06-fresh-{slug}", "The user typed the path, so the user vouches for it.")


def r07_refused_then_good(chance: Random) -> Iterator[Case]:
    """R07: a refused file changes no counter, and good files load before and after it."""
    target = model(chance)
    wrong = header(target, engine=Target(unregistered_name(chance)).engine_id)
    first, later = (history(target, *records(chance, target, 4, most=THIRD_OF_MAX)) for _ in range(2))
    session = Session(target)
    session.given(HISTORY, first)
    session.given(_FOUND, History((*wrong, *records(chance, target, 4))))
    session.given("later.txt", later)
    session.load(HISTORY, first)
    session.refused(_FOUND, clause="R05")
    session.load("later.txt", later)
    session.refused(_FOUND, clause="R05")
    session.counts()
    yield session.case("R07-fresh-between-good-files", "One refusal is the end of one file.", ("R05",))


def r16_own_identity(chance: Random) -> Iterator[Case]:
    """R16: an engine reads its own history, whatever its id."""
    names = {
        "high-id": unregistered_name(chance, high=True),
        **{f"boundary-{rank}": name for rank, name in enumerate(chance.sample(NAMES_AT_BOUNDARIES, 2), 1)},
    }
    for slug, name in names.items():
        target = model(chance, name)
        content = history(target, *records(chance, target, 5))
        session = Session(target)
        session.given(HISTORY, content)
        session.load(HISTORY, content)
        session.counts()
        yield session.case(f"R16-fresh-{slug}", f"The id of {name} is {target.engine_id}.")


def r17_malformed(chance: Random) -> Iterator[Case]:
    """R17: bytes put into a sound history never crash the engine or lead it outside its counters."""
    for slug, inserted in (
        ("bytes", chance.randbytes(chance.randint(1, 40))),
        ("words", " ".join(unregistered_name(chance) for _ in range(4)).encode()),
        ("digits", "".join(chance.choices(digits, k=chance.randint(4200, 9000))).encode()),
        ("half-record", b"\n%d %d\n" % (chance.randrange(4), chance.randrange(4))),
    ):
        target = model(chance)
        sound = history(target, *records(chance, target, 8)).text.encode()
        at = sound.index(b"\n", chance.randrange(len(sound) // 2)) + chance.randint(0, 1)
        session = Session(target)
        session.given(HISTORY, sound[:at] + inserted + sound[at:])
        session.say(f"load {HISTORY}", "any")
        session.say("counts", "any")
        yield session.case(f"R17-fresh-{slug}", "A file that something else has written to.", roles=["bounds"])


def r18_refusal_message(chance: Random) -> Iterator[Case]:
    """R18: a refusal names the path and both sides; only one for the identity offers PIN=<path>."""
    target = model(chance)
    path = f"{unregistered_name(chance, shortest=8)}.txt"
    writer = Target(registered_name(chance, other_than=target.name))
    layers, experts = target.n_layers + chance.randint(100, 999), target.n_experts + chance.randint(1000, 9999)
    for slug, wrong, clause, said in (
        ("identity", header(target, engine=writer.engine_id), "R05", (path, writer.name, target.name, "PIN=")),
        ("dimensions", header(target, layers, experts), "R03", (path, str(layers), str(experts))),
    ):
        session = Session(target)
        session.given(path, History((*wrong, *records(chance, target, 3))))
        session.refused(path, clause=clause)
        session.messages += [MessageExpectation("R18", any_of=(text,)) for text in said]
        if "PIN=" not in said:
            session.messages.append(MessageExpectation("R18", none_of=("PIN=",)))
        yield session.case(f"R18-fresh-{slug}", "The user should read what was refused, and why.")


def r19_override_notice(chance: Random) -> Iterator[Case]:
    """R19: a trusted read that sets aside an identity says so, once."""
    target = model(chance)
    writer = Target(registered_name(chance, other_than=target.name))
    data = records(chance, target, 4, most=THIRD_OF_MAX)
    session = Session(target)
    session.given("typed.txt", History((*header(target, engine=writer.engine_id), *data)))
    for _ in range(chance.randint(2, 3)):
        session.load("typed.txt", data, trusted=True, clause="R06")
    session.messages.append(MessageExpectation("R19", once=writer.name))
    yield session.case("R19-fresh-several-reads", "The user should know whose ranking is in use, told once.")


def r20_late_header(chance: Random) -> Iterator[Case]:
    """R20: a header that turns out wrong behind data records credits nothing either."""
    target = model(chance)
    other = header(target, n_experts=target.n_experts + 1, engine=chance.randint(1, COUNT_MAX))
    for slug, late in (("dimensions", other[0]), ("identity", other[1])):
        data = records(chance, target, 6)
        session = Session(target)
        session.given(_FOUND, legacy(*data).inserted(chance.randint(1, 6), late))
        session.refused(_FOUND)
        session.counts()
        yield session.case(f"R20-fresh-{slug}", "What came before it belongs to the same other history.")


TEMPLATES: tuple[Callable[[Random], Iterator[Case]], ...] = (
    r03_other_dimensions,
    r04_later_version,
    r05_other_identity,
    r06_trusted_read,
    r07_refused_then_good,
    r16_own_identity,
    r17_malformed,
    r18_refusal_message,
    r19_override_notice,
    r20_late_header,
)

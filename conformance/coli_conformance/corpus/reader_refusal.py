"""What a refusal leaves behind and what it tells the user (R07, R18-R20)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, MessageExpectation, Record
from coli_conformance.corpus.iku1_block import block, inside_block
from coli_conformance.corpus.meaning import History, header, history, inside, legacy
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

GLM = Target("glm_moe_dsa", 78, 256)
UNREGISTERED = 12345
_PATH = "found.txt"


def _wrong_headers(target: Target) -> dict[str, tuple[tuple[Record, Record], str, str]]:
    """Return each kind of wrong header, with the clause that refuses it and words for it."""
    return {
        "dimensions": (header(target, n_layers=target.n_layers - 1), "R03", "other dimensions"),
        "version": (header(target, version=coli_spec.load().format_version + 1), "R04", "a later version"),
        "identity": (header(target, engine=target.stranger.engine_id), "R05", "another identity"),
    }


def r07_refused_credits_nothing(target: Target) -> Iterator[Case]:
    """R07: a refused file changes no counter, and does not stand in the way of a good file loaded afterwards."""
    data = inside(target, (3, 2, 5), (4, 1, 8))
    good = history(target, *inside(target, (3, 2, 100), (0, 7, 400_000)))
    for kind, (wrong, clause, words) in _wrong_headers(target).items():
        for trusted in (False, True):
            if trusted and kind == "identity":
                continue
            session = Session(target)
            session.given(".coli_usage", good)
            session.given(_PATH, History((*wrong, *data)))
            session.refused(_PATH, trusted=trusted, clause=clause)
            session.counts()
            session.load(".coli_usage", good)
            session.refused(_PATH, trusted=trusted, clause=clause)
            session.counts()
            session.load(".coli_usage", good)
            session.counts()
            yield session.case(
                f"R07-{kind}" + "-trusted" * trusted,
                f"A file refused for {words} leaves the counters alone, and good files load after it.",
                clauses=(clause,),
            )
    unknown = History(((-3, 7, 12), *_wrong_headers(target)["identity"][0], (-4, 1, 1), *data))
    session = Session(target)
    session.given(_PATH, unknown)
    session.refused(_PATH, clause="R05")
    session.counts()
    yield session.case("R07-among-unknown-records", "Unknown records around it make no difference.", ("R05",))


_LINES_OF_ONE_NOTICE = 4
"""A notice may be this long; repeated at every one of five reads it would be longer."""


def _must_say(*alternatives: str) -> MessageExpectation:
    return MessageExpectation("R18", any_of=alternatives)


_NO_WAY_PAST = MessageExpectation("R18", none_of=("PIN=",))
_ON_UNKNOWN = ("unknown", "unregistered", str(UNREGISTERED))


def _refusal(reader: Target, content: bytes | History, clause: str, trusted: bool = False) -> Session:
    session = Session(reader)
    session.given(_PATH, content)
    session.refused(_PATH, trusted=trusted, clause=clause)
    session.messages.append(_must_say(_PATH))
    return session


def r18_identity_message(target: Target) -> Iterator[Case]:
    """R18: a refusal for the identity names the path and both sides, and points to PIN=<path>."""
    data = inside(target, (3, 2, 6))
    writers = {engine.name: Target(engine.name).engine_id for engine in coli_spec.load().engines if engine.history}
    for writer, number in writers.items():
        if writer != target.name:
            session = _refusal(target, History((*header(target, engine=number), *data)), "R05")
            session.messages += [_must_say(writer), _must_say(target.name), _must_say("PIN=")]
            yield session.case(f"R18-written-by-{writer}", "The user should read whose history it is.")
    session = _refusal(target, History((*header(target, engine=UNREGISTERED), *data)), "R05")
    session.messages += [_must_say(*_ON_UNKNOWN), _must_say(target.name), _must_say("PIN=")]
    yield session.case("R18-written-by-12345", "Where no name is known the message says so.")
    other = target.stranger
    session = _refusal(other, History((*header(other, engine=target.engine_id), *data)), "R05")
    session.messages += [_must_say(target.name), _must_say(other.name), _must_say("PIN=")]
    yield session.case(f"R18-{other.name}-reads-{target.name}", "The engine's own name is the one it was started with.")
    session = _refusal(target, block(target.n_layers, target.n_experts, inside(target, (0, 1, 2))), "I02")
    session.messages += [_must_say("inkling"), _must_say(target.name), _must_say("PIN=")]
    if target.name != "inkling":
        yield session.case("R18-iku1", "Only inkling ever wrote IKU1, so the refusal can name it.", clauses=("I02",))


def r18_geometry_message(target: Target) -> Iterator[Case]:
    """R18: a refusal for dimensions or version names both sides and offers no way past."""
    for trusted in (False, True):
        session = _refusal(GLM, History((*header(GLM, 61, 384), (3, 2, 6))), "R03", trusted)
        session.messages += [*(_must_say(number) for number in ("61", "384", "78", "256")), _NO_WAY_PAST]
        yield session.case(
            "R18-dimensions" + "-trusted" * trusted, "Both pairs of numbers are told, and PIN= would not help."
        )
        wrong = History((*header(target, version=70), *inside(target, (3, 2, 6))))
        session = _refusal(target, wrong, "R04", trusted)
        session.messages += [_must_say("70"), _must_say(str(coli_spec.load().format_version)), _NO_WAY_PAST]
        yield session.case("R18-version" + "-trusted" * trusted, "Both versions are told, and PIN= would not help.")
    inkling = Target("inkling", 66, 256)
    session = _refusal(inkling, block(16, 64, ((0, 1, 2),)), "I03")
    session.messages += [*(_must_say(number) for number in ("16", "64", "66", "256")), _NO_WAY_PAST]
    yield session.case("R18-iku1-dimensions", "A block of another shape is told by both shapes.", clauses=("I03",))


def r19_override_notice(target: Target) -> Iterator[Case]:
    """R19: a trusted read that sets aside an identity reports it, once per process however many reads there are."""
    data = inside(target, (3, 2, 6))
    foreign = History((*header(target, engine=target.stranger.engine_id), *data))
    for times in (1, 5, 9):
        session = Session(target)
        session.given("typed.txt", foreign)
        for _ in range(times):
            session.load("typed.txt", data, trusted=True, clause="R06")
        session.messages.append(MessageExpectation("R19", once=target.stranger.name, lines=_LINES_OF_ONE_NOTICE))
        yield session.case(f"R19-reads-{times}", "The user should know whose ranking is in use, told once.")
    session = Session(target)
    session.given("typed.txt", History((*header(target, engine=UNREGISTERED), *data)))
    session.load("typed.txt", data, trusted=True, clause="R06")
    session.messages.append(MessageExpectation("R19", any_of=_ON_UNKNOWN))
    yield session.case("R19-unregistered-id", "A writer without a known name is worth a notice as well.")
    if target.name != "inkling":
        session = Session(target)
        counts = inside_block(target, *data)
        session.given("typed.iku1", block(target.n_layers, target.n_experts, counts))
        for _ in range(5):
            session.load("typed.iku1", counts, trusted=True, clause="I04")
        session.messages.append(MessageExpectation("R19", once="inkling", lines=_LINES_OF_ONE_NOTICE))
        yield session.case("R19-iku1", "The block is inkling's, whoever reads it.", clauses=("I04",))


def r20_late_header(target: Target) -> Iterator[Case]:
    """R20: a file refused for a header record that follows data records changes no counter either."""
    before, after = inside(target, (3, 2, 9)), inside(target, (4, 1, 2))
    for kind, (wrong, _, words) in _wrong_headers(target).items():
        late = wrong[0] if kind == "dimensions" else wrong[1]
        contents: dict[str, tuple[History, str]] = {
            "then-data": (legacy(*before, late, *after), "between data records"),
            "last": (legacy(*before, late), "at the end"),
            "second-header": (
                history(target, *before, *wrong, *after),
                "in a second header, as in two histories written one behind the other",
            ),
        }
        for name, (content, where) in contents.items():
            yield _late(target, content).case(
                f"R20-{kind}-{name}",
                f"A wrong header ({words}) {where} condemns all records.",
            )
    (wrong_dimensions, _), _, _ = _wrong_headers(target)["dimensions"]
    yield _late(target, legacy(*before, wrong_dimensions), trusted=True).case(
        "R20-dimensions-trusted", "Trust does not bend dimensions, late ones neither."
    )
    many = inside(target, *((index, index // 3, 1 + index) for index in range(1000)))
    yield _late(target, legacy(*many, wrong_dimensions)).case(
        "R20-after-1000-records", "The wrong header stands far behind, past the first buffer."
    )
    session = Session(target)
    good = history(target, *inside(target, (3, 2, 100)))
    session.given(".coli_usage", good)
    session.given(_PATH, legacy(*before, wrong_dimensions))
    session.load(".coli_usage", good, clause="R01")
    session.refused(_PATH)
    session.counts()
    yield session.case("R20-after-good-file", "Taking back must not take what was there before.")


def _late(target: Target, content: History, trusted: bool = False) -> Session:
    session = Session(target)
    session.given(_PATH, content)
    session.refused(_PATH, trusted=trusted)
    session.counts()
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r07_refused_credits_nothing,
    r18_identity_message,
    r18_geometry_message,
    r19_override_notice,
    r20_late_header,
)

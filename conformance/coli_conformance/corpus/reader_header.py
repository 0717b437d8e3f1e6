"""What a reader owes the header: dimensions, format version and identity, and which of them trust sets aside (R03-R06,
R16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, header, history, inside, slug
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target

GLM = Target("glm_moe_dsa", 78, 256)
KIMI = Target("kimi_k3", 93, 896)
UNREGISTERED_IDS = (12345, 0, 1, 2147483647, 2147483648, 4294967295)
"""Ids that no registered name has: one in the middle, and those at the ends of the signed and unsigned ranges."""


def _data(target: Target) -> tuple[Record, ...]:
    return inside(target, (3, 2, 5), (4, 1, 8))


def _refused(target: Target, content: History, trusted: bool) -> Session:
    """Return a session in which `content` is refused, and leaves no counter behind (R07)."""
    session = Session(target)
    session.given(".coli_usage", content)
    session.refused(".coli_usage", trusted=trusted)
    session.counts(clause="R07")
    return session


def _both_reads(target: Target, case_id: str, header_records: tuple[Record, ...], why: str) -> Iterator[Case]:
    """Yield the untrusted and the trusted half of a refusal that trust does not bend."""
    content = History((*header_records, *_data(target)))
    yield _refused(target, content, trusted=False).case(case_id, why, clauses=("R07",))
    yield _refused(target, content, trusted=True).case(
        f"{case_id}-trusted", f"{why} A typed path changes nothing about that.", clauses=("R06", "R07")
    )


def r03_other_dimensions(target: Target) -> Iterator[Case]:
    """R03: a history that declares other dimensions is refused, be it for the layers or the experts, trusted or not."""
    for reader in (target, GLM):
        layers, experts = reader.n_layers, reader.n_experts
        declared = (
            (layers - 1, experts),
            (layers + 1, experts),
            (layers, experts - 1),
            (layers, experts + 1),
            (experts, layers),
            *(() if reader == GLM else ((99, 512), (2147483647, 4294967295), (0, 0))),
        )
        for pair in declared:
            if pair != (layers, experts):
                yield from _both_reads(
                    reader,
                    f"R03-{layers}x{experts}-declared-{pair[0]}x{pair[1]}",
                    header(reader, *pair),
                    f"Records of {pair[0]} x {pair[1]} credit the wrong experts of {layers} x {experts}.",
                )


def r03_dimensions_elsewhere(target: Target) -> Iterator[Case]:
    """R03: they are refused wherever in the header the dimensions record stands."""
    wrong, identity = header(target, n_experts=target.n_experts + 1)
    places: dict[str, tuple[tuple[Record, ...], str]] = {
        "alone": ((wrong,), "Wrong dimensions are refused without an identity record, too."),
        "after-identity": ((identity, wrong), "Wrong dimensions are refused after the identity as well."),
        "after-unknown-record": (((-3, 7, 12), wrong, identity), "Skipping a record must not skip the next check."),
        "negative": (((-1, -target.n_layers, target.n_experts), identity), "No model has a negative number of layers."),
    }
    for name, (records, why) in places.items():
        session = _refused(target, History((*records, *_data(target))), trusted=False)
        yield session.case(f"R03-{name}", why, clauses=("R07",))


def r04_later_version(target: Target) -> Iterator[Case]:
    """R04: a format version above 1 is refused, trusted or not."""
    newest = coli_spec.load().format_version
    largest = coli_spec.load().fields[1].maximum
    for reader, versions in ((target, (newest + 1, newest + 2, largest)), (GLM, (newest + 1,))):
        for version in versions:
            yield from _both_reads(
                reader,
                f"R04-{reader.n_layers}x{reader.n_experts}-version-{version}",
                header(reader, version=version),
                "Nobody knows what the bytes of a later version mean.",
            )
    foreign = header(target, version=newest + 1, engine=target.stranger.engine_id)
    yield _refused(target, History((*foreign, *_data(target))), trusted=True).case(
        "R04-other-engine-trusted", "Trust sets the identity aside, and the version beside it still counts.", ("R06",)
    )
    _, later = header(target, version=newest + 1)
    yield _refused(target, History((later, *_data(target))), trusted=False).case(
        "R04-identity-alone", "A later version may well have no dimensions record."
    )


def _foreign_ids(reader: Target) -> Iterator[tuple[str, int]]:
    """Yield every id that is not the reader's own, with words for an id of a case."""
    for engine in coli_spec.load().engines:
        if engine.name != reader.name:
            yield engine.name, Target(engine.name).engine_id
    for number in UNREGISTERED_IDS if reader.name != KIMI.name else UNREGISTERED_IDS[:1]:
        if number != reader.engine_id:
            yield slug(number), number


def _readers(target: Target) -> tuple[Target, ...]:
    return (target, KIMI) if target.name != KIMI.name else (target,)


def r05_other_identity(target: Target) -> Iterator[Case]:
    """R05: on an untrusted read, a history with the id of another engine is refused."""
    for reader in _readers(target):
        for writer, number in _foreign_ids(reader):
            content = History((*header(reader, engine=number), *_data(reader)))
            yield _refused(reader, content, trusted=False).case(
                f"R05-{reader.name}-reads-{writer}", "The ranking of another model fills the cache.", clauses=("R07",)
            )
    session = Session(target)
    session.given("typed.txt", History((*header(target, engine=target.stranger.engine_id), *_data(target))))
    session.load("typed.txt", _data(target), trusted=True, clause="R06")
    session.refused("typed.txt")
    session.counts(clause="R07")
    yield session.case("R05-after-trust", "One trusted read vouches for itself, not for later reads.", ("R06", "R07"))
    _, foreign = header(target, engine=target.stranger.engine_id)
    yield _refused(target, History((foreign, *_data(target))), trusted=False).case(
        "R05-identity-alone", "The identity counts without a dimensions record, too.", clauses=("R07",)
    )


def r06_trusted_read(target: Target) -> Iterator[Case]:
    """R06: on a trusted read the history of another engine is accepted."""
    for reader in _readers(target):
        for writer, number in _foreign_ids(reader):
            session = Session(reader)
            session.given("typed.txt", History((*header(reader, engine=number), *_data(reader))))
            session.load("typed.txt", _data(reader), trusted=True)
            session.counts()
            yield session.case(
                f"R06-{reader.name}-reads-{writer}",
                "The refusal tells the user to type the path, so typing it must help.",
            )
    session = Session(target)
    session.given("typed.txt", history(target, *_data(target)))
    session.load("typed.txt", _data(target), trusted=True)
    session.counts()
    yield session.case("R06-own-history", "A typed path can lead to the engine's own history.")
    writer, number = next(_foreign_ids(target))
    layers, later = target.n_layers + 1, coli_spec.load().format_version + 1
    for name, clause, records in (
        (f"layers-{layers}", "R03", header(target, n_layers=layers, engine=number)),
        (f"version-{later}", "R04", header(target, version=later, engine=number)),
    ):
        yield _refused(target, History((*records, *_data(target))), trusted=True).case(
            f"R06-{writer}-{name}", "Trust sets the identity aside and nothing else.", clauses=(clause, "R07")
        )


def r16_own_identity(target: Target) -> Iterator[Case]:
    """R16: an engine reads its own history whatever its id, at the ends of the signed and unsigned ranges too."""
    for name in NAMES_AT_BOUNDARIES:
        own = Target(name, target.n_layers, target.n_experts)
        yield _own(own).case(
            f"R16-{name}", f"The id of {name} is {own.engine_id}; read as signed it may differ from itself."
        )
    for engine in coli_spec.load().engines:
        for size in engine.dimensions:
            own = Target(engine.name, size.n_layers, size.n_experts)
            yield _own(own).case(f"R16-{engine.name}-{size.text}", f"{engine.name} reads its own history.")
        if not engine.dimensions:
            own = Target(engine.name, target.n_layers, target.n_experts)
            yield _own(own).case(f"R16-{engine.name}", f"{engine.name} reads its own history.")


def _own(own: Target) -> Session:
    session = Session(own)
    session.given(".coli_usage", history(own, *_data(own)))
    session.load(".coli_usage", _data(own))
    session.counts()
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r03_other_dimensions,
    r03_dimensions_elsewhere,
    r04_later_version,
    r05_other_identity,
    r06_trusted_read,
    r16_own_identity,
)

"""Numbers that are the engine's own in 24 or 31 bits, by their sign or after the dropped rows are taken off (R03-R05,
R10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, header, inside, legacy
from coli_conformance.corpus.reader_loaded import FOUND, loaded, refused
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

GLM = Target("glm_moe_dsa", 78, 256)
_MANY = 9


def r03_dimensions_close(target: Target) -> Iterator[Case]:
    """R03: dimensions that equal the engine's own in 24 or 31 bits are others."""
    layers, experts = target.n_layers, target.n_experts
    for pair in ((layers + (1 << 24), experts), (layers, experts + (1 << 24)), (layers, experts + (1 << 31))):
        yield refused(target, History((*header(target, *pair), *inside(target, (3, 2, 5))))).case(
            f"R03-{layers}x{experts}-declared-{pair[0]}x{pair[1]}-cut",
            f"{pair[0]} x {pair[1]} is {layers} x {experts} where the uppermost bits are cut.",
            clauses=("R07",),
        )


def r03_dropped_rows(target: Target) -> Iterator[Case]:
    """R03: the layers declared are those the engine was started with, and not those of them that route."""
    del target
    for dropped in ((0,), (0, 1, 2)):
        layers = GLM.n_layers - len(dropped)
        session = Session(GLM)
        session.drop(*dropped)
        session.given(FOUND, History((*header(GLM, n_layers=layers), (3, 2, 5))))
        session.refused(FOUND)
        session.counts(clause="R07")
        yield session.case(
            f"R03-78x256-{len(dropped)}-dropped-declared-{layers}x256",
            f"A model of {layers} layers is another one, though as many layers route here.",
            clauses=("R07",),
            roles=("bounds",),
        )


def r04_version_close(target: Target) -> Iterator[Case]:
    """R04: a version that equals the supported one in 24 bits is a later one."""
    version = (1 << 24) + coli_spec.load().format_version
    yield refused(target, History((*header(target, version=version), *inside(target, (3, 2, 5))))).case(
        f"R04-version-{version}", "The second field holds 31 bits, and the version all of them.", ("R07",)
    )


def r05_id_negated(target: Target) -> Iterator[Case]:
    """R05: the id that is the engine's own with its sign turned, in 32 bits, is another engine's."""
    negated = -target.engine_id % (1 << 32)
    if negated != target.engine_id:
        yield refused(target, History((*header(target, engine=negated), *inside(target, (3, 2, 5))))).case(
            "R05-own-id-negated", "Compared without their signs, the two ids are one.", clauses=("R07",)
        )


def behind_many_unknown_records(target: Target) -> Iterator[Case]:
    """R03, R04, R05: a wrong header behind many unknown records is refused; R02: those alone are no reason to."""
    number = coli_spec.load().free_number()
    unknown: tuple[Record, ...] = tuple((number, 1 + index, 12) for index in range(_MANY))
    dimensions, identity = header(target)
    other, _ = header(target, n_layers=target.n_layers + 1)
    _, later = header(target, version=coli_spec.load().format_version + 1)
    _, foreign = header(target, engine=target.stranger.engine_id)
    for clause, records in (
        ("R03", (*unknown, other, identity)),
        ("R04", (*unknown, dimensions, later)),
        ("R05", (*unknown, dimensions, foreign)),
    ):
        yield refused(target, History((*records, *inside(target, (3, 2, 5))))).case(
            f"{clause}-after-{_MANY}-unknown-records",
            "The header does not end with the lines in which writers of today put it.",
            clauses=("R07", "R02"),
        )
    yield loaded(target, History(unknown[:1])).case(
        "R02-alone", "A file of an unknown record alone is passed over to its end, and has no counts."
    )


def r10_places_close(target: Target) -> Iterator[Case]:
    """R10: layers and experts that are inside in 24 bits, or once multiplied in 32, are outside."""
    del target
    inner = (4, 1, 8)
    for reader, place, where in (
        (GLM, (3 + (1 << 24), 2), "layer 3 in 24 bits, and times 256 in 32 bits"),
        (GLM, (3, 2 + (1 << 24)), "expert 2 in 24 bits"),
        (Target(GLM.name, 5, 8), (3 + (1 << 29), 2), "layer 3 once it is multiplied by 8 in 32 bits"),
    ):
        layer, expert = place
        yield loaded(reader, legacy((layer, expert, 5), inner)).case(
            f"R10-{reader.n_layers}x{reader.n_experts}-cut-{layer}-{expert}",
            f"Layer {layer}, expert {expert} is {where}, and outside of the model.",
            clauses=("R09",),
        )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r03_dimensions_close,
    r03_dropped_rows,
    r04_version_close,
    r05_id_negated,
    behind_many_unknown_records,
    r10_places_close,
)

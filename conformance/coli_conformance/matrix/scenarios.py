"""The scenarios of the matrix: sessions a writer plays, and the records its history must then mean to every reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import header, history, inside, legacy, skewed_counts
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target
from coli_reference.identity import engine_id

HISTORY = ".coli_usage"
"""The file a writer saves to and a reader loads."""

_OLDER = "stats.txt"
_SIGNED_MAX = coli_spec.load().fields[1].maximum
_ID_MAX = coli_spec.load().fields[2].maximum
_USED_OF_A_HUNDRED = 98


@dataclass(frozen=True)
class Scenario:
    """One situation in which a history is written.

    `writing` is the writer's session, which ends with a save to HISTORY. `meant` are the records that the file must
    give to a reader with `target`'s identity and dimensions, ascending. `unknown` is a header record that readers must
    meet in the file, also where the writer dropped it (W25).
    """

    name: str
    why: str
    target: Target
    writing: Case
    meant: tuple[Record, ...]
    unknown: Record | None = None


def scenarios(target: Target) -> tuple[Scenario, ...]:
    """Return every scenario, made for an engine of that identity and those dimensions.

    Those about ids and real dimensions bring their own; an engine built for one identity answers them `unsupported`.
    """
    return (
        *_rows(target),
        *_boundary_counts(target),
        *_boundary_ids(target),
        *_real_dimensions(target),
        *_loaded_before(target),
        _closed("empty", "Nothing was counted, so the history is a file of no bytes (W08, R13).", Session(target)),
    )


def _closed(name: str, why: str, session: Session, unknown: Record | None = None) -> Scenario:
    meant = session.nonzero()
    session.save(HISTORY)
    return Scenario(name, why, session.target, session.case(f"W22-matrix-{name}", why), meant, unknown)


def _rows(target: Target) -> Iterator[Scenario]:
    last_expert = target.n_experts - 1
    session = Session(target)
    session.add(*inside(target, (0, 0, 1), (1, last_expert, 2), (3, 2, 5), (4, 1, 8)))
    yield _closed("small", "A few records, the first counter and a last expert among them (R01, W22).", session)

    session = Session(target)
    session.add(*inside(target, (3, 2, 5), (target.n_layers, 0, 3), (target.n_layers, last_expert, 7)))
    yield _closed("mtp-row", "Row n_layers, that of the MTP head, holds counts like any other (W10, R10).", session)

    session = Session(target)
    session.drop(0)
    session.add(*inside(target, (1, 0, 4), (3, 2, 5)))
    why = "Layer 0 does not route. The reader is not told so: no record may name it (W09)."
    yield _closed("dropped-rows", why, session)


def _boundary_counts(target: Target) -> Iterator[Scenario]:
    """Yield the counts at which signed, saturating and floating-point counters go wrong."""
    count = coli_spec.load().data.fields[2].type
    session = Session(target)
    places = range((target.n_layers + 1) * target.n_experts)
    for place, value in zip(places, (value for value in count.boundaries() if value > 0), strict=False):
        layer, expert = divmod(place, target.n_experts)
        session.add((layer, expert, value))
    yield _closed("boundary-counts", "Counts up to 4294967295 are exact (W11, R15).", session)


def _boundary_ids(target: Target) -> Iterator[Scenario]:
    """Yield an engine for each id at an end of what signed and unsigned 32 bits hold (W07, R16)."""
    for number in (0, _SIGNED_MAX, _SIGNED_MAX + 1, _ID_MAX):
        name = next(name for name in NAMES_AT_BOUNDARIES if engine_id(name) == number)
        session = Session(Target(name, target.n_layers, target.n_experts))
        session.add(*inside(target, (3, 2, 5), (4, 1, 8)))
        yield _closed(f"id-{number}", f"The engine {name}, whose id is {number}, reads its own history (R16).", session)


def _real_dimensions(target: Target) -> Iterator[Scenario]:
    """Yield weeks of use of a real model: the target's own where it is registered with dimensions, else the first."""
    sized = [engine for engine in coli_spec.load().engines if engine.dimensions]
    engine = next((engine for engine in sized if engine.name == target.name), sized[0])
    size = engine.dimensions[0]
    real = Target(engine.name, size.n_layers, size.n_experts)
    session = Session(real)
    used = max(1, size.n_experts * _USED_OF_A_HUNDRED // 100)
    session.add(*skewed_counts(range(1, size.n_layers + 1), size.n_experts, used))
    why = f"Weeks of use of {engine.models}, {size.text}: {len(session.nonzero())} records (R01, W22)."
    yield _closed("real-dimensions", why, session)


def _loaded_before(target: Target) -> Iterator[Scenario]:
    """Yield histories that are saved after an older one was loaded."""
    old = inside(target, (0, 1, 9), (3, 2, 5), (4, 1, 8))
    session = Session(target)
    session.given(_OLDER, legacy(*old))
    session.drop(0)
    session.load(_OLDER, old)
    session.add(*inside(target, (3, 2, 1), (1, 3, 2)))
    why = "A history without a header, one record of it for a dropped row, is loaded, added to and saved (W13, R14)."
    yield _closed("accumulated", why, session)

    unknown = (min(coli_spec.load().agreed_numbers()) - 1, 7, 12)
    data = inside(target, (3, 2, 5), (4, 1, 8))
    session = Session(target)
    session.given(_OLDER, history(target, *data).inserted(len(header(target)), unknown))
    session.load(_OLDER, history(target, *data).inserted(len(header(target)), unknown))
    session.add(*inside(target, (3, 2, 1)))
    why = "A header record of a later day stands in the file. Where the writer dropped it (W25) it is put back (R02)."
    yield _closed("unknown-record", why, session, unknown)

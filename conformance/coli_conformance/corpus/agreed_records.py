"""What writers and readers owe each header record agreed after -1 and -2, generated from its declaration (W14, R02).

Nothing here knows a record type by name. With the registry of format version 1 as it was, there is no case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import history, inside, slug
from coli_conformance.corpus.reader_unknown_records import positions, skipped
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY
from coli_spec.field_range import names_at
from coli_spec.model import Dimensions, Field, RecordType


def w14_agreed_records_written(target: Target) -> Iterator[Case]:
    """W14, W08, W13: each agreed record is written when it is asked for, with the values it is asked for."""
    for record in coli_spec.load().agreed_later():
        yield from writing_cases(record, target)


def r02_agreed_records_passed_over(target: Target) -> Iterator[Case]:
    """R02: each agreed record leaves the data records as they are, for whoever uses it and whoever does not."""
    for record in coli_spec.load().agreed_later():
        yield from reading_cases(record, target)


def writing_cases(record: RecordType, target: Target) -> Iterator[Case]:
    """Yield the cases in which an engine is told to write records of this type."""
    counts = inside(target, (3, 2, 5), (4, 1, 8))
    boundary = boundary_records(record, target)
    if not boundary:
        return
    for one in boundary:
        yield _since(
            record,
            _written(target, counts, one).case(
                f"W14-{record.name}-{slug(*one[1:])}",
                why=f"The agreed record {record.name} at a boundary of its fields is written as it was asked for.",
            ),
        )
    several = _several(record, target)
    if len(several) > 1:
        yield _since(
            record,
            _written(target, counts, *several).case(
                f"W14-{record.name}-x{len(several)}",
                why=f"A history may hold several {record.name} records; each that was asked for stands there once.",
            ),
        )
    for model in _models():
        yield _since(
            record,
            _written(model, _corners(model), boundary_records(record, model)[-1]).case(
                f"W14-{record.name}-{model.n_layers}x{model.n_experts}",
                why=f"The largest {record.name} record of a model of {model.n_layers} x {model.n_experts}.",
            ),
        )
    yield _since(
        record,
        _written(target, (), boundary[0]).case(
            f"W08-{record.name}-no-counts",
            clauses=["W14"],
            why="A history without a count stays a file of zero bytes, whatever records were asked for.",
        ),
    )


def reading_cases(record: RecordType, target: Target) -> Iterator[Case]:
    """Yield the cases in which an engine reads a history that holds records of this type.

    The records with the smallest and the largest values stand at every place, those between at one place each.
    """
    boundary = boundary_records(record, target)
    if not boundary:
        return
    places = positions(target)
    for index, one in enumerate(boundary):
        everywhere = index in {0, len(boundary) - 1}
        for number, (place, (content, at, words)) in enumerate(places.items()):
            if everywhere or number == index % len(places):
                yield _since(
                    record,
                    skipped(target, content, at, one).case(
                        f"R02-{place}-{record.name}-{slug(*one[1:])}",
                        f"The agreed record {record.name} may stand {words}; the data records read the same.",
                    ),
                )
    several = _several(record, target)
    if len(several) > 1:
        for place in ("first", "after-identity", "among-data", "legacy-first"):
            content, at, words = places[place]
            yield _since(
                record,
                skipped(target, content, at, *several).case(
                    f"R02-{place}-{record.name}-x{len(several)}",
                    f"Several {record.name} records may stand {words}; the data records read the same.",
                ),
            )
    for model in _models():
        content = history(model, *_corners(model))
        yield _since(
            record,
            skipped(model, content, 2, boundary_records(record, model)[-1]).case(
                f"R02-{record.name}-{model.n_layers}x{model.n_experts}",
                f"The largest {record.name} record of a model of {model.n_layers} x {model.n_experts} is passed over.",
            ),
        )
    yield _since(record, _loaded_and_saved(target, boundary[-1], record.name))


def boundary_records(record: RecordType, target: Target) -> tuple[Record, ...]:
    """Return records of this type for a model of the target's dimensions, at the boundaries of both fields.

    The first has the smallest value in each field, the last the largest. There is none where the range of a field is
    empty at these dimensions: such a model has no such record.
    """
    size = Dimensions(target.n_layers, target.n_experts)
    seconds, thirds = (_boundaries(field, size) for field in record.fields[1:])
    steps = max(len(seconds), len(thirds)) if seconds and thirds else 0
    return tuple(
        (_number(record), _spread(seconds, step, steps), _spread(thirds, step, steps)) for step in range(steps)
    )


def _boundaries(field: Field, size: Dimensions) -> tuple[int, ...]:
    """Return the values at both ends of a field's range, and those of its type's boundaries that lie between."""
    minimum, maximum = field.range_at(size)
    ends = (minimum, minimum + 1, maximum - 1, maximum)
    return tuple(sorted({value for value in (*ends, *field.type.boundaries()) if minimum <= value <= maximum}))


def _spread(values: tuple[int, ...], step: int, steps: int) -> int:
    """Return one of `values` so that steps 0..steps-1 walk through all of them, from the first to the last."""
    return values[step * (len(values) - 1) // max(steps - 1, 1)]


def _several(record: RecordType, target: Target) -> tuple[Record, ...]:
    """Return as many distinct boundary records as one history may hold, one where that is the most."""
    size = Dimensions(target.n_layers, target.n_experts)
    most = 1 if record.most is None else record.most.value(names_at(size))
    return boundary_records(record, target)[: max(most, 1)]


def _models() -> tuple[Target, ...]:
    """Return every registered engine with each of the dimensions known of it, no dimensions twice."""
    models: dict[Dimensions, Target] = {}
    for engine in coli_spec.load().engines:
        for size in engine.dimensions:
            models.setdefault(size, Target(engine.name, size.n_layers, size.n_experts))
    return tuple(models.values())


def _corners(target: Target) -> tuple[Record, Record]:
    """Return a count for the first counter and one for the last."""
    return (0, 0, 3), (target.n_layers, target.n_experts - 1, 4)


def _written(target: Target, counts: tuple[Record, ...], *records: Record) -> Session:
    session = Session(target)
    session.add(*counts)
    session.record(*records)
    session.save(HISTORY)
    return session


def _loaded_and_saved(target: Target, one: Record, name: str) -> Case:
    content = history(target, *inside(target, (3, 2, 5))).inserted(2, one)
    session = Session(target)
    session.given(HISTORY, content)
    session.load(HISTORY, content)
    session.save(HISTORY)
    return session.case(
        f"W13-{name}-loaded", why="The record may be lost by the next save or kept by it; the counts are not touched."
    )


def _since(record: RecordType, case: Case) -> Case:
    return case if record.since is None else replace(case, since=record.since)


def _number(record: RecordType) -> int:
    assert record.number is not None, "an agreed record is a header record, and those have numbers"
    return record.number


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    w14_agreed_records_written,
    r02_agreed_records_passed_over,
)

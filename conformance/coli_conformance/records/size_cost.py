"""What a record type costs: the bytes it adds, at the dimensions of every registered engine."""

from __future__ import annotations

from dataclasses import dataclass

from coli_conformance.corpus.meaning import render, skewed_counts
from coli_conformance.records.ranges import KnownSize, known_sizes
from coli_spec.field_range import names_at
from coli_spec.model import Dimensions, RecordType, Spec


@dataclass(frozen=True, slots=True)
class SizeCost:
    """The most records of the type in one history, the bytes of the longest, and the bytes of a whole history.

    `history_bytes` is that of a history in which every expert of every row was chosen, shaped like weeks of use.
    """

    size: KnownSize
    records: int
    record_bytes: int
    history_bytes: int

    @property
    def bytes(self) -> int:
        """The most bytes that the records add."""
        return self.records * self.record_bytes


def size_costs(record: RecordType, spec: Spec) -> tuple[SizeCost, ...]:
    """Return the cost at the dimensions of every registered engine; the record type must say how many there may be."""
    assert record.most is not None, "a proposal that keeps the rules says how many records one history may hold"
    return tuple(
        SizeCost(
            size,
            record.most.value(names_at(size.dimensions)),
            _longest(record, size.dimensions),
            len(render(skewed_counts(range(size.dimensions.n_layers + 1), size.dimensions.n_experts, 1 << 32))),
        )
        for size in known_sizes(spec)
    )


def _longest(record: RecordType, dimensions: Dimensions) -> int:
    """Return the bytes of the longest line that a record of this type takes."""
    widths = [max(len(str(end)) for end in field.range_at(dimensions)) for field in record.fields[1:]]
    return len(str(record.number)) + sum(widths) + len("  \n")

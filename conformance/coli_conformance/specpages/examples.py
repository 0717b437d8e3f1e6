"""The small files that the specification shows, and what readers make of them: computed, never typed."""

from __future__ import annotations

from dataclasses import dataclass

import coli_spec
from coli_conformance.case import ExpectedTrace, Record, WrittenHistory
from coli_reference import old_reader, pairs, trace
from coli_reference.identity import engine_id

ENGINE = "glm_moe_dsa"
"""The engine that the shown history belongs to."""

FOUR_FIELDS: tuple[tuple[int, ...], ...] = ((6, 0, 14), (-3, 2, 9, 30), (6, 1, 2))
"""A history whose second record has a field too many (W02)."""

_DECISIONS = (
    *("0 0 3 5:0.75 2:0.5", "0 1 3 2:0.625 0:0.25"),
    *("1 0 4 1:1 7:0.25", "1 1 4 7:0.5 1:0.375"),
    *("2 0 3 2:0.5 4:0.5", "3 0 4 7:0.875 3:0.125"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One record that an old reader parses, and whether it stands in the file."""

    record: Record
    invented: bool


def history(spec: coli_spec.Spec) -> WrittenHistory:
    """Return the history that is shown: a header and three counters, the last one in the row of the MTP head."""
    engine = spec.engine(ENGINE)
    assert engine is not None, f"the specification shows a history of {ENGINE}, which engines.yaml does not declare"
    size = engine.dimensions[0]
    records = ((3, 17, 204), (3, 201, 5), (size.n_layers, 9, 31))
    return WrittenHistory(size.n_layers, size.n_experts, engine_id(engine.name), records)


def four_fields() -> str:
    """Return the text of the history with a field too many."""
    return "".join(" ".join(map(str, fields)) + "\n" for fields in FOUR_FIELDS)


def four_fields_seen() -> tuple[Seen, ...]:
    """Return what the old reader's loop parses from it, in order."""
    seen = old_reader.records(four_fields().encode())
    begun = {fields[:3] for fields in FOUR_FIELDS}
    return tuple(Seen(record, record not in begun) for record in seen)


def trace_text() -> str:
    """Return the trace that is shown: two forwards through two layers, of two rows and of one."""
    return ExpectedTrace(_DECISIONS).canonical_bytes.decode()


def last_decision() -> trace.TraceRow:
    """Return the last line of the trace that is shown."""
    lines = trace_text().encode().splitlines(keepends=True)
    return trace.parse_line(lines[-1], len(lines))


def pairs_text() -> str:
    """Return the table of pairs of that trace."""
    lines = trace_text().encode().splitlines(keepends=True)
    return pairs.render(pairs.coactivations(trace.read(lines))).decode()

"""The evidence as a page of Markdown that stands beside the proposal and can be pasted into a discussion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coli_conformance.escape import shown_text
from coli_conformance.records.evidence import EngineEvidence, Evidence
from coli_conformance.records.proposal import Proposal
from coli_conformance.records.ranges import known_sizes
from coli_conformance.records.size_cost import size_costs
from coli_conformance.records.stamp import Stamp, Verdict, suite_digest
from coli_spec.model import Field, RecordType, Spec

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|&#~])")
_VERDICTS: dict[Verdict, str] = {
    "holds": "Every rule is kept, and everything asked of readers and engines holds.",
    "incomplete": "Every rule is kept and nothing failed, but one of the two reference engines could not be asked.",
    "fails": "Every rule is kept, and what readers or engines did with the record does not hold:",
}


def verdict_of(evidence: Evidence) -> Verdict:
    """Return what the evidence came to."""
    if evidence.failures:
        return "fails"
    return "holds" if evidence.complete else "incomplete"


def text(proposal: Proposal, record: RecordType, evidence: Evidence, spec: Spec) -> str:
    """Return the whole page, ending in its stamp and a newline."""
    stamp = Stamp(proposal.digest, suite_digest(), verdict_of(evidence))
    lines = (
        f"# Evidence for the record type {record.number} {_escaped(record.name)}",
        "",
        _VERDICTS[stamp.verdict],
        *(["", *(f"- {_escaped(failure)}" for failure in evidence.failures)] if evidence.failures else []),
        "",
        *_record(record),
        *_ranges(record, spec),
        *_old_readers(evidence),
        *_engines(evidence.engines),
        *_older_saves(evidence),
        *_cost(record, spec),
        stamp.text,
    )
    return "\n".join(lines) + "\n"


def _record(record: RecordType) -> Iterator[str]:
    yield "## What is proposed"
    yield ""
    for label, value in (
        ("For", record.purpose),
        ("Where", record.placement),
        ("How many", record.multiplicity),
        ("A reader that skips it", record.loss),
        ("After an older build's save", record.erased or ""),
        ("Written by", " ".join(record.writers)),
        ("Read by", " ".join(record.readers)),
    ):
        yield f"- **{label}:** {_escaped(value)}"
    yield ""
    yield from _table(
        ("field", "name", "type", "from", "to", "meaning"),
        [
            (str(field.position), f"`{field.name}`", field.type.name, *_ends(field), _escaped(field.meaning))
            for field in record.fields[1:]
        ],
    )
    for field in record.fields[1:]:
        packing = field.declared.packing if field.declared is not None else None
        if packing is not None:
            parts = (f"`{part.name}` from `{part.minimum.text}` to `{part.maximum.text}`" for part in packing.parts)
            yield f"`{field.name}` is `{packing.formula.text}`, with {', '.join(parts)}."
            yield ""


def _ends(field: Field) -> tuple[str, str]:
    """Return both ends of the range as code: a formula has no character that would end it."""
    if field.declared is None:
        return f"`{field.type.minimum}`", f"`{field.type.maximum}`"
    return f"`{field.declared.minimum.text}`", f"`{field.declared.maximum.text}`"


def _ranges(record: RecordType, spec: Spec) -> Iterator[str]:
    second, third = record.fields[1:]
    yield "## Ranges at the dimensions of every registered engine (G03)"
    yield ""
    rows = []
    for size in known_sizes(spec):
        ends = [field.range_at(size.dimensions) for field in (second, third)]
        rows.append((_escaped(size.engine), size.dimensions.text, *(f"{low}..{high}" for low, high in ends)))
    rows.append(("the type holds", "", *(f"{type_.minimum}..{type_.maximum}" for type_ in spec.fields[1:])))
    yield from _table(("engine", "layers x experts", f"`{second.name}`", f"`{third.name}`"), rows)


def _old_readers(evidence: Evidence) -> Iterator[str]:
    yield "## Old readers"
    yield ""
    yield "Each read the sample files: the record at the boundaries of its fields and at every place in a history."
    yield ""
    yield from _table(
        ("reader", "files", "read otherwise than meant"),
        [(_escaped(reader.name), str(reader.files), str(reader.differing)) for reader in evidence.old_readers],
    )
    for sentence in evidence.absent_loops:
        yield f"- Not asked: {_escaped(sentence)}."
    if evidence.absent_loops:
        yield ""


def _engines(engines: Sequence[EngineEvidence]) -> Iterator[str]:
    yield "## Engines that do not know the record"
    yield ""
    yield from _table(
        ("engine", "cases passed", "not passed", "not asked"),
        [
            (
                _escaped(engine.name),
                str(engine.passed),
                str(len(engine.failures)),
                str(engine.unsupported) if engine.absent is None else _escaped(engine.absent),
            )
            for engine in engines
        ],
    )


def _older_saves(evidence: Evidence) -> Iterator[str]:
    yield "## What an older build's save leaves (G06)"
    yield ""
    yield "A history with the record, then what is gone from it after a load and a save by an older build:"
    yield ""
    yield from ("```", *evidence.history.rstrip("\n").split("\n"), "```", "")
    for saved in evidence.saved:
        gone = "; ".join(f"`{' '.join(map(str, record))}` (line {line})" for line, record in saved.erased)
        yield f"- {_escaped(saved.builds)}: {gone}"
    yield ""


def _cost(record: RecordType, spec: Spec) -> Iterator[str]:
    yield "## What it costs"
    yield ""
    yield "At most, beside a history in which every expert was chosen:"
    yield ""
    yield from _table(
        ("engine", "layers x experts", "records", "bytes each", "bytes", "history without it"),
        [
            (
                _escaped(cost.size.engine),
                cost.size.dimensions.text,
                f"{cost.records:,}",
                str(cost.record_bytes),
                f"{cost.bytes:,}",
                f"{cost.history_bytes:,}",
            )
            for cost in size_costs(record, spec)
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table; its cells are Markdown."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def _escaped(value: str) -> str:
    """Return text from a proposal so that no character of it means anything in Markdown."""
    return _MARKDOWN.sub(r"\\\1", shown_text(value))

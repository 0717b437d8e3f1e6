"""What a history is to the engine that reads it: to be read, to be refused, either, or malformed."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.iku1_block import INKLING, MAGIC, front
from coli_conformance.corpus.meaning import History, header
from coli_conformance.corpus.target import Target
from coli_conformance.fuzzing import lines

_VERSION = coli_spec.load().format_version
_INT_MAX = coli_spec.load().fields[0].maximum
_DIMENSIONS, _IDENTITY = (record[0] for record in header(Target()))
_WORD = struct.Struct("<I")


class Kind(Enum):
    """What the contract says of a load."""

    READ = "read"
    REFUSED = "refused"
    EITHER = "read or refused"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class Reading:
    """One load, as the contract has it.

    `records` are those that are read, header records included, in file order; where the text is malformed, those before
    the first malformed line. `clause` is the one that a wrong answer breaks, `credit_clause` the one that wrong
    counters break afterwards; `roles` are needed to be held to it.
    """

    kind: Kind
    records: tuple[Record, ...]
    clause: str
    credit_clause: str
    roles: tuple[str, ...] = ("load",)

    def records_as_history(self) -> History:
        """Return the records as a history, for whoever keeps books of what it means."""
        return History(self.records)


@dataclass(frozen=True, slots=True)
class Reader:
    """The engine at the moment of the load. `loaded`: it has read a history before; `refused`: it has refused one."""

    target: Target
    dropped: frozenset[int]
    trusted: bool
    loaded: bool = False
    refused: bool = False

    def admits(self, layer: int, expert: int) -> bool:
        """Tell whether there is a counter for this layer and expert (R10, R11)."""
        inside = 0 <= layer <= self.target.n_layers and 0 <= expert < self.target.n_experts
        return inside and layer not in self.dropped


def reading(data: bytes, reader: Reader) -> Reading:
    """Return what `reader` has to make of a file with these bytes, text or IKU1."""
    if data.startswith(MAGIC):
        return _of_iku1(data, reader)
    text = lines.read(data)
    headers = [record for record in text.records if record[0] in (_DIMENSIONS, _IDENTITY)]
    refusal = _refusal(headers, reader)
    if refusal is not None:
        clause, wrong = refusal
        # R03-R05 speak of the header where a writer puts it; a reader that reads past a late one fails R20 and no must.
        late = text.records.index(wrong) > _first_data(text.records)
        clause, credit_clause = ("R20", "R20") if late else (clause, "R07")
        return Reading(Kind.REFUSED, text.records, clause, credit_clause, ("load", "identify", "bounds"))
    if not text.sound:
        clause = "R21" if lines.has_out_of_range(data) else "R23"
        return Reading(Kind.ANYTHING, text.records, "R17", clause, ("load", "bounds"))
    if _is_odd(text.records, headers):
        late = any(record in headers for record in text.records[_first_data(text.records) :])
        roles = ("load", "identify", *_bounds(text.records, reader))
        return Reading(Kind.EITHER, text.records, "R24", "R20" if late else "R24", roles)
    clause = _clause_of_sound_text(data, text, headers, reader)
    # Without `identify` nobody looks at the header, and its records are header records like any other.
    roles = ("load", *_bounds(text.records, reader), *(("identify",) if clause in {"R06", "R16"} else ()))
    return Reading(Kind.READ, text.records, clause, clause, roles)


def _refusal(headers: Sequence[Record], reader: Reader) -> tuple[str, Record] | None:
    """Return the clause that refuses the file for one of its header records, wherever it stands, and that record.

    The clause is the one that speaks of such a record in front of the data (R03-R05).
    """
    target = reader.target
    for record in headers:
        first, second, third = record
        if first == _DIMENSIONS and (second, third) != (target.n_layers, target.n_experts):
            return "R03", record
        if first == _IDENTITY and second > _VERSION:
            return "R04", record
        if first == _IDENTITY and third != target.engine_id and not reader.trusted:
            return "R05", record
    return None


def _is_odd(records: Sequence[Record], headers: Sequence[Record]) -> bool:
    """Tell whether no writer makes this header, so that readers are free to read or to refuse (R24)."""
    if not headers:
        return False
    if [record[0] for record in headers] != [_DIMENSIONS, _IDENTITY] or headers[1][1] < _VERSION:
        return True
    return records.index(headers[1]) > _first_data(records)


def _first_data(records: Sequence[Record]) -> int:
    """Return the index of the first data record, or the number of records where there is none."""
    return next((index for index, record in enumerate(records) if record[0] >= 0), len(records))


def _bounds(records: Sequence[Record], reader: Reader) -> tuple[str, ...]:
    """Return the role that is needed where a data record has no counter."""
    every = all(reader.admits(layer, expert) for layer, expert, _ in records if layer >= 0)
    return () if every else ("bounds",)


def _clause_of_sound_text(data: bytes, text: lines.Text, headers: Sequence[Record], reader: Reader) -> str:
    """Return the clause that is about this text; what is most particular about it decides."""
    return next(_particulars(data, text, headers, reader), "R01")


def _particulars(data: bytes, text: lines.Text, headers: Sequence[Record], reader: Reader) -> Iterator[str]:
    """Yield the clauses that are about something in this text, the most particular first."""
    target = reader.target
    places = [record[:2] for record in text.records if record[0] >= 0]
    if not data:
        yield "R13"
    if not text.canonical:
        yield "R12"
    if any(record[0] == _IDENTITY and record[2] != target.engine_id for record in headers):
        yield "R06"
    if any(record[0] < _IDENTITY for record in text.records):
        yield "R02"
    if any(layer in reader.dropped for layer, _ in places):
        yield "R11"
    if not all(layer < target.n_layers and 0 <= expert < target.n_experts for layer, expert in places):
        yield "R10"
    if any(record[0] >= 0 and record[2] > _INT_MAX for record in text.records):
        yield "R15"
    if reader.refused:
        yield "R07"
    if reader.loaded or len(places) != len(set(places)):
        yield "R14"
    if not headers:
        yield "R08"
    if target.engine_id > _INT_MAX or target.engine_id in {0, _INT_MAX}:
        yield "R16"


def _of_iku1(data: bytes, reader: Reader) -> Reading:
    """Return what `reader` makes of a file that begins with the magic of IKU1 (area I)."""
    target = reader.target
    own = front(target.n_layers, target.n_experts)
    end = len(own) + target.n_layers * target.n_experts * _WORD.size
    roles = ("load", "iku1", "identify", "bounds")
    if target.name != INKLING and not reader.trusted:
        return Reading(Kind.REFUSED, (), "I02", "I02", roles)
    if len(data) < len(own):
        return Reading(Kind.REFUSED, (), "I06", "I06", roles)
    if not data.startswith(own):
        return Reading(Kind.REFUSED, (), "I03", "I03", roles)
    if len(data) < end:
        return Reading(Kind.REFUSED, (), "I06", "I06", roles)
    words = enumerate(word for (word,) in _WORD.iter_unpack(data[len(own) : end]))
    records = tuple((*divmod(position, target.n_experts), count) for position, count in words if count)
    clause = "I01" if target.name == INKLING else "I04"
    if any(layer in reader.dropped for layer, _, _ in records):
        clause = "I08"
    if len(data) > end:
        return Reading(Kind.EITHER, records, "I07", "I07", roles)
    return Reading(Kind.READ, records, clause, clause, roles)

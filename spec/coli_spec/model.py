"""The declared contract as typed values: fields, record types, engine names, roles, areas and clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from coli_spec.field_range import FieldRange
    from coli_spec.formula import Formula

RoleKind = Literal["duty", "extra", "offer"]
Level = Literal["must", "should", "may"]
Status = Literal["agreed", "withdrawn"]


class SpecError(Exception):
    """A declaration, or a question put to one, that cannot be used; the text is a sentence to act on."""


@dataclass(frozen=True, slots=True)
class FieldType:
    """An integer type a field of a record has, such as 32 bits signed."""

    name: str
    bits: int
    signed: bool

    @property
    def minimum(self) -> int:
        """The smallest value the field holds."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        """The largest value the field holds."""
        return (1 << (self.bits - 1 if self.signed else self.bits)) - 1

    def holds(self, value: int) -> bool:
        """Say whether the value is in the portable domain of the field (W03)."""
        # One sum in place of both ends: readers and judges ask this of every field of every record.
        below_zero = 1 << (self.bits - 1) if self.signed else 0
        return 0 <= value + below_zero < 1 << self.bits

    def boundaries(self) -> tuple[int, ...]:
        """Return the values inside the range at which readers go wrong, ascending.

        These are both ends and their neighbours, the numbers around zero, and for an unsigned type also the
        numbers around the largest value of the signed type of the same width.
        """
        sign_limit = 1 << (self.bits - 1)
        ends = (self.minimum, self.minimum + 1, self.maximum - 1, self.maximum)
        around_sign_limit = range(sign_limit - 2, sign_limit + 2)
        return tuple(sorted({value for value in (*ends, -1, 0, 1, *around_sign_limit) if self.holds(value)}))

    def beyond(self) -> tuple[int, ...]:
        """Return values outside the range that a reader might turn into other numbers (R21), ascending.

        These are the neighbours of both ends, small numbers plus or minus one turn of the field's width, and
        the ends of the 64-bit types.
        """
        turn = 1 << self.bits
        candidates = (
            *(self.minimum - 1, self.maximum + 1),
            *(turn, turn + 1, turn + 7, 1 - turn, -turn),
            *((1 << 63) - 1, 1 << 63, -(1 << 63) - 1, (1 << 64) - 1, 1 << 64, (1 << 64) + 1),
        )
        return tuple(sorted({value for value in candidates if not self.holds(value)}))


@dataclass(frozen=True, slots=True)
class Field:
    """One of the three fields of a record type; position is 1, 2 or 3.

    `declared` is the range a record type sets within that of the field's type, or None.
    """

    position: int
    name: str
    type: FieldType
    meaning: str
    declared: FieldRange | None = None

    def range_at(self, dimensions: Dimensions) -> tuple[int, int]:
        """Return the smallest and the largest value the field may have in a history of these dimensions."""
        return (self.type.minimum, self.type.maximum) if self.declared is None else self.declared.at(dimensions)


@dataclass(frozen=True, slots=True)
class RecordType:
    """A kind of record; number is the first field of a header record, or None for the data record.

    `loss` says what a reader that skips the record goes without (G05), and `erased` what is gone once an older build
    has saved (G06). `most` is how many one history may hold. `writers` and `readers` say who writes and reads it, and
    `since` is the corpus version its cases came with. The records of format version 1 declare none of the last five.
    """

    number: int | None
    name: str
    fields: tuple[Field, Field, Field]
    placement: str
    multiplicity: str
    status: Status
    purpose: str
    loss: str
    most: Formula | None = None
    erased: str | None = None
    writers: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The size of a model as a history declares it; text rows run from 0 to n_layers inclusive."""

    n_layers: int
    n_experts: int

    @property
    def text(self) -> str:
        """Both numbers as people write them, such as 78x256."""
        return f"{self.n_layers}x{self.n_experts}"


@dataclass(frozen=True, slots=True)
class EngineName:
    """An engine known by name, with the models it runs; `history` is False for one that keeps none."""

    name: str
    models: str
    dimensions: tuple[Dimensions, ...]
    top_k: int | None
    history: bool
    layout: str
    note: str


@dataclass(frozen=True, slots=True)
class Role:
    """What a driver may claim: a duty every engine owes, an extra, or an offer to the suite."""

    name: str
    kind: RoleKind
    claims: str


@dataclass(frozen=True, slots=True)
class Area:
    """A letter that groups clauses, such as W, and what it covers."""

    letter: str
    title: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule with its permanent id.

    `settled` holds what the suite decides where the text of the rule is silent; `behaviours` the names of the
    legal behaviours of a may clause.
    """

    id: str
    area: Area
    level: Level
    rule: str
    why: str
    roles: tuple[str, ...]
    settled: tuple[str, ...]
    behaviours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """Everything that is declared."""

    format_version: int
    fields: tuple[FieldType, FieldType, FieldType]
    data: RecordType
    records: tuple[RecordType, ...]
    engines: tuple[EngineName, ...]
    roles: tuple[Role, ...]
    areas: tuple[Area, ...]
    clauses: tuple[Clause, ...]

    def clause(self, clause_id: str) -> Clause:
        """Return the clause with that id; raise SpecError where there is none."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        areas = ", ".join(f"{area.letter} ({area.title})" for area in self.areas)
        raise SpecError(f"there is no clause {clause_id!r}; the areas are {areas}, and an id looks like W01")

    def record(self, number: int) -> RecordType | None:
        """Return the header record type with that first field, or None where none is declared."""
        return next((record for record in self.records if record.number == number), None)

    def engine(self, name: str) -> EngineName | None:
        """Return the engine with that name, or None where none is declared."""
        return next((engine for engine in self.engines if engine.name == name), None)

    def agreed_numbers(self) -> frozenset[int]:
        """Return the first fields of the header records a writer may write (W14)."""
        return frozenset(
            record.number for record in self.records if record.number is not None and record.status == "agreed"
        )

    def agreed_later(self) -> tuple[RecordType, ...]:
        """Return the agreed header record types that came after the two every history begins with (G07)."""
        return tuple(record for record in self.records if record.status == "agreed" and record.since is not None)

    def free_number(self) -> int:
        """Return the next first field that no header record type has or had, agreed or withdrawn (G01)."""
        return min(record.number for record in self.records if record.number is not None) - 1

    def largest_dimensions(self) -> Dimensions:
        """Return the most layers and the most experts of any registered engine, taken together (G03)."""
        known = [dimensions for engine in self.engines for dimensions in engine.dimensions]
        return Dimensions(max(size.n_layers for size in known), max(size.n_experts for size in known))

    def duties(self) -> tuple[str, ...]:
        """Return the names of the roles a conformant engine claims, in the order declared."""
        return tuple(role.name for role in self.roles if role.kind == "duty")

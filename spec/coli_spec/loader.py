"""Loads the declarations beside it into the typed values of `model`, refusing any contradiction."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

from coli_spec.field_range import read_formula, read_range
from coli_spec.model import (
    Area,
    Clause,
    Dimensions,
    EngineName,
    Field,
    FieldType,
    Level,
    RecordType,
    Role,
    RoleKind,
    Spec,
    SpecError,
    Status,
)
from coli_spec.yaml_source import Mapping, Source

_HERE = Path(__file__).parent
_LEVELS: tuple[Level, ...] = get_args(Level)
_ROLE_KINDS: tuple[RoleKind, ...] = get_args(RoleKind)
_STATUSES: tuple[Status, ...] = get_args(Status)
# The limits the driver protocol sets to a session.
ENGINE_NAME = re.compile(r"[a-z0-9_]{1,63}\Z")
MOST_LAYERS = 1000
MOST_EXPERTS = 4096
_LAYOUTS = ("text", "text iku1", "none")
_FIELD_NUMBERS = (1, 2, 3)
_FieldTypes = tuple[FieldType, FieldType, FieldType]


@cache
def load() -> Spec:
    """Return the declaration shipped with this package; read once per process."""
    return load_from(_HERE)


def load_from(folder: Path) -> Spec:
    """Return the declaration in a folder that holds records.yaml, engines.yaml and clauses.yaml.

    Raises SpecError, with file and line, for the first thing in them that cannot be used.
    """
    records_file = Source(folder / "records.yaml").root
    format_version = records_file.integer("format_version", minimum=1)
    fields = _field_types(records_file)
    data = _record(records_file.mapping("data"), fields, numbered=False)
    records = tuple(_record(entry, fields, numbered=True) for entry in _distinct(records_file, "records", "number"))
    records_file.finish()

    engines_file = Source(folder / "engines.yaml").root
    engines = tuple(_engine(entry) for entry in _distinct(engines_file, "engines", "name"))
    engines_file.finish()

    clauses_file = Source(folder / "clauses.yaml").root
    roles = tuple(_role(entry) for entry in _distinct(clauses_file, "roles", "name"))
    areas = tuple(_area(entry) for entry in _distinct(clauses_file, "areas", "letter"))
    clauses = _clauses(clauses_file, areas, roles)
    clauses_file.finish()
    return Spec(format_version, fields, data, records, engines, roles, areas, clauses)


@cache
def grammar(name: str) -> str:
    """Return the text of a grammar by name: history, trace or pairs; raise SpecError for another name."""
    known = sorted(path.stem for path in _HERE.glob("*.lark"))
    if name not in known:
        raise SpecError(f"there is no grammar {name!r}; the grammars are {', '.join(known)}")
    return (_HERE / f"{name}.lark").read_text(encoding="utf-8")


def _distinct(mapping: Mapping, key: str, name: str) -> list[Mapping]:
    """Return the entries of a list, of which no two may carry the same name."""
    entries = list(mapping.items(key))
    first: dict[str, int] = {}
    for entry in entries:
        text = entry.text(name)
        if text in first:
            raise entry.complaint(
                name, f"{name} {text} is declared twice (first on line {first[text]}); remove one of the two"
            )
        first[text] = entry.line_of(name)
    return entries


def _field_types(mapping: Mapping) -> _FieldTypes:
    types = {}
    for entry in _distinct(mapping, "types", "name"):
        name = entry.text("name")
        types[name] = FieldType(name, entry.integer("bits", 8, 64), entry.boolean("signed"))
        entry.finish()
    names = mapping.texts("fields")
    for name in names:
        if name not in types:
            raise mapping.complaint("fields", f"the field type {name!r} is not declared under 'types'; declare it")
    if len(names) != len(_FIELD_NUMBERS):
        raise mapping.complaint("fields", f"a record has exactly three fields, not {len(names)} (W02)")
    first, second, third = (types[name] for name in names)
    return first, second, third


def _record(mapping: Mapping, types: _FieldTypes, *, numbered: bool) -> RecordType:
    number: int | None = None
    if numbered:
        number = mapping.integer("number", minimum=types[0].minimum)
        if number >= 0:
            raise mapping.complaint(
                "number",
                f"the header record number {number} must be negative; otherwise the record is data (G01)",
            )
    entries = list(mapping.items("fields"))
    if len(entries) != len(_FIELD_NUMBERS):
        raise mapping.complaint("fields", f"a record has exactly three fields, not {len(entries)} (W02, G02)")
    first, second, third = (
        _field(entry, position, field_type)
        for entry, position, field_type in zip(entries, _FIELD_NUMBERS, types, strict=True)
    )
    record = RecordType(
        number=number,
        name=mapping.text("name"),
        fields=(first, second, third),
        placement=mapping.text("placement"),
        multiplicity=mapping.text("multiplicity"),
        status=mapping.choice("status", _STATUSES),
        purpose=mapping.text("purpose"),
        loss=mapping.text("loss"),
        most=read_formula(mapping, "most") if "most" in mapping else None,
        erased=mapping.optional_text("erased"),
        writers=mapping.optional_texts("writers"),
        readers=mapping.optional_texts("readers"),
        since=mapping.optional_integer("since", minimum=1),
    )
    mapping.finish()
    return record


def _field(mapping: Mapping, position: int, field_type: FieldType) -> Field:
    field = Field(position, mapping.text("name"), field_type, mapping.text("meaning"), read_range(mapping))
    mapping.finish()
    return field


def _engine(mapping: Mapping) -> EngineName:
    name = mapping.text("name")
    if not ENGINE_NAME.match(name):
        raise mapping.complaint(
            "name", f"the engine name {name!r} must be 1 to 63 characters out of a-z, 0-9 and _ (W07)"
        )
    dimensions = []
    for entry in mapping.items("dimensions"):
        n_layers = entry.integer("n_layers", 1, MOST_LAYERS)
        dimensions.append(Dimensions(n_layers, entry.integer("n_experts", 1, MOST_EXPERTS)))
        entry.finish()
    engine = EngineName(
        name=name,
        models=mapping.text("models"),
        dimensions=tuple(dimensions),
        top_k=mapping.optional_integer("top_k", 1, MOST_EXPERTS),
        history=mapping.boolean("history"),
        layout=mapping.choice("layout", _LAYOUTS),
        note=mapping.text("note"),
    )
    mapping.finish()
    return engine


def _role(mapping: Mapping) -> Role:
    role = Role(mapping.text("name"), mapping.choice("kind", _ROLE_KINDS), mapping.text("claims"))
    mapping.finish()
    return role


def _area(mapping: Mapping) -> Area:
    letter = mapping.text("letter")
    if not re.match(r"[A-Z]\Z", letter):
        raise mapping.complaint("letter", f"the area letter {letter!r} must be one capital letter")
    area = Area(letter, mapping.text("title"))
    mapping.finish()
    return area


def _clauses(mapping: Mapping, areas: tuple[Area, ...], roles: tuple[Role, ...]) -> tuple[Clause, ...]:
    area_of = {area.letter: area for area in areas}
    role_names = {role.name for role in roles}
    clauses: list[Clause] = []
    expected = {area.letter: 1 for area in areas}
    for entry in _distinct(mapping, "clauses", "id"):
        clause_id = entry.text("id")
        area = area_of.get(clause_id[0])
        if area is None:
            raise entry.complaint("id", f"clause {clause_id} belongs to no area; areas are {', '.join(area_of)}")
        next_id = f"{area.letter}{expected[area.letter]:02d}"
        if clause_id != next_id:
            raise entry.complaint(
                "id", f"clause {clause_id} stands where {next_id} is due; ids of an area ascend without a gap"
            )
        expected[area.letter] += 1
        clauses.append(_clause(entry, clause_id, area, role_names))
    return tuple(clauses)


def _clause(mapping: Mapping, clause_id: str, area: Area, role_names: set[str]) -> Clause:
    clause = Clause(
        id=clause_id,
        area=area,
        level=mapping.choice("level", _LEVELS),
        rule=mapping.text("rule"),
        why=mapping.text("why"),
        roles=mapping.texts("roles"),
        settled=mapping.optional_texts("settled"),
        behaviours=mapping.optional_texts("behaviours"),
    )
    mapping.finish()
    for role in clause.roles:
        if role not in role_names:
            raise mapping.complaint(
                "roles", f"clause {clause_id} needs the role {role!r}, which is not declared under 'roles'"
            )
    if (clause.level == "may") != bool(clause.behaviours):
        raise mapping.complaint(
            "level",
            f"clause {clause_id} is a {clause.level}; a may clause names its behaviours, no other does",
        )
    return clause

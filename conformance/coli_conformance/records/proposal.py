"""A proposal for a record type, as its author wrote it: nothing is judged here, and what is missing is None."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping as Texts
from dataclasses import dataclass
from pathlib import Path

from coli_conformance.escape import shown_text
from coli_spec.field_range import FieldRange, read_formula, read_range
from coli_spec.formula import Formula
from coli_spec.model import Field, RecordType, Spec
from coli_spec.yaml_source import Mapping, Source

HASH = "hash"
"""The type, besides those of the registry, of a field that uses all 32 bits (G04)."""
TEXT_KEYS = ("purpose", "loss", "placement", "multiplicity", "erased")
PLACEHOLDER = "..."
"""What the template of a proposal has in the place of a text still to be written."""


@dataclass(frozen=True, slots=True)
class ProposedField:
    """One field after the number: `type` is any word, `declared` its range where one is given."""

    line: int
    name: str
    type: str
    meaning: str | None
    declared: FieldRange | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal and where it stands.

    `fields` are those after the number, however many. `texts` has every one of TEXT_KEYS. `most` is how many records
    one history may hold. `lines` has the line of each key, the first where it is missing. `digest` is the SHA-256 of
    the file, as hexadecimal digits.
    """

    path: Path
    digest: str
    number: int
    name: str
    fields: tuple[ProposedField, ...]
    texts: Texts[str, str | None]
    most: Formula | None
    changes_data_records: bool | None
    erased_by_older_builds: bool | None
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    lines: Texts[str, int]

    def record_type(self, spec: Spec, since: int) -> RecordType:
        """Return the record type that is proposed, as the registry would declare it; its cases come with `since`.

        The proposal must keep every rule (`rules.breaches`): it has two fields, and no text is missing.
        """
        first, *others = spec.fields
        number = Field(1, "number", first, f"The number of the record type, {self.number}.")
        second, third = (
            Field(position, field.name, type_, field.meaning or "", field.declared)
            for position, (field, type_) in enumerate(zip(self.fields, others, strict=True), start=2)
        )
        return RecordType(
            number=self.number,
            name=self.name,
            fields=(number, second, third),
            placement=self.texts["placement"] or "",
            multiplicity=self.texts["multiplicity"] or "",
            status="agreed",
            purpose=self.texts["purpose"] or "",
            loss=self.texts["loss"] or "",
            most=self.most,
            erased=self.texts["erased"],
            writers=self.writers,
            readers=self.readers,
            since=since,
        )


def read(path: Path) -> Proposal:
    """Return the proposal in a YAML file.

    Raises SpecError, a sentence with file and line, for a file that is no proposal at all: not readable, not YAML, a
    key that nobody knows, a value of the wrong kind, or without a number, a name or fields.
    """
    source = Source(path, shown_text(str(path)))
    root = source.root
    keys = root.keys()
    proposal = Proposal(
        path=path,
        digest=hashlib.sha256(source.text.encode("utf-8")).hexdigest(),
        number=root.integer("number"),
        name=root.text("name"),
        fields=tuple(_field(entry) for entry in root.items("fields")),
        texts={key: _written(root, key) for key in TEXT_KEYS},
        most=read_formula(root, "most") if "most" in root else None,
        changes_data_records=root.optional_boolean("changes_data_records"),
        erased_by_older_builds=root.optional_boolean("erased_by_older_builds"),
        writers=_names(root, "writers"),
        readers=_names(root, "readers"),
        lines={key: root.line_of(key) for key in keys},
    )
    root.finish()
    return proposal


def _field(mapping: Mapping) -> ProposedField:
    field = ProposedField(
        mapping.line, mapping.text("name"), mapping.text("type"), _written(mapping, "meaning"), read_range(mapping)
    )
    mapping.finish()
    return field


def _written(mapping: Mapping, key: str) -> str | None:
    text = mapping.optional_text(key)
    return None if text == PLACEHOLDER else text


def _names(mapping: Mapping, key: str) -> tuple[str, ...]:
    return tuple(name for name in mapping.optional_texts(key) if name != PLACEHOLDER)

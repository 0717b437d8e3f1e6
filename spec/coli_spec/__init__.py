"""What is declared: records, engine names, clauses, grammars and the IKU1 layout of routing telemetry."""

from coli_spec.loader import grammar, load, load_from
from coli_spec.model import (
    Area,
    Clause,
    Dimensions,
    EngineName,
    Field,
    FieldType,
    RecordType,
    Role,
    Spec,
    SpecError,
)

__all__ = [
    "Area",
    "Clause",
    "Dimensions",
    "EngineName",
    "Field",
    "FieldType",
    "RecordType",
    "Role",
    "Spec",
    "SpecError",
    "grammar",
    "load",
    "load_from",
]

"""Every code a finding can have, by name."""

from __future__ import annotations

from types import ModuleType

from coli_conformance.check import codes_fields, codes_iku1, codes_pairs, codes_records, codes_text, codes_trace
from coli_conformance.check.code import Code


def _declared(module: ModuleType) -> tuple[Code, ...]:
    return tuple(value for value in vars(module).values() if isinstance(value, Code))


CODES: tuple[Code, ...] = tuple(
    code
    for module in (codes_text, codes_fields, codes_records, codes_iku1, codes_trace, codes_pairs)
    for code in _declared(module)
)
"""In the order they are declared, which is that of documents."""


def find(name: str) -> Code | None:
    """Return the code of that name, or None where there is none."""
    return next((code for code in CODES if code.name == name), None)

"""The range a record type sets for a field, as formulas over the dimensions, and what is packed into the field."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product

from coli_spec import formula
from coli_spec.formula import Formula
from coli_spec.model import Dimensions, SpecError
from coli_spec.yaml_source import Mapping

MOST_PARTS = 6
_PART_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Part:
    """One of the numbers packed into a field, and its range, both ends inclusive."""

    name: str
    minimum: Formula
    maximum: Formula


@dataclass(frozen=True, slots=True)
class Packing:
    """How several numbers make one field: a formula over the dimensions and the names of the parts."""

    formula: Formula
    parts: tuple[Part, ...]

    def corners(self, dimensions: Dimensions) -> Iterator[int]:
        """Yield the field's value for every choice of smallest and largest parts, two to the power of their number."""
        names = names_at(dimensions)
        ends = [(part.minimum.value(names), part.maximum.value(names)) for part in self.parts]
        yield from self._values(dimensions, ends)

    def every_value(self, dimensions: Dimensions) -> Iterator[int]:
        """Yield the field's value for every choice of parts; meant for small dimensions."""
        names = names_at(dimensions)
        choices = [range(part.minimum.value(names), part.maximum.value(names) + 1) for part in self.parts]
        yield from self._values(dimensions, choices)

    def _values(self, dimensions: Dimensions, choices: Collection[Collection[int]]) -> Iterator[int]:
        names = names_at(dimensions)
        for values in product(*choices):
            yield self.formula.value(names | dict(zip((part.name for part in self.parts), values, strict=True)))


@dataclass(frozen=True, slots=True)
class FieldRange:
    """The smallest and the largest value of a field, and its packing where it holds several numbers."""

    minimum: Formula
    maximum: Formula
    packing: Packing | None = None

    def at(self, dimensions: Dimensions) -> tuple[int, int]:
        """Return both ends of the range, inclusive, for a model of these dimensions."""
        names = names_at(dimensions)
        return self.minimum.value(names), self.maximum.value(names)


def names_at(dimensions: Dimensions) -> dict[str, int]:
    """Return the names that every formula knows with their values."""
    return dict(zip(formula.DIMENSION_NAMES, (dimensions.n_layers, dimensions.n_experts), strict=True))


def read_range(mapping: Mapping) -> FieldRange | None:
    """Return the range that the keys minimum, maximum, formula and parts of a field declare; None where none is there.

    `minimum` is 0 where it is missing; `formula` and `parts` come together. Raises SpecError.
    """
    if not any(key in mapping for key in ("minimum", "maximum", "formula", "parts")):
        return None
    minimum = read_formula(mapping, "minimum", default="0")
    maximum = read_formula(mapping, "maximum")
    if "formula" not in mapping and "parts" not in mapping:
        return FieldRange(minimum, maximum)
    parts = tuple(_part(entry) for entry in mapping.items("parts"))
    names = [part.name for part in parts]
    if not 1 <= len(parts) <= MOST_PARTS or len(set(names)) < len(names):
        raise mapping.complaint("parts", f"a packed field has 1 to {MOST_PARTS} parts, each with a name of its own")
    packing = read_formula(mapping, "formula", (*formula.DIMENSION_NAMES, *names))
    return FieldRange(minimum, maximum, Packing(packing, parts))


def read_formula(
    mapping: Mapping, key: str, known: Collection[str] = formula.DIMENSION_NAMES, default: str | None = None
) -> Formula:
    """Return the formula under a key, or `default` where the key is missing. Raises SpecError with file and line."""
    text = default if default is not None and key not in mapping else mapping.text(key)
    try:
        return formula.parse(text, known)
    except SpecError as error:
        raise mapping.complaint(key, str(error)) from error


def _part(mapping: Mapping) -> Part:
    name = mapping.text("name")
    if not _PART_NAME.fullmatch(name) or name in formula.DIMENSION_NAMES:
        raise mapping.complaint("name", f"the part {name!r} needs a name of a-z, 0-9 and _ that is not a dimension's")
    part = Part(name, read_formula(mapping, "minimum", default="0"), read_formula(mapping, "maximum"))
    mapping.finish()
    return part

"""The header records agreed after -1 and -2 in a history: their fields' ranges, and how many there are (W14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import coli_spec
from coli_conformance.check import codes_records as codes
from coli_conformance.check.finding import Place
from coli_conformance.check.history_fields import Field
from coli_spec.field_range import names_at
from coli_spec.model import Dimensions


class AgreedRecords:
    """What is declared about them, and how many of each were seen."""

    def __init__(self) -> None:
        self._declared = {record.number: record for record in coli_spec.load().agreed_later()}
        self._seen: Counter[int] = Counter()

    def admit(self, fields: tuple[Field, Field, Field], dimensions: Dimensions | None) -> Iterator[Place]:
        """Yield what is wrong with a record, by its declaration; nothing is known of it without dimensions."""
        number = fields[0].value
        record = self._declared.get(number)
        if record is None or dimensions is None:
            return
        for field, declared in zip(fields[1:], record.fields[1:], strict=True):
            minimum, maximum = declared.range_at(dimensions)
            if not minimum <= field.value <= maximum:
                yield field.place(
                    codes.AGREED_FIELD_RANGE,
                    f"field {declared.position} of the agreed record {record.name}, {declared.name}, is {field.value}; "
                    f"at {dimensions.text} it is {minimum} to {maximum}",
                )
        self._seen[number] += 1
        most = None if record.most is None else record.most.value(names_at(dimensions))
        if most is not None and self._seen[number] == most + 1:
            yield fields[0].place(
                codes.AGREED_RECORD_COUNT,
                f"one {record.name} record more than the {most} that a history of {dimensions.text} may hold",
            )

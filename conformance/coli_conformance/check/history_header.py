"""The header of a history as its lines are read: place, number, contradiction, and what it declares."""

from __future__ import annotations

from collections.abc import Iterator

import coli_spec
from coli_conformance.check import codes_records as codes
from coli_conformance.check.agreed_records import AgreedRecords
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Code
from coli_conformance.check.finding import Place
from coli_conformance.check.history_fields import Field, dimensions_number, identity_number
from coli_reference.identity import described, engine_id, name_of
from coli_spec.model import Dimensions

Fields = tuple[Field, Field, Field]


class HeaderState:
    """Which header records were seen, and what the dimensions are; `asked` is what the file is checked for."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._agreed = coli_spec.load().agreed_numbers()
        self._agreed_later = AgreedRecords()
        self._declared: Dimensions | None = None
        self._first: dict[int, tuple[int, int]] = {}
        self._attempted: set[bytes] = set()
        self._others_before = False

    @property
    def dimensions(self) -> Dimensions | None:
        """Those of the engine asked for, else those the file declares, where these can be."""
        return self._asked.only_size or self._declared

    @property
    def declared(self) -> Dimensions | None:
        """The dimensions the file declares."""
        return self._declared

    @property
    def identity(self) -> tuple[int, int] | None:
        """The format version and the engine id the file declares."""
        return self._first.get(identity_number())

    def attempt(self, first: bytes) -> None:
        """Note the first field of a line, be it a record or not: a header record that is malformed is not missing."""
        if len(first) < 3:
            self._attempted.add(first)

    def admit(self, fields: Fields, data_before: bool) -> tuple[list[Place], bool]:
        """Return what is wrong with a header record, and whether a strict reader keeps it where it stands."""
        number, *values = (field.value for field in fields)
        pair = (values[0], values[1])
        if number not in self._agreed:
            sentence = f"{number} is not the number of an agreed header record"
            self._others_before = True
            return [fields[0].place(codes.UNKNOWN_RECORD, sentence)], False
        if number in self._first:
            return list(self._again(fields, pair)), False
        if number not in {dimensions_number(), identity_number()}:
            self._others_before = True
            faults = list(self._agreed_later.admit(fields, self.dimensions))
            return faults, not any(place.code is codes.AGREED_FIELD_RANGE for place in faults)
        late = self._late(fields, data_before)
        self._first[number] = pair
        places = list(self._dimensions(fields) if number == dimensions_number() else self._identity(fields))
        return [*late, *places], not late and not any(place.code in _UNUSABLE for place in places)

    def _again(self, fields: Fields, pair: tuple[int, int]) -> Iterator[Place]:
        number = fields[0].value
        before = self._first[number]
        if before == pair:
            yield fields[0].place(codes.REPEATED_HEADER, f"the record {number} stands here a second time")
            return
        said = f"{before[0]} {before[1]}"
        sentence = f"a second record {number}, and it says {pair[0]} {pair[1]} where the first says {said}"
        yield fields[0].place(codes.CONTRADICTORY_HEADER, sentence)
        if number == identity_number():
            # A later version is refused wherever it stands (R04).
            yield from (place for place in self._version(fields) if place.code is codes.UNKNOWN_VERSION)

    def _late(self, fields: Fields, data_before: bool) -> list[Place]:
        number = fields[0].value
        if data_before:
            behind = "data records"
        elif self._others_before:
            behind = "another header record"
        elif number == dimensions_number() and identity_number() in self._first:
            behind = f"the record {identity_number()}"
        else:
            return []
        return [fields[0].place(codes.LATE_HEADER, f"the record {number} stands behind {behind}")]

    def _dimensions(self, fields: Fields) -> Iterator[Place]:
        declared = Dimensions(fields[1].value, fields[2].value)
        if declared.n_layers < 1 or declared.n_experts < 1:
            wrong = fields[1] if declared.n_layers < 1 else fields[2]
            sentence = f"{declared.n_layers} layers of {declared.n_experts} experts are no model's"
            yield wrong.place(codes.IMPOSSIBLE_DIMENSIONS, sentence)
            return
        self._declared = declared
        if self._asked.sizes and declared not in self._asked.sizes:
            same_layers = any(size.n_layers == declared.n_layers for size in self._asked.sizes)
            sentence = f"it declares {declared.text}, and the engine has {self._asked.sizes_text}"
            yield fields[2 if same_layers else 1].place(codes.OTHER_DIMENSIONS, sentence)

    def _identity(self, fields: Fields) -> Iterator[Place]:
        version = self._version(fields)
        yield from version
        if any(place.code is codes.SWAPPED_IDENTITY for place in version):
            return
        writer = fields[2].value
        asked = self._asked.engine
        if asked is not None and writer != engine_id(asked):
            sentence = f"written by {described(writer)}; {asked} has the id {engine_id(asked)}"
            yield fields[2].place(codes.OTHER_ENGINE, sentence)
        elif asked is None and name_of(writer) is None:
            yield fields[2].place(codes.UNREGISTERED_ID, f"{writer} is the id of no registered engine")

    @staticmethod
    def _version(fields: Fields) -> tuple[Place, ...]:
        version, writer = fields[1].value, fields[2].value
        current = coli_spec.load().format_version
        if version == current:
            return ()
        if writer == current or name_of(version) is not None:
            sentence = f"{version} stands where the version belongs, and {writer} where the id does"
            return (fields[1].place(codes.SWAPPED_IDENTITY, sentence),)
        return (fields[1].place(codes.UNKNOWN_VERSION, f"version {version}; the current one is {current}"),)

    def missing(self) -> tuple[Code, str] | None:
        """Return the finding about a header that is not whole, and its sentence; no header at all is legacy text."""
        dimensions, identity = (
            number in self._first or b"%d" % number in self._attempted
            for number in (dimensions_number(), identity_number())
        )
        if dimensions and identity:
            return None
        if dimensions:
            return codes.MISSING_IDENTITY, "there is no record -2, so nobody can tell which engine wrote the history"
        if identity:
            return codes.MISSING_DIMENSIONS, "there is no record -1, so nobody can tell the shape of the model"
        return codes.NO_HEADER, "no header: legacy text, from before there was one"


_UNUSABLE = (codes.IMPOSSIBLE_DIMENSIONS, codes.SWAPPED_IDENTITY)
"""Faults of a header record that a strict reader has no use for; other ones it refuses the whole file by."""

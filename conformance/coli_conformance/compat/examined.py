"""One history given to every old reader: the whole answer, before it is put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coli_conformance.compat.guards import Shape, shape_of
from coli_conformance.compat.older_save import Saved, load_and_save, unknown_to_older_builds
from coli_conformance.compat.readers import Outcome, Reader, outcomes
from coli_conformance.compat.recovery import Recovery, recover
from coli_conformance.compat.sound_reading import SoundReading, sound_reading
from coli_reference.history import IDENTITY
from coli_reference.old_reader import UndefinedField, leaves_defined_ground
from coli_spec.model import Dimensions


@dataclass(frozen=True, slots=True)
class Reading:
    """What readers that agree parse from a file, and what they recover by it."""

    outcome: Outcome
    recovery: Recovery


@dataclass(frozen=True, slots=True)
class Examined:
    """A history, what its lines mean, and what each group of readers that agree makes of it.

    `undefined` are the fields whose outcome C leaves undefined. `saved` is empty where no header record stands to be
    erased by an older build.
    """

    data: bytes
    meant: SoundReading
    readings: tuple[Reading, ...]
    undefined: tuple[UndefinedField, ...]
    shape: Shape | None
    saved: tuple[Saved, ...]

    @property
    def differs(self) -> bool:
        """Whether some reader recovers, on defined ground, what is not meant."""
        return any(reading.recovery.defined_differences for reading in self.readings)


def examine(
    files: Sequence[bytes], readers: Sequence[Reader], asked: Dimensions | None, engine_id: int | None
) -> list[Examined]:
    """Give each of `files`, text histories, to every reader.

    `asked` are the dimensions of the readers' engine, and `engine_id` is its id; None is what the file itself says.
    """
    return [
        _examined(data, grouped, asked, engine_id)
        for data, grouped in zip(files, outcomes(files, readers), strict=True)
    ]


def _examined(data: bytes, grouped: Sequence[Outcome], asked: Dimensions | None, engine_id: int | None) -> Examined:
    meant = sound_reading(data)
    undefined = tuple(leaves_defined_ground(data))
    indexes = {field.record for field in undefined}
    readings = tuple(Reading(outcome, recover(data, meant, outcome.records, indexes)) for outcome in grouped)
    shape = shape_of(meant, asked)
    saved: tuple[Saved, ...] = ()
    if unknown_to_older_builds(meant):
        own = next((third for first, _, third in meant.records if first == IDENTITY), None)
        saved = load_and_save(data, meant, shape, own if engine_id is None else engine_id)
    return Examined(data, meant, readings, undefined, shape, saved)

"""Fresh cases: newly drawn values in every session, so that an engine that only knows the committed vectors shows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from coli_conformance.case import Case
from coli_conformance.corpus import (
    fresh_iku1,
    fresh_pairs,
    fresh_placement,
    fresh_reader,
    fresh_reader_header,
    fresh_trace,
    fresh_writer,
)

_MODULES = (fresh_writer, fresh_reader, fresh_reader_header, fresh_iku1, fresh_trace, fresh_placement, fresh_pairs)


def fresh(seed: int) -> tuple[Case, ...]:
    """Return the fresh cases of `seed` (0 or more), the same ones each time.

    The id of the third one ends in `@7-3` where the seed is 7. No file that is not empty is one that another seed or
    the committed vectors have.
    """
    chance = Random(seed)
    cases = [case for module in _MODULES for template in module.TEMPLATES for case in template(chance)]
    return tuple(replace(case, id=f"{case.id}@{seed}-{index}") for index, case in enumerate(cases, start=1))

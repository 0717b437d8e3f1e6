"""Whether a proposal's fields stay in their ranges at the dimensions of every registered engine (G03, G04)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from coli_conformance.corpus.target import Target
from coli_conformance.records.breach import Breach
from coli_conformance.records.proposal import HASH, Proposal
from coli_spec.field_range import FieldRange, Packing, names_at
from coli_spec.model import Dimensions, FieldType, Spec, SpecError

_TRIED = Dimensions(3, 4)
"""Dimensions so small that every value of a packed field can be tried."""
_MOST_TRIED = 200_000


@dataclass(frozen=True, slots=True)
class KnownSize:
    """Dimensions that some registered engine has, and whose they are in words."""

    engine: str
    dimensions: Dimensions

    @property
    def words(self) -> str:
        """Both, as they stand in a sentence."""
        return f"{self.dimensions.text} ({self.engine})"


_CASES = KnownSize("the model of the cases", Dimensions(Target().n_layers, Target().n_experts))


def known_sizes(spec: Spec) -> tuple[KnownSize, ...]:
    """Return the dimensions of every registered engine, and last the largest ones of all taken together (G03)."""
    sizes = [KnownSize(engine.name, dimensions) for engine in spec.engines for dimensions in engine.dimensions]
    largest = spec.largest_dimensions()
    if largest not in [size.dimensions for size in sizes]:
        sizes.append(KnownSize("the most layers and the most experts known", largest))
    return tuple(sizes)


def range_breaches(proposal: Proposal, spec: Spec) -> Iterator[Breach]:
    """Yield each field that leaves its type, is empty, or does not hold what is packed into it."""
    for position, field in enumerate(proposal.fields, start=2):
        named = f"field {position}, {field.name}: "
        if field.declared is None:
            if field.type != HASH:
                yield Breach(("G07",), field.line, f"{named}its range is missing; add 'minimum' and 'maximum'")
            continue
        type_ = spec.fields[position - 1] if position <= len(spec.fields) else None
        try:
            problem = _range_problem(position, type_, field.declared, spec) or _packing_problem(field.declared, spec)
        except SpecError as error:
            problem = ("G03",), str(error)
        if problem is not None:
            yield Breach(problem[0], field.line, named + problem[1])


def count_breaches(proposal: Proposal, spec: Spec) -> Iterator[Breach]:
    """Yield what is wrong with the number of records: without it nobody knows what the record costs (G07)."""
    line = proposal.lines.get("most", 1)
    if proposal.most is None:
        yield Breach(("G07",), line, "'most' is missing: how many of the record one history may hold, as a formula")
        return
    for size in known_sizes(spec):
        try:
            count = proposal.most.value(names_at(size.dimensions))
        except SpecError as error:
            yield Breach(("G07",), line, f"'most': {error}")
            return
        if count < 1:
            yield Breach(("G07",), line, f"'most' is {count} at {size.words}; a history may hold at least one")
            return


_Problem = tuple[tuple[str, ...], str]


def _range_problem(position: int, type_: FieldType | None, declared: FieldRange, spec: Spec) -> _Problem | None:
    """Return the clauses and the sentence for the first size at which the range is empty, else leaves its type."""
    ends = [(size, *declared.at(size.dimensions)) for size in (*known_sizes(spec), _CASES)]
    for size, minimum, maximum in ends:
        if minimum > maximum:
            return ("G07",), f"its smallest value {minimum} is above its largest {maximum} at {size.words}"
    if type_ is None:
        return None
    for size, minimum, maximum in ends:
        for word, formula, value in (("smallest", declared.minimum, minimum), ("largest", declared.maximum, maximum)):
            if type_.holds(value):
                continue
            if position == 2 and formula.text.isdigit():
                return ("G04", "G03"), (
                    f"its {word} value {value} does not fit {type_.name} ({type_.minimum}..{type_.maximum}); what uses "
                    "all 32 bits belongs in the third field"
                )
            return ("G03", "W03"), (
                f"its {word} value `{formula.text}` is {value} at {size.words}, which does not fit {type_.name} "
                f"({type_.minimum}..{type_.maximum}); old readers see another number there"
            )
    return None


def _packing_problem(declared: FieldRange, spec: Spec) -> _Problem | None:
    """Return what is wrong where parts are packed: values outside the range, or two choices of parts with one value."""
    packing = declared.packing
    if packing is None:
        return None
    for size in (*known_sizes(spec), _CASES):
        minimum, maximum = declared.at(size.dimensions)
        corners = list(packing.corners(size.dimensions))
        for value in (min(corners), max(corners)):
            if not minimum <= value <= maximum:
                return ("G03",), (
                    f"its formula `{packing.formula.text}` reaches {value} at {size.words}, outside the declared "
                    f"{minimum}..{maximum}"
                )
    if _choices(packing) > _MOST_TRIED:
        return ("G07",), (
            f"its parts have more than {_MOST_TRIED} values at {_TRIED.text} already, too many to try whether they can "
            "be told apart; give ranges that follow the dimensions"
        )
    values = Counter(packing.every_value(_TRIED))
    if not values:
        return ("G07",), f"its parts have no value at {_TRIED.text}: the smallest of one is above its largest"
    ((value, times),) = values.most_common(1)
    if times > 1:
        return ("G07",), (
            f"its formula `{packing.formula.text}` gives {value} for more than one choice of parts at {_TRIED.text}; "
            "a reader cannot unpack it"
        )
    return None


def _choices(packing: Packing) -> int:
    names = names_at(_TRIED)
    return prod(max(0, part.maximum.value(names) - part.minimum.value(names) + 1) for part in packing.parts)

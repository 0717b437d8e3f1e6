"""What fresh cases are made of, drawn at random: names, models, counts, records, unknown header records, gates.

Every function takes the generator it draws from. Whoever starts one from the same seed draws the same values.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from string import ascii_lowercase, digits

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.target import Target
from coli_reference.identity import engine_id

_LETTERS = ascii_lowercase + digits + "_"
_FIRST, _SECOND, _THIRD = coli_spec.load().fields
COUNT_MAX = _THIRD.maximum
_COUNT_BOUNDARIES = tuple(value for value in _THIRD.boundaries() if value)
THIRD_OF_MAX = COUNT_MAX // 3
"""Three counts up to this one add up to a count that is still in range."""


def unregistered_name(chance: Random, shortest: int = 1, longest: int = 24, high: bool | None = None) -> str:
    """Return a valid engine name (`[a-z0-9_]`, lengths inclusive) that no registered engine has.

    `high` asks for an id above 2147483647, or not above it; None takes either.
    """
    registered = {engine.name for engine in coli_spec.load().engines}
    while True:
        name = "".join(chance.choices(_LETTERS, k=chance.randint(shortest, longest)))
        if name not in registered and high in {None, engine_id(name) > _FIRST.maximum}:
            return name


def registered_name(chance: Random, other_than: str = "") -> str:
    """Return the name of a registered engine that keeps a history."""
    return chance.choice(
        [engine.name for engine in coli_spec.load().engines if engine.history and engine.name != other_than]
    )


def model(chance: Random, name: str | None = None) -> Target:
    """Return a small model, 3 to 12 layers of 4 to 24 experts, never as many experts as layers.

    Without a `name` it has, as often as not, that of a registered engine.
    """
    if name is None:
        name = chance.choice((registered_name, unregistered_name))(chance)
    n_layers = chance.randint(3, 12)
    return Target(name, n_layers, chance.choice([n for n in range(4, 25) if n != n_layers]))


def real_model(chance: Random) -> Target:
    """Return a registered engine with the dimensions of a model that it runs."""
    models = [
        (engine.name, size) for engine in coli_spec.load().engines if engine.history for size in engine.dimensions
    ]
    name, size = chance.choice(models)
    return Target(name, size.n_layers, size.n_experts)


def count(chance: Random, most: int = COUNT_MAX) -> int:
    """Return a count from 1 to `most`, which is often one of the boundaries."""
    boundary = chance.choice(_COUNT_BOUNDARIES)
    return boundary if boundary <= most and chance.random() < 0.5 else chance.randint(1, most)


def records(
    chance: Random, target: Target, how_many: int, rows: Iterable[int] | None = None, most: int = COUNT_MAX
) -> tuple[Record, ...]:
    """Return `how_many` data records of different counters, ascending, with counts from 1 to `most`.

    `rows` are those to take counters from, all by default. The counts of the first two records drawn are from the
    whole range, by which a history of two or more records is one that no other seed draws.
    """
    rows = range(target.n_layers + 1) if rows is None else tuple(rows)
    cells = chance.sample(range(len(rows) * target.n_experts), how_many)
    counts = [chance.randint(1, most) if drawn < 2 else count(chance, most) for drawn in range(how_many)]
    places = ((rows[cell // target.n_experts], cell % target.n_experts) for cell in cells)
    return tuple(sorted((layer, expert, value) for (layer, expert), value in zip(places, counts, strict=True)))


def outside(chance: Random, target: Target) -> Record:
    """Return a data record with a layer, an expert or both outside the counters of `target`."""
    layer = chance.choice((target.n_layers + 1, chance.randint(target.n_layers + 1, _FIRST.maximum)))
    low, high = chance.randint(_SECOND.minimum, -1), chance.randint(target.n_experts, _SECOND.maximum)
    expert = chance.choice((target.n_experts, -1, low, high))
    sound_layer, sound_expert = chance.randint(0, target.n_layers), chance.randrange(target.n_experts)
    place = chance.choice(((layer, sound_expert), (sound_layer, expert), (layer, expert)))
    return (*place, count(chance))


def unknown(chance: Random) -> Record:
    """Return a header record that the registry does not list: its number near the agreed ones or anywhere."""
    newest = min(coli_spec.load().agreed_numbers()) - 1
    number = chance.choice((chance.randint(-29, newest), chance.randint(_FIRST.minimum, newest)))
    second = chance.choice((chance.choice(_SECOND.boundaries()), chance.randint(_SECOND.minimum, _SECOND.maximum)))
    return number, second, count(chance)


def shuffled(chance: Random, items: Iterable[Record]) -> tuple[Record, ...]:
    """Return `items` in a random order."""
    mixed = list(items)
    chance.shuffle(mixed)
    return tuple(mixed)


def spaced(
    chance: Random, meant: Iterable[Record], separators: tuple[str, ...] = (" ",), ends: tuple[str, ...] = ("\n",)
) -> str:
    """Return the text of records with one of `separators` between fields and one of `ends` after each (R12)."""
    text = ""
    for first, second, third in meant:
        text += f"{first}{chance.choice(separators)}{second}{chance.choice(separators)}{third}{chance.choice(ends)}"
    return text


def gate(chance: Random) -> str:
    """Return the decimal of a gate below 512 in magnitude, mostly below 1, with four to seven decimals."""
    decimals = chance.randint(4, 7)
    whole = chance.choice((0, 0, 0, chance.randrange(512)))
    sign = chance.choice(("", "", "", "-"))
    return f"{sign}{whole}.{chance.randrange(10**decimals):0{decimals}d}"


def choices(chance: Random, n_experts: int, most: int = 4) -> str:
    """Return one to `most` different experts with their gates, in selection order: `4:0.5000 1:0.2500`."""
    chosen = chance.sample(range(n_experts), chance.randint(1, min(most, n_experts)))
    return " ".join(f"{expert}:{gate(chance)}" for expert in chosen)

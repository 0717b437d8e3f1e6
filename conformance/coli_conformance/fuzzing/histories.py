"""Histories made up at random, sound ones and ones that a reader has to refuse, as the bytes of a file."""

from __future__ import annotations

from random import Random

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.fresh_values import COUNT_MAX, count, model, outside, shuffled, spaced
from coli_conformance.corpus.iku1_block import INKLING, block
from coli_conformance.corpus.meaning import header, render
from coli_conformance.corpus.target import NAMES_AT_BOUNDARIES, Target

_BLANKS = (" ", " ", "\t", "  ", " \t ")
_ENDS = ("\n", "\n", "\r\n", "\n\n", " \n", "\n \t", "\t\r\n", "\r\n \t\r\n")
_FIRST_MIN = coli_spec.load().fields[0].minimum
_NEWEST_UNKNOWN = min(coli_spec.load().agreed_numbers()) - 1
_SECOND_BOUNDARIES = coli_spec.load().fields[1].boundaries()
_THIRD_BOUNDARIES = coli_spec.load().fields[2].boundaries()
_MANY = 5000
"""Records of the rare history that is longer than what readers take at once."""


def target_of(chance: Random) -> Target:
    """Return a model, mostly a small one, whose name is a registered one, any other, or one with an id at an end."""
    drawn = chance.random()
    if drawn < 0.1:
        return Target(chance.choice(NAMES_AT_BOUNDARIES), chance.randint(1, 9), chance.randint(1, 9))
    if drawn < 0.13:
        return Target(INKLING, chance.randint(1, 90), chance.choice((1, 8, 256, 257, 300)))
    return model(chance)


def history(chance: Random, target: Target, foreign: float = 0.15) -> bytes:
    """Return the text of a history for `target`; the share `foreign` has a header that is not its own."""
    if chance.random() < 0.0003:
        cells = (divmod(number, target.n_experts) for number in range(_MANY))
        return render([(layer % (target.n_layers + 1), expert, 1 + layer % 9) for layer, expert in cells]).encode()
    data = [_data_record(chance, target) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 3, 5, 9)))]
    if data and chance.random() < 0.25:
        data += chance.choices(data, k=chance.randint(1, 3))
    if chance.random() < 0.6:
        data.sort()
    records = [*_header(chance, target, foreign), *data]
    if chance.random() < 0.3:
        for _ in range(chance.choice((1, 1, 2, 3, 12))):
            records.insert(chance.randint(0, len(records)), _unknown(chance))
    if chance.random() < 0.02:
        records = list(shuffled(chance, records))
    return _spelled(chance, records)


def iku1(chance: Random, target: Target) -> bytes:
    """Return a block in the layout IKU1, mostly of the dimensions of `target`."""
    n_layers, n_experts = target.n_layers, target.n_experts
    if chance.random() < 0.2:
        n_layers, n_experts = chance.choice(
            ((n_layers + 1, n_experts), (n_layers, n_experts + 1), (n_experts, n_layers), (1, 1))
        )
    words = [
        (chance.randrange(n_layers), chance.randrange(n_experts), count(chance, COUNT_MAX // 8))
        for _ in range(chance.randint(0, 7))
    ]
    return block(n_layers, n_experts, words)


def _data_record(chance: Random, target: Target) -> Record:
    drawn = chance.random()
    if drawn < 0.06:
        return outside(chance, target)
    layer = target.n_layers if drawn < 0.15 else chance.randint(0, target.n_layers)
    amount = chance.randint(1, 9) if chance.random() < 0.6 else chance.choice((0, count(chance), count(chance)))
    return layer, chance.randrange(target.n_experts), amount


def _unknown(chance: Random) -> Record:
    """Return a header record that the registry does not list; mostly one that resembles something else (R02)."""
    number = chance.choice((-3, -4, -chance.randint(3, 30), chance.randint(_FIRST_MIN, _NEWEST_UNKNOWN)))
    return number, chance.choice((chance.randint(0, 9), *_SECOND_BOUNDARIES)), chance.choice(_THIRD_BOUNDARIES)


def _header(chance: Random, target: Target, foreign: float) -> tuple[Record, ...]:
    """Return the header records: none, the right ones, ones to refuse, or ones that no writer makes."""
    drawn = chance.random()
    if drawn < 0.25:
        return ()
    if drawn > 0.98:
        return tuple(chance.choices(header(target), k=chance.randint(1, 3)))
    if chance.random() >= foreign:
        return header(target)
    layers, experts = target.n_layers, target.n_experts
    ids = (target.stranger.engine_id, 0, target.engine_id ^ 1, target.engine_id ^ (1 << 31), *_THIRD_BOUNDARIES)
    wrong: tuple[dict[str, int], ...] = (
        {"n_layers": chance.choice((layers - 1, layers + 1, layers + 1, chance.choice(_SECOND_BOUNDARIES)))},
        {
            "n_experts": chance.choice((experts - 1, experts + 1, experts + 1, chance.choice(_THIRD_BOUNDARIES)))
            % (COUNT_MAX + 1)
        },
        {"n_layers": experts, "n_experts": layers},
        {"n_layers": layers * experts, "n_experts": 1},
        {"version": chance.choice((2, 2, 3, 70, 0, chance.choice(_SECOND_BOUNDARIES)))},
        {"engine": chance.choice(ids)},
        {"engine": chance.choice(ids)},
    )
    return header(target, **chance.choice(wrong))


def _spelled(chance: Random, records: list[Record]) -> bytes:
    """Return the text of records: canonical, or spaced in a way that must not matter (R12)."""
    if chance.random() < 0.6:
        return render(records).encode()
    ends = chance.choice((_ENDS, ("\r\n",), ("\n\n", "\n"), ("\n",)))
    separators = chance.choice((_BLANKS, (" ",), ("\t",)))
    text = spaced(chance, records, separators, ends)
    if chance.random() < 0.3:
        text = text.removesuffix("\n")
    return text.encode()

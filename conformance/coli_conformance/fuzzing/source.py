"""The stream of entries of one search: which kinds there are, in which shares, all of it from one seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from coli_conformance.corpus.target import Target
from coli_conformance.fuzzing.course import NotMeantError
from coli_conformance.fuzzing.grammar_texts import grammar_texts
from coli_conformance.fuzzing.histories import target_of
from coli_conformance.fuzzing.made_entries import grammar_read, iku1_read, mutated_read, session, sound_read
from coli_conformance.fuzzing.meant import Meant, meant

KINDS = {
    "sound": "sound histories",
    "mutated": "mutated histories",
    "sessions": "sessions",
    "iku1": "IKU1 blocks",
    "grammar": "texts of the grammar",
}
"""The kinds of entries, with words for many of them."""

_SHARES = {"sound": 0.34, "mutated": 0.40, "sessions": 0.16, "iku1": 0.05, "grammar": 0.05}
_TEXTS_SERVE = 500
"""So many entries are made from one draw of texts, mutated differently each time."""


def entries(seed: int, target: Target | None = None) -> Iterator[tuple[str, Meant]]:
    """Yield entries without end with their kind, the same ones for the same seed.

    `target` is the engine that all of them are for; without one, each entry has its own.
    """
    chance = Random(seed)
    kinds, shares = list(_SHARES), list(_SHARES.values())
    texts: list[str] = []
    texts_for = target or Target()
    served = 0
    while True:
        kind = chance.choices(kinds, shares)[0]
        mine = target or target_of(chance)
        if kind == "grammar":
            if served % _TEXTS_SERVE == 0:
                texts_for, texts = mine, grammar_texts(chance.getrandbits(32), mine)
            served += 1
            entry = grammar_read(chance, texts_for, chance.choice(texts))
        else:
            make = {"sound": sound_read, "mutated": mutated_read, "sessions": session, "iku1": iku1_read}[kind]
            entry = make(chance, mine)
        try:
            asked = meant(entry)
        except NotMeantError:
            continue
        yield kind, asked

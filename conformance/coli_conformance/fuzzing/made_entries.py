"""Entries made up at random: one file read, sound or mutated, and sessions of any commands in any order."""

from __future__ import annotations

from random import Random

from coli_conformance.corpus.fresh_values import choices, count
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.fuzzing.entry import Entry
from coli_conformance.fuzzing.histories import history, iku1
from coli_conformance.fuzzing.mutations import mutated

_OTHER, _SAVED = "other.txt", "saved.txt"
_VERBS = ("add", "add", "route", "route", "endcall", "load", "load", "trust", "save", "save", "counts", "drop")
"""The verbs of sessions, as often as they are drawn."""


def sound_read(chance: Random, target: Target) -> Entry:
    """Return an entry that reads a history that is not malformed; some have a header to be refused."""
    return _one_read(chance, target, history(chance, target))


def mutated_read(chance: Random, target: Target) -> Entry:
    """Return an entry that reads a history after bytes of it were changed."""
    data = mutated(chance, history(chance, target, foreign=0.05), history(chance, target))
    return _one_read(chance, target, data)


def iku1_read(chance: Random, target: Target) -> Entry:
    """Return an entry that reads IKU1, half of them mutated."""
    data = iku1(chance, target)
    if chance.random() < 0.5:
        data = mutated(chance, data, iku1(chance, target))
    return _one_read(chance, target, data)


def grammar_read(chance: Random, target: Target, text: str) -> Entry:
    """Return an entry that reads `text`, which was derived from the grammar, half of them mutated."""
    data = text.encode()
    if chance.random() < 0.5:
        data = mutated(chance, data, history(chance, target))
    return _one_read(chance, target, data)


def session(chance: Random, target: Target, tracing: float = 0.04) -> Entry:
    """Return a session of up to thirty commands; the share `tracing` is traced."""
    files = {
        HISTORY: history(chance, target, foreign=0.3),
        _OTHER: history(chance, target, foreign=0.0),
    }
    routing = list(range(target.n_layers + 1))
    steps: list[str] = []
    for _ in range(chance.randint(2, 30)):
        steps.append(_command(chance, target, routing))
    steps.append("counts")
    named = {step.partition(" ")[2] for step in steps}
    return Entry(
        target,
        tuple((path, data) for path, data in files.items() if path in named),
        tuple(steps),
        tracing=chance.random() < tracing,
    )


def _command(chance: Random, target: Target, routing: list[int]) -> str:
    """Return the next command; `routing` are the rows not yet dropped."""
    layer, expert = chance.choice(routing), chance.randrange(target.n_experts)
    verb = chance.choice(_VERBS)
    if verb == "drop" and len(routing) > 1 and chance.random() < 0.5:
        routing.remove(layer)
        return f"drop {layer}"
    amount = count(chance) if chance.random() < 0.2 else chance.randint(1, 9)
    arguments = {
        "add": lambda: f" {layer} {expert} {amount}",
        "route": lambda: f" {layer} {chance.randint(0, 40)} {choices(chance, target.n_experts)}",
        "load": lambda: f" {chance.choice((HISTORY, _OTHER, _SAVED))}",
        "trust": lambda: f" {chance.choice((HISTORY, _OTHER, _SAVED))}",
        "save": lambda: f" {chance.choice((HISTORY, _SAVED, _SAVED))}",
    }
    if verb in arguments:
        return verb + arguments[verb]()
    return "endcall" if verb == "endcall" else "counts"


def _one_read(chance: Random, target: Target, data: bytes) -> Entry:
    """Return an entry that reads one file; now and then counters are not zero before, or a good file follows."""
    before, after = [], []
    files = [(HISTORY, data)]
    if chance.random() < 0.15:
        before += [f"drop {layer}" for layer in chance.sample(range(target.n_layers + 1), chance.randint(1, 2))]
    read = "trust" if chance.random() < 0.2 else "load"
    drawn = chance.random()
    if drawn < 0.1:
        files.append((_OTHER, history(chance, target, foreign=0.0)))
        after += [f"load {_OTHER}", "counts"]
    elif drawn < 0.15:
        files.append((_OTHER, history(chance, target, foreign=0.0)))
        before.append(f"load {_OTHER}")
    elif drawn < 0.25:
        after.append(f"save {_SAVED}")
    return Entry(target, tuple(files), (*before, f"{read} {HISTORY}", "counts", *after))

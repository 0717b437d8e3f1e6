"""What a reader made of a history against what was meant, in words: records lost, invented and changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coli_conformance.case import Record
from coli_conformance.escape import cut, shown_bytes
from coli_conformance.judge.answers import Answer, counters_of
from coli_conformance.judge.observation import Observation
from coli_conformance.protocol import split_answers

_SHOWN = 3
"""Records of a kind that a sentence names."""
_LONGEST = 300
"""Characters of what an engine said that a sentence quotes."""


def reading_in_words(observation: Observation, meant: Sequence[Record], otherwise: str) -> str:
    """Return a sentence on a reader that answered `init`, `load` and `counts`, but not as was meant.

    `otherwise` is the judge's sentence, for what is neither a refusal nor a difference of records.
    """
    answers = [Answer.of(text) for text in split_answers(observation.stdout)[0]]
    if len(answers) != 3:
        return otherwise
    _, load, counts = answers
    if load.word in {"refused", "error"}:
        said = load.rest or shown_bytes(observation.stderr.strip().rpartition(b"\n")[2])
        refusal = "refused the file" if load.word == "refused" else "answered `load` with `error`"
        return cut(f"{refusal}: {said}" if said else refusal, _LONGEST)
    seen = counters_of(counts.data)
    if load.word != "ok" or counts.word != "ok" or isinstance(seen, bytes):
        return otherwise
    return differences({(layer, expert): count for layer, expert, count in meant}, seen) or otherwise


def differences(meant: Mapping[tuple[int, int], int], seen: Mapping[tuple[int, int], int]) -> str:
    """Return what was lost, invented and changed, such as `lost 4 1 8; invented 99 4 1`, or "" for nothing."""
    lost = [f"{layer} {expert} {meant[layer, expert]}" for layer, expert in sorted(meant.keys() - seen.keys())]
    invented = [f"{layer} {expert} {seen[layer, expert]}" for layer, expert in sorted(seen.keys() - meant.keys())]
    changed = [
        f"{layer} {expert} from {meant[layer, expert]} to {seen[layer, expert]}"
        for layer, expert in sorted(meant.keys() & seen.keys())
        if meant[layer, expert] != seen[layer, expert]
    ]
    kinds = (_kind("lost", lost, len(meant)), _kind("invented", invented, None), _kind("changed", changed, len(meant)))
    return "; ".join(kind for kind in kinds if kind)


def _kind(verb: str, records: Iterable[str], of: int | None) -> str:
    records = list(records)
    if not records:
        return ""
    if of is not None and len(records) == of and of > 1:
        return f"{verb} all {of} records ({_list(records)})"
    return f"{verb} {_list(records)}"


def _list(records: Sequence[str]) -> str:
    more = len(records) - _SHOWN
    return ", ".join(records[:_SHOWN]) + (f" and {more} more" if more > 0 else "")

"""Comparing answers: what the protocol's final lines and data lines say against what the case expects."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from coli_conformance.case import Case
from coli_conformance.judge.verdict import Finding
from coli_conformance.protocol import DATA_LINE, final_word

_SHOWN = 80
_COUNTER = re.compile(rb"%s[ \t]*" % DATA_LINE)
_MOST_TOO_MANY = 100_000
"""Counters that are read beyond those expected, more than the largest model has; what has more is wrong anyway."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One complete answer: the data lines, the final line's word and what follows it."""

    data: tuple[bytes, ...]
    word: str
    rest: str

    @classmethod
    def of(cls, text: bytes) -> Answer:
        """Cut the answer `text`, as `protocol.split_answers` gives it."""
        *data, final = text.split(b"\n")
        word = final_word(final) or b""
        rest = final[len(word) :]
        return cls(tuple(data), word.decode("ascii"), rest.decode("ascii", "backslashreplace").strip())


def compare(case: Case, step: int, expected: str, seen: Answer, totals: bool = True) -> Finding | None:
    """Return what is wrong with the answer to `case.steps[step]`, or None.

    `expected` is one entry of `Outcome.answers`; alternatives and `any` as described there. Where the engine
    has no way to say totals, none is asked for.
    """
    command = case.steps[step]
    verb = command.split(" ", 1)[0]
    *expected_data, final = expected.split("\n")
    clause = case.clause_of_step(step)
    alternatives = ("ok", "refused", "error") if final == "any" else tuple(final.split("|"))

    def finding(sentence: str, expected_text: str, seen_text: str) -> Finding:
        return Finding(clause, sentence, step=step, expected=expected_text[:_SHOWN], seen=seen_text[:_SHOWN])

    if not any(_final_matches(verb, alternative, seen, final == "any", totals) for alternative in alternatives):
        legal = " or ".join(alternatives)
        shown = f"{seen.word} {seen.rest}".strip()
        sentence = f"`{command[:_SHOWN]}` answered `{shown[:_SHOWN]}`, expected `{legal}`"
        if seen.word == "unsupported":
            sentence += f"; a role that the driver claims includes `{verb}`"
        return finding(sentence, legal, shown)
    if verb != "counts" or seen.word != "ok":
        if seen.data:
            return finding(
                f"`{command[:_SHOWN]}` answered {len(seen.data)} data lines before `{seen.word}`; it has none",
                final,
                seen.data[0].decode("ascii", "backslashreplace"),
            )
        return None
    most = len(expected_data) + _MOST_TOO_MANY
    counters = counters_of(seen.data, most)
    if isinstance(counters, bytes):
        line = counters.decode("ascii", "backslashreplace")
        return finding(
            f"`counts` answered the line `{line[:_SHOWN]}`, which is not `LAYER EXPERT COUNT`",
            "LAYER EXPERT COUNT",
            line,
        )
    if final == "any" and len(counters) <= most:
        return _outside(case, counters, finding_clause=clause, step=step)
    return _counter_difference(clause, step, counters_of_text(expected_data), counters, most)


def counters_of(data: tuple[bytes, ...], most: int | None = None) -> dict[tuple[int, int], int] | bytes:
    """Return the counters that data lines of `counts` say, zeros left out, several lines of one added up.

    Where a line is not three plain decimal numbers, that line is returned instead. Beyond `most` counters, None for as
    many as there are, no more is read.
    """
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for line in data:
        if not _COUNTER.fullmatch(line):
            return line
        try:
            layer, expert, count = map(int, line.split())
        except ValueError:  # a number of thousands of digits
            return line
        if count:
            sums[layer, expert] += count
        if most is not None and len(sums) > most:
            break
    return dict(sums)


def counters_of_text(lines: list[str]) -> dict[tuple[int, int], int]:
    """Return the counters that a case's expected data lines say."""
    return {(int(layer), int(expert)): int(count) for layer, expert, count in map(str.split, lines)}


def _final_matches(verb: str, alternative: str, seen: Answer, whatever: bool, totals: bool) -> bool:
    word, _, rest = alternative.partition(" ")
    if seen.word != word:
        return False
    if word != "ok":
        return True
    if verb in {"load", "trust"}:
        if not totals:
            return True
        total_said = seen.rest.isascii() and seen.rest.isdigit()
        return total_said and (whatever or not rest or (seen.rest.lstrip("0") or "0") == rest)
    return whatever or verb != "pin" or seen.rest == rest


def _outside(case: Case, counters: dict[tuple[int, int], int], finding_clause: str, step: int) -> Finding | None:
    """Return a finding where a counter lies outside the dimensions that the session was initialised with (R17)."""
    _, _, n_layers, n_experts = next(line for line in case.steps if line.startswith("init ")).split()
    for layer, expert in counters:
        if not (0 <= layer <= int(n_layers) and 0 <= expert < int(n_experts)):
            return Finding(
                finding_clause,
                f"`counts` shows a counter at layer {layer}, expert {expert}, outside {n_layers} x {n_experts}",
                step=step,
            )
    return None


def _counter_difference(
    clause: str, step: int, expected: dict[tuple[int, int], int], seen: dict[tuple[int, int], int], most: int
) -> Finding | None:
    """Return the first counter that differs, with how many do; or that there are more than `most`."""
    if len(seen) > most:
        sentence = f"`counts` shows more than {most} counters, where {len(expected)} are not zero"
        return Finding(clause, sentence, step=step, expected=f"{len(expected)} counters", seen=f"more than {most}")
    places = sorted(place for place in expected.keys() | seen.keys() if expected.get(place, 0) != seen.get(place, 0))
    if not places:
        return None
    layer, expert = places[0]
    wanted, got = expected.get(places[0], 0), seen.get(places[0], 0)
    more = f", and {len(places) - 1} more counters differ" if len(places) > 1 else ""
    return Finding(
        clause,
        f"the counter of layer {layer}, expert {expert} is {got}, expected {wanted}{more}",
        step=step,
        expected=f"{layer} {expert} {wanted}" if wanted else "no such counter",
        seen=f"{layer} {expert} {got}" if got else "no such counter",
    )

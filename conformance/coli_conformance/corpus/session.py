"""A session being written down: each protocol command together with the answer that the contract owes it.

The expected counters are kept by plain bookkeeping over what was meant (records, routing decisions), never by reading
bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import coli_spec
from coli_conformance.case import (
    Case,
    ExpectedTrace,
    FileExpectation,
    MessageExpectation,
    Outcome,
    Record,
    SetupFile,
    WrittenHistory,
)
from coli_conformance.corpus.meaning import History, ascending
from coli_conformance.corpus.target import Target

CORPUS_VERSION = 1
"""The newest version of the corpus that was released: `vectors/CHANGELOG.md` has a section for each."""

_FIRST_VERSION = 1
"""What cases say they came with that say nothing else."""

_COUNT_MAX = coli_spec.load().fields[2].maximum
_ROLE_OF_COMMAND = {
    "add": "save",
    "save": "save",
    "load": "load",
    "trust": "trusted",
    "dense": "iku1-save",
    "pin": "pin",
    "pairs": "pairs",
    "record": "records",
}


class Session:
    """One engine's session, step by step, starting with its `init`."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.steps: list[str] = []
        self.answers: list[str] = []
        self.about: dict[int, str] = {}
        self.setup: list[SetupFile] = []
        self.files: list[FileExpectation] = []
        self.messages: list[MessageExpectation] = []
        self._counters: dict[tuple[int, int], int] = {}
        self._dropped: set[int] = set()
        self._unknown: list[Record] = []
        self._asked_for: list[Record] = []
        self._ended_calls = 0
        self._decisions: list[str] = []
        self.say(target.init, "ok")

    # -- what lies in the folder before ---------------------------------------------------------------------------

    def given(self, path: str, content: bytes | str | History) -> None:
        """Let a file with this content lie in the folder before the engine starts."""
        if isinstance(content, History):
            content = content.text
        self.setup.append(SetupFile(path, data=content.encode() if isinstance(content, str) else content))

    # -- commands -------------------------------------------------------------------------------------------------

    def say(self, command: str, answer: str, clause: str | None = None) -> None:
        """Send `command` and expect `answer`; a wrong one breaks `clause`, or else the case's first clause."""
        if clause is not None:
            self.about[len(self.steps)] = clause
        self.steps.append(command)
        self.answers.append(answer)

    def drop(self, *layers: int) -> None:
        """Say of each layer that it does not route."""
        for layer in layers:
            self._dropped.add(layer)
            self.say(f"drop {layer}", "ok")

    def add(self, *records: Record) -> None:
        """Add to counters directly; a sum beyond the counter's range stays at its maximum (W19)."""
        for layer, expert, count in records:
            self._credit(layer, expert, count)
            self.say(f"add {layer} {expert} {count}", "ok")

    def route(self, layer: int, row: int, *choices: tuple[int, str]) -> None:
        """Make one routing decision: each choice is an expert and the decimal of its gate."""
        self._decide(layer, row, choices)
        self.say(f"route {layer} {row} " + " ".join(f"{expert}:{gate}" for expert, gate in choices), "ok")

    def route_unsound(self, layer: int, row: int, choices: str, kept: Sequence[tuple[int, str]]) -> None:
        """Make a decision of which `kept` alone may be counted and traced; the engine may object to it (T12)."""
        if kept:
            self._decide(layer, row, kept)
        self.say(f"route {layer} {row} {choices}", "ok|error")

    def endcall(self) -> None:
        """End the moe call."""
        self._ended_calls += 1
        self.say("endcall", "ok")

    def record(self, *records: Record) -> None:
        """Have the next save write these agreed header records as well; each must then stand there once (W14)."""
        for number, second, third in records:
            self._asked_for.append((number, second, third))
            self.say(f"record {number} {second} {third}", "ok")

    def load(
        self, path: str, meant: History | Iterable[Record], trusted: bool = False, clause: str | None = None
    ) -> None:
        """Load a sound file that means `meant`; what is out of bounds or for a dropped row is not accepted
        (R09-R11)."""
        records = meant.data if isinstance(meant, History) else tuple(meant)
        self._unknown += meant.unknown if isinstance(meant, History) else ()
        accepted = [record for record in records if self._admits(record)]
        for layer, expert, count in accepted:
            self._credit(layer, expert, count)
        total = sum(count for _, _, count in accepted)
        self.say(f"{'trust' if trusted else 'load'} {path}", f"ok {total}", clause)

    def refused(self, path: str, trusted: bool = False, clause: str | None = None) -> None:
        """Load a file that must be refused."""
        self.say(f"{'trust' if trusted else 'load'} {path}", "refused", clause)

    def counts(self, clause: str | None = None) -> None:
        """Ask for every non-zero counter."""
        self.say("counts", ascending(self.nonzero()) + "ok", clause)

    def save(self, path: str, canonical: bool = False, clause: str | None = None) -> None:
        """Save, and expect a history there that holds the counters as they are now.

        A file is judged when the engine has ended, so only the last save to a path leaves an expectation. `clause` is
        the one that wrong records break besides what they break by themselves; the case's first where it is None.
        """
        self.say(f"save {path}", "ok", clause)
        self.files = [expected for expected in self.files if expected.path != path]
        self.files.append(FileExpectation(path, clause or "", history=self.written(canonical=canonical)))
        self._asked_for.clear()

    def trace(self, path: str, four_decimals: bool = False) -> None:
        """Expect at `path` the trace of the decisions made so far, which are all there will be.

        What is wrong with a line breaks its own clause of T01-T06, and the case's first where that is a later one of T.
        """
        expected = ExpectedTrace(tuple(self._decisions), four_decimals)
        self.files.append(FileExpectation(path, "", trace=expected))

    # -- what is meant --------------------------------------------------------------------------------------------

    def nonzero(self) -> tuple[Record, ...]:
        """Every non-zero counter of a row that routes, ascending."""
        return tuple(
            (layer, expert, count)
            for (layer, expert), count in sorted(self._counters.items())
            if count and layer not in self._dropped
        )

    def written(self, canonical: bool = False) -> WrittenHistory:
        """Return what a save now must write."""
        return WrittenHistory(
            n_layers=self.target.n_layers,
            n_experts=self.target.n_experts,
            engine_id=self.target.engine_id,
            records=self.nonzero(),
            dropped=tuple(sorted(self._dropped)),
            kept=tuple(self._unknown),
            added=tuple(self._asked_for),
            canonical=canonical,
        )

    def case(
        self,
        case_id: str,
        why: str,
        clauses: Sequence[str] = (),
        roles: Sequence[str] = (),
        outcomes: Sequence[Outcome] = (),
        environment: dict[str, str] | None = None,
        file_size_limit: int | None = None,
        second_environment: dict[str, str] | None = None,
        decimal_comma: bool = False,
        since: int = _FIRST_VERSION,
    ) -> Case:
        """Close the session into a case. Its first clause is the front of `case_id`; `clauses` are the others.

        Level and roles come from the declaration of the first clause; to the roles those are added that the other
        clauses and the commands need. `outcomes` replaces the one this session expects, where several are legal.
        A case that is added once CORPUS_VERSION is released says `since=CORPUS_VERSION + 1`, as a number, for good.
        """
        spec = coli_spec.load()
        about = (case_id.partition("-")[0], *clauses)
        if spec.clause(about[0]).area.letter == "W":
            self._blame_reading_on_the_reader()
        needed = {role for clause in about for role in spec.clause(clause).roles} | set(roles)
        needed |= {
            _ROLE_OF_COMMAND[word] for word in (step.split()[0] for step in self.steps) if word in _ROLE_OF_COMMAND
        }
        if "counts" in self.steps and "save" not in needed:
            needed.add("load")
        if any(step.startswith("route ") for step in self.steps) and "trace" not in needed:
            needed.add("save")
        return Case(
            id=case_id,
            since=since,
            clauses=about,
            level=spec.clause(about[0]).level,
            roles=tuple(role.name for role in spec.roles if role.name in needed),
            why=why,
            steps=tuple(self.steps),
            outcomes=tuple(outcomes) or (self.outcome(first_clause=about[0]),),
            setup=tuple(self.setup),
            environment=environment or {},
            file_size_limit=file_size_limit,
            about=dict(self.about),
            second_environment=second_environment,
            decimal_comma=decimal_comma,
        )

    def _blame_reading_on_the_reader(self) -> None:
        """Let a wrong answer to a load of a file that was there before break R01: what is written comes after it."""
        given = {item.path for item in self.setup}
        for index, step in enumerate(self.steps):
            verb, _, path = step.partition(" ")
            if verb in {"load", "trust"} and path in given:
                self.about.setdefault(index, "R01")

    def outcome(self, first_clause: str, name: str = "") -> Outcome:
        """Return what this session expects; file expectations that name no clause get `first_clause`."""
        return Outcome(
            answers=tuple(self.answers),
            name=name,
            files=tuple(
                expected if expected.clause else replace(expected, clause=first_clause) for expected in self.files
            ),
            messages=tuple(self.messages),
        )

    def _decide(self, layer: int, row: int, choices: Sequence[tuple[int, str]]) -> None:
        for expert, _ in choices:
            self._credit(layer, expert, 1)
        chosen = " ".join(f"{expert}:{gate}" for expert, gate in choices)
        self._decisions.append(f"{self._ended_calls} {row} {layer} {chosen}")

    def _admits(self, record: Record) -> bool:
        layer, expert, _ = record
        return 0 <= layer <= self.target.n_layers and 0 <= expert < self.target.n_experts and layer not in self._dropped

    def _credit(self, layer: int, expert: int, count: int) -> None:
        self._counters[layer, expert] = min(self._counters.get((layer, expert), 0) + count, _COUNT_MAX)

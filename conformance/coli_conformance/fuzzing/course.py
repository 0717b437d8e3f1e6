"""One legal course of a session: the bookkeeping of what each command must answer if the ones before went this way."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coli_conformance.case import Record
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.fuzzing import lines
from coli_conformance.fuzzing.reading import Kind, Reader, Reading, reading


class NotMeantError(Exception):
    """The commands ask for what the contract leaves open, so nothing can be expected of them."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What one `counts` may show after malformed input: no more than `most` anywhere; `clause` is broken by more.

    The places in `full` may be at the largest count as well.
    `read` is the step of the load right before it whose total has to be the sum of what the counters gained since
    `before`, the sum they had; None where it need not.
    """

    step: int
    most: Mapping[tuple[int, int], int]
    full: frozenset[tuple[int, int]]
    clause: str
    dropped: frozenset[int]
    read: int | None
    before: int


class Course:
    """A session with what is known of the counters at each moment: exactly, or after malformed input their limits."""

    def __init__(self, target: Target, files: Mapping[str, bytes]) -> None:
        self.session = Session(target)
        self.roles: set[str] = set()
        self.limits: list[Limit] = []
        self._content: dict[str, bytes | tuple[Record, ...] | None] = dict(files)
        self._dropped: set[int] = set()
        self._refused: set[str] = set()
        self._loaded = False
        self._clause = "W22"
        self._late = False
        """A file was refused for a late header, and nobody has looked at the counters since."""
        self._exact = True
        self._most: Counter[tuple[int, int]] | None = Counter()
        """The most that legal readers have credited to each counter; None where there is no limit."""
        self._full: set[tuple[int, int]] = set()
        self._malformed_read: int | None = None
        self._sum_before = 0

    def step(self, command: str) -> Iterator[Course]:
        """Go on with a command; yield the courses after it, this one among them.

        Raises NotMeantError where no answer can be expected.
        """
        verb, *words = command.split(" ")
        try:
            if verb in {"load", "trust"}:
                yield from self._read(*words, trusted=verb == "trust")
                return
            self._plain(verb, words)
        except (ValueError, TypeError, IndexError) as error:
            raise NotMeantError(command) from error
        yield self

    def _plain(self, verb: str, words: list[str]) -> None:
        if verb == "counts" and not words:
            self._counts()
            return
        self._malformed_read = None
        if verb == "drop":
            self._drop(*map(int, words))
        elif verb == "add":
            self._add(*map(int, words))
        elif verb == "route":
            self._route(int(words[0]), int(words[1]), words[2:])
        elif verb == "endcall" and not words:
            self.session.endcall()
            self.roles.add("trace")
        elif verb == "save":
            self._save(*words)
        else:
            raise NotMeantError(verb)

    def _drop(self, layer: int) -> None:
        if not 0 <= layer <= self.session.target.n_layers:
            raise NotMeantError("drop")
        self._dropped.add(layer)
        self.roles.add("bounds")
        self.session.drop(layer)
        if self._most is not None:
            self._most = Counter({place: most for place, most in self._most.items() if place[0] != layer})

    def _add(self, layer: int, expert: int, count: int) -> None:
        if not self._admits(layer, expert) or not 1 <= count <= lines.COUNT_MAX:
            raise NotMeantError("add")
        self.roles.add("save")
        self.session.add((layer, expert, count))
        self._credited([(layer, expert, count)], "W11", "W19")

    def _route(self, layer: int, row: int, words: list[str]) -> None:
        choices = [(int(expert), gate) for expert, _, gate in (word.partition(":") for word in words)]
        sound = row >= 0 and len({expert for expert, _ in choices}) == len(choices) > 0
        if not sound or not all(self._admits(layer, expert) and abs(float(gate)) < 512 for expert, gate in choices):
            raise NotMeantError("route")
        self.roles.add("save")
        self.session.route(layer, row, *choices)
        self._credited([(layer, expert, 1) for expert, _ in choices], "W22", "W19")

    def _counts(self) -> None:
        if self._exact:
            # What a reader credited in front of a late header is still there after a save or another load.
            self.session.counts("R20" if self._late else self._clause)
            self._late = False
            return
        step = len(self.session.steps)
        self.session.say("counts", "any", "R17")
        if self._most is None:
            return
        full = self._full or any(most > lines.COUNT_MAX for most in self._most.values())
        read = None if full else self._malformed_read
        limit = Limit(
            step=step,
            most=dict(self._most),
            full=frozenset(place for place in self._full if place[0] not in self._dropped),
            clause=self._clause,
            dropped=frozenset(self._dropped),
            read=read,
            before=self._sum_before,
        )
        self.limits.append(limit)
        self._malformed_read = None

    def _save(self, path: str) -> None:
        self.roles.add("save")
        if self._exact and path not in self._refused:
            clause = "W12" if path in self._content else self._clause
            self.session.save(path, clause=clause if clause.startswith("W") else "W13")
            self._content[path] = self.session.nonzero()
            self._clause = "W13"
            return
        self.session.files = [expected for expected in self.session.files if expected.path != path]
        self.session.say(f"save {path}", "ok|error" if path in self._refused else "ok", "W12")
        self._content[path] = None

    # -- reading --------------------------------------------------------------------------------------------------

    def _read(self, path: str, *, trusted: bool) -> Iterator[Course]:
        self.roles |= {"load", "trusted"} if trusted else {"load"}
        self._malformed_read = None
        command = f"{'trust' if trusted else 'load'} {path}"
        if path not in self._content:
            self.session.say(command, "ok 0|refused", "R24")
            self._refused.add(path)
            yield self
            return
        content = self._content[path]
        if content is None:
            self.session.say(command, "any", "R17")
            self._exact, self._most = False, None
            yield self
            return
        reader = Reader(
            self.session.target, frozenset(self._dropped), trusted, self._loaded, refused=bool(self._refused)
        )
        if not isinstance(content, bytes):
            found = Reading(Kind.READ, content, "W13", "W13")
        else:
            found = reading(content, reader)
        self.roles.update(found.roles)
        if found.kind is Kind.ANYTHING:
            assert isinstance(content, bytes)
            self._anything(command, path, content, found, reader)
            yield self
            return
        if found.kind is Kind.EITHER:
            other = copy.deepcopy(self)
            other._refuse(command, path, found)
            yield other
        if found.kind is Kind.REFUSED:
            self._refuse(command, path, found)
        else:
            self._accept(command, path, found, reader)
        yield self

    def _refuse(self, command: str, path: str, found: Reading) -> None:
        self.session.say(command, "refused", found.clause)
        self._refused.add(path)
        self._clause = found.credit_clause
        self._late = self._late or found.credit_clause == "R20"

    def _accept(self, command: str, path: str, found: Reading, reader: Reader) -> None:
        self.session.load(path, found.records_as_history(), trusted=command.startswith("trust "), clause=found.clause)
        self._refused.discard(path)
        self._loaded = True
        accepted = [record for record in found.records if reader.admits(*record[:2])]
        self._credited(accepted, found.credit_clause, "R22")

    def _anything(self, command: str, path: str, content: bytes, found: Reading, reader: Reader) -> None:
        """Note that the counters may now hold more, and by how much at most."""
        most = lines.most_credited(content, reader.admits)
        if self._exact:
            self._malformed_read = len(self.session.steps)
            self._sum_before = sum(count for _, _, count in self.session.nonzero())
        self.session.say(command, "any", found.clause)
        self._refused.add(path)
        self._exact = False
        self._clause = found.credit_clause
        if self._most is not None and most is not None:
            self._most.update(most.most)
            self._full |= most.full
        else:
            self._most = None

    # -- counters -------------------------------------------------------------------------------------------------

    def _admits(self, layer: int, expert: int) -> bool:
        target = self.session.target
        return 0 <= layer <= target.n_layers and 0 <= expert < target.n_experts and layer not in self._dropped

    def _credited(self, records: list[Record], clause: str, clause_where_full: str) -> None:
        full = False
        if self._most is not None:
            for layer, expert, count in records:
                self._most[layer, expert] += count
                full = full or self._most[layer, expert] > lines.COUNT_MAX
        if self._exact:
            self._clause = clause_where_full if full else clause

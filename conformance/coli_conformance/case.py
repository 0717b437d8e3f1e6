"""A case: what an engine is given, what it is told to do, and what must then be seen.

A case is data. The corpus makes it from what it means, the vectors keep it as JSON, the runner plays it and the judge
compares. Nothing in it depends on the engine it is played against.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import coli_spec

Level = Literal["must", "should", "may"]
Record = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SetupFile:
    """One thing that lies in the working folder before the engine starts. Exactly one of the three kinds is set.

    `data`: a regular file with these bytes. `link_to`: a hard link to an earlier file of the same setup, through which
    a change in place is seen (W16). `folder`: an empty folder.
    """

    path: str
    data: bytes | None = None
    link_to: str | None = None
    folder: bool = False


@dataclass(frozen=True)
class WrittenHistory:
    """What a history that an engine wrote must hold (area W): its header and its records, not its bytes.

    `records` are the non-zero counters of rows that route, ascending; none means a file of zero bytes (W08). `dropped`
    are the dropped rows (W09). `kept` are header records that were loaded and may be written back unchanged (W25);
    `added` are agreed header records that the session asked for (verb `record`), which must be there.
    """

    n_layers: int
    n_experts: int
    engine_id: int
    records: tuple[Record, ...]
    dropped: tuple[int, ...] = ()
    kept: tuple[Record, ...] = ()
    added: tuple[Record, ...] = ()
    canonical: bool = False
    """The bytes are judged as well, by W18."""

    @property
    def header(self) -> tuple[Record, Record]:
        """The two header records that must begin the file where there are data records (W04-W07)."""
        return (-1, self.n_layers, self.n_experts), (-2, coli_spec.load().format_version, self.engine_id)

    @cached_property
    def canonical_bytes(self) -> bytes:
        """The one file that is right in every respect, W18 included; zero bytes where there are no records (W08)."""
        if not self.records:
            return b""
        lines = (*self.header, *self.added, *self.records)
        return "".join(f"{first} {second} {third}\n" for first, second, third in lines).encode()


@dataclass(frozen=True)
class ExpectedTrace:
    """The trace that a session's routing decisions make (area T).

    `lines` are the decisions in order, each as the line of the trace with the gates' decimals as they stand in the case
    (`0 0 3 1:0.5 2:0.25`); the engine applies the nearest 32-bit float of each. `four_decimals`: T10 is judged too.
    """

    lines: tuple[str, ...]
    four_decimals: bool = False

    @cached_property
    def canonical_bytes(self) -> bytes:
        """The trace with exactly four decimals, which is right in every respect; others can be right as well."""
        return "".join(f"{_four_decimals(line)}\n" for line in self.lines).encode()


def _four_decimals(line: str) -> str:
    *head, choices = line.split(" ", 3)
    printed = []
    for choice in choices.split(" "):
        expert, _, gate = choice.partition(":")
        (applied,) = struct.unpack("<f", struct.pack("<f", float(gate)))
        printed.append(f"{expert}:{applied:.4f}")
    return " ".join((*head, *printed))


@dataclass(frozen=True, slots=True)
class FileExpectation:
    """What must be true of a file, or of the folder, when the engine has ended. Exactly one of the kinds is set.

    `history`: the file is a written history. `data`: the file holds exactly these bytes. `absent`: there is no such
    file. `only` (path is ""): no file but these is in the folder (W20). `somewhere` (path is ""): some file in the
    folder holds exactly these bytes (W21). `trace`: the file is a trace. `same`: its bytes are those of the case's
    second run (`Case.second_environment`). `clause` is the one that is broken where it is not true.
    """

    path: str
    clause: str
    history: WrittenHistory | None = None
    data: bytes | None = None
    absent: bool = False
    only: tuple[str, ...] | None = None
    somewhere: bytes | None = None
    trace: ExpectedTrace | None = None
    same: bool = False


@dataclass(frozen=True, slots=True)
class MessageExpectation:
    """What standard error must or must not say (R18, R19, T11). Exactly one of the kinds is set; case is ignored.

    `any_of`: at least one of these texts occurs. `none_of`: none of them does. `once`: at least one line contains it,
    and at most `lines` do: a notice may be a few lines long, and repeated it would be more.
    """

    clause: str
    any_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    once: str | None = None
    lines: int = 1
    or_in_answer: bool = False
    """A reason given after `refused` or `error` counts as well."""


@dataclass(frozen=True)
class Outcome:
    """One legal way for the case to go. `name` is the behaviour's name in a `may` case and empty elsewhere.

    `answers` has one entry for each step: the protocol's own text, data lines included, each ending in LF but the last
    (`"3 2 5\\n4 1 8\\nok"`). Data lines of `counts` stand in ascending order and are compared as sums, in any order.
    Alternatives of the final line are joined by `|` (`ok 5|refused`); a free-text reason after `refused` and `error`
    is never compared. `any` stands for ok, refused or error, whatever the total; for `counts`, for any counters inside
    the dimensions.
    """

    answers: tuple[str, ...]
    name: str = ""
    files: tuple[FileExpectation, ...] = ()
    messages: tuple[MessageExpectation, ...] = ()

    @cached_property
    def stdout(self) -> bytes:
        """The answers as they stand; where `is_one_text`, what an engine writes. Other output can still be right."""
        return "".join(answer + "\n" for answer in self.answers).encode()

    @cached_property
    def is_one_text(self) -> bool:
        """Whether no answer has alternatives or is `any`, so that an engine can write `stdout` and mean it."""
        return not any("|" in answer or answer.endswith("any") for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `id` is permanent: first clause and a slug made of its values. `since` is the corpus version it came
    with.

    `clauses` are what it is about, the first one first. `roles`: it is unsupported by an engine that does not claim
    them all. `environment` is added to the scrubbed one. `file_size_limit` in bytes is set with the signal for it
    ignored, so that a write fails as on a full disk (W17). `steps` are protocol commands, `hello` left out; `about`
    names, by step index, the clause that a wrong answer there breaks where it is not the case's first.
    `second_environment`: the session is run a second time with that in place of `environment`, and files are compared
    (T07). `decimal_comma`: it is run under a locale whose decimal point is a comma, where there is one (T09).
    """

    id: str
    since: int
    clauses: tuple[str, ...]
    level: Level
    roles: tuple[str, ...]
    why: str
    steps: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    setup: tuple[SetupFile, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    file_size_limit: int | None = None
    about: Mapping[int, str] = field(default_factory=dict)
    second_environment: Mapping[str, str] | None = None
    decimal_comma: bool = False

    @property
    def alone(self) -> bool:
        """Whether the case needs a process of its own even where the driver is `reusable`.

        It does where it looks at what a shared process cannot show: environment, trace, standard error, limits.
        """
        return bool(
            self.environment
            or self.file_size_limit is not None
            or self.second_environment is not None
            or self.decimal_comma
            or any(outcome.messages for outcome in self.outcomes)
        )

    @property
    def second_run(self) -> Case | None:
        """The same session in the second environment, or None where one run is enough; it is `alone`, too."""
        if self.second_environment is None:
            return None
        return replace(self, environment=self.second_environment)

    def clause_of_step(self, index: int) -> str:
        """Return the id of the clause that a wrong answer to step `index` breaks."""
        return self.about.get(index, self.clauses[0])

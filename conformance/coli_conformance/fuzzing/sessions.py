"""A search through sessions: any commands in any order against an engine, and after each one what it must answer.

`session_machine` gives hypothesis a state machine; hypothesis makes up the sessions and shrinks one that fails. What is
expected is kept by `corpus.session.Session`, as for the cases: bookkeeping over what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.meaning import History, header, inside
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, TRACING
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.judge.answers import Answer, compare
from coli_conformance.judge.trace_file import judge_trace
from coli_conformance.judge.verdict import Finding
from coli_conformance.judge.written_history import judge_history


class SessionDriver(Protocol):
    """An engine in one session, started when the driver was made, with an empty working folder."""

    folder: Path
    """Where the engine finds and leaves its files; they are put there and read while it runs."""

    def send(self, command: str) -> bytes:
        """Send one command and return its answer, data lines included, without the last LF.

        Raises AssertionError where the engine ends, hangs or says what is no answer.
        """

    def end(self) -> dict[str, bytes]:
        """End the engine and remove the folder; return the files that were in it.

        Raises AssertionError where the engine does not end with exit status 0.
        """


OpenDriver = Callable[[Mapping[str, str]], SessionDriver]
"""Starts an engine with these variables added to its environment."""

_COUNT = coli_spec.load().fields[2]
_NAMES = st.one_of(
    st.sampled_from([engine.name for engine in coli_spec.load().engines]),
    st.from_regex(r"[a-z0-9_]{1,63}", fullmatch=True),
)
_MODELS = st.builds(Target, _NAMES, st.integers(1, 6), st.integers(1, 9))
_COUNTS = st.one_of(
    st.integers(1, 20),
    st.sampled_from([count for count in _COUNT.boundaries() if count]),
    st.integers(1, _COUNT.maximum),
)
_LAYERS, _EXPERTS = st.integers(0, 8), st.integers(0, 10)
_DATA = st.lists(st.tuples(_LAYERS, st.integers(-1, 10), st.one_of(_COUNTS, st.just(0))), max_size=8)
"""Data records, of which small models have no counter for some (R10)."""
_UNKNOWN = st.lists(st.tuples(st.integers(-30, -3), st.integers(-3, 9), st.integers(0, _COUNT.maximum)), max_size=2)
_GATES = st.decimals(-511, 511, places=6).map("{:f}".format)
_CHOICES = st.dictionaries(_EXPERTS, _GATES, min_size=1, max_size=4)


def session_machine(open_driver: OpenDriver, *, strict: bool) -> type[SessionMachine]:
    """Return the state machine of sessions of one engine, made for hypothesis' `run_state_machine_as_test`.

    `open_driver` starts the engine anew for each session. `strict`: see SessionMachine.
    """

    class Machine(SessionMachine):
        def __init__(self) -> None:
            super().__init__(open_driver, strict)

    return Machine


class SessionMachine(RuleBasedStateMachine):
    """Sessions of one engine: one `init`, then anything, tracing or not.

    Only what the contract rules out is left alone: routing to a row that does not route, and a save to a path that was
    refused. With `strict` the shoulds count as well: canonical bytes (W18), counters that stay at their largest value
    (W19, R22), exactly four decimals (T10). Without it no counter gets that far.
    """

    def __init__(self, open_driver: OpenDriver, strict: bool) -> None:
        super().__init__()
        self.open_driver = open_driver
        self.strict = strict
        self.driver: SessionDriver | None = None
        self.session = Session(Target())
        self.tracing = False
        self.dropped: set[int] = set()
        self.meant: dict[str, History] = {}
        """What the histories mean that lie in the folder and must be accepted, by path."""
        self.agreed = True

    @initialize(model=_MODELS, tracing=st.booleans())
    def begin(self, model: Target, tracing: bool) -> None:
        """Start the engine and its session."""
        self.session = Session(model)
        self.tracing = tracing
        self.driver = self.open_driver(TRACING if tracing else {})
        self._send()

    @rule(layer=_LAYERS)
    def drop(self, layer: int) -> None:
        """Drop a row, also one that has counted or was dropped before (R11, W09)."""
        row = layer % (self.session.target.n_layers + 1)
        self.dropped.add(row)
        self.session.drop(row)
        self._send()

    @rule(layer=_LAYERS, row=st.integers(0, 600), choices=_CHOICES)
    def route(self, layer: int, row: int, choices: dict[int, str]) -> None:
        """Make a decision in a layer that routes (T02, T05)."""
        target = self.session.target
        chosen = {expert % target.n_experts: gate for expert, gate in choices.items()}
        layer %= target.n_layers + 1
        if layer not in self.dropped and self._has_room([(layer, expert, 1) for expert in chosen]):
            self.session.route(layer, row, *chosen.items())
            self._send()

    @rule()
    def endcall(self) -> None:
        """End the moe call (T03)."""
        self.session.endcall()
        self._send()

    @rule(layer=_LAYERS, expert=_EXPERTS, count=_COUNTS)
    def add(self, layer: int, expert: int, count: int) -> None:
        """Add to a counter of a row that routes (W11, W19)."""
        (record,) = inside(self.session.target, (layer, expert, count))
        if record[0] not in self.dropped and self._has_room([record]):
            self.session.add(record)
            self._send()

    @rule(
        path=st.sampled_from((HISTORY, "other.txt")),
        data=_DATA,
        unknown=_UNKNOWN,
        with_header=st.booleans(),
        trusted=st.booleans(),
    )
    def load(self, path: str, data: list[Record], unknown: list[Record], with_header: bool, trusted: bool) -> None:
        """Load a sound history that nobody has seen before (R01, R02, R08-R11, R14)."""
        heading = header(self.session.target) if with_header else ()
        content = History((*heading, *unknown, *data))
        self._put(path, content)
        self.meant[path] = content
        self._load(path, content, trusted)

    @rule(which=st.integers(0, 9), trusted=st.booleans())
    def load_again(self, which: int, trusted: bool) -> None:
        """Load a history that lies there: one loaded before, or one that this session saved (W13)."""
        if self.meant:
            path = sorted(self.meant)[which % len(self.meant)]
            self._load(path, self.meant[path], trusted)

    @rule(
        wrong=st.sampled_from(("n_layers", "n_experts", "version", "engine")),
        by=st.integers(1, 9),
        data=_DATA,
        trusted=st.booleans(),
    )
    def load_foreign(self, wrong: str, by: int, data: list[Record], trusted: bool) -> None:
        """Load a history of another model, version or engine: refused but for a trusted engine (R03-R07)."""
        target = self.session.target
        right = {
            "n_layers": target.n_layers,
            "n_experts": target.n_experts,
            "version": coli_spec.load().format_version,
            "engine": target.engine_id,
        }
        content = History((*header(target, **{wrong: (right[wrong] + by) % (_COUNT.maximum + 1)}), *data))
        self._put("foreign.txt", content)
        if wrong == "engine" and trusted:
            self._load("foreign.txt", content, trusted)
        else:
            self.session.refused("foreign.txt", trusted=trusted)
            self._send()

    @rule()
    def counts(self) -> None:
        """Ask for every counter."""
        self.session.counts()
        self._send()

    @rule(path=st.sampled_from((HISTORY, "saved.txt")))
    def save(self, path: str) -> None:
        """Save, also over a history that was loaded, and look at the file at once (area W)."""
        self.session.save(path)
        self._send()
        written = self.session.written(canonical=self.strict)
        file = self._driver.folder / path
        assert file.is_file(), f"`save {path}` answered ok, and there is no file (W12)"
        self._check(judge_history(file.read_bytes(), path, written, "W12"))
        self.meant[path] = History(written.records)

    def teardown(self) -> None:
        """End the engine; unless something was wrong before, look for the trace that it should have left (area T)."""
        if self.driver is None:
            return
        files = self.driver.end()
        if not self.agreed:
            return
        if not self.tracing:
            assert TRACE not in files, f"there is a {TRACE} and no ROUTE_TRACE (T08)"
            return
        self.session.trace(TRACE, four_decimals=self.strict)
        expected = self.session.files[-1].trace
        assert expected is not None
        if expected.lines:
            assert TRACE in files, f"there is no {TRACE} (T02)"
        self._check(judge_trace(files.get(TRACE, b""), TRACE, expected, "T02"))

    @property
    def _driver(self) -> SessionDriver:
        assert self.driver is not None, "a session begins with its init"
        return self.driver

    def _put(self, path: str, content: History) -> None:
        (self._driver.folder / path).write_bytes(content.text.encode())

    def _load(self, path: str, content: History, trusted: bool) -> None:
        if self._has_room(content.data):
            self.session.load(path, content, trusted=trusted)
            self._send()

    def _has_room(self, records: list[Record] | tuple[Record, ...]) -> bool:
        """Tell whether all counters hold their counts and `records`; strict sessions need no room (W19, R22)."""
        counters: Counter[tuple[int, int]] = Counter()
        for layer, expert, count in (*self.session.nonzero(), *records):
            counters[layer, expert] += count
        return self.strict or all(count <= _COUNT.maximum for count in counters.values())

    def _send(self) -> None:
        """Send the command that the session has said last, and compare the answer."""
        self.agreed = False
        step = len(self.session.steps) - 1
        answer = Answer.of(self._driver.send(self.session.steps[step]))
        case = self.session.case("R14-session", "A session that was made up.")
        finding = compare(case, step, self.session.answers[step], answer)
        self._check([] if finding is None else [finding])

    def _check(self, findings: list[Finding]) -> None:
        self.agreed = not findings
        assert not findings, "; ".join(f"{finding.sentence} ({finding.clause})" for finding in findings)

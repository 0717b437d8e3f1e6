"""The reference engine: the verbs of the driver protocol, each a few steps over plain functions."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import ClassVar

from coli_reference import atomic, history, identity, iku1, pairs, placement, trace, trust
from coli_reference.counters import Counters
from coli_reference.history import Record
from coli_reference.trust import Dimensions, Refused


class ReferenceEngine:
    """One engine in one process: counters, an identity, and histories and traces read and written.

    Every step is a method of its own, so that an engine wrong in one way is this one with one method changed.
    """

    roles: ClassVar[frozenset[str]] = frozenset(
        {
            *("load", "bounds", "identify", "trusted", "iku1", "save", "trace"),
            *("iku1-save", "pin", "pairs", "records", "reusable"),
        }
    )
    override_noticed: ClassVar[bool] = False
    """Whether this process has said that a trusted read overrode an identity (R19)."""

    def __init__(self) -> None:
        self.trace: trace.TraceWriter | None = None
        self.start("", 0, 0)

    # The session

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        """Begin a session under this identity and these dimensions: counters zero, trace anew (T08, T10)."""
        self.close()
        self.start(name, n_layers, n_experts)
        path = os.environ.get("ROUTE_TRACE")
        if path:
            self.open_trace(path)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        """Set everything a session holds to its beginning."""
        self.name = name
        self.n_layers = n_layers
        self.n_experts = n_experts
        self.counters = Counters(n_layers, n_experts)
        self.call = 0
        self.extra_headers: list[Record] = []
        self.refused_paths: set[str] = set()

    def close(self) -> None:
        """End the session: the trace is closed."""
        if self.trace is not None:
            self.trace.close()
            self.trace = None

    def report(self, sentence: str) -> None:
        """Say something to the user on standard error."""
        print(f"[USAGE] {sentence}", file=sys.stderr, flush=True)

    def engine_id(self, name: str) -> int:
        """Return the id an engine of this name has in a history (W07)."""
        return identity.engine_id(name)

    def dimensions(self) -> Dimensions:
        """Return the engine's own (n_layers, n_experts)."""
        return self.n_layers, self.n_experts

    def described(self, writer_id: int | None) -> str:
        """Return words for the writer of a history, who may be this engine (R18)."""
        return self.name if writer_id == self.engine_id(self.name) else identity.described(writer_id)

    # Counting and tracing

    def drop(self, layer: int) -> None:
        """Drop the row of a layer that does not route (R11, W09)."""
        self.counters.drop(layer)

    def admits(self, layer: int, expert: int) -> bool:
        """Tell whether a count for this layer and expert has a counter to go to (R10, R11)."""
        return self.counters.admits(layer, expert)

    def credit(self, layer: int, expert: int, count: int) -> bool:
        """Add `count` to one counter; return whether there is one (R09)."""
        if not self.admits(layer, expert):
            return False
        self.counters.add(layer, expert, count)
        return True

    def add(self, layer: int, expert: int, count: int) -> None:
        """Add `count` to one counter directly."""
        self.credit(layer, expert, count)

    def counts(self) -> Iterable[tuple[int, int, int]]:
        """Return (layer, expert, count) of every counter above zero, ascending."""
        return self.counters.nonzero()

    def route(self, layer: int, row: int, choices: Sequence[tuple[int, float]]) -> None:
        """Count and trace one decision, (expert, gate) as selected; an unsound choice gets neither (T12)."""
        sound = [(expert, gate) for expert, gate in choices if self.is_sound(layer, expert, gate)]
        for expert, _ in sound:
            self.credit(layer, expert, 1)
        if sound:
            self.write_trace(self.trace_line(layer, row, sound))

    def is_sound(self, layer: int, expert: int, gate: float) -> bool:
        """Tell whether a choice may reach the counters and the trace (T12)."""
        return self.admits(layer, expert) and trace.is_finite(gate)

    def endcall(self) -> None:
        """End a moe call, also one that had no row (T03)."""
        self.call += 1

    def open_trace(self, path: str) -> None:
        """Open the trace anew; where that fails the run goes on without one (T10, T11)."""
        try:
            self.trace = trace.TraceWriter(path)
        except OSError as error:
            self.report(f"{path}: the trace cannot be opened ({error.strerror}); going on without one (T11)")

    def trace_line(self, layer: int, row: int, choices: Sequence[tuple[int, float]]) -> bytes:
        """Return the line of the trace for one decision of the current call (T01-T06)."""
        return trace.line(self.call, row, layer, choices)

    def write_trace(self, line: bytes) -> None:
        """Append a line to the open trace; where that fails the run goes on without one (T11)."""
        try:
            if self.trace is not None:
                self.trace.write(line)
        except OSError as error:
            self.report(f"the trace cannot be written ({error.strerror}); it ends here (T11)")
            self.close()

    # Reading histories

    def load(self, path: str) -> int | None:
        """Read a history found by the engine into the counters; return its total, or None when refused."""
        return self.read(path, trusted=False)

    def trust(self, path: str) -> int | None:
        """Read a history whose path the user typed; another identity is no reason to refuse it (R06)."""
        return self.read(path, trusted=True)

    def read(self, path: str, *, trusted: bool) -> int | None:
        """Validate the whole file, then credit its records: a refused one credits nothing (R07, R20)."""
        try:
            records = self.accepted_records(self.read_file(path), trusted=trusted)
        except Refused as refusal:
            self.refused_paths.add(os.path.realpath(path))
            self.report(refusal.sentence(path))
            return None
        self.refused_paths.discard(os.path.realpath(path))
        return self.accumulate(records)

    def read_file(self, path: str) -> bytes:
        """Return the bytes of a history; a missing file is an empty one (R13, R24).

        Of IKU1 no more is read than the engine's own dimensions take (I05). Raises Refused on failure.
        """
        file = Path(path)
        try:
            if not S_ISREG(file.stat().st_mode):
                raise Refused("it is not a regular file; give the path of a history")
            with file.open("rb") as stream:
                data = stream.read(len(iku1.MAGIC))
                return data + stream.read(iku1.file_bytes(self.dimensions()) if self.is_iku1(data) else -1)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror})") from error

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        """Return the data records of a history that passes the checks; raise Refused where it does not."""
        if self.is_iku1(data):
            return self.read_iku1(data, trusted=trusted)
        records = self.parse(data)
        self.check_headers([record for record in records if record.is_header], trusted=trusted)
        return [record for record in records if not record.is_header]

    def parse(self, data: bytes) -> list[Record]:
        """Return the records of a text history, header records included (R01, R12, R21, R23)."""
        return history.parse(data)

    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        """Check every agreed header record, wherever it stands; others are skipped (R02-R06, R20)."""
        dimensions = [record for record in headers if record.first == history.DIMENSIONS]
        identities = [record for record in headers if record.first == history.IDENTITY]
        writer = self.described(identities[0].third if identities else None)
        for record in identities:
            self.check_version(record.second, writer)
        for record in dimensions:
            self.check_dimensions((record.second, record.third), writer)
        for record in identities:
            self.check_identity(record.third, trusted=trusted)

    def check_version(self, version: int, writer: str) -> None:
        """Raise Refused for a format version this engine cannot cut up, trusted or not (R04, R24)."""
        trust.check_version(version, self.format_version(), writer, self.name)

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        """Raise Refused for dimensions that are not the engine's own, trusted or not (R03, I03)."""
        trust.check_dimensions(declared, self.dimensions(), writer, self.name)

    def check_identity(self, writer_id: int, *, trusted: bool) -> None:
        """Raise Refused for another engine's history unless trusted, which is said once (R05, R06, R19)."""
        same = writer_id == self.engine_id(self.name)
        writer = self.described(writer_id)
        trust.check_identity(same, trusted, writer, self.name)
        if not same:
            self.notice_override(writer)

    def notice_override(self, writer: str) -> None:
        """Say, once per process, that a typed path overrode an identity (R19)."""
        if not self.override_noticed:
            type(self).override_noticed = True
            self.report(f"reading a history of {writer} into {self.name}, because its path was typed (R19)")

    def is_iku1(self, data: bytes) -> bool:
        """Tell whether a file that begins with `data` is IKU1."""
        return iku1.is_iku1(data)

    def read_iku1(self, data: bytes, *, trusted: bool) -> list[Record]:
        """Return the records of an IKU1 file; dimensions are checked before anything else (I01-I06)."""
        self.check_dimensions(iku1.declared_dimensions(data), iku1.writer())
        records = iku1.records(data, self.dimensions())
        self.check_identity(self.engine_id(iku1.writer()), trusted=trusted)
        return records

    def accumulate(self, records: Iterable[Record]) -> int:
        """Credit data records; return the sum of the counts that were accepted (R09, R14)."""
        return sum(count for layer, expert, count in records if self.credit(layer, expert, count))

    # Writing histories

    def format_version(self) -> int:
        """Return the version of the text format this engine writes, and the newest it reads."""
        import coli_spec  # noqa: PLC0415 - reading the declaration is not part of starting an engine

        return coli_spec.load().format_version

    def header_records(self) -> list[Record]:
        """Return the header records of the next save (W04-W06)."""
        writer_id = self.engine_id(self.name)
        own = history.header_records(self.dimensions(), self.format_version(), writer_id)
        return own + self.extra_headers

    def data_records(self) -> list[Record]:
        """Return the data records of the next save, one for every counter above zero (W01, W22)."""
        return [Record(*counter) for counter in self.counts()]

    def records(self) -> list[Record]:
        """Return the whole history as records; without a count there is no header either (W08)."""
        data_records = self.data_records()
        return self.header_records() + data_records if data_records else []

    def render(self, records: Iterable[Record]) -> bytes:
        """Return the bytes of a history (W02, W03, W18, W23)."""
        return history.render(records)

    def save(self, path: str) -> None:
        """Write the history to `path`; raise OSError where that is not possible (W12, W16, W17)."""
        self.keep_refused(path)
        self.replace(path, self.render(self.records()))
        self.extra_headers.clear()

    def keep_refused(self, path: str) -> None:
        """Raise OSError when a load refused `path` and it still stands there (W21)."""
        if os.path.realpath(path) in self.refused_paths and os.path.lexists(path):
            raise FileExistsError(f"{path} was refused when read; move it away or save elsewhere (W21)")

    def replace(self, path: str, data: bytes) -> None:
        """Make `path` hold `data`, as a whole or not at all (W16, W17, W20, W24)."""
        atomic.replace(path, data)

    def record(self, number: int, second: int, third: int) -> None:
        """Have the next save write one more agreed header record; ValueError for others (W14)."""
        self.extra_headers.append(history.extra_header_record(number, second, third))

    def dense(self, path: str) -> None:
        """Write the counters but the MTP row's to `path` as IKU1; raise OSError where that fails."""
        self.keep_refused(path)
        counts = list(self.counts())
        if any(layer >= self.n_layers for layer, _, _ in counts):
            self.report(f"{path}: IKU1 has no row {self.n_layers}; save as text to keep its counts (I01)")
        self.replace(path, iku1.render(self.dimensions(), counts))

    # Extras

    def pin(self, value: str) -> tuple[str, bool] | None:
        """Return (path, trusted) of the history that `PIN=value` reads, or None (P01-P03)."""
        return placement.pin(value)

    def pairs(self, trace: str, out: str) -> None:
        """Build the pairs table of a trace; raise OSError or ValueError where that fails (C01-C03)."""
        pairs.build(trace, out)

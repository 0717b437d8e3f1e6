"""Engines that are right, each in a way of its own: the suite finds fault with none of them, or with one should."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus import generate, vectors
from coli_conformance.corpus.fresh import fresh
from coli_conformance.corpus.target import Target
from coli_conformance.engines.command import open_command
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.reusable import Reusable
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run
from coli_conformance.selftest.play import Reached, is_large, play_sound
from coli_conformance.selftest.reach import replaced
from coli_reference import history, old_reader, trace
from coli_reference.engine import ReferenceEngine
from coli_reference.history import Record
from coli_reference.trust import Refused

WORDED = Path(__file__).parent / "drivers" / "worded_driver.py"
SPEC = coli_spec.load()
CASES = vectors.committed()[0]
FRESH = fresh(20)
ODD_TARGETS = (Target("inkling", 1, 1), Target("glm53", 1000, 1), Target("a", 1, 4096), Target("my_engine", 8, 5))
TARGETS = (
    *(Target(engine.name, size.n_layers, size.n_experts) for engine in SPEC.engines for size in engine.dimensions),
    *(Target(name, 2, 3) for name in ("inkling", "glm_moe_dsa")),  # each name has its own sizes above
    *ODD_TARGETS,
)


def red(results: Iterable[Result]) -> dict[str, tuple[str, ...]]:
    return {result.case_id: result.broken for result in results if result.broken}


def played(engine: type[ReferenceEngine], cases: Sequence[Case]) -> tuple[Result, ...]:
    with InProcess(engine, engine.__name__, {}) as transport:
        return run(transport, cases, on_result=lambda *_: None).results


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.name}-{target.n_layers}x{target.n_experts}")
def test_the_reference_engine_passes_the_corpus_made_for_any_engine(target: Target) -> None:
    own = [case for case in generate(target) if case.steps[0] == target.init]
    results = played(ReferenceEngine, own)
    assert red(results) == {}
    assert sum(result.status is Status.PASS for result in results) > 700


# -- writers ----------------------------------------------------------------------------------------------------------


class WritesCrlf(ReferenceEngine):
    def render(self, records: Iterable[Record]) -> bytes:
        return super().render(records).replace(b"\n", b"\r\n")


class WritesUnsorted(ReferenceEngine):
    def data_records(self) -> list[Record]:
        return super().data_records()[::-1]


class WritesDataWithLeadingZeros(ReferenceEngine):
    def render(self, records: Iterable[Record]) -> bytes:
        return b"".join((b"%d %d %d\n" if record.is_header else b"%04d %04d %010d\n") % record for record in records)


class WritesHeadersWithLeadingZeros(ReferenceEngine):
    def render(self, records: Iterable[Record]) -> bytes:
        return b"".join((b"%d %04d %010d\n" if record.is_header else b"%d %d %d\n") % record for record in records)


class PreservesUnknownRecords(ReferenceEngine):
    unknown: tuple[Record, ...] = ()

    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        accepted = super().accepted_records(data, trusted=trusted)
        if not self.is_iku1(data):
            self.unknown += tuple(record for record in self.parse(data) if record.first < history.IDENTITY)
        return accepted

    def header_records(self) -> list[Record]:
        return [*super().header_records(), *self.unknown]


class SetsARefusedFileAside(ReferenceEngine):
    def keep_refused(self, path: str) -> None:
        if os.path.realpath(path) in self.refused_paths and os.path.lexists(path):
            taken = len(list(Path(path).parent.glob("*.refused-*")))
            Path(path).rename(f"{path}.refused-{taken}")
            self.refused_paths.discard(os.path.realpath(path))


class TracesSixDecimals(ReferenceEngine):
    def trace_line(self, layer: int, row: int, choices: Sequence[tuple[int, float]]) -> bytes:
        printed = " ".join(f"{expert}:{trace.nearest_float32(gate):.6f}" for expert, gate in choices)
        return f"{self.call} {row} {layer} {printed}\n".encode()


# -- readers ----------------------------------------------------------------------------------------------------------


def records_and_rest(data: bytes) -> list[Record | None]:
    """Return a record for each line that is one, and None for each malformed one; blank lines are left out."""
    return [history.parse_line(line) for line in data.split(b"\n") if not history.is_blank(line)]


class SkipsMalformedLines(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        return [record for record in records_and_rest(data) if record is not None]


class RefusesMalformedLines(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        lines = records_and_rest(data)
        if None in lines:
            raise Refused("a line is malformed")
        return [record for record in lines if record is not None]


class FallsOutOfStep(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        found = (Record(*record) for record in old_reader.records(data))
        return [record for record in found if history.in_range(record)]


class ReadsLinesWithSscanf(ReferenceEngine):
    def parse(self, data: bytes) -> list[Record]:
        fronts = (re.match(rb"[ \t]*-?\d+[ \t]+-?\d+[ \t]+\d+", line) for line in data.split(b"\n"))
        found = (history.parse_line(front[0]) for front in fronts if front)
        return [record for record in found if record is not None]


class ChecksTheHeaderInFrontOnly(ReferenceEngine):
    def accepted_records(self, data: bytes, *, trusted: bool) -> list[Record]:
        if self.is_iku1(data):
            return super().accepted_records(data, trusted=trusted)
        records = self.parse(data)
        front = next((at for at, record in enumerate(records) if not record.is_header), len(records))
        self.check_headers(records[:front], trusted=trusted)
        return [record for record in records if not record.is_header]


class RefusesHalfAHeader(ReferenceEngine):
    def check_headers(self, headers: Sequence[Record], *, trusted: bool) -> None:
        super().check_headers(headers, trusted=trusted)
        agreed = {record.first for record in headers} & {history.DIMENSIONS, history.IDENTITY}
        if len(agreed) == 1:
            raise Refused("it has half a header")


class ReadsVersionsBelowOne(ReferenceEngine):
    def check_version(self, version: int, writer: str) -> None:
        if version >= 1:
            super().check_version(version, writer)


EXPECTED: dict[type[ReferenceEngine], set[str]] = {
    WritesCrlf: {"W18"},
    WritesUnsorted: {"W18"},
    WritesDataWithLeadingZeros: {"W18"},
    WritesHeadersWithLeadingZeros: {"W18"},
    PreservesUnknownRecords: set(),
    SetsARefusedFileAside: set(),
    TracesSixDecimals: {"T10"},
    SkipsMalformedLines: set(),
    RefusesMalformedLines: set(),
    FallsOutOfStep: {"R21"},
    ReadsLinesWithSscanf: set(),
    ChecksTheHeaderInFrontOnly: {"R20"},
    RefusesHalfAHeader: set(),
    ReadsVersionsBelowOne: set(),
}
"""What each of them breaks, by the contract: shoulds, and no must. A reader may also do what R23 has no name for."""


@pytest.fixture(scope="module")
def reached() -> Reached:
    """The steps of the reference engine that each case takes."""
    return play_sound()[1]


@pytest.mark.parametrize("engine", EXPECTED, ids=lambda engine: engine.__name__)
def test_a_legal_variant_breaks_the_shoulds_that_it_does_and_no_must(
    engine: type[ReferenceEngine], reached: Reached
) -> None:
    names = replaced(engine)
    assert names is not None
    cases = [case for case in CASES if names & reached[case.id] and not is_large(case)]
    assert len(cases) > 50
    broken = red(played(engine, cases))
    scored = {clause for clauses in broken.values() for clause in clauses if SPEC.clause(clause).level != "may"}
    assert scored == EXPECTED[engine], broken


@pytest.mark.parametrize("engine", EXPECTED, ids=lambda engine: engine.__name__)
def test_a_legal_variant_breaks_no_must_of_fresh_cases(engine: type[ReferenceEngine]) -> None:
    broken = red(played(engine, FRESH))
    scored = {clause for clauses in broken.values() for clause in clauses if SPEC.clause(clause).level != "may"}
    assert scored <= EXPECTED[engine], broken


# -- roles ------------------------------------------------------------------------------------------------------------


def claiming(*roles: str) -> type[ReferenceEngine]:
    """Return a sound engine that claims `roles` alone, and has no verb that they do not need."""

    class Claiming(ReferenceEngine):
        pass

    def missing(*_: object) -> None:
        raise NotImplementedError

    Claiming.roles = frozenset(roles)
    claimed = Claiming.roles
    for verbs, needed in (
        ("load", {"load"}),
        ("trust", {"trusted"}),
        ("save add", {"save"}),
        ("counts", {"load", "save"}),
        ("route endcall", {"save", "trace"}),
        ("drop", {"bounds", "save", "trace"}),
    ):
        if not needed & claimed:
            for verb in verbs.split():
                setattr(Claiming, verb, missing)
    return Claiming


SUBSETS = (
    "load",
    "load bounds",
    "load identify",
    "load bounds identify",
    "save",
    "trace",
    "save trace",
    "load save",
    "bounds identify trusted iku1 trace",
    "load bounds identify trusted iku1",
)


@pytest.mark.parametrize("roles", SUBSETS)
def test_an_engine_is_held_to_the_roles_that_it_claims_and_to_no_other(roles: str) -> None:
    results = played(claiming(*roles.split()), [case for case in CASES if not is_large(case)])
    assert red(results) == {}
    assert {result.status for result in results} == {Status.PASS, Status.UNSUPPORTED}


# -- wordings of answers ----------------------------------------------------------------------------------------------


def about(*clauses: str) -> list[Case]:
    return [case for case in CASES if case.clauses[0] in clauses and not is_large(case)]


WORDINGS = (
    "reasons-after-a-colon",
    "trailing-blanks-in-counts",
    "lines-end-in-crlf",
    "totals-with-leading-zeros",
)


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("alone", [False, True], ids=["shared", "alone"])
def test_answers_may_be_worded_as_the_protocol_leaves_open(wording: str, alone: bool) -> None:
    cases = about("R05", "R14", "W13", "W17", "W21") if not alone else about("R14", "W21")
    with open_command((sys.executable, str(WORDED), wording), timeout=60) as transport:
        assert isinstance(transport, Reusable)
        results = run(transport.alone if alone else transport, cases, on_result=lambda *_: None).results
    assert red(results) == {}
    assert {result.status for result in results} == {Status.PASS}

"""Cases for what surrounds the building of a table: other builds, the session's counters, folders (C02, W22)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation, SetupFile
from coli_conformance.corpus.pairs_meaning import table
from coli_conformance.corpus.pairs_table import TABLE, chose
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import TRACE, Calls, numbered, trace_lines

_ONE = numbered(chose(3, "1 4"), chose(4, "2"))
_OTHER = numbered(chose(3, "1"), chose(4, "2 7"), chose(5, "3"))
"""Two traces; they share the pair of 1 in layer 3 and 2 in layer 4."""

_SECOND_TRACE = "trace_2.txt"
_SECOND_TABLE = ".coli_pairs_2"

_LONG_NAME = 140
"""Bytes of a folder's name. Two of them make a path that no buffer of 256 bytes holds."""


def has_trace(session: Session, path: str, calls: Calls) -> None:
    """Let the trace of `calls` lie at `path`."""
    session.given(path, "".join(trace_lines(calls)))


def build(session: Session, trace: str, out: str, calls: Calls) -> None:
    """Build the table of `calls`, whose trace lies at `trace`; a later one at the same path replaces it."""
    session.say(f"pairs {trace} {out}", "ok")
    session.files = [expected for expected in session.files if expected.path != out]
    session.files.append(FileExpectation(out, "", data=table(calls)))


def c02_builds_of_one_session(target: Target) -> Iterator[Case]:
    """C02: each table is that of its own trace, whatever was built before it."""
    session = Session(target)
    has_trace(session, TRACE, _ONE)
    has_trace(session, _SECOND_TRACE, _OTHER)
    build(session, TRACE, TABLE, _ONE)
    build(session, _SECOND_TRACE, _SECOND_TABLE, _OTHER)
    yield session.case("C02-two-traces", "Counts of the first trace do not belong in the second one's table.")

    session = Session(target)
    has_trace(session, TRACE, _OTHER)
    has_trace(session, _SECOND_TRACE, _ONE)
    build(session, TRACE, TABLE, _OTHER)
    build(session, _SECOND_TRACE, TABLE, _ONE)
    yield session.case("C02-two-traces-one-table", "The table of the second trace replaces that of the first.")

    session = Session(target)
    has_trace(session, TRACE, _ONE)
    build(session, TRACE, TABLE, _ONE)
    build(session, TRACE, _SECOND_TABLE, _ONE)
    yield session.case("C02-one-trace-twice", "A trace that is read a second time has the same counts.")


def c02_after_a_malformed_trace(target: Target) -> Iterator[Case]:
    """C02: a trace that could not be read, or only in part, is no matter of the next one."""
    session = Session(target)
    first, *_ = trace_lines(_OTHER)
    session.given(_SECOND_TRACE, f"{first}1 0 4 2\n")
    has_trace(session, TRACE, _ONE)
    session.say(f"pairs {_SECOND_TRACE} {_SECOND_TABLE}", "ok|error")
    build(session, TRACE, TABLE, _ONE)
    yield session.case("C02-after-a-malformed-trace", "A trace that was cut must not cost the tables of others.")


def c02_paths(target: Target) -> Iterator[Case]:
    """C02: the trace is read from the path it has, and the table is found at the path that was asked for."""
    traces, tables = "t" * _LONG_NAME, "p" * _LONG_NAME
    for slug, trace, out, why in (
        ("folders", f"traces/{TRACE}", f"tables/{TABLE}", "Traces and tables lie in folders of their own."),
        (
            "long-paths",
            f"{traces}/{traces}/{TRACE}",
            f"{tables}/{tables}/{TABLE}",
            "A path of almost 300 bytes that is cut is the path of another file, or of none.",
        ),
    ):
        session = Session(target)
        has_trace(session, trace, _ONE)
        session.setup.append(SetupFile(out.rpartition("/")[0], folder=True))
        build(session, trace, out, _ONE)
        yield session.case(f"C02-{slug}", why)


def w22_pairs_are_not_counted(target: Target) -> Iterator[Case]:
    """W22: what a trace holds was counted when it was traced; building its table counts nothing in this session."""
    calls = numbered(chose(0, "0"), chose(1, "0"))
    session = Session(target)
    has_trace(session, TRACE, calls)
    session.add((0, 0, 5))
    session.say(f"pairs {TRACE} {TABLE}", "ok")
    session.save(".coli_usage")
    yield session.case("W22-after-pairs", "Choices of an earlier run would be counted again in this one's history.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    c02_builds_of_one_session,
    c02_after_a_malformed_trace,
    c02_paths,
    w22_pairs_are_not_counted,
)

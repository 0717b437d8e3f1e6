"""Cases for the run around a trace: the history it leaves alone (T07), when there is none (T08, T11), how it is begun
and printed (T09, T10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, FileExpectation, MessageExpectation, SetupFile
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import (
    REAL,
    REAL_LAYERS,
    REAL_TOP_K,
    TRACE,
    TRACING,
    MoeCall,
    fits,
    gate_slug,
    moe_call,
    numbered,
    route,
    tokens,
    trace_lines,
    traced,
)
from coli_conformance.corpus.writer_saved import HISTORY


def t07_tracing_changes_nothing(target: Target) -> Iterator[Case]:
    """The history is the same, byte for byte, whether the run is traced or not."""
    mtp = target.n_layers
    one = moe_call(mtp, "0:0.5")
    for slug, calls, why in (
        ("one-decision", (one,), "A decision is counted once, by whatever path it reaches the trace."),
        (
            "several-choices",
            (moe_call(2, "4:0.5 1:0.25", "1:0.5 7:0.25"), moe_call(3, "0:0.5")),
            "Every choice counts.",
        ),
        ("mtp-row", (moe_call(mtp - 1, "0:0.5"), one), "The MTP head's row is counted with and without a trace."),
        ("zero-gates", (moe_call(mtp, "0:0.0"),), "A gate of zero is a choice, traced or not."),
        ("empty-calls", (moe_call(mtp), one, moe_call(mtp)), "Calls without a row count nothing in either run."),
        ("nothing-routed", (moe_call(mtp),), "A run that routed nothing leaves zero bytes in either run."),
        ("1000-calls", tuple(one for _ in range(1000)), "However much is traced, no count is lost."),
    ):
        if fits(target, calls):
            session = Session(target)
            route(session, calls)
            yield _the_same(session, f"T07-{slug}", why)
    yield _the_same(_real_run(), "T07-78x256-3-tokens", "At the size of GLM-5.2, too.")
    session = Session(target)
    content = history(target, (0, 0, 7), (mtp, 0, 1000))
    session.given(HISTORY, content)
    session.load(HISTORY, content, clause="R01")
    route(session, [one])
    yield _the_same(
        session, "T07-after-a-load", "What was loaded is neither lost nor counted twice where a run is traced."
    )
    session = Session(target)
    session.drop(0)
    route(session, [one])
    yield _the_same(session, "T07-dropped-row", "Rows that do not route are the same ones in either run.")
    session = Session(target)
    route(session, [one])
    session.save(HISTORY)
    route(session, [one, one])
    yield _the_same(
        session, "T07-second-save", "A save in the middle of a traced run changes nothing for the next one."
    )


def _real_run() -> Session:
    session = Session(REAL)
    session.drop(0, 1, 2, 78)
    route(session, tokens((2, 1), REAL_LAYERS, REAL.n_experts, REAL_TOP_K))
    return session


def _the_same(session: Session, case_id: str, why: str) -> Case:
    """Return the case in which `session` is saved, with tracing on and then off, and both files are compared."""
    session.save(HISTORY)
    session.files.append(FileExpectation(HISTORY, "T07", same=True))
    return session.case(case_id, why, environment=TRACING, second_environment={})


def t08_no_trace_unasked(target: Target) -> Iterator[Case]:
    """Where ROUTE_TRACE is unset or empty, no trace file appears."""
    mtp = target.n_layers
    for slug, environment in (("unset", {}), ("empty", {"ROUTE_TRACE": ""})):
        session = Session(target)
        route(session, [moe_call(mtp, "0:0.5"), moe_call(0, "0:0.25", "0:0.5")])
        yield _only(session, ()).case(
            f"T08-{slug}", "Nobody asked for a trace: the folder stays as empty as it was.", environment=environment
        )
        session = Session(target)
        route(session, [moe_call(mtp, "0:0.5")])
        session.save(HISTORY)
        yield _only(session, (HISTORY,)).case(
            f"T08-{slug}-saved", "After the save there is the history and nothing beside it.", environment=environment
        )
        session = Session(target)
        session.given(TRACE, "0 0 3 1:0.5000\n")
        route(session, [moe_call(mtp, "0:0.5")])
        session.files.append(FileExpectation(TRACE, "T08", data=b"0 0 3 1:0.5000\n"))
        yield session.case(
            f"T08-{slug}-older-trace",
            "The trace of an earlier run is not touched by one that does not trace.",
            environment=environment,
        )


def _only(session: Session, paths: tuple[str, ...]) -> Session:
    """Return the session, now expecting no file but `paths` in the folder."""
    session.files.append(FileExpectation("", "T08", only=paths))
    return session


def t09_full_stop_in_every_locale(target: Target) -> Iterator[Case]:
    """The decimal point is a full stop in every locale."""
    mtp = target.n_layers
    for slug, choices in (("one-gate", ("0:0.5",)), ("8-gates", (" ".join(f"{at}:0.3125" for at in range(8)),))):
        calls = (moe_call(mtp, *choices),)
        if fits(target, calls):
            session = Session(target)
            route(session, calls)
            session.trace(TRACE)
            yield session.case(
                f"T09-{slug}",
                "A comma in place of the point makes one gate of two fields for half of the consumers.",
                environment=TRACING,
                decimal_comma=True,
            )
    session = Session(target)
    route(session, [moe_call(mtp, "0:511.9375", "0:-0.25", "0:0")])
    session.save(HISTORY, clause="W22")
    session.trace(TRACE)
    yield session.case(
        "T09-large-and-negative-saved",
        "Nor do thousands get a separator, in the trace or in the history.",
        roles=("save",),
        environment=TRACING,
        decimal_comma=True,
    )


def t10_four_decimals_and_a_new_file(target: Target) -> Iterator[Case]:
    """Gates have exactly four decimals, and a new run starts its trace file from nothing."""
    mtp = target.n_layers
    for gate in ("0", "0.5", "0.3333333333", "0.0000001", "511.9375", "-0.25"):
        yield from traced(
            target,
            f"T10-{gate_slug(gate)}",
            "Consumers that read columns rely on one width of the fraction, whatever the value.",
            moe_call(mtp, f"0:{gate}"),
            four_decimals=True,
        )
    calls = (moe_call(mtp, "0:0.5000", "0:0.2500"),)
    for slug, old in (
        ("longer", "".join(f"{call} 0 3 1:0.5000 2:0.2500\n" for call in range(500))),
        ("shorter", "0 0 3 1:0.5000\n"),
        ("one-line-cut", "0 0 3 1:0.50"),
        ("zero-bytes", ""),
        ("no-trace", "something else\n"),
    ):
        yield _anew(target, f"T10-over-{slug}", old, calls)


def _anew(target: Target, case_id: str, old: str, calls: tuple[MoeCall, ...]) -> Case:
    """Return the case in which `calls`, whose gates have four decimals, are traced to a path that holds `old`.

    The file is compared as bytes: judged by lines, what is left of the old ones would break musts about the new ones.
    """
    session = Session(target)
    session.given(TRACE, old)
    route(session, calls)
    expected = "".join(trace_lines(numbered(*calls))).encode()
    session.files.append(FileExpectation(TRACE, "T10", data=expected))
    return session.case(
        case_id, "Two runs in one file look like one run whose call numbers jump back.", environment=TRACING
    )


def t11_trace_that_cannot_be_opened(target: Target) -> Iterator[Case]:
    """A trace that cannot be opened is reported and the run goes on, up to and including its save."""
    for slug, path, setup in (
        ("folder-is-a-file", "blocked/trace.txt", (SetupFile("blocked", data=b"a file\n"),)),
        ("folder-is-missing", "missing/trace.txt", ()),
        ("path-is-a-folder", "taken", (SetupFile("taken", folder=True),)),
    ):
        session = _untraceable(target, path, *setup)
        session.save(HISTORY)
        session.files += [FileExpectation(item.path, "T11", data=item.data) for item in setup if item.data]
        yield session.case(
            f"T11-{slug}", "A mistyped path costs the measurement alone.", environment={"ROUTE_TRACE": path}
        )
    session = _untraceable(target, "missing/trace.txt")
    session.counts()
    session.save(HISTORY)
    route(session, [moe_call(0, "0:0.5")])
    session.save(HISTORY)
    yield session.case(
        "T11-two-saves",
        "The run goes on to its end, not to its first save.",
        environment={"ROUTE_TRACE": "missing/trace.txt"},
    )


def _untraceable(target: Target, path: str, *setup: SetupFile) -> Session:
    """Return a session with a few decisions, which standard error must tell that nothing can be traced to `path`."""
    session = Session(target)
    session.setup += setup
    session.messages.append(MessageExpectation("T11", any_of=(path,)))
    route(session, [moe_call(target.n_layers, "0:0.5", "0:0.25"), moe_call(0, "0:0.5")])
    return session


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    t07_tracing_changes_nothing,
    t08_no_trace_unasked,
    t09_full_stop_in_every_locale,
    t10_four_decimals_and_a_new_file,
    t11_trace_that_cannot_be_opened,
)

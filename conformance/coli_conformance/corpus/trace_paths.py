"""Where ROUTE_TRACE leads: any text but the empty one is a path (T02), and one that cannot be opened costs the trace
alone (T11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, MessageExpectation, SetupFile
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import fits, moe_call, route
from coli_conformance.corpus.writer_saved import HISTORY

_WORDS = ("0", "1", "no", "off", "false")
"""What switches other things off and on. Of ROUTE_TRACE the contract knows a path, the empty text, and nothing."""


def t02_path_like_any_other(target: Target) -> Iterator[Case]:
    """T02: the lines are in the file that ROUTE_TRACE names, whatever its name looks like."""
    for word in _WORDS:
        yield _traced_to(
            target, f"T02-path-{word}", word, "Only an unset or empty variable asks for no trace; this is a path."
        )
    yield _traced_to(target, "T02-path-200-bytes", "t" * 196 + ".txt", "Paths are longer than a buffer of 64 bytes.")
    yield _traced_to(target, "T02-path-percent-signs", "100%s%d.txt", "A path is text and no format.")
    yield _traced_to(
        target,
        "T02-path-two-folders-deep",
        "runs/today/trace.txt",
        "A path is taken with its folders.",
        *(SetupFile(folder, folder=True) for folder in ("runs", "runs/today")),
    )


def _traced_to(target: Target, case_id: str, path: str, why: str, *setup: SetupFile) -> Case:
    """Return the case in which `path` alone is given, and two calls are traced there."""
    session = Session(target)
    session.setup += setup
    route(session, [moe_call(target.n_layers, "0:0.5", "0:0.25"), moe_call(0, "0:0.75")])
    session.trace(path)
    return session.case(case_id, why, environment={"ROUTE_TRACE": path})


def t11_every_choice_counts_untraced(target: Target) -> Iterator[Case]:
    """T11: a run that could not open its trace goes on counting every choice of a decision."""
    calls = (moe_call(0, "1:0.5 0:0.25", "0:0.5 1:0.25"), moe_call(target.n_layers, "1:0.75"))
    if not fits(target, calls):
        return
    path = "missing/trace.txt"
    session = Session(target)
    session.messages.append(MessageExpectation("T11", any_of=(path,)))
    route(session, calls)
    session.counts()
    session.save(HISTORY)
    yield session.case(
        "T11-two-choices-a-row",
        "What cannot be traced is counted all the same, to the last choice.",
        environment={"ROUTE_TRACE": path},
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (t02_path_like_any_other, t11_every_choice_counts_untraced)

"""The cases of interrupted saves, made for the calls that an engine's own save was seen to make.

What is legal after a call that failed, by the kind of the call:

    a call that                                 `error`, the   `ok`, the    `error`, the
                                                old history    new one      new one
    writes, syncs or closes the new history     yes            no           no
    is another, before the new history stands   yes            yes          no
    is another, once the new history stands     yes            yes          yes

`ok` after a failed write, sync or close means that the last records were lost unnoticed; the close of a file that was
synced just before is like another call. A writer that finds another way after a failed open or rename is right to say
`ok`; a lock that cannot be removed, or a folder that cannot be synced, costs no record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coli_conformance.case import Case, FileExpectation, Outcome, Record
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_saved import HISTORY
from coli_conformance.interruption.build import ENVIRONMENT
from coli_conformance.interruption.calls import Call, in_place_by, on_the_history
from coli_conformance.interruption.ids import EACH_CALL, TWO_SAVERS, fails_at, held_at, killed_at

UNBOUND = Target("glm_moe_dsa", 16, 64)
"""Whose histories are saved where the engine is built for nobody: large enough for several writes of a C library."""
_RECORDS = 600
_REMEDY = {
    "close": " Look at what the close returns, or sync the file before it.",
    "write": " Look at what every write returns, the last one included, which a library makes in its flush or close.",
}
_WATCHED = "W16-watched"


def counts(target: Target, base: int, step: int = 1) -> tuple[Record, ...]:
    """Return a count for every `step`th of the first counters, _RECORDS at most, downwards from `base`."""
    cells = [(layer, expert) for layer in range(target.n_layers + 1) for expert in range(target.n_experts)]
    return tuple((layer, expert, base - at) for at, (layer, expert) in enumerate(cells[:_RECORDS:step]))


def old_history(target: Target) -> bytes:
    """Return the history that stands at the path before."""
    return history(target, *counts(target, 1000, step=2)).text.encode()


def saving(target: Target, base: int = 4_294_967_295, step: int = 1) -> Session:
    """Return a session that counts and saves over the old history."""
    session = Session(target)
    session.given(HISTORY, old_history(target))
    session.add(*counts(target, base, step))
    session.save(HISTORY)
    return session


def watched(target: Target) -> tuple[Case, Case]:
    """Return the session to be watched, without its save and with it."""
    whole = saving(target).case(_WATCHED, why="The calls of the save are counted.", environment=_mode("watch"))
    outcome = Outcome(whole.outcomes[0].answers[:-1])
    return replace(whole, steps=whole.steps[:-1], outcomes=(outcome,)), whole


def killed(target: Target, call: Call) -> Case:
    """Return the case in which the engine is killed before `call`: the old history stands whole, or the new one."""
    session = saving(target)
    return session.case(
        killed_at(call),
        why=f"Killed before {call.text}, an engine leaves the whole old history or the whole new one.",
        environment=_mode("kill", call),
        outcomes=[
            Outcome(tuple(session.answers), files=(_old(target, "W16"),), name="old"),
            replace(session.outcome("W16"), name="new"),
        ],
    )


def failing(target: Target, call: Call, calls: Sequence[Call]) -> Case:
    """Return the case in which `call`, one of `calls`, fails. What is legal then stands above."""
    session = saving(target)
    alone = () if call.word == "unlink" else (FileExpectation("", "W20", only=(HISTORY,)),)
    failed = (*session.answers[:-1], "error")
    saved = session.outcome("W17")
    outcomes = [Outcome(failed, files=(_old(target, "W17"), *alone))]
    if not on_the_history(call, calls, HISTORY):
        outcomes.append(replace(saved, files=(*saved.files, *alone)))
        if in_place_by(call, calls, HISTORY):
            outcomes.append(replace(saved, answers=failed))
    return session.case(
        fails_at(call),
        why=f"When {call.text} fails, the history is as it was, and the engine says so.{_REMEDY.get(call.word, '')}",
        environment=_mode("fail", call),
        outcomes=outcomes,
    )


def held(target: Target, call: Call) -> Case:
    """Return the case in which the engine waits before `call` while another one saves to the same path."""
    return saving(target).case(
        held_at(call),
        why=f"Another engine saves to the same path while this one is at {call.text}.",
        environment=_mode("hold", call),
    )


def two_savers(target: Target) -> Case:
    """Return the case in which two engines save to one path again and again."""
    return saving(target).case(TWO_SAVERS, why="Two engines save to one path at once, many times.")


def each_call(target: Target) -> tuple[Case, ...]:
    """Return the cases that stand for all others where calls cannot be interrupted."""
    return tuple(
        saving(target).case(case_id, why="Every call of a save on a file is interrupted in turn.")
        for case_id in EACH_CALL
    )


def _old(target: Target, clause: str) -> FileExpectation:
    return FileExpectation(HISTORY, clause, data=old_history(target))


def _mode(mode: str, call: Call | None = None) -> dict[str, str]:
    return {ENVIRONMENT: mode if call is None else f"{mode} {call.number}"}

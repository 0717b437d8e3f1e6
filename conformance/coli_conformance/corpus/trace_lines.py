"""Cases for the lines of a trace: their grammar (T01), their order (T02), their row and layer (T04)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import history
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.trace_calls import (
    REAL,
    REAL_LAYERS,
    REAL_TOP_K,
    TRACE,
    TRACING,
    moe_call,
    route,
    tokens,
    traced,
)
from coli_conformance.corpus.writer_saved import HISTORY

LARGEST = Target("kimi_k3", 93, 896)
"""The largest model that is known; it chooses sixteen experts."""


def _all_of(experts: range) -> str:
    """Return one decision for all of `experts`, each with the same gate."""
    return " ".join(f"{expert}:0.0625" for expert in experts)


def t01_grammar(target: Target) -> Iterator[Case]:
    """A line is call, row and layer, then one or more expert:gate, with single blanks and LF."""
    mtp, last = target.n_layers, target.n_experts - 1
    for count in (1, 2, 8):
        yield from traced(
            target,
            f"T01-{count}-choices",
            "The number of choices is the model's affair; each is one more expert:gate.",
            moe_call(mtp, _all_of(range(count))),
        )
    yield from traced(
        target,
        "T01-width-varies",
        "Where a router keeps as many experts as it needs, rows of one call differ in width.",
        moe_call(0, "0:0.5", "1:0.5 2:0.25 3:0.125", "4:0.5 5:0.25"),
        moe_call(1, "1:0.5 2:0.25"),
    )
    yield from traced(
        target, "T01-last-expert", "The largest id of the model is an id like any other.", moe_call(0, f"{last}:0.5")
    )
    for layer, experts in ((1, range(16)), (92, range(880, 896))):
        yield from traced(
            LARGEST,
            f"T01-93x896-layer-{layer}-16-choices",
            "The widest lines that are known have sixteen choices; a buffer for a line has to hold them.",
            moe_call(layer, _all_of(experts)),
        )
    yield from traced(
        REAL,
        "T01-78x256-3-tokens",
        "A trace as GLM-5.2 writes it: 75 lines of eight choices for a token.",
        *tokens((1, 2), REAL_LAYERS, REAL.n_experts, REAL_TOP_K),
        drop=(0, 1, 2, 78),
    )


def t02_every_decision_in_order(target: Target) -> Iterator[Case]:
    """Every routing decision has one line, in the order in which decisions were made."""
    mtp = target.n_layers
    yield from traced(
        target,
        "T02-one-decision",
        "A trace that is announced and stays empty measures nothing.",
        moe_call(mtp, "0:0.5"),
    )
    yield from traced(
        target,
        "T02-rows-of-a-batch",
        "Each row of the batch is a decision of its own.",
        moe_call(mtp, "0:0.5", "1:0.5", "2:0.5", "3:0.5", "4:0.5"),
    )
    yield from traced(
        target,
        "T02-rows-made-out-of-order",
        "Lines stand as the decisions were made, not sorted by row.",
        moe_call(1, "0:0.5", "1:0.5", "2:0.5", rows=(2, 0, 1)),
    )
    yield from traced(
        target,
        "T02-layers-up-and-down",
        "Two tokens pass the layers one after the other; sorting by layer would mix them.",
        *(moe_call(layer, f"{expert}:0.5") for expert in (3, 5) for layer in (0, 1, 2, 4)),
    )
    yield from traced(
        target,
        "T02-equal-decisions",
        "The same decision made again is another line.",
        *(moe_call(2, "3:0.5 1:0.25", "3:0.5 1:0.25") for _ in range(3)),
    )
    yield from traced(
        target,
        "T02-mtp-row",
        "The MTP head's decisions are traced after those of the last layer.",
        *(moe_call(layer, "0:0.5", "0:0.25") for layer in (mtp - 1, mtp)),
    )
    yield from traced(
        target,
        "T02-1000-calls",
        "Lines that fill a buffer several times over all arrive, the last ones at the end of the process.",
        *(moe_call(at % (mtp + 1), f"{at % target.n_experts}:0.5") for at in range(1000)),
    )
    session = Session(target)
    for row in range(3):
        session.route(mtp, row, (0, "0.5"))
    session.trace(TRACE)
    yield session.case(
        "T02-call-not-ended",
        "A run that stops in the middle of a call has traced what it decided.",
        environment=TRACING,
    )
    session = Session(target)
    content = history(target, (mtp, 0, 1000))
    session.given(HISTORY, content)
    route(session, [moe_call(mtp, "0:0.5")])
    session.load(HISTORY, content, clause="R01")
    route(session, [moe_call(mtp, "0:0.25")])
    session.save(HISTORY, clause="W13")
    route(session, [moe_call(mtp, "0:0.125")])
    session.trace(TRACE)
    yield session.case(
        "T02-load-and-save-between",
        "Only decisions are traced; a load and a save between them add no line and lose none.",
        environment=TRACING,
    )


def t04_row_then_layer(target: Target) -> Iterator[Case]:
    """The second number is the row within the batch, the third the engine's own layer index."""
    mtp = target.n_layers
    yield from traced(
        target,
        "T04-row-0-layer-3",
        "Row and layer differ from the first line on, so that an exchange of the two shows.",
        moe_call(3, "0:0.5"),
    )
    yield from traced(
        target,
        "T04-rows-above-layers",
        "Rows are counted in the batch and are not bounded by the number of layers.",
        moe_call(0, *("1:0.5" for _ in range(64))),
    )
    yield from traced(
        target,
        "T04-row-511",
        "In a batch of 512 rows the last one is 511, also where few of them route here.",
        moe_call(1, "0:0.5", "1:0.5", "2:0.5", rows=(0, 7, 511)),
    )
    yield from traced(
        target,
        "T04-rows-start-again",
        "Rows are the position in this call's batch; the next call begins at 0 again.",
        *(moe_call(layer, "0:0.5", "1:0.5") for layer in (1, 2, 4)),
    )
    yield from traced(
        target,
        "T04-rows-missing",
        "Where rows 0 and 2 of a batch do not route in this layer, the others keep their positions.",
        moe_call(2, "0:0.5", "1:0.5", rows=(1, 3)),
    )
    yield from traced(
        target,
        "T04-dense-layers-before",
        "Dense layers are numbered as well: the first layer that routes is 2 here and not 0.",
        moe_call(2, "0:0.5"),
        moe_call(4, "0:0.5"),
        drop=(0, 1, 3),
    )
    yield from traced(
        REAL,
        "T04-78x256-layers-3-and-77",
        "GLM-5.2 counts its three dense layers: it routes from layer 3 to layer 77.",
        moe_call(3, "255:0.5"),
        moe_call(77, "0:0.5"),
        drop=(0, 1, 2, 78),
    )
    yield from traced(
        target,
        "T04-first-and-mtp-layer",
        "Layer indices run from 0 to n_layers, which is the MTP head's.",
        moe_call(0, "0:0.5", rows=(1,)),
        moe_call(mtp, "0:0.5", rows=(2,)),
    )
    yield from traced(
        LARGEST,
        "T04-93x896-layer-92-row-511",
        "The largest layer and a large row in one line.",
        moe_call(92, "895:0.5", rows=(511,)),
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (t01_grammar, t02_every_decision_in_order, t04_row_then_layer)

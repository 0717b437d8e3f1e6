"""Routing as what it means, before it is commands or a trace: moe calls, their rows, and what each row chose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from coli_conformance.case import Case
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

TRACE = "trace.txt"
"""The path that sessions trace to where the path is not what the case is about."""

TRACING = {"ROUTE_TRACE": TRACE}
"""The environment in which an engine traces there."""

REAL = Target("glm_moe_dsa", 78, 256)
"""The model whose tokens pass 75 layers of eight choices each: its layers 0 to 2 do not route."""

REAL_LAYERS = range(3, 78)
REAL_TOP_K = 8


@dataclass(frozen=True, slots=True)
class MoeCall:
    """One moe call: its layer and, for each row of the batch that routes, the row's number and its choices.

    Choices are in selection order, written as commands and traces write them: `4:0.5 1:0.25`.
    """

    layer: int
    rows: tuple[tuple[int, str], ...]


Calls = Mapping[int, MoeCall]
"""Moe calls that had rows, by call number, ascending."""


def moe_call(layer: int, *choices: str, rows: Iterable[int] | None = None) -> MoeCall:
    """Return the call of `layer` in which rows of the batch make `choices`, one each; rows are 0, 1, ... or `rows`."""
    return MoeCall(layer, tuple(zip(count() if rows is None else rows, choices, strict=False)))


def numbered(*calls: MoeCall, first: int = 0) -> Calls:
    """Return `calls` under the numbers from `first` on (T03); one without rows leaves a gap."""
    return {number: call for number, call in enumerate(calls, start=first) if call.rows}


def trace_lines(calls: Calls) -> list[str]:
    """Return the lines of the trace of `calls`, each with its LF."""
    return [f"{number} {row} {call.layer} {choices}\n" for number, call in calls.items() for row, choices in call.rows]


def picks(choices: str) -> tuple[tuple[int, str], ...]:
    """Return the expert and the gate's decimal of each choice."""
    pairs = (choice.partition(":") for choice in choices.split(" "))
    return tuple((int(expert), gate) for expert, _, gate in pairs)


def gate_slug(gate: str) -> str:
    """Return a gate's decimal as it stands in the id of a case: `-0.25` is `minus0_25`."""
    return gate.replace("-", "minus").replace(".", "_")


def fits(target: Target, calls: Iterable[MoeCall]) -> bool:
    """Tell whether the model has every layer and expert of `calls`; the counters of small ones do not."""
    return all(
        call.layer <= target.n_layers and expert < target.n_experts
        for call in calls
        for _, choices in call.rows
        for expert, _ in picks(choices)
    )


def route(session: Session, calls: Iterable[MoeCall]) -> None:
    """Make the decisions of `calls` in order, and end each call."""
    for call in calls:
        for row, choices in call.rows:
            session.route(call.layer, row, *picks(choices))
        session.endcall()


def traced(
    target: Target, case_id: str, why: str, *calls: MoeCall, drop: Iterable[int] = (), four_decimals: bool = False
) -> Iterator[Case]:
    """Yield the case in which `calls` are made and then traced; nothing where the model is too small for them."""
    if fits(target, calls):
        session = Session(target)
        session.drop(*drop)
        route(session, calls)
        session.trace(TRACE, four_decimals)
        yield session.case(case_id, why, environment=TRACING)


def tokens(forwards: Iterable[int], layers: Iterable[int], n_experts: int, top_k: int) -> tuple[MoeCall, ...]:
    """Return the calls of one forward for each number of rows in `forwards`, through all `layers`.

    Each row chooses `top_k` different experts of the first `n_experts` (a number without a factor in common with 7),
    with falling gates that are whole ten-thousandths and do not sum to 1.
    """
    calls: list[MoeCall] = []
    token = 0
    for rows in forwards:
        calls += (
            moe_call(layer, *(_choices(token + row, layer, n_experts, top_k) for row in range(rows)))
            for layer in layers
        )
        token += rows
    return tuple(calls)


def _choices(token: int, layer: int, n_experts: int, top_k: int) -> str:
    first = token * token + 5 * token + 3 * layer
    return " ".join(
        f"{(first + 7 * rank) % n_experts}:0.{5000 // (rank + 2) + (token + layer) % 100:04d}" for rank in range(top_k)
    )

"""Histories derived from the declared grammar by hypothesis: shapes that nobody thought of making up."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

import coli_spec
from coli_conformance.corpus.meaning import header
from coli_conformance.corpus.target import Target

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_AT_A_TIME = 60
_STARTS = ("history", "header_record", "data_record", "dimensions_record", "identity_record")


def grammar_texts(seed: int, target: Target) -> list[str]:
    """Return a few dozen texts, the same for the same seed: histories, or single records one behind the other.

    In some the numbers are small and the header is that of `target`, else few would be more than refused. A text takes
    hypothesis some ten milliseconds, so whoever asks should use each more than once.
    """
    import hypothesis  # noqa: PLC0415 - only a search pays for it
    from hypothesis import strategies as st  # noqa: PLC0415 - as above

    texts: list[str] = []
    strategy = st.one_of(_whole(target), _piecemeal())

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=_AT_A_TIME,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def draw(text: str) -> None:
        texts.append(text)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        draw()
    return texts


@cache
def _whole(target: Target) -> SearchStrategy[str]:
    from hypothesis import strategies as st  # noqa: PLC0415 - as above

    (_, n_layers, n_experts), (_, _, engine) = header(target)
    small = st.integers(0, max(target.n_layers, target.n_experts)).map(str)
    return _of_grammar(
        ("history",),
        N_LAYERS=st.just(str(n_layers)),
        N_EXPERTS=st.just(str(n_experts)),
        ENGINE_ID=st.just(str(engine)),
        LAYER=small,
        EXPERT=small,
    )


@cache
def _piecemeal() -> SearchStrategy[str]:
    from hypothesis import strategies as st  # noqa: PLC0415 - as above

    return st.lists(_of_grammar(_STARTS), max_size=6).map("".join)


def _of_grammar(starts: tuple[str, ...], **terminals: SearchStrategy[str]) -> SearchStrategy[str]:
    from hypothesis import strategies as st  # noqa: PLC0415 - as above
    from hypothesis.extra.lark import from_lark  # noqa: PLC0415 - as above
    from lark import Lark  # noqa: PLC0415 - as above

    grammar = Lark(coli_spec.grammar("history"), parser="lalr", start=list(_STARTS))
    return st.one_of(*(from_lark(grammar, start=start, explicit=terminals) for start in starts))

"""What the grammars declare of a line, for readers of whole blocks: the order of its parts, and how numbers look."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import coli_spec

_TERMINAL = re.compile(r'^([A-Z_]+): (?:"((?:[^"\\]|\\.)*)"|/(.*)/)$', re.MULTILINE)
_RULE = re.compile(r"^([a-z_]+): (.*)$", re.MULTILINE)
_SYMBOL = re.compile(r"[A-Za-z_]+")


@cache
def terminals(grammar: str) -> dict[str, str]:
    """Return the terminals of a grammar, each as a regular expression."""
    return {
        name: re.escape(literal.replace("\\n", "\n")) if literal else expression
        for name, literal, expression in _TERMINAL.findall(coli_spec.grammar(grammar))
    }


def symbols(grammar: str, rule: str) -> tuple[str, ...]:
    """Return the symbols of a rule in order, signs of repetition left out."""
    text = dict(_RULE.findall(coli_spec.grammar(grammar)))[rule]
    return tuple(_SYMBOL.findall(text))


def separator(grammar: str, name: str) -> int:
    """Return the one byte that a terminal stands for."""
    (byte,) = (byte for byte in range(256) if re.fullmatch(terminals(grammar)[name], chr(byte)))
    return byte


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How a terminal for numbers of digits writes them: whether it has 0, and zeros in front of others."""

    zero: bool
    padded: bool


@cache
def number_form(grammar: str, name: str) -> NumberForm:
    """Return how the numbers of a terminal look."""
    expression = terminals(grammar)[name]
    return NumberForm(zero=_takes(expression, "0"), padded=_takes(expression, "01"))


@dataclass(frozen=True, slots=True)
class DecimalForm:
    """How a terminal for decimals writes them: the fewest decimals, and whether a minus may stand in front."""

    fewest_decimals: int
    signed: bool


@cache
def decimal_form(grammar: str, name: str) -> DecimalForm:
    """Return how the decimals of a terminal look."""
    expression = terminals(grammar)[name]
    fewest = next(count for count in range(1, 20) if _takes(expression, "0." + "1" * count))
    return DecimalForm(fewest, signed=_takes(expression, "-0." + "1" * fewest))


def _takes(expression: str, text: str) -> bool:
    return re.fullmatch(expression, text) is not None

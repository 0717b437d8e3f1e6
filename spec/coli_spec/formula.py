"""Formulas over a model's dimensions: whole numbers, names, + - * // % and parentheses. Nothing else is evaluated."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from coli_spec.model import SpecError

if TYPE_CHECKING:
    import ast

DIMENSION_NAMES = ("n_layers", "n_experts")
MOST_CHARACTERS = 200
_CHARACTERS = re.compile(r"[A-Za-z0-9_+*/%() -]+", re.ASCII)
_LARGEST_NUMBER = 1 << 64
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
}
"""What each operator of Python's grammar does; others are not let through."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as it is written, and ready to be evaluated; two are equal where their texts are."""

    text: str
    _tree: ast.expr = field(repr=False, compare=False)

    def value(self, names: Mapping[str, int]) -> int:
        """Return the formula's value, a whole number of any size, with these values for its names.

        Raises SpecError where a divisor is 0.
        """
        try:
            return _value(self._tree, names)
        except ZeroDivisionError as error:
            values = ", ".join(f"{name} = {value}" for name, value in names.items())
            raise SpecError(f"the formula `{self.text}` divides by 0 for {values}; write it without") from error


def parse(text: str, known: Collection[str] = DIMENSION_NAMES) -> Formula:
    """Return the formula that `text` is; `known` are the names that may occur in it.

    Raises SpecError, a sentence without a file or line, for anything that is no such formula.
    """
    import ast  # noqa: PLC0415 - most programs that load the declaration meet no formula

    if not _CHARACTERS.fullmatch(text):
        raise SpecError(f"{text!r} is no formula; it has whole numbers, names, + - * // % and parentheses")
    if len(text) > MOST_CHARACTERS:
        raise SpecError(f"a formula of {len(text)} characters is too long; {MOST_CHARACTERS} are the most")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SpecError(
            f"{text!r} is no formula; it has whole numbers, names, + - * // % and parentheses, and no name is a "
            "keyword of Python"
        ) from error
    _check(tree, text, known)
    return Formula(text.strip(), tree)


def _check(node: ast.expr, text: str, known: Collection[str]) -> None:
    import ast  # noqa: PLC0415 - as above

    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            if value > _LARGEST_NUMBER:
                raise SpecError(f"the number {value} in the formula {text!r} is above every field's range")
        case ast.Name(id=name):
            if name not in known:
                raise SpecError(f"the formula {text!r} has the unknown name {name!r}; known are {', '.join(known)}")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand, text, known)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation).__name__ in _OPERATIONS:
            _check(left, text, known)
            _check(right, text, known)
        case _:
            raise SpecError(
                f"the formula {text!r} has something in it that is no whole number, name, + - * // % or parenthesis"
            )


def _value(node: ast.expr, names: Mapping[str, int]) -> int:
    """Return the value of a tree that `_check` has let through."""
    import ast  # noqa: PLC0415 - as above

    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=operation, right=right):
            return _OPERATIONS[type(operation).__name__](_value(left, names), _value(right, names))
    raise AssertionError(f"{node} was not refused when the formula was parsed")

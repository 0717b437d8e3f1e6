"""The rules and terminals of a declared grammar, as Lark's own grammar of grammars reads them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import coli_spec
from coli_spec import SpecError

if TYPE_CHECKING:
    from lark import Token, Tree

    Node = Tree[Token]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar taken apart, both in the order of the file.

    `rules` holds what each rule consists of, as a tree of `expansion` (one after the other), `expansions` (one of),
    `expr` (repeated) and `name`. `literals` holds the text of each terminal that is one text; all other terminals are
    patterns.
    """

    name: str
    rules: dict[str, Node]
    literals: dict[str, str]


def read(name: str) -> Grammar:
    """Return the declared grammar of that name. Raises SpecError where none has it, or it cannot be drawn."""
    import lark  # noqa: PLC0415 - only who writes the pages pays for it

    text = coli_spec.grammar(name)
    reader = lark.Lark.open_from_package("lark", "lark.lark", ["grammars"], parser="lalr", maybe_placeholders=False)
    grammar = Grammar(name, {}, {})
    for definition in reader.parse(text).children:
        assert isinstance(definition, lark.Tree), "the grammar of grammars makes a tree of every definition"
        defined, _, content = definition.children
        assert isinstance(content, lark.Tree), "and one of what it defines"
        written = str(content.children[0])
        if definition.data == "rule":
            grammar.rules[str(defined)] = content
        elif content.data != "literal":
            raise SpecError(f"{name}.lark: the terminal {defined} is no single text or pattern; write it as one")
        elif not written.startswith("/"):
            grammar.literals[str(defined)] = str(ast.literal_eval(written))
    return grammar


def rules_alone(name: str) -> str:
    """Return the text of a grammar without its comments, and with one empty line where there were several."""
    lines = [line for line in coli_spec.grammar(name).splitlines() if not line.startswith("//")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip("\n"))

"""The rules and terminals of a declared grammar, as Lark's own grammar of grammars reads them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import coli_spec

if TYPE_CHECKING:
    from lark import Token, Tree

    Node = Tree[Token]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar taken apart, both in the order of the file.

    `rules` holds what each rule consists of, as a tree of `expansion` (one after the other), `expansions` (one of),
    `expr` (repeated) and `name`. `literals` holds the text of each terminal that is one text; `patterns` those that are
    regular expressions, without the slashes.
    """

    name: str
    rules: dict[str, Node]
    literals: dict[str, str]
    patterns: dict[str, str]


def read(name: str) -> Grammar:
    """Return the declared grammar of that name. Raises SpecError where none has it."""
    import lark  # noqa: PLC0415 - only who writes the pages pays for it

    text = coli_spec.grammar(name)
    reader = lark.Lark.open_from_package("lark", "lark.lark", ["grammars"], parser="lalr", maybe_placeholders=False)
    grammar = Grammar(name, {}, {}, {})
    for definition in reader.parse(text).children:
        assert isinstance(definition, lark.Tree), "the grammar of grammars makes a tree of every definition"
        defined, _, content = definition.children
        if definition.data == "rule":
            assert isinstance(content, lark.Tree)
            grammar.rules[str(defined)] = content
            continue
        written = (
            str(next(iter(content.scan_values(lambda _: True)))) if isinstance(content, lark.Tree) else str(content)
        )
        if written.startswith("/"):
            grammar.patterns[str(defined)] = written[1:-1]
        else:
            grammar.literals[str(defined)] = str(ast.literal_eval(written))
    return grammar


def rules_alone(name: str) -> str:
    """Return the text of a grammar without its comments and without empty lines at either end."""
    lines = [line for line in coli_spec.grammar(name).splitlines() if not line.startswith("//")]
    blocks = "\n".join(lines).strip("\n")
    while "\n\n\n" in blocks:
        blocks = blocks.replace("\n\n\n", "\n\n")
    return blocks

"""Railroad diagrams as SVG, one for each rule of a declared grammar."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from coli_conformance.specpages.grammar_rules import Grammar
from coli_spec import SpecError

if TYPE_CHECKING:
    import railroad

    from coli_conformance.specpages.grammar_rules import Node

_SHOWN = {" ": "\u2423", "\n": "LF"}
"""How a literal looks that would not show."""

_STYLE = """
svg.railroad-diagram { background-color: #f7f5f0; }
svg.railroad-diagram path { stroke-width: 2; stroke: #333; fill: none; }
svg.railroad-diagram text { font: bold 14px monospace; text-anchor: middle; fill: #111; }
svg.railroad-diagram text.comment { font: italic 12px monospace; }
svg.railroad-diagram rect { stroke-width: 2; stroke: #333; fill: #dcebd5; }
svg.railroad-diagram g.non-terminal rect { fill: #dbe6f4; }
svg.railroad-diagram g.non-terminal text { font-weight: normal; }
"""


def diagrams(grammar: Grammar) -> dict[str, str]:
    """Return the SVG of each rule, by the name of its file.

    Rounded boxes hold text as it stands in the file, square ones the name of a rule or of a pattern. Raises SpecError
    for a construct of the grammar that has no shape here.
    """
    return {file_name(grammar, rule): _svg(grammar, content) for rule, content in grammar.rules.items()}


def file_name(grammar: Grammar, rule: str) -> str:
    """Return the name of a rule's file, such as history-data_record.svg."""
    return f"{grammar.name}.svg" if rule == grammar.name else f"{grammar.name}-{rule}.svg"


def _svg(grammar: Grammar, content: Node) -> str:
    import railroad  # noqa: PLC0415 - only who writes the pages pays for it

    stream = io.StringIO()
    railroad.Diagram(_shape(grammar, content)).writeStandalone(stream.write, _STYLE)
    return stream.getvalue().rstrip("\n") + "\n"


def _shape(grammar: Grammar, node: Node) -> railroad.DiagramItem:
    import railroad  # noqa: PLC0415 - as above

    if node.data == "name":
        return _named(grammar, str(node.children[0]))
    if node.data == "expansion":
        return railroad.Sequence(*(_shape(grammar, child) for child in _trees(node)))
    if node.data == "expansions":
        return railroad.Choice(0, *(_shape(grammar, child) for child in _trees(node)))
    if node.data == "expr":
        return _repeated(_shape(grammar, _trees(node)[0]), [str(child) for child in node.children[1:]])
    raise SpecError(
        f"{grammar.name}.lark uses {node.data!r}, for which no diagram is drawn; say how it looks in diagrams.py"
    )


def _repeated(item: railroad.DiagramItem, how: list[str]) -> railroad.DiagramItem:
    import railroad  # noqa: PLC0415 - as above

    match how:
        case ["?"]:
            return railroad.Optional(item)
        case ["*"]:
            return railroad.ZeroOrMore(item)
        case ["+"]:
            return railroad.OneOrMore(item)
        case ["1", most]:
            return railroad.OneOrMore(item, railroad.Comment(f"at most {most}"))
    raise SpecError(f"a repetition {' to '.join(how)} has no shape yet; say how it looks in diagrams.py")


def _named(grammar: Grammar, name: str) -> railroad.DiagramItem:
    import railroad  # noqa: PLC0415 - as above

    if name in grammar.literals:
        literal = grammar.literals[name]
        return railroad.Terminal(_SHOWN.get(literal, literal))
    return railroad.NonTerminal(name)


def _trees(node: Node) -> list[Node]:
    from lark import Tree  # noqa: PLC0415 - as above

    return [child for child in node.children if isinstance(child, Tree)]

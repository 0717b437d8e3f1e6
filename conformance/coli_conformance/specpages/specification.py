"""SPEC.md: the whole contract as one text, its numbers and clauses taken from the declarations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import coli_spec
from coli_conformance.specpages import diagrams, examples, grammar_rules, hexdump, markdown
from coli_conformance.specpages.area_pages import file_name
from coli_conformance.specpages.template import environment
from coli_reference import pairs
from coli_reference.identity import FNV_OFFSET_BASIS, FNV_PRIME, engine_id
from coli_spec import SpecError, iku1

DIAGRAMS = "../docs/diagrams"
_CLAUSE_PAGES = "../docs/clauses"


def specification(spec: coli_spec.Spec, grammars: Sequence[grammar_rules.Grammar]) -> str:
    """Return the text of SPEC.md. Raises SpecError where the template does not place every clause just once."""
    placed: list[str] = []

    def clauses(*ids: str) -> str:
        placed.extend(ids)
        return "\n\n".join(_clause(spec.clause(clause_id), spec) for clause_id in ids)

    text = (
        environment()
        .get_template("spec.md.j2")
        .render(
            spec=spec,
            clauses=clauses,
            see=lambda *ids: ", ".join(f"[{clause_id}](#{markdown.anchor(clause_id)})" for clause_id in ids),
            cell=lambda text: markdown.prose(text, spec, _link),
            wrapped=markdown.wrapped,
            levels=Counter(clause.level for clause in spec.clauses),
            role_clauses=Counter(role for clause in spec.clauses for role in clause.roles),
            engine_id=engine_id,
            offset_basis=FNV_OFFSET_BASIS,
            prime=FNV_PRIME,
            largest=spec.largest_dimensions(),
            examples=examples,
            history=examples.history(spec),
            iku1=iku1,
            hexdump=hexdump,
            most_partners=pairs.MOST_PARTNERS,
            layers_ahead=pairs.LAYERS_AHEAD,
            pages=[(area, f"{_CLAUSE_PAGES}/{file_name(area)}") for area in spec.areas],
            grammars={grammar.name: grammar for grammar in grammars},
            diagram=_diagram,
            rules_alone=grammar_rules.rules_alone,
        )
    )
    _check(placed, spec)
    return text


def _link(clause: coli_spec.Clause) -> str:
    return f"#{markdown.anchor(clause.id)}"


def _clause(clause: coli_spec.Clause, spec: coli_spec.Spec) -> str:
    """Return a clause as a quotation, with the anchor that its id is linked by."""
    name = f'<a id="{markdown.anchor(clause.id)}"></a>'
    link = f"[{clause.id}]({_CLAUSE_PAGES}/{file_name(clause.area)}#{markdown.anchor(clause.id)})"

    def prose(text: str) -> str:
        return markdown.prose(text, spec, _link)

    blocks = [markdown.wrapped(f"{name}**{link} {clause.level}.** {prose(clause.rule)} *{prose(clause.why)}*", "> ")]
    remarks = [f"Settled: {prose(decision)}" for decision in clause.settled]
    if clause.behaviours:
        remarks.append(f"Legal behaviours: {', '.join(f'`{name}`' for name in clause.behaviours)}.")
    if remarks:
        blocks += [">", *(markdown.wrapped(remark, ">   ", "> - ") for remark in remarks)]
    return "\n".join(blocks)


def _diagram(grammar: grammar_rules.Grammar, rule: str) -> str:
    return f"![railroad diagram of {rule}]({DIAGRAMS}/{diagrams.file_name(grammar, rule)})"


def _check(placed: Sequence[str], spec: coli_spec.Spec) -> None:
    counts = Counter(placed)
    for clause in spec.clauses:
        if counts[clause.id] != 1:
            raise SpecError(
                f"spec.md.j2 places clause {clause.id} {counts[clause.id]} times; put it once under the heading where "
                "a reader looks for it"
            )

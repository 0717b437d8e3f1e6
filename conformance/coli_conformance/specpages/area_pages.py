"""The clause pages, one an area: each clause with its text, its cases, its faults and the hash of its wording."""

from __future__ import annotations

from collections.abc import Sequence

import coli_spec
from coli_conformance.specpages import markdown
from coli_conformance.specpages.card import Card
from coli_conformance.specpages.template import environment


def area_pages(cards: Sequence[Card], spec: coli_spec.Spec) -> dict[str, str]:
    """Return the page of every area, by the name of its file."""
    template = environment().get_template("area.md.j2")
    pages = {}
    for area in spec.areas:
        own = [card for card in cards if card.clause.area == area]

        def link(clause: coli_spec.Clause, area: coli_spec.Area = area) -> str:
            page = "" if clause.area == area else file_name(clause.area)
            return f"{page}#{markdown.anchor(clause.id)}"

        def prose(text: str, link: markdown.Link = link) -> str:
            return markdown.prose(text, spec, link)

        pages[file_name(area)] = template.render(
            area=area,
            areas=[(other, file_name(other)) for other in spec.areas],
            cards=own,
            prose=prose,
            wrapped=markdown.wrapped,
            anchor=markdown.anchor,
            elsewhere=_by_clause,
        )
    return pages


def file_name(area: coli_spec.Area) -> str:
    """Return the name of an area's page, such as W.md."""
    return f"{area.letter}.md"


def _by_clause(card: Card) -> list[tuple[str, int]]:
    """Return the clauses whose cases test this one on the way, with how many, in the order of the cases."""
    counts: dict[str, int] = {}
    for case in card.elsewhere:
        counts[case.clauses[0]] = counts.get(case.clauses[0], 0) + 1
    return list(counts.items())

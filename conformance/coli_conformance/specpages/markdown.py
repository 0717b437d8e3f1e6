"""Declared texts as Markdown: identifiers as code, clause ids as links, lines of a readable width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

import coli_spec

WIDTH = 118
Link = Callable[[coli_spec.Clause], str]
"""From a clause to the target of a link to it."""

_CODE = re.compile(r"`[^`]+`|\.?\b[a-z0-9]+_[a-z0-9_]+\b|\bstats\.txt\b|\b[A-Z_]+=(?:<\w+>|\w+\b)?")
_CLAUSE_ID = re.compile(r"\b[A-Z][0-9]{2}\b")
_SPECIAL = re.compile(r"([\\`*<>|\[\]])")
# What makes Markdown begin a list, a heading or a quotation where it stands first on a line.
_BEFORE_A_MARK = re.compile(r" (?=(?:[0-9]+[.)]|[-+*#>])(?: |$))")


def anchor(clause_id: str) -> str:
    """Return the fragment by which a page links to a clause."""
    return clause_id.lower()


def prose(text: str, spec: coli_spec.Spec, link: Link) -> str:
    """Return a declared text as Markdown on one line; nothing in it can be taken for markup."""
    clauses = {clause.id: clause for clause in spec.clauses}
    pieces: list[str] = []
    end = 0
    for found in _CODE.finditer(text):
        pieces += [_linked(text[end : found.start()], clauses, link), f"`{found.group().strip('`')}`"]
        end = found.end()
    return "".join([*pieces, _linked(text[end:], clauses, link)])


def wrapped(text: str, indent: str = "", first: str = "") -> str:
    """Return the text in lines of at most WIDTH characters, `first` before the first and `indent` before the others.

    No line begins with what Markdown would take for the start of a list, a heading or a quotation.
    """
    held = _BEFORE_A_MARK.sub("\0", text)
    lines = textwrap.wrap(
        held,
        WIDTH,
        initial_indent=first or indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


def _linked(text: str, clauses: dict[str, coli_spec.Clause], link: Link) -> str:
    escaped = _SPECIAL.sub(r"\\\1", text)
    return _CLAUSE_ID.sub(
        lambda found: (
            f"[{found.group()}]({link(clauses[found.group()])})" if found.group() in clauses else found.group()
        ),
        escaped,
    )

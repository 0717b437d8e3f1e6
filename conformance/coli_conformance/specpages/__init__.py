"""SPEC.md, the clause pages and the railroad diagrams, generated from the declarations and committed."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

SPECIFICATION = "spec/SPEC.md"
CLAUSE_PAGES = "docs/clauses"
DIAGRAMS = "docs/diagrams"
_GRAMMARS = ("history", "trace", "pairs")


def pages(root: Path) -> dict[str, str]:
    """Return the text of every page by its path below `root`, a checkout with its vectors.

    Raises VectorError where the vectors cannot be used, SpecError where the template and the clauses disagree.
    """
    # Imported here: `explain` needs other modules of this package, and none of these.
    import coli_spec  # noqa: PLC0415
    from coli_conformance.corpus import vectors  # noqa: PLC0415
    from coli_conformance.specpages import grammar_rules, wording  # noqa: PLC0415
    from coli_conformance.specpages.area_pages import area_pages  # noqa: PLC0415
    from coli_conformance.specpages.card import cards  # noqa: PLC0415
    from coli_conformance.specpages.diagrams import diagrams  # noqa: PLC0415
    from coli_conformance.specpages.specification import specification  # noqa: PLC0415

    spec = coli_spec.load()
    cases, _ = vectors.committed(root / "vectors")
    table = wording.committed(root / "vectors")
    grammars = [grammar_rules.read(name) for name in _GRAMMARS]
    texts = {SPECIFICATION: specification(spec, grammars)}
    for name, text in area_pages(cards(cases, table, spec), spec).items():
        texts[f"{CLAUSE_PAGES}/{name}"] = text
    for grammar in grammars:
        for name, text in diagrams(grammar).items():
            texts[f"{DIAGRAMS}/{name}"] = text
    return texts


def write_all(root: Path) -> list[Path]:
    """Write the pages below `root` that changed and remove those that nothing generates; return the paths of both.

    Raises what `pages` raises, and OutputError where a page cannot be written.
    """
    from coli_conformance.reports import output  # noqa: PLC0415 - only who writes pays for it

    texts = pages(root)
    changed = []
    for name, text in texts.items():
        path = root / name
        if _text_of(path) != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            output.write(path, text)
            changed.append(path)
    for path in _stale(root, texts):
        path.unlink()
        changed.append(path)
    return changed


def check_all(root: Path) -> list[str]:
    """Return a sentence on every page below `root` that is not what is generated. Raises what `pages` raises."""
    texts = pages(root)
    differences = [
        f"{name}: {_difference(_text_of(root / name), text)}"
        for name, text in texts.items()
        if _text_of(root / name) != text
    ]
    stale = [f"{path.relative_to(root)}: nothing generates this page any more" for path in _stale(root, texts)]
    return [*differences, *stale]


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None


def _stale(root: Path, texts: dict[str, str]) -> list[Path]:
    there = [*(root / CLAUSE_PAGES).glob("*.md"), *(root / DIAGRAMS).glob("*.svg")]
    return sorted(path for path in there if str(path.relative_to(root)) not in texts)


def _difference(old: str | None, new: str) -> str:
    if old is None:
        return "there is no such page"
    pairs = zip_longest(old.split("\n"), new.split("\n"))
    number = next(number for number, (before, after) in enumerate(pairs, start=1) if before != after)
    return f"line {number} is not what is generated"

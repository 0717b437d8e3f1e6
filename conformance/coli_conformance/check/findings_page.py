"""The page `docs/findings.md`: every code a finding can have, generated from what is declared.

`python -m coli_conformance.check.findings_page > docs/findings.md` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from coli_conformance.check.catalogue import CODES
from coli_conformance.check.code import Code, Example, Kind
from coli_conformance.escape import shown_bytes

_HEADINGS = {
    Kind.HISTORY: "Histories",
    Kind.IKU1: "IKU1",
    Kind.TRACE: "Traces",
    Kind.PAIRS: "Tables of pairs",
}
_HEAD = """\
# What `check` finds

Generated from the declaration of the codes; a test compares. A code is permanent. An error or a warning makes the exit
status 1, a note does not. An error is a breach of a must, or something that an old reader would misread or lose. The
clause in brackets is the rule that the finding is about; `coli-conformance explain` takes codes as well as clauses.

The examples are whole files with what cannot be seen escaped, `line:column` is where the finding stands; columns count
bytes from 1. In IKU1 the column is the offset of the byte, plus 1.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _HEAD
    for kind, heading in _HEADINGS.items():
        yield f"## {heading}\n"
        for code in CODES:
            if code.kind is kind:
                yield from _code(code)


def _code(code: Code) -> Iterator[str]:
    once = " Told once for each file." if code.once else ""
    yield f"### `{code.name}`\n"
    yield f"{code.level.value} ({code.clause}). {code.what}{once}\n"
    if code.old_reader:
        yield f"An old reader {code.old_reader}.\n"
    yield f"{code.do}\n"
    if code.example is not None:
        yield f"{_example(code.kind, code.example)}\n"


def _example(kind: Kind, example: Example) -> str:
    asked = "".join(
        f" {option} {value}" for option, value in (("--engine", example.engine), ("--dims", example.dims)) if value
    )
    with_options = f" with `{asked.strip()}`" if asked else ""
    place = f"at {example.line}:{example.column}{with_options}"
    if not example.data:
        return f"Example: an empty file, {place}."
    text = example.data.hex(" ", 4) if kind is Kind.IKU1 else shown_bytes(example.data)
    return f"Example, {place}:\n\n    {text}"


if __name__ == "__main__":
    sys.stdout.write(page())

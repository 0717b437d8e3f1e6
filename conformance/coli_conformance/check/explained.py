"""A code of a finding in words, for `explain`."""

from __future__ import annotations

from collections.abc import Iterator

from coli_conformance.check.code import Code, Kind
from coli_conformance.escape import shown_bytes
from coli_conformance.reports.lines import Line, line, wrapped

_INDENT = " " * 11


def code_lines(code: Code, width: int) -> Iterator[Line]:
    """Yield everything declared about a code."""
    yield line((code.name, "id"), f"  {code.level.value}  ", (f"check, {code.kind.value}, {code.clause}", "faint"))
    yield from wrapped(code.what, width, "  ")
    yield line()
    reading = f"An old reader {code.old_reader}." if code.old_reader else ""
    told = "At its first place in a file alone." if code.once else ""
    for label, text in (("reading", reading), ("do", code.do), ("told", told)):
        if text:
            for number, content in enumerate(wrapped(text, width, _INDENT)):
                yield content if number else line("  ", (f"{label:<9}", "faint"), content[1])
    if code.example is not None:
        example = code.example
        data = example.data.hex(" ", 4) if code.kind is Kind.IKU1 else shown_bytes(example.data)
        yield line("  ", (f"{'example':<9}", "faint"), data or "an empty file")
        options = [
            f"{name} {value}" for name, value in (("--engine", example.engine), ("--dims", example.dims)) if value
        ]
        asked = f", with {' '.join(options)}" if options else ""
        yield line(_INDENT, (f"found at {example.line}:{example.column}{asked}", "faint"))

"""White space by the thousand and files longer than a buffer read like short ones (R12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case
from coli_conformance.corpus.meaning import inside, legacy, render
from coli_conformance.corpus.reader_loaded import loaded
from coli_conformance.corpus.target import Target

_MANY = 1000


def r12_long_text(target: Target) -> Iterator[Case]:
    """R12: the length of a run of blanks, of an empty stretch, or of the whole file is no reason to stop."""
    many = legacy(*inside(target, *((3, index % 8, 1 + index % 9) for index in range(_MANY))))
    few = legacy(*inside(target, (0, 1, 10), (3, 2, 5), (4, 1, 8)))
    run = " " * _MANY
    first, *others = few.text.splitlines()
    for name, content, text, why in (
        (f"crlf-x{_MANY}", many, render(many.records, end="\r\n"), "A buffer can end between CR and LF."),
        (
            f"no-final-newline-x{_MANY}",
            many,
            many.text[:-1],
            "In a file of several buffers, too, the last record counts without a newline.",
        ),
        (
            f"{_MANY}-blanks-between-fields",
            few,
            render(few.records, separator=run),
            "A buffer for a line need not hold a line; the next field is still this record's.",
        ),
        (
            f"{_MANY}-blank-lines",
            few,
            first + "\n" * _MANY + "\n".join(others) + "\n",
            "However many lines are blank, the next record follows.",
        ),
    ):
        yield loaded(target, content, text).case(f"R12-{name}", why)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (r12_long_text,)

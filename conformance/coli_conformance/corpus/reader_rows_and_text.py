"""Rows dropped in unusual ways (R11), legacy text under every name (R08), and white space at buffers' ends (R12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import history, inside, legacy, render
from coli_conformance.corpus.reader_loaded import loaded
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.writer_header import registered_targets

GLM = Target("glm_moe_dsa", 78, 256)
_MOST_LAYERS = 1_000
_BUFFERS = (4_096, 8_192)


def r08_legacy_under_every_name(target: Target) -> Iterator[Case]:
    """R08: text without a header is read as it stands by every engine."""
    content = legacy(*inside(target, (0, 1, 10), (3, 2, 5)))
    for reader in registered_targets(target):
        yield loaded(reader, content).case(
            f"R08-read-by-{reader.name}", "Every engine may have histories from before the header."
        )


def r11_dropped_in_any_way(target: Target) -> Iterator[Case]:
    """R11: a row dropped twice is dropped, and so is one of any number, and any number of rows."""
    row, other = inside(target, (3, 2, 5), (4, 1, 8))
    yield loaded(target, legacy(row, other), dropped=(row[0], row[0])).case(
        "R11-dropped-twice", "Said again, a row does not begin to route.", clauses=("R09",)
    )
    every: tuple[Record, ...] = tuple((layer, 7 * layer % 256, 1 + layer) for layer in range(GLM.n_layers + 1))
    yield loaded(GLM, legacy(*every), dropped=tuple(range(70))).case(
        "R11-78x256-first-70-rows", "Room for 32 or 64 dropped rows is not enough.", clauses=("R09",)
    )
    high = Target(target.name, _MOST_LAYERS, 2)
    rows = (128, 256, 512, 999)
    cut = {layer & 0xFF for layer in rows}
    content = legacy(*((layer, 1, 1 + layer) for layer in sorted({*rows, *cut, _MOST_LAYERS})))
    yield loaded(high, content, dropped=rows).case(
        f"R11-{_MOST_LAYERS}x2-rows-128-to-999",
        "A row's number may take more than 7, 8 or 9 bits; the row of its lower bits routes.",
        clauses=("R09",),
    )


def r12_at_the_ends(target: Target) -> Iterator[Case]:
    """R12: a CR LF across the end of a buffer, first in the file, blanks alone on a line, and a single line without LF
    make no difference."""
    data = inside(target, (3, 2, 5), (4, 1, 8))
    first, *others = (render([record], end="") for record in data)
    rest = "".join(f"{line}\r\n" for line in others)
    for size in _BUFFERS:
        text = f"{first.ljust(size - 1)}\r\n{rest}"
        yield loaded(target, legacy(*data), text).case(
            f"R12-cr-lf-across-{size}", f"A buffer of {size} bytes ends between CR and LF, which stay one line end."
        )
    content = history(target, *data)
    for name, text, why in (
        (
            "crlf-first",
            "\r\n" + render(content.records, end="\r\n"),
            "A file from Windows may begin with a blank line.",
        ),
        ("lines-of-blanks-alone", render(content.records, end="\n  \n"), "A line of blanks without a tab is blank."),
    ):
        yield loaded(target, content, text).case(f"R12-{name}", why)
    yield loaded(target, legacy(data[0]), first).case(
        "R12-one-line-without-newline", "The first line that lacks its newline can be the only one."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r08_legacy_under_every_name,
    r11_dropped_in_any_way,
    r12_at_the_ends,
)

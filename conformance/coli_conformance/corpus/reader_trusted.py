"""What a reader owes sound text holds for a typed path too (R02, R09, R10, R12, R15 under trust)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import header, history, inside, legacy, render
from coli_conformance.corpus.reader_loaded import loaded
from coli_conformance.corpus.target import Target

_UNKNOWN: Record = (-3, 7, 12)
_COUNT_MAX = coli_spec.load().fields[2].maximum


def r02_unknown_records_trusted(target: Target) -> Iterator[Case]:
    """R02: unknown header records are passed over on a trusted read as on any other."""
    content = history(target, *inside(target, (3, 2, 5), (4, 1, 8)))
    for name, at in (("after-dimensions", 1), ("after-identity", 2), ("among-data", 3)):
        yield loaded(target, content.inserted(at, _UNKNOWN), trusted=True).case(
            f"R02-trusted-{name}", "A typed path may lead to a history of a later build."
        )


def r02_unknown_records_laid_out(target: Target) -> Iterator[Case]:
    """R02: an unknown header record is passed over in every layout that reads the same (R12)."""
    content = history(target, *inside(target, (3, 2, 5), (4, 1, 8)))
    among, last = content.inserted(3, _UNKNOWN), content.inserted(4, _UNKNOWN)
    line = render([_UNKNOWN])
    for name, widened, text, why in (
        ("crlf", among, render(among.records, end="\r\n"), "An unknown record may end in CR LF."),
        ("tabs", among, render(among.records, separator="\t"), "Its fields may be parted by tabs."),
        ("indented", among, among.text.replace(line, " " + line), "It may be indented."),
        ("after-a-blank-line", among, among.text.replace(line, "\n" + line), "It may follow a blank line."),
        ("last-without-newline", last, last.text[:-1], "It may be the last line, without a line end."),
    ):
        yield loaded(target, widened, text).case(f"R02-{name}", why, clauses=("R12",))


def r12_white_space_trusted(target: Target) -> Iterator[Case]:
    """R12: the layouts that read the same read the same on a trusted read."""
    content = history(target, *inside(target, (0, 1, 10), (3, 2, 5), (4, 1, 8)))
    records = content.records
    for name, text in (
        ("crlf", render(records, end="\r\n")),
        ("tabs", render(records, separator="\t")),
        ("runs-of-blanks", render(records, separator="    ", end="  \n")),
        ("blank-lines", render(records, end="\n\n")),
        ("no-final-newline", content.text[:-1]),
    ):
        yield loaded(target, content, text, trusted=True).case(
            f"R12-trusted-{name}", "A file that somebody copied here by hand is the one whose path is typed."
        )


def r09_total_trusted(target: Target) -> Iterator[Case]:
    """R09: the total of another engine's history, read because its path was typed, leaves out what was discarded."""
    outside = (target.n_layers + 1, 1, 100), (target.n_layers, target.n_experts, 200)
    other = header(target, engine=target.stranger.engine_id)
    content = legacy(*other, *inside(target, (3, 2, 5)), *outside)
    yield loaded(target, content, trusted=True).case(
        "R09-other-engine-trusted", "Whoever vouches for a file vouches for no row that is not there.", ("R06",)
    )


def r10_bounds_trusted(target: Target) -> Iterator[Case]:
    """R10: on a trusted read row n_layers is inside, and what is outside goes to no other counter."""
    layers, experts = target.n_layers, target.n_experts
    good = inside(target, (3, 2, 5))
    mtp = ((layers, 0, 7), (layers, experts - 1, 9))
    yield loaded(target, history(target, *good, *mtp), trusted=True).case(
        "R10-trusted-mtp-row", "Trust does not make the MTP head's row another one."
    )
    outside = ((0, experts, 100), (layers + 1, 0, 100), (0, -1, 100))
    yield loaded(target, history(target, *outside, *good), trusted=True).case(
        "R10-trusted-outside", "A typed path gives no expert more than there are.", clauses=("R09",)
    )


def r15_large_counts_trusted(target: Target) -> Iterator[Case]:
    """R15: large counts, and totals beyond 32 bits, are exact on a trusted read."""
    yield loaded(target, history(target, *inside(target, (3, 2, 3_000_000_000), (4, 1, 8))), trusted=True).case(
        "R15-trusted-3000000000", "The parser of a typed path reads the third field unsigned as well."
    )
    records = inside(target, (0, 1, _COUNT_MAX), (4, 1, _COUNT_MAX))
    yield loaded(target, legacy(*records), trusted=True).case(
        "R15-trusted-total-beyond-32-bits", "A trusted read's total takes more than 32 bits too."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r02_unknown_records_trusted,
    r02_unknown_records_laid_out,
    r12_white_space_trusted,
    r09_total_trusted,
    r10_bounds_trusted,
    r15_large_counts_trusted,
)

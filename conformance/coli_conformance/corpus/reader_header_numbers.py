"""Wrong headers that look right: numbers that are right when cut, other layouts, other places (R03-R05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, header, inside, render
from coli_conformance.corpus.reader_loaded import refused
from coli_conformance.corpus.target import Target

_UNKNOWN: Record = (-3, 7, 12)


def _data(target: Target) -> tuple[Record, ...]:
    return inside(target, (3, 2, 5), (4, 1, 8))


def r03_dimensions_right_when_cut(target: Target) -> Iterator[Case]:
    """R03: dimensions that equal the engine's own in 8 or 16 bits are others."""
    layers, experts = target.n_layers, target.n_experts
    for above in (1 << 8, 1 << 16):
        for pair in ((layers + above, experts), (layers, experts + above)):
            yield refused(target, History((*header(target, *pair), *_data(target)))).case(
                f"R03-{layers}x{experts}-declared-{pair[0]}x{pair[1]}-cut",
                f"{pair[0]} x {pair[1]} is {layers} x {experts} where the upper bits are cut.",
                clauses=("R07",),
            )


def r04_versions_right_when_cut(target: Target) -> Iterator[Case]:
    """R04: a version that equals 1 in 8 or 16 bits, or begins with its digit, is a later one."""
    newest = coli_spec.load().format_version
    for version in (10 * newest, (1 << 8) + newest, (1 << 16) + newest):
        yield refused(target, History((*header(target, version=version), *_data(target)))).case(
            f"R04-version-{version}", f"Cut to fewer bits or to its first digit, {version} is {newest}.", ("R07",)
        )


def r05_ids_right_when_cut(target: Target) -> Iterator[Case]:
    """R05: an id that equals the engine's own in part is another engine's."""
    own = target.engine_id
    near = {
        "other-top-bit": (
            own ^ 1 << 31,
            "Compared in 31 bits, or as a signed number that saturates, it is the own one.",
        ),
        "other-bit-20": (own ^ 1 << 20, "Compared in 16 bits it is the own one."),
        "other-bit-8": (own ^ 1 << 8, "Compared in 8 bits it is the own one."),
        "other-last-bit": (own ^ 1, "Compared as floats, large ids that differ by 1 are equal."),
        "last-digit-missing": (own // 10, "Compared as text up to the shorter one's end it is the own one."),
    }
    for name, (number, why) in near.items():
        if number != own:
            yield refused(target, History((*header(target, engine=number), *_data(target)))).case(
                f"R05-own-id-{name}", why, clauses=("R07",)
            )


def _layouts(content: History) -> dict[str, tuple[str, str]]:
    """Return ways to lay out a history that mean the same, by name, with the reason to try it."""
    return {
        "crlf": (render(content.records, end="\r\n"), "A header that ends in CR LF is one."),
        "tabs": (render(content.records, separator="\t"), "A header with tabs is one."),
        "indented": ("".join(f" {line}\n" for line in content.text.splitlines()), "An indented header is one."),
        "blank-line-first": ("\n" + content.text, "A header need not stand on the first line."),
    }


def refused_in_every_layout(target: Target) -> Iterator[Case]:
    """Yield a wrong header of each kind in other layouts: what reads the same is checked the same (R12)."""
    later = coli_spec.load().format_version + 1
    wrong = {
        "R03": (header(target, n_experts=target.n_experts + 1), ("crlf", "tabs")),
        "R04": (header(target, version=later), ("crlf", "indented")),
        "R05": (header(target, engine=target.stranger.engine_id), ("crlf", "tabs", "indented", "blank-line-first")),
    }
    for clause, (records, names) in wrong.items():
        content = History((*records, *_data(target)))
        layouts = _layouts(content)
        for name in names:
            text, why = layouts[name]
            yield refused(target, content, text).case(f"{clause}-{name}", why, clauses=("R07", "R12"))


def refused_in_every_place(target: Target) -> Iterator[Case]:
    """Yield wrong headers behind unknown records and in the other order: each is checked where it stands (R02)."""
    later = coli_spec.load().format_version + 1
    dimensions, foreign = header(target, engine=target.stranger.engine_id)
    _, new = header(target, version=later)
    other, _ = header(target, n_layers=target.n_layers + 1)
    for case_id, records, why in (
        ("R04-unknown-record-first", (_UNKNOWN, dimensions, new), "An unknown record in front hides no version."),
        ("R04-unknown-record-between", (dimensions, _UNKNOWN, new), "Nor does one between the two agreed ones."),
        ("R04-identity-first", (new, dimensions), "The version counts in either order of the two."),
        ("R05-unknown-record-first", (_UNKNOWN, dimensions, foreign), "An unknown record in front hides no identity."),
        (
            "R05-unknown-record-between",
            (dimensions, _UNKNOWN, foreign),
            "The header does not end at an unknown record.",
        ),
    ):
        yield refused(target, History((*records, *_data(target)))).case(case_id, why, clauses=("R07", "R02"))
    yield refused(target, History((foreign, other, *_data(target))), trusted=True).case(
        "R03-after-other-identity-trusted",
        "Setting an identity aside sets nothing aside that comes after it.",
        clauses=("R06", "R07"),
    )


def r03_to_r05_looking_right(target: Target) -> Iterator[Case]:
    """R03, R04, R05: a wrong header is refused in every layout that reads the same, and at every place."""
    yield from refused_in_every_layout(target)
    yield from refused_in_every_place(target)


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r03_dimensions_right_when_cut,
    r04_versions_right_when_cut,
    r05_ids_right_when_cut,
    r03_to_r05_looking_right,
)

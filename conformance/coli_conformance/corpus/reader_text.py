"""What a reader owes sound text: canonical, legacy, blank-ridden, empty, and with the largest counts (R01, R08, R12,
R13, R15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import History, history, inside, legacy, render, skewed_counts, slug
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

GLM = Target("glm_moe_dsa", 78, 256)
KIMI = Target("kimi_k3", 93, 896)


def _read(target: Target, content: History, text: str | None = None) -> Session:
    """Return a session that loads a file meaning `content`, as `text` where that is not canonical, and counts."""
    session = Session(target)
    session.given(".coli_usage", content.text if text is None else text)
    session.load(".coli_usage", content)
    session.counts()
    return session


def _every_counter(target: Target) -> tuple[Record, ...]:
    """Return a record for each counter, the MTP row's included, no two with the same count."""
    return tuple(
        (layer, expert, 1 + layer * target.n_experts + expert)
        for layer in range(target.n_layers + 1)
        for expert in range(target.n_experts)
    )


def r01_canonical_text(target: Target) -> Iterator[Case]:
    """R01: canonical text is read in full, with every record, every exact count and the exact total."""
    one = inside(target, (3, 2, 5))
    yield _read(target, history(target, *one)).case("R01-one-record", "The smallest history is one record.")
    few = sorted(inside(target, (0, 1, 1), (3, 2, 5), (4, 1, 8), (5, 7, 1_000_000)))
    yield _read(target, history(target, *few)).case("R01-few-records", "Its last record is in the MTP row.")
    yield _read(target, history(target, *_every_counter(target))).case(
        "R01-every-counter", "With no two counts alike, a record that lands elsewhere shows."
    )
    single = Target(target.name, 1, 1)
    yield _read(single, history(single, (0, 0, 3), (1, 0, 4))).case("R01-1x1", "The smallest model has two counters.")
    small = Target(target.name, 2, 4)
    yield _read(small, history(small, (0, 1, 5))).case("R01-2x4", "The header's own numbers are no counts.")
    olmoe = Target("olmoe", 16, 64)
    yield _read(olmoe, history(olmoe, *skewed_counts(range(16), 64, 40))).case(
        "R01-16x64", "A model of another size, under another name."
    )
    weeks = [record for index, record in enumerate(skewed_counts(range(3, 79), 256, 256)) if index % 42]
    yield _read(GLM, history(GLM, *weeks)).case(
        "R01-78x256", f"Weeks of use fill nearly every counter: {len(weeks)} records, none in the dense layers 0 to 2."
    )
    yield _read(KIMI, history(KIMI, *skewed_counts(range(1, 93), 896, 60))).case(
        "R01-93x896", "The largest model known has rows of 896 experts."
    )


def r08_legacy_text(target: Target) -> Iterator[Case]:
    """R08: data records without any header are read as they stand."""
    shapes: dict[str, tuple[tuple[Record, ...], str]] = {
        "one-record": (inside(target, (3, 2, 5)), "A history from before the header can be one record."),
        "few-records": (inside(target, (0, 1, 10), (3, 2, 5), (4, 1, 8)), "Old histories hold data records alone."),
        "unsorted": (inside(target, (4, 1, 8), (0, 1, 10), (3, 2, 5)), "Nothing ordered the records of old tools."),
        "mtp-row": (inside(target, (5, 0, 7)), "The MTP row is written like any other, in old histories too."),
        "every-counter": (_every_counter(target), "Every counter of the model has a record."),
        "count-0": (inside(target, (3, 2, 0), (4, 1, 8)), "A record of count 0 is sound text that means nothing."),
    }
    for name, (records, why) in shapes.items():
        yield _read(target, legacy(*records)).case(f"R08-{name}", why)
    yield _read(GLM, legacy(*skewed_counts(range(3, 79), 256, 12))).case(
        "R08-78x256", "An old history of a large model."
    )


def _layouts(content: History) -> dict[str, tuple[str, str]]:
    """Return every way to lay out `content` that means the same (R12), by name, with the reason to try it."""
    records, lines = content.records, content.text.splitlines()
    crlf = render(records, end="\r\n")
    return {
        "crlf": (crlf, "Windows and editors end lines with CR LF."),
        "crlf-some-lines": (
            "".join(line + ("\r\n" if index % 2 else "\n") for index, line in enumerate(lines)),
            "Histories joined from two systems mix line ends.",
        ),
        "crlf-no-final-newline": (crlf.removesuffix("\r\n"), "The last line end is missing among CR LF."),
        "crlf-cut-after-cr": (crlf.removesuffix("\n"), "The last line end lost its LF."),
        "tabs": (render(records, separator="\t"), "A tab separates like a blank."),
        "runs-of-blanks": (render(records, separator="    "), "Aligned columns have runs of blanks."),
        "runs-of-tabs": (render(records, separator="\t\t"), "A run of tabs separates like one blank."),
        "blanks-and-tabs": (render(records, separator=" \t "), "Blanks and tabs mix."),
        "blanks-at-line-ends": (render(records, end="  \n"), "Editors leave blanks at line ends."),
        "tab-at-line-ends": (render(records, end="\t\n"), "A tab at a line end is no field."),
        "blank-before-crlf": (render(records, end=" \r\n"), "A blank stands before CR LF."),
        "blanks-at-line-starts": ("".join(f"  {line}\n" for line in lines), "Indented lines are records all the same."),
        "tab-at-line-starts": ("".join(f"\t{line}\n" for line in lines), "Lines are indented with a tab."),
        "blank-lines": (render(records, end="\n\n"), "A blank line is no record and no end."),
        "blank-lines-crlf": (render(records, end="\r\n\r\n"), "A blank line that ends in CR LF is blank."),
        "blank-line-first": ("\n" + content.text, "The file begins with a blank line."),
        "blank-lines-last": (content.text + "\n\n\n", "The file ends with blank lines."),
        "lines-of-blanks": (render(records, end="\n \t\n"), "A line of blanks and tabs is blank."),
        "no-final-newline": (content.text.removesuffix("\n"), "The last record counts without a newline."),
        "everything": (
            "\r\n\r\n".join(f" \t {line}  \t".replace(" ", "  \t") for line in lines),
            "All of it at once, and no final newline.",
        ),
    }


def r12_white_space(target: Target) -> Iterator[Case]:
    """R12: CRLF, runs of blanks or tabs, blank lines and a missing final newline read the same as canonical text."""
    data = inside(target, (0, 1, 10), (3, 2, 5), (4, 1, 8))
    with_header = history(target, *data)
    for name, (text, why) in _layouts(with_header).items():
        yield _read(target, with_header, text).case(f"R12-{name}", why)
    yield _read(target, legacy(), "\n").case("R12-one-newline", "A file of one blank line has no records.")
    without = legacy(*data)
    for name, (text, why) in _layouts(without).items():
        if name in {"crlf", "tabs", "runs-of-blanks", "blank-lines", "no-final-newline", "everything"}:
            yield _read(target, without, text).case(f"R12-legacy-{name}", f"In legacy text: {why}")


def r13_zero_bytes(target: Target) -> Iterator[Case]:
    """R13: a file without bytes is an empty history, which is accepted with the total 0."""
    yield _read(target, legacy()).case("R13-zero-bytes", "A run that routed nothing leaves a file of zero bytes.")
    session = Session(target)
    session.given(".coli_usage", history(target, *inside(target, (3, 2, 5))))
    session.given("stats.txt", "")
    session.load(".coli_usage", inside(target, (3, 2, 5)), clause="R01")
    session.load("stats.txt", ())
    session.counts()
    yield session.case("R13-after-counts", "An empty history adds nothing and takes nothing away.")
    session = Session(target)
    session.given(".coli_usage", "")
    session.load(".coli_usage", (), trusted=True)
    session.counts()
    yield session.case("R13-trusted", "A typed path can lead to an empty history as well.")


def r15_large_counts(target: Target) -> Iterator[Case]:
    """R15: counts from 2147483648 to 4294967295 are read as exactly as smaller ones."""
    counts = coli_spec.load().fields[2].boundaries()
    for count in (*(value for value in counts if value > 1), 3_000_000_000):
        records = inside(target, (3, 2, count), (4, 1, 8))
        yield _read(target, history(target, *records)).case(
            f"R15-{slug(count)}", "The third field is unsigned: read as signed, large counts turn negative."
        )
    largest = counts[-1]
    records = inside(target, (0, 1, largest), (3, 2, largest), (4, 1, largest))
    yield _read(target, legacy(*records)).case(
        "R15-total-beyond-32-bits", "The counters hold 32 bits, and their total takes more."
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r01_canonical_text,
    r08_legacy_text,
    r12_white_space,
    r13_zero_bytes,
    r15_large_counts,
)

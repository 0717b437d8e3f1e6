"""Where readers may differ and the case names what was seen: malformed lines, odd headers, no file (R23, R24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import coli_spec
from coli_conformance.case import Case, Record
from coli_conformance.corpus.meaning import header, history, inside, legacy, render, slug
from coli_conformance.corpus.reader_outcomes import REFUSED, Reading, case_of_readings
from coli_conformance.corpus.target import Target

_PATH = ".coli_usage"


def _malformed(
    before: Sequence[Record], after: Sequence[Record], cut: Sequence[Record] = ()
) -> list[tuple[str, Sequence[Reading]]]:
    """Return the legal readings of data records before and after a malformed line.

    `cut` is the record that an old reader still takes from the malformed line before it stops in it.
    """
    kept, rest = tuple(before), tuple(after)
    return [
        ("stop", [Reading(kept)]),
        ("stop", [Reading((*kept, *cut))]),
        ("skip-line", [Reading((*kept, *rest))]),
        ("refuse", [REFUSED]),
        # Of a file refused for a malformed line the contract does not say that nothing is credited.
        ("refuse", [Reading(kept, refused=True)]),
    ]


def r23_malformed_line(target: Target) -> Iterator[Case]:
    """R23: at a line that is no record a reader stops and keeps what it has, skips the line, or refuses the file."""
    before, after = inside(target, (0, 1, 7)), inside(target, (0, 2, 5))
    same = inside(target, (0, 1, 5))
    front, back = render(before), render(after)
    dimensions, identity = header(target)
    cut_3, cut_1 = inside(target, (0, 3, 3)), inside(target, (0, 3, 1))
    lines: dict[str, tuple[str, Sequence[Record], Sequence[Record], Sequence[Record]]] = {
        "word": (f"{front}invalid\n{render(same)}", before, same, ()),
        "comment": (f"{front}# merged-by 00112233\n{back}", before, after, ()),
        "comment-first": (f"# v1\n{back}", (), after, ()),
        "word-as-expert": (f"{front}0 x 5\n{back}", before, after, ()),
        "float-count": (f"{front}{cut_3[0][0]} {cut_3[0][1]} 3.5\n{back}", before, after, cut_3),
        "thousands-separator": (f"{front}{cut_1[0][0]} {cut_1[0][1]} 1,000\n{back}", before, after, cut_1),
        "torn-last-record": (f"{front}3 2", before, (), ()),
        "name-as-id": (render([dimensions]) + f"-2 1 {target.name}\n{back}", (), after, ()),
        "comment-in-header": (render([dimensions]) + f"# v1\n{render([identity])}{back}", (), after, ()),
        "byte-order-mark": ("\ufeff" + render([dimensions]) + back, (), after, ()),
    }
    for name, (text, kept, rest, cut) in lines.items():
        yield case_of_readings(
            target,
            f"R23-{name}",
            "Readers differ at a malformed line, and a writer should know what its mistake turns into.",
            {_PATH: text},
            _malformed(kept, rest, cut),
        )


@dataclass(frozen=True, slots=True)
class _FourFields:
    """A text with a record of four fields in it, and what its parts mean.

    `three` is that record's first three fields where they are a data record. `out_of_step` is what a reader credits
    that goes on with the fourth field as the next record's first, worked out by hand; `unbounded` what it credits
    besides where it has no bounds.
    """

    text: str
    before: tuple[Record, ...]
    after: tuple[Record, ...]
    three: tuple[Record, ...]
    out_of_step: tuple[Record, ...]
    unbounded: tuple[Record, ...] = ()

    @property
    def legal(self) -> list[tuple[str, Sequence[Reading]]]:
        """The legal readings."""
        return [
            *_malformed(self.before, self.after),
            ("desync", [Reading(self.out_of_step)]),
            ("desync", [Reading((*self.out_of_step, *self.unbounded))]),
            ("first-three", [Reading((*self.before, *self.three, *self.after))]),
        ]


def r23_four_fields(target: Target) -> Iterator[Case]:
    """R23: at a record of four fields a reader may also fall out of step like the old one, or take the first three."""
    if target.n_layers < 4 or target.n_experts < 4:
        return
    one, other, far = (3, 2, 5), (1, 3, 8), target.n_layers + 94
    texts = {
        "header-invents-outside": _FourFields(
            f"3 2 5\n-3 7 12 {far}\n4 1 8\n", (one,), ((4, 1, 8),), (), (one,), unbounded=((far, 4, 1),)
        ),
        "header-invents-inside": _FourFields("3 2 5\n-3 7 12 4\n1 3 8\n", (one,), (other,), (), (one, (4, 1, 3))),
        "header-first": _FourFields(
            f"-3 7 12 4\n1 3 {far}\n3 2 5\n", (), ((1, 3, far), one), (), ((4, 1, 3),), unbounded=((far, 3, 2),)
        ),
        "data": _FourFields("3 2 5\n0 2 3 4\n1 3 8\n", (one,), (other,), ((0, 2, 3),), (one, (0, 2, 3), (4, 1, 3))),
        "data-first": _FourFields("0 2 3 4\n1 3 8\n", (), (other,), ((0, 2, 3),), ((0, 2, 3), (4, 1, 3))),
        "below-header": _FourFields(
            render(header(target)) + "0 2 3 4\n1 3 8\n", (), (other,), ((0, 2, 3),), ((0, 2, 3), (4, 1, 3))
        ),
    }
    for name, case in texts.items():
        yield case_of_readings(
            target,
            f"R23-four-fields-{name}",
            "A fourth field makes an old reader invent a record.",
            {_PATH: case.text},
            case.legal,
        )


def r24_odd_headers(target: Target) -> Iterator[Case]:
    """R24: a version below 1 is read or refused, and so is a file with one of the two header records."""
    data = inside(target, (3, 2, 6))
    dimensions, identity = header(target)
    smallest = coli_spec.load().fields[1].minimum
    odd = {
        **{f"version-{slug(version)}": header(target, version=version) for version in (0, -1, smallest)},
        "dimensions-alone": (dimensions,),
        "identity-alone": (identity,),
    }
    for name, records in odd.items():
        yield case_of_readings(
            target,
            f"R24-{name}",
            "No writer produces this header, so readers were free to differ.",
            {_PATH: legacy(*records, *data).text},
            [("read", [Reading(data)]), ("refuse", [REFUSED])],
        )


def r24_missing_file(target: Target) -> Iterator[Case]:
    """R24: a missing file is an empty history or refused."""
    yield case_of_readings(
        target,
        "R24-missing-file",
        "The first run finds no history.",
        {_PATH: None},
        [("empty", [Reading()]), ("refuse", [REFUSED])],
    )
    data = inside(target, (3, 2, 6))
    yield case_of_readings(
        target,
        "R24-missing-file-then-history",
        "A missing file must not stand in the way of the next path.",
        {"absent.txt": None, _PATH: history(target, *data).text},
        [("empty", [Reading(), Reading(data)]), ("refuse", [REFUSED, Reading(data)])],
    )


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r23_malformed_line,
    r23_four_fields,
    r24_odd_headers,
    r24_missing_file,
)

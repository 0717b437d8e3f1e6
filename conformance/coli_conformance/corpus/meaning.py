"""Histories as what they mean, before they are bytes: header records and data records in an order.

Expected values come from here. A history is rendered to text, never read back from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import coli_spec
from coli_conformance.case import Record
from coli_conformance.corpus.target import Target


def render(records: Iterable[Record], separator: str = " ", end: str = "\n") -> str:
    """Return the text of `records`, one on a line. With the defaults it is canonical (W18)."""
    return "".join(separator.join(map(str, record)) + end for record in records)


def ascending(counts: Iterable[Record]) -> str:
    """Return data records the way the vectors keep them: canonical text, ascending layer, then expert."""
    return render(sorted(counts))


@dataclass(frozen=True, slots=True)
class History:
    """Records in the order they stand in the file, header records included."""

    records: tuple[Record, ...]

    @property
    def text(self) -> str:
        """The canonical text."""
        return render(self.records)

    @property
    def data(self) -> tuple[Record, ...]:
        """The data records alone, in file order."""
        return tuple(record for record in self.records if record[0] >= 0)

    @property
    def unknown(self) -> tuple[Record, ...]:
        """The header records that the registry does not list as agreed, in file order (R02, W25)."""
        agreed = coli_spec.load().agreed_numbers()
        return tuple(record for record in self.records if record[0] < 0 and record[0] not in agreed)

    def inserted(self, at: int, *records: Record) -> History:
        """Return the history with `records` standing before the record at index `at`."""
        return replace(self, records=(*self.records[:at], *records, *self.records[at:]))


def header(
    target: Target,
    n_layers: int | None = None,
    n_experts: int | None = None,
    version: int | None = None,
    engine: int | None = None,
) -> tuple[Record, Record]:
    """Return the two header records `target` writes; each value can be made another one."""
    return (
        (
            -1,
            target.n_layers if n_layers is None else n_layers,
            target.n_experts if n_experts is None else n_experts,
        ),
        (
            -2,
            coli_spec.load().format_version if version is None else version,
            target.engine_id if engine is None else engine,
        ),
    )


def history(target: Target, *data: Record) -> History:
    """Return the sound history `target` would have written: both header records, then `data` as given."""
    return History((*header(target), *data))


def legacy(*data: Record) -> History:
    """Return a history from before the header existed: data records alone (R08)."""
    return History(data)


def skewed_counts(rows: Iterable[int], n_experts: int, chosen: int) -> tuple[Record, ...]:
    """Return data records shaped like weeks of use, ascending: in each of `rows`, `chosen` of the `n_experts` experts.

    The expert of rank r in its row was chosen 40000 // (r + 16) times, which gives the first hundredth of 256 experts
    about a twentieth of all selections. Which expert has which rank differs from row to row; as 181 is prime, every
    rank occurs once unless n_experts is a multiple of it.
    """
    return tuple(
        (layer, expert, 40_000 // (rank + 16))
        for layer in rows
        for expert in range(n_experts)
        if (rank := (181 * expert + 31 * layer) % n_experts) < chosen
    )


def inside(target: Target, *data: Record) -> tuple[Record, ...]:
    """Return `data` moved inside the counters of `target`, whose dimensions may be small; 5 x 8 leaves 3 2 5 as it is.

    Records that then share a counter still mean what they say: their counts add up (R14).
    """
    return tuple((layer % (target.n_layers + 1), expert % target.n_experts, count) for layer, expert, count in data)


def slug(*numbers: int) -> str:
    """Return numbers as they stand in the id of a case: `-3 7 12` is `minus3-7-12`."""
    return "-".join(str(number).replace("-", "minus") for number in numbers)

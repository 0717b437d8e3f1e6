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
        (-1, target.n_layers if n_layers is None else n_layers, target.n_experts if n_experts is None else n_experts),
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

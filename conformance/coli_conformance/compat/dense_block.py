"""An IKU1 file before an old reader, which recovers no record of it, in silence."""

from __future__ import annotations

import io
from dataclasses import dataclass

from coli_conformance.check.sniff import is_text_with_magic
from coli_reference.iku1 import is_iku1


@dataclass(frozen=True, slots=True)
class DenseBlock:
    """What an IKU1 file means: its counters that are not zero and their sum; `broken` is a sentence where it is cut."""

    counters: int
    total: int
    broken: str | None = None

    @property
    def differs(self) -> bool:
        """Whether an old reader goes without something: it recovers nothing of this layout."""
        return self.counters > 0 or self.broken is not None


def dense_block(data: bytes) -> DenseBlock | None:
    """Return what the bytes mean as IKU1, or None where they are text, also text that begins with the magic."""
    if not is_iku1(data) or is_text_with_magic(data):
        return None
    from coli_spec import iku1  # noqa: PLC0415 - brings in construct, which text histories do without

    try:
        rows = list(iku1.open_block(io.BytesIO(data), len(data)).rows())
    except iku1.Iku1Error as error:
        return DenseBlock(0, 0, str(error))
    counts = [count for row in rows for count in row if count]
    return DenseBlock(len(counts), sum(counts))

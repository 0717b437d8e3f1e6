"""IKU1, inkling's dense binary layout, to records and back (I01, I05-I07)."""

import functools
import struct
from collections.abc import Iterable

from coli_reference.history import Record
from coli_reference.trust import Dimensions, Refused

LAYOUT = "iku1"
# The four bytes of the declared magic number, here so that reading a text history needs no binary layout.
MAGIC = b"IKU1"
COUNT_BYTES = 4


@functools.cache
def writer() -> str:
    """Return the registered name of the engine whose layout this is."""
    import coli_spec  # noqa: PLC0415 - reading the declaration is not part of starting an engine

    return next(engine.name for engine in coli_spec.load().engines if LAYOUT in engine.layout.split())


def is_iku1(data: bytes) -> bool:
    """Tell whether a file that begins with `data` is in this layout rather than text."""
    return data.startswith(MAGIC)


def declared_dimensions(data: bytes) -> Dimensions:
    """Return (n_layers, n_experts) from the header; raise Refused when the file ends inside it (I06)."""
    from coli_spec import iku1  # noqa: PLC0415 - brings in construct, which text histories do without

    try:
        header = iku1.parse_header(data)
    except iku1.Iku1Error as error:
        raise Refused(f"written by {writer()} in the layout IKU1: {error}") from error
    return header.n_layers, header.n_experts


def file_bytes(dimensions: Dimensions) -> int:
    """Return the size of a whole file: the header, and one counter per layer and expert."""
    from coli_spec import iku1  # noqa: PLC0415 - brings in construct, which text histories do without

    return iku1.Header(*dimensions).file_bytes


def records(data: bytes, dimensions: Dimensions) -> list[Record]:
    """Return a record for each non-zero count of the block, row-major; bytes after it are ignored (I01, I07).

    The dimensions are the engine's own, so nothing a file declares costs memory (I05). Raises Refused when
    the block is shorter than they say (I06).
    """
    n_layers, n_experts = dimensions
    end = file_bytes(dimensions)
    if len(data) < end:
        raise Refused(
            f"written by {writer()} in the layout IKU1, and cut: {len(data)} bytes of the {end} "
            f"that {n_layers} layers of {n_experts} experts take; copy it again from a whole one (I06)"
        )
    block = memoryview(data)[end - n_layers * n_experts * COUNT_BYTES : end]
    return [
        Record(*divmod(position, n_experts), count)
        for position, (count,) in enumerate(struct.iter_unpack("<I", block))
        if count
    ]


def render(dimensions: Dimensions, counts: Iterable[tuple[int, int, int]]) -> bytes:
    """Return the whole file for (layer, expert, count)s; it has no MTP row, so those are left out."""
    from coli_spec import iku1  # noqa: PLC0415 - brings in construct, which text histories do without

    n_layers, n_experts = dimensions
    held = {(layer, expert): count for layer, expert, count in counts if layer < n_layers}
    return iku1.build(n_layers, n_experts, held)

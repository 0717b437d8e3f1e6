"""Findings about IKU1, the dense binary layout; the column is the offset of the byte, counted from 1."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_NOTHING = "recovers no record, in silence"


def _block(header: str, *, words: int = 0, last: int = 1) -> bytes:
    """Return the bytes of a header in hexadecimal and of so many counts, all zero but the last."""
    return bytes.fromhex(header) + bytes(4 * max(words - 1, 0)) + (last.to_bytes(4, "little") if words else b"")


_SMALL = "494b5531 02000000 03000000"

DENSE_LAYOUT = Code(
    "iku1-layout",
    Kind.IKU1,
    "I02",
    Level.NOTE,
    what="The file is IKU1, which inkling reads and every other engine refuses.",
    do="Nothing is wrong with it; the next save of a current inkling writes text.",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=6), 1, 1),
)
NO_MAGIC = Code(
    "iku1-no-magic",
    Kind.IKU1,
    "I01",
    Level.ERROR,
    what="The file does not begin with the magic of IKU1.",
    do="Check it as the kind it is, leaving out --kind.",
    old_reader="takes it for text",
    example=Example(b"3 2 5\n", 1, 1),
)
CUT_HEADER = Code(
    "iku1-cut-header",
    Kind.IKU1,
    "I06",
    Level.ERROR,
    what="The file ends inside the header of twelve bytes.",
    do="Copy it again from a whole one.",
    old_reader=_NOTHING,
    example=Example(bytes.fromhex("494b5531 0500"), 1, 7),
)
CUT_BLOCK = Code(
    "iku1-cut-block",
    Kind.IKU1,
    "I06",
    Level.ERROR,
    what="The file is shorter than its dimensions ask for.",
    do="Copy it again from a whole one; readers refuse it and credit nothing.",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=5), 1, 33),
)
LONG_BLOCK = Code(
    "iku1-long-block",
    Kind.IKU1,
    "I07",
    Level.WARNING,
    what="Bytes follow the block.",
    do="Find out what wrote them: engines may ignore them or refuse the file.",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=6) + b"\n", 1, 37),
)
BYTE_ORDER = Code(
    "iku1-byte-order",
    Kind.IKU1,
    "I01",
    Level.ERROR,
    what="The words are big-endian; the layout is little-endian on every machine.",
    do="Write it in little-endian order, whatever the byte order of the machine.",
    old_reader=_NOTHING,
    example=Example(bytes.fromhex("31554b49 00000002 00000001 00000000 00000001"), 1, 1),
)
IMPOSSIBLE_BLOCK = Code(
    "iku1-impossible-dimensions",
    Kind.IKU1,
    "I05",
    Level.ERROR,
    what="The declared dimensions are those of no model.",
    do="Take the file for damaged; readers refuse it from its header, without memory or time for it.",
    old_reader=_NOTHING,
    example=Example(bytes.fromhex("494b5531 ffffffff ffffffff"), 1, 5),
)
SWAPPED_DIMENSIONS = Code(
    "iku1-swapped-dimensions",
    Kind.IKU1,
    "I03",
    Level.ERROR,
    what="Layers and experts have changed places in the header.",
    do="Write n_layers first; a count belongs to a layer and an expert by its position alone.",
    old_reader=_NOTHING,
    example=Example(_block("494b5531 03000000 02000000", words=6), 1, 5, engine="inkling", dims="2x3"),
)
OTHER_BLOCK = Code(
    "iku1-other-dimensions",
    Kind.IKU1,
    "I03",
    Level.ERROR,
    what="The block has other dimensions than the engine it is checked for, which refuses it.",
    do="Give the file to the model it was written for.",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=6), 1, 5, engine="inkling", dims="5x8"),
)
OTHER_READER = Code(
    "iku1-other-engine",
    Kind.IKU1,
    "I02",
    Level.ERROR,
    what="The engine it is checked for is not the one that has this layout, and refuses the file.",
    do="Keep it apart, or name it to the engine as PIN=<path>, which is read where the dimensions are equal (I04).",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=6), 1, 1, engine="glm_moe_dsa", dims="2x3"),
)
EMPTY_BLOCK = Code(
    "iku1-no-counts",
    Kind.IKU1,
    "P01",
    Level.WARNING,
    what="Every count of the block is zero.",
    do="Remove the file: its size is not 0, so PIN=auto takes it and never falls back to stats.txt.",
    old_reader=_NOTHING,
    example=Example(_block(_SMALL, words=6, last=0), 1, 13),
)

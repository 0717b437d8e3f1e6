"""Findings about a table of pairs: its first line, the form of its lines, their order."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_LINE = "<layer> <layers ahead> <expert> <expert>:<count> ..."

PAIRS_HEADER = Code(
    "pairs-header",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="The first line is not that of a table of pairs.",
    do="Begin it with COLIPAIRS, the version, and the number of lines that follow.",
    example=Example(b"COLIPAIRS one\n", 1, 1),
)
PAIRS_VERSION = Code(
    "pairs-version",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="The version of the table is not the current one.",
    do="Build the table again from the trace.",
    example=Example(b"COLIPAIRS 2 0\n", 1, 11),
)
PAIRS_LINE_COUNT = Code(
    "pairs-line-count",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="The table has not as many lines as its first line says.",
    do="Build the table again from the trace; it was cut, or put together by hand.",
    example=Example(b"COLIPAIRS 1 2\n3 1 0 4:9\n", 1, 13),
)
PAIRS_SPACING = Code(
    "pairs-spacing",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="Something other than one blank stands between two parts of a line, or a line ends in CRLF.",
    do="Write one blank between the parts, none at either end, LF, and no blank line.",
    example=Example(b"COLIPAIRS 1 1\n3 1 0  4:9\n", 2, 7),
)
PAIRS_NUMBER = Code(
    "pairs-number",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A part of a line is not the plain number that belongs there.",
    do=f"Write `{_LINE}` with plain decimal integers, and counts above 0.",
    example=Example(b"COLIPAIRS 1 1\n3 1 x 4:9\n", 2, 5),
)
PAIRS_AHEAD = Code(
    "pairs-layers-ahead",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="The second field is neither 1 nor 2 layers ahead.",
    do="Leave the line out; nothing is prefetched further ahead.",
    example=Example(b"COLIPAIRS 1 1\n3 3 0 4:9\n", 2, 3),
)
PAIRS_NO_PARTNER = Code(
    "pairs-no-partner",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A line has no partner.",
    do="Leave the line out; an expert nothing was chosen with has none.",
    example=Example(b"COLIPAIRS 1 1\n3 1 0\n", 2, 6),
)
PAIRS_PARTNERS = Code(
    "pairs-partners",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A line has more partners than a table may name.",
    do="Keep the most frequent ones.",
    example=Example(
        b"COLIPAIRS 1 1\n3 1 0 " + b" ".join(b"%d:%d" % (partner, 40 - partner) for partner in range(17)) + b"\n", 2, 93
    ),
)
PAIRS_PARTNER_ORDER = Code(
    "pairs-partner-order",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="Partners do not stand most frequent first, lower ids first among equals.",
    do="Sort them; what reads the table takes the first.",
    example=Example(b"COLIPAIRS 1 1\n3 1 0 4:1 5:9\n", 2, 11),
)
PAIRS_SAME_PARTNER = Code(
    "pairs-same-partner",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A partner stands twice on one line.",
    do="Write it once, with the whole count.",
    example=Example(b"COLIPAIRS 1 1\n3 1 0 4:9 4:9\n", 2, 11),
)
PAIRS_ORDER = Code(
    "pairs-order",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="Lines do not ascend by their first three fields.",
    do="Sort them, and write one line for each layer, distance and expert.",
    example=Example(b"COLIPAIRS 1 2\n4 1 0 4:9\n3 1 0 4:9\n", 3, 1),
)
PAIRS_BOUNDS = Code(
    "pairs-bounds",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A layer or an expert is outside the dimensions.",
    do="Build the table from a trace of this model.",
    example=Example(b"COLIPAIRS 1 1\n3 1 8 4:9\n", 2, 5, dims="5x8"),
)
PAIRS_CUT = Code(
    "pairs-no-final-newline",
    Kind.PAIRS,
    "C02",
    Level.WARNING,
    what="The last line has no newline, and may be cut.",
    do="Build the table again from the trace.",
    example=Example(b"COLIPAIRS 1 1\n3 1 0 4:9", 2, 10),
)
PAIRS_ENDLESS = Code(
    "pairs-endless-line",
    Kind.PAIRS,
    "C02",
    Level.ERROR,
    what="A line is longer than any line of a table could be; only its beginning was read.",
    do="Look at what wrote the file: it is not a table of pairs, or its line ends were lost.",
)

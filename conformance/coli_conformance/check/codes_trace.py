"""Findings about a trace: the grammar of its lines, ids and gates, and how call, row and layer go on."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_LINE = "<call> <row> <layer> <expert>:<gate> ..."

FOREIGN_TRACE = Code(
    "trace-foreign",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="The file is another tool's, under the name of a trace.",
    do=f"Write lines `{_LINE}`; the rest of the file was not looked at.",
    example=Example(b"call,row,layer,expert,gate\n0,0,3,1,0.5000\n", 1, 1),
)
TRACE_CRLF = Code(
    "trace-crlf",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="Lines end in CRLF; a trace has LF.",
    do="Open the trace in binary mode; on Windows text mode adds the CR.",
    once=True,
    example=Example(b"0 0 3 1:0.5000\r\n", 1, 15),
)
TRACE_LONE_CARRIAGE_RETURN = Code(
    "trace-lone-carriage-return",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A carriage return stands without a line feed behind it, so that the line does not end.",
    do="End every line with LF, such as with tr '\\r' '\\n'.",
    example=Example(b"0 0 3 1:0.5000\r1 0 4 2:0.5000\r", 1, 15),
)
TRACE_NO_LINE = Code(
    "trace-no-line",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="The file is not empty and has no line feed, so that no line of it ends.",
    do="End every line with LF; where the run was ended in its first line, or the file is no trace, remove it.",
    example=Example(b"0 0 3 1:0.5", 1, 12),
)
TRACE_CUT = Code(
    "trace-no-final-newline",
    Kind.TRACE,
    "T01",
    Level.WARNING,
    what="The last line has no newline, and may be cut.",
    do="Leave the last line out where the run was ended in the middle of it.",
    example=Example(b"0 0 3 1:0.5000\n1 0 4 2:0.5", 2, 12),
)
TRACE_ENDLESS = Code(
    "trace-endless-line",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A line is longer than any routing decision could be; only its beginning was read.",
    do="Look at what wrote the file: it is not a trace, or its line ends were lost.",
)
TRACE_CHANGED = Code(
    "trace-changed-while-read",
    Kind.TRACE,
    "T02",
    Level.WARNING,
    what="The trace changed while it was read.",
    do="Check it again when the engine has ended; a trace is judged then.",
)
TRACE_SPACING = Code(
    "trace-spacing",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="Something other than one blank stands between two parts of a line.",
    do="Write one blank between the parts, none at either end, and no blank line.",
    example=Example(b"0 0 3  1:0.5000\n", 1, 7),
)
TRACE_NUMBER = Code(
    "trace-number",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A part that has to be a plain number of 0 or more is none.",
    do=f"Write `{_LINE}` with plain decimal integers.",
    example=Example(b"5 0 x 1:0.5000\n", 1, 5),
)
TRACE_NO_CHOICE = Code(
    "trace-no-choice",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A line has no expert.",
    do="Write at least one expert:gate; a decision without experts writes no line.",
    example=Example(b"1 0 4\n", 1, 6),
)
TRACE_NO_EXPERT = Code(
    "trace-no-expert",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A gate has no expert id in front of it.",
    do="Write the id, a colon, the gate.",
    example=Example(b"0 0 3 :0.5000\n", 1, 7),
)
TRACE_NO_GATE = Code(
    "trace-no-gate",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="An expert has no gate behind it.",
    do="Write the id, a colon, the gate.",
    example=Example(b"1 0 4 2\n", 1, 8),
)
TRACE_GATE = Code(
    "trace-gate",
    Kind.TRACE,
    "T01",
    Level.ERROR,
    what="A gate is not a plain decimal.",
    do="Print it with %.4f, without an exponent and with a digit before the point.",
    example=Example(b"0 0 3 1:5e-1\n", 1, 9),
)
TRACE_DECIMALS = Code(
    "trace-few-decimals",
    Kind.TRACE,
    "T06",
    Level.ERROR,
    what="A gate has fewer than four decimals.",
    do="Print it with %.4f.",
    example=Example(b"0 0 3 1:0.5\n", 1, 9),
)
TRACE_MORE_DECIMALS = Code(
    "trace-more-decimals",
    Kind.TRACE,
    "T10",
    Level.NOTE,
    what="Gates have more than four decimals.",
    do="Nothing is lost; print them with %.4f, which every tool expects.",
    once=True,
    example=Example(b"0 0 3 1:0.50000\n", 1, 9),
)
TRACE_COMMA = Code(
    "trace-decimal-comma",
    Kind.TRACE,
    "T09",
    Level.ERROR,
    what="A gate has a decimal comma.",
    do="Print it in the locale C; the decimal point is `.` whatever the user's language.",
    example=Example(b"0 0 3 1:0,5000\n", 1, 9),
)
TRACE_NOT_FINITE = Code(
    "trace-gate-not-finite",
    Kind.TRACE,
    "T12",
    Level.ERROR,
    what="A gate is not finite as a 32-bit float.",
    do="Leave the choice out, of the trace and of the counters; find out what made the gate.",
    example=Example(b"0 0 3 1:nan\n", 1, 9),
)
TRACE_EXPERT_RANGE = Code(
    "trace-expert-range",
    Kind.TRACE,
    "T12",
    Level.ERROR,
    what="An expert id is out of range.",
    do="Leave the choice out, of the trace and of the counters; experts run from 0 to n_experts - 1.",
    example=Example(b"0 0 3 -1:0.5000\n", 1, 7),
)
TRACE_LAYER_RANGE = Code(
    "trace-layer-range",
    Kind.TRACE,
    "T04",
    Level.ERROR,
    what="A layer is out of range.",
    do="Write the engine's own layer index, from 0 to n_layers; the last is the MTP head's.",
    example=Example(b"0 0 6 1:0.5000\n", 1, 5, dims="5x8"),
)
TRACE_DUPLICATE = Code(
    "trace-duplicate-expert",
    Kind.TRACE,
    "T05",
    Level.ERROR,
    what="An expert stands twice in one decision; a router never picks one twice.",
    do="Write the ids that were selected, in the order of selection.",
    example=Example(b"0 0 3 1:0.5000 1:0.5000\n", 1, 16),
)
TRACE_CALL_STUCK = Code(
    "trace-call-never-advances",
    Kind.TRACE,
    "T03",
    Level.ERROR,
    what="Two moe calls stand under one call number.",
    do="Raise the number by one at the end of every moe call.",
    example=Example(b"0 0 3 1:0.5000\n0 0 4 2:0.5000\n", 2, 1),
)
TRACE_CALL_BACK = Code(
    "trace-call-goes-back",
    Kind.TRACE,
    "T03",
    Level.ERROR,
    what="The call number is lower than that of the line before.",
    do="Start the file anew with each run; where two runs were joined, take them apart here.",
    example=Example(b"1 0 3 1:0.5000\n0 0 4 2:0.5000\n", 2, 1),
)
TRACE_ROW_START = Code(
    "trace-row-start",
    Kind.TRACE,
    "T04",
    Level.WARNING,
    what="The first row of a call is not 0.",
    do="Write the position within the batch; it is not that within the whole input.",
    example=Example(b"0 1 3 1:0.5000\n", 1, 3),
)
TRACE_ROW_ORDER = Code(
    "trace-row-order",
    Kind.TRACE,
    "T04",
    Level.WARNING,
    what="Rows of a call do not ascend.",
    do="Write decisions in the order they are made; rows written by several threads need collecting first.",
    example=Example(b"0 0 3 1:0.5000\n0 2 3 2:0.5000\n0 1 3 2:0.5000\n", 3, 3),
)
TRACE_EMPTY = Code(
    "trace-empty",
    Kind.TRACE,
    "T02",
    Level.NOTE,
    what="The trace has no line.",
    do="Route at least one token before the run ends; some engines announce a trace and never write to it.",
    example=Example(b"", 1, 1),
)

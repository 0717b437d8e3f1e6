"""Findings about the fields of a record of a history: how many there are, what they are, their ranges."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_STOPS = "stops at this place and goes without every record that follows"
_READS_ON = "reads on as if nothing were wrong"
_SHIFTED = "joins fields of different lines, and invents records from here on"

COMMENT = Code(
    "comment",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A comment stands where only records may.",
    do="Take the comment out; there is no way to write one. What needs saying is a header record of numbers (G01).",
    old_reader=_STOPS,
    example=Example(b"0 1 10\n# merged-by 00112233\n0 2 5\n", 2, 1),
)
NOT_A_NUMBER = Code(
    "not-a-number",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A field is not a number.",
    do="Write three plain decimal integers on every line.",
    old_reader=_STOPS,
    example=Example(b"0 1 7\ninvalid\n0 1 5\n", 2, 1),
)
NAME_FOR_ID = Code(
    "name-for-id",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="The engine is written by name where the hash of its name belongs.",
    do="Write FNV-1a, 32 bits, of the name in the third field (W07); `engines check NAME` computes it.",
    old_reader=_STOPS,
    example=Example(b"-1 5 8\n-2 1 glm\n3 2 5\n", 2, 6),
)
PLUS_SIGN = Code(
    "plus-sign",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A number carries a plus sign.",
    do="Write it without the sign; not every reader takes one.",
    old_reader=_READS_ON,
    example=Example(b"3 +2 5\n", 1, 3),
)
SIGNED_COUNT = Code(
    "signed-count",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="The third field is negative; it is unsigned.",
    do="Find out where the count went below zero, or above 2147483647 in a signed variable, and write it unsigned.",
    old_reader="stores another number in its place, 4294967291 for -5",
    example=Example(b"3 2 -5\n", 1, 5),
)
HEXADECIMAL = Code(
    "hexadecimal",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A number is written in hexadecimal.",
    do="Write it in decimal.",
    old_reader="reads the 0 and stops at the letter; what follows is lost",
    example=Example(b"-1 5 8\n-2 1 0xe3683696\n3 2 5\n", 2, 6),
)
DECIMAL_POINT = Code(
    "decimal-point",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A number has a decimal point.",
    do="Write whole counts; a decayed or weighted count is rounded before it is written.",
    old_reader="reads what stands before the point and stops there; what follows is lost",
    example=Example(b"0 0 3.5\n0 1 5\n", 1, 5),
)
EXPONENT = Code(
    "exponent",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A number is written with an exponent.",
    do="Write all of its digits.",
    old_reader="reads what stands before the letter and stops there; what follows is lost",
    example=Example(b"0 0 1e5\n0 1 5\n", 1, 5),
)
DIGIT_SEPARATOR = Code(
    "digit-separator",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="The digits of a number are grouped by a separator.",
    do="Write the digits alone, whatever the locale.",
    old_reader="reads what stands before the separator and stops there; what follows is lost",
    example=Example(b"0 1 1,000\n0 2 5\n", 1, 5),
)
OUT_OF_RANGE = Code(
    "out-of-range",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A number does not fit the type of its field.",
    do="Write only numbers in the range of the field; a counter stops at its largest value (W19).",
    old_reader="stores another number in its place, not the same on every platform",
    example=Example(b"0 0 4294967303\n0 1 5\n", 1, 5),
)
LEADING_ZERO = Code(
    "leading-zero",
    Kind.HISTORY,
    "W18",
    Level.WARNING,
    what="A number begins with a needless zero.",
    do="Write it without; a reader that guesses the base of a number takes it for octal.",
    old_reader=_READS_ON,
    example=Example(b"3 02 5\n", 1, 3),
)
MINUS_ZERO = Code(
    "minus-zero",
    Kind.HISTORY,
    "W18",
    Level.WARNING,
    what="Zero carries a minus sign.",
    do="Write 0; a reader that goes by the sign takes the record for a header record.",
    old_reader=_READS_ON,
    example=Example(b"-0 2 5\n", 1, 1),
)
MISSING_FIELD = Code(
    "missing-field",
    Kind.HISTORY,
    "W02",
    Level.ERROR,
    what="A record has fewer than three fields.",
    do="Write all three fields on the line of the record.",
    old_reader=_SHIFTED,
    example=Example(b"3 2\n4 1 8\n", 1, 4),
)
FOURTH_FIELD = Code(
    "fourth-field",
    Kind.HISTORY,
    "W02",
    Level.ERROR,
    what="A record has more than three fields.",
    do="Write exactly three; what needs more is spread over several records (G02).",
    old_reader=_SHIFTED,
    example=Example(b"3 2 5\n-3 7 12 99\n4 1 8\n", 2, 9),
)
SEVERAL_RECORDS = Code(
    "several-records",
    Kind.HISTORY,
    "W23",
    Level.ERROR,
    what="Several records stand on one line.",
    do="Write one record per line; a reader that goes by lines takes the second for surplus fields.",
    old_reader=_READS_ON,
    example=Example(b"3 2 5 4 1 8\n", 1, 7),
)

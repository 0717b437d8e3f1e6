"""Findings about the text of a history: its encoding, its lines, and the fields of a record."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_STOPS = "stops at this place and goes without every record that follows"
_READS_ON = "reads on as if nothing were wrong"
_SHIFTED = "joins fields of different lines, and invents records from here on"

BYTE_ORDER_MARK = Code(
    "byte-order-mark",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="The file begins with a byte-order mark, three bytes that no editor shows.",
    do="Save it as plain ASCII, in an editor as UTF-8 without a byte-order mark.",
    old_reader=_STOPS,
    example=Example(b"\xef\xbb\xbf-1 5 8\n-2 1 3815245270\n3 2 2\n", 1, 1),
)
UTF_16 = Code(
    "utf-16",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="The file is encoded as UTF-16, two bytes a character.",
    do="Convert it to ASCII, such as with iconv -f UTF-16 -t ASCII; a PowerShell redirection writes this encoding.",
    old_reader=_STOPS,
    example=Example(b"\xff\xfe3\x00 \x002\x00 \x005\x00\n\x00", 1, 1),
)
MAGIC_IN_TEXT = Code(
    "magic-in-text",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A text file begins with the magic of the binary layout IKU1.",
    do="Take out the magic: a text history begins with its records, and the layout is told by the first bytes.",
    old_reader=_STOPS,
    example=Example(b"IKU1 5 8\n3 2 5\n", 1, 1),
)
NUL_BYTE = Code(
    "nul-byte",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A byte of value zero stands in the text.",
    do="Take the file from a copy: zero bytes are what a crash or a full disk leaves where a block was never written.",
    old_reader=_STOPS,
    example=Example(b"3 2 5\n4 \x001 8\n", 2, 3),
)
CONTROL_BYTE = Code(
    "control-byte",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A control byte stands in the text.",
    do="Take it out; fields are set apart by one blank, and records by LF.",
    old_reader=_STOPS,
    example=Example(b"3 2 5\n\x1b4 1 8\n", 2, 1),
)
NOT_ASCII = Code(
    "not-ascii",
    Kind.HISTORY,
    "W03",
    Level.ERROR,
    what="A byte above 127 stands in the text, which is ASCII.",
    do="Write ASCII digits and blanks; a no-break space or a digit of another script looks the same and is not.",
    old_reader=_STOPS,
    example=Example("3\xa02 5\n".encode(), 1, 2),
)
FORM_FEED = Code(
    "form-feed",
    Kind.HISTORY,
    "W18",
    Level.WARNING,
    what="A vertical tab or form feed stands where a blank belongs.",
    do="Write one blank; a reader that goes by lines need not take these for white space.",
    old_reader=_READS_ON,
    example=Example(b"3 2\x0c5\n", 1, 4),
)
LONE_CARRIAGE_RETURN = Code(
    "lone-carriage-return",
    Kind.HISTORY,
    "W23",
    Level.ERROR,
    what="A carriage return stands without a line feed behind it, so that the line does not end.",
    do="End every line with LF, such as with tr '\\r' '\\n'.",
    old_reader=_READS_ON,
    example=Example(b"3 2 5\r4 1 8\r", 1, 6),
)
CRLF = Code(
    "crlf",
    Kind.HISTORY,
    "W18",
    Level.NOTE,
    what="Lines end in CRLF.",
    do="Nothing is lost (R12); write LF, opening the file in binary mode on Windows.",
    old_reader=_READS_ON,
    once=True,
    example=Example(b"3 2 5\r\n4 1 8\r\n", 1, 6),
)
BLANKS = Code(
    "blanks",
    Kind.HISTORY,
    "W18",
    Level.NOTE,
    what="Fields are set apart by more than one blank or by a tab, or blanks stand around the record.",
    do="Nothing is lost (R12); write one blank between fields and none elsewhere.",
    old_reader=_READS_ON,
    once=True,
    example=Example(b"3 2  5\n", 1, 5),
)
BLANK_LINE = Code(
    "blank-line",
    Kind.HISTORY,
    "W18",
    Level.NOTE,
    what="A line is blank.",
    do="Nothing is lost (R12); write records and nothing between them.",
    old_reader=_READS_ON,
    once=True,
    example=Example(b"3 2 5\n\n4 1 8\n", 2, 1),
)
NO_FINAL_NEWLINE = Code(
    "no-final-newline",
    Kind.HISTORY,
    "W18",
    Level.WARNING,
    what="The last line has no newline, and may be cut: a number may go on, or a record be missing.",
    do="Compare the end with a copy; a writer replaces the file as a whole (W16), so that no cut file is ever seen.",
    old_reader="takes the last record where it has three fields, whatever digits are missing",
    example=Example(b"1 1 4\n3 2", 2, 4),
)
ENDLESS_LINE = Code(
    "endless-line",
    Kind.HISTORY,
    "W23",
    Level.ERROR,
    what="A line is longer than any line of records could be; only its beginning was read.",
    do="Look at what wrote the file: it is not a history, or its line ends were lost.",
    old_reader="reads as far as it finds numbers, and takes line ends for blanks",
)
CHANGED_WHILE_READ = Code(
    "changed-while-read",
    Kind.HISTORY,
    "W16",
    Level.ERROR,
    what="The file changed while it was read, so the findings may be about a mixture of two states.",
    do="Check it again when no engine runs; a writer that replaces the file as a whole never shows this.",
)
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
    old_reader="reads it as 4294967296 less, a count of about four thousand million",
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

CODES = (
    BYTE_ORDER_MARK,
    UTF_16,
    MAGIC_IN_TEXT,
    NUL_BYTE,
    CONTROL_BYTE,
    NOT_ASCII,
    FORM_FEED,
    LONE_CARRIAGE_RETURN,
    CRLF,
    BLANKS,
    BLANK_LINE,
    NO_FINAL_NEWLINE,
    ENDLESS_LINE,
    CHANGED_WHILE_READ,
    COMMENT,
    NOT_A_NUMBER,
    NAME_FOR_ID,
    PLUS_SIGN,
    SIGNED_COUNT,
    HEXADECIMAL,
    DECIMAL_POINT,
    EXPONENT,
    DIGIT_SEPARATOR,
    OUT_OF_RANGE,
    LEADING_ZERO,
    MINUS_ZERO,
    MISSING_FIELD,
    FOURTH_FIELD,
    SEVERAL_RECORDS,
)

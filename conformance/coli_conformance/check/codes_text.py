"""Findings about the text of a history: its encoding, its lines, what stands between its fields."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_STOPS = "stops at this place and goes without every record that follows"
_READS_ON = "reads on as if nothing were wrong"

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

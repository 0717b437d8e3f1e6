"""Findings about the records of a history: its header, its counts, their order and bounds."""

from __future__ import annotations

from coli_conformance.check.code import Code, Example, Kind, Level

_SKIPS = "passes over it and reads on"
_READS_ON = "reads on as if nothing were wrong"
_SOUND = b"-1 5 8\n-2 1 3815245270\n"

NO_COUNTS = Code(
    "no-counts",
    Kind.HISTORY,
    "W08",
    Level.ERROR,
    what="The history holds no count and is not empty.",
    do="Write a file of zero bytes: PIN=auto goes by the size, and never falls back to stats.txt here (P01).",
    old_reader="recovers nothing, as from an empty file",
    example=Example(_SOUND, 1, 1),
)
NO_HEADER = Code(
    "no-header",
    Kind.HISTORY,
    "W04",
    Level.NOTE,
    what="The history has no header: it is legacy text, which is read as it stands (R08).",
    do="Nothing is lost, but nobody can tell whose it is; the next save of a current engine writes the header.",
    old_reader=_READS_ON,
    example=Example(b"3 2 5\n4 1 8\n", 1, 1),
)
MISSING_DIMENSIONS = Code(
    "missing-dimensions",
    Kind.HISTORY,
    "W04",
    Level.ERROR,
    what="The history names its writer and lacks the record -1, its dimensions.",
    do="Begin it with -1 <n_layers> <n_experts>.",
    old_reader=_READS_ON,
    example=Example(b"-2 1 3815245270\n3 2 5\n", 1, 1),
)
MISSING_IDENTITY = Code(
    "missing-identity",
    Kind.HISTORY,
    "W04",
    Level.ERROR,
    what="The history has dimensions and lacks the record -2, its writer.",
    do="Write -2 <format_version> <engine_id> as its second record.",
    old_reader=_READS_ON,
    example=Example(b"-1 5 8\n3 2 2\n", 1, 1),
)
LATE_HEADER = Code(
    "late-header",
    Kind.HISTORY,
    "W04",
    Level.ERROR,
    what="A header record stands behind a record it has to precede.",
    do="Write -1 first and -2 second; a reader has counted before it can refuse the file (R20).",
    old_reader=_SKIPS,
    example=Example(b"3 2 9\n-1 5 8\n-2 1 3815245270\n", 2, 1),
)
REPEATED_HEADER = Code(
    "repeated-header",
    Kind.HISTORY,
    "W04",
    Level.ERROR,
    what="A header record stands twice, both times the same.",
    do="Write it once, in front; merging files takes more than joining them.",
    old_reader=_SKIPS,
    example=Example(_SOUND + b"-2 1 3815245270\n3 2 5\n", 3, 1),
)
CONTRADICTORY_HEADER = Code(
    "contradictory-header",
    Kind.HISTORY,
    "W04",
    Level.ERROR,
    what="A header record stands twice and says two different things.",
    do="Find out which half of the file belongs to which model, and keep that one.",
    old_reader="passes over both and takes the counts of both models together",
    example=Example(_SOUND + b"-2 1 1820578806\n3 2 5\n", 3, 1),
)
UNKNOWN_RECORD = Code(
    "unknown-record",
    Kind.HISTORY,
    "W14",
    Level.WARNING,
    what="The number of a header record is not an agreed one.",
    do="Propose it before it is written (G07). It is here by right where a writer carried over what it loaded (W25).",
    old_reader="passes over it, and the next save of such a build erases it (G06)",
    example=Example(_SOUND + b"-100 7 12\n3 2 5\n", 3, 1),
)
AGREED_FIELD_RANGE = Code(
    "agreed-field-range",
    Kind.HISTORY,
    "W14",
    Level.ERROR,
    what="A field of an agreed header record is outside the range that its declaration gives it at these dimensions.",
    do="Write what the declaration says; `records show NUMBER` prints the range, and how numbers are packed into it.",
    old_reader=_SKIPS,
)
AGREED_RECORD_COUNT = Code(
    "agreed-record-count",
    Kind.HISTORY,
    "W14",
    Level.WARNING,
    what="An agreed header record stands more often than its declaration allows at these dimensions.",
    do="Write no more than that; `records show NUMBER` prints how many there may be.",
    old_reader="passes over them and reads on",
)
IMPOSSIBLE_DIMENSIONS = Code(
    "impossible-dimensions",
    Kind.HISTORY,
    "W05",
    Level.ERROR,
    what="The declared dimensions are those of no model.",
    do="Write the number of layers and of experts that the engine was started with.",
    old_reader=_SKIPS,
    example=Example(b"-1 0 8\n-2 1 3815245270\n0 2 5\n", 1, 4),
)
SWAPPED_IDENTITY = Code(
    "swapped-identity",
    Kind.HISTORY,
    "W06",
    Level.ERROR,
    what="Format version and engine id have changed places.",
    do="Write the version second and the id third; readers see a version far above their own and refuse.",
    old_reader=_SKIPS,
    example=Example(b"-1 5 8\n-2 1820578806 1\n3 2 5\n", 2, 4),
)
UNKNOWN_VERSION = Code(
    "unknown-version",
    Kind.HISTORY,
    "W06",
    Level.ERROR,
    what="The format version is not the current one.",
    do="Check the file with a newer release of this suite, or correct the version; readers refuse later ones (R04).",
    old_reader="passes over it, and reads the counts of a later version as if they were its own",
    example=Example(b"-1 5 8\n-2 2 3815245270\n3 2 6\n", 2, 4),
)
UNREGISTERED_ID = Code(
    "unregistered-id",
    Kind.HISTORY,
    "W07",
    Level.NOTE,
    what="No registered engine has this id.",
    do="Register the name, so that a refusal can call the writer by it (R18); or correct the hash.",
    old_reader=_SKIPS,
    example=Example(b"-1 5 8\n-2 1 12345\n3 2 5\n", 2, 6),
)
OTHER_ENGINE = Code(
    "other-engine",
    Kind.HISTORY,
    "R05",
    Level.ERROR,
    what="The history was written by another engine than the one it is checked for.",
    do="Keep it apart, or name it to the engine as PIN=<path>, which is read all the same (R06).",
    old_reader="passes over it, and takes the other engine's ranking for its own",
    example=Example(b"-1 5 8\n-2 1 1820578806\n3 2 6\n", 2, 6, engine="glm_moe_dsa", dims="5x8"),
)
OTHER_DIMENSIONS = Code(
    "other-dimensions",
    Kind.HISTORY,
    "R03",
    Level.ERROR,
    what="The history has other dimensions than the engine it is checked for, which refuses it.",
    do="Give the file to the model it was written for; nothing makes an engine take other dimensions.",
    old_reader="passes over it, and credits whatever happens to lie inside its own dimensions",
    example=Example(b"-1 4 8\n-2 1 3815245270\n3 2 9\n", 1, 4, engine="glm_moe_dsa", dims="5x8"),
)
ZERO_COUNT = Code(
    "zero-count",
    Kind.HISTORY,
    "W01",
    Level.ERROR,
    what="A record has the count 0; a history is sparse.",
    do="Leave out the experts that were never chosen.",
    old_reader="reads it as an expert that was chosen, though never",
    example=Example(_SOUND + b"3 2 0\n4 1 8\n", 3, 5),
)
OUT_OF_BOUNDS = Code(
    "out-of-bounds",
    Kind.HISTORY,
    "R10",
    Level.ERROR,
    what="A record lies outside the dimensions, and every reader discards it.",
    do="Find out which of the two is wrong: layers run from 0 to n_layers, experts from 0 to n_experts - 1.",
    old_reader="discards it where it checks the bounds of both",
    example=Example(_SOUND + b"3 8 5\n4 1 8\n", 3, 3),
)
DUPLICATE_RECORD = Code(
    "duplicate-record",
    Kind.HISTORY,
    "W22",
    Level.WARNING,
    what="An expert has a second record.",
    do="Write the sum as one record; readers owe it (R14), yet tools have taken the first, the last or the larger.",
    old_reader="adds both up",
    example=Example(_SOUND + b"3 2 5\n3 2 9\n", 4, 1),
)
UNSORTED = Code(
    "unsorted",
    Kind.HISTORY,
    "W18",
    Level.NOTE,
    what="Records do not stand in ascending order of layer, then expert.",
    do="Nothing is lost; write them in order, so that equal histories are equal bytes.",
    old_reader=_READS_ON,
    once=True,
    example=Example(_SOUND + b"4 1 8\n3 2 5\n", 4, 1),
)

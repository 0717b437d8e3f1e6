"""The table of a report: the lines of a file and, beside each, what an old reader recovers from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from coli_conformance.compat.examined import Examined, Reading
from coli_conformance.compat.recovery import Difference, Kind, Read
from coli_conformance.compat.sound_reading import credits_something, shown
from coli_conformance.escape import cut, shown_bytes
from coli_conformance.reports.lines import Line, Piece, line

_SHOWN_DIFFERENCES = 8
_CONTEXT = 2
_FILE_ROOM = 36
_NOTHING = "-"


def table_lines(examined: Examined, reading: Reading, sees: str) -> Iterator[Line]:
    """Yield the lines of the file around the first differences, each beside the records that begin on it.

    `sees` says above the second column who sees this.
    """
    differences = reading.recovery.differences[:_SHOWN_DIFFERENCES]
    numbers = _line_numbers(differences, examined.data.count(b"\n") + 1)
    begun: dict[int, list[Read]] = defaultdict(list)
    for read in reading.recovery.reads:
        begun[read.first_line].append(read)
    rows: list[tuple[str, str, str, Piece]] = []
    for number, text in _texts(examined.data, numbers):
        if rows and rows[-1][0] not in {"", str(number - 1)} and str(number - 1) not in {row[0] for row in rows}:
            rows.append(("", "...", "", ("", "")))
        rows += _rows(examined, reading, number, text, begun[number])
    head = ("line", "file", sees, ("", ""))
    widths = [max(len(row[column]) for row in [head, *rows]) for column in (0, 1, 2)]
    for number_text, file_text, seen, note in [head, *rows]:
        meaning = "faint" if number_text == "line" else ""
        yield line(
            "    ",
            (f"{number_text:>{widths[0]}}  ", "faint"),
            (f"{file_text:<{widths[1]}}  ", meaning),
            (f"{seen:<{widths[2]}}  ", meaning),
            note,
        )
    if left := len(reading.recovery.differences) - len(differences):
        yield line("    ", (f"{'':>{widths[0]}}  and {left} more", "faint"))


def _line_numbers(differences: Sequence[Difference], last: int) -> frozenset[int]:
    """Return the lines to show: those that the differences are about, and a few around them."""
    return frozenset(
        number
        for difference in differences
        for about in (difference.first_line, difference.last_line)
        for number in range(max(1, about - _CONTEXT), min(last, about + _CONTEXT) + 1)
    )


def _texts(data: bytes, numbers: frozenset[int]) -> Iterator[tuple[int, bytes]]:
    """Yield those lines of the file, without LF, with their numbers; an empty last line is none."""
    start, number = 0, 1
    while start < len(data) and number <= max(numbers, default=0):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        if number in numbers:
            yield number, data[start:end]
        start, number = end + 1, number + 1


def _rows(
    examined: Examined, reading: Reading, number: int, text: bytes, begun: Sequence[Read]
) -> Iterator[tuple[str, str, str, Piece]]:
    """Yield the rows of one line: the line itself, then every further record that begins on it."""
    about = {(item.kind, item.record) for item in reading.recovery.differences if item.first_line == number}
    meant = examined.meant.by_line.get(number)
    line_text = cut(shown_bytes(text), _FILE_ROOM)
    number_text = str(number)
    if meant is not None and (Kind.LOST, meant) in about:
        yield number_text, line_text, _NOTHING, ("<- lost", "bad")
        number_text, line_text = "", ""
    for read in begun:
        yield number_text, line_text, shown(read.record), _note(read, about)
        number_text, line_text = "", ""
    if number == reading.recovery.stopped:
        yield number_text, line_text, "", ("<- reading ends here", "bad")
    elif number_text:
        yield number_text, line_text, _NOTHING if text.strip() else "", ("", "")


def _note(read: Read, about: set[tuple[Kind, tuple[int, int, int]]]) -> Piece:
    undefined = "" if read.defined else "; undefined, see below"
    if (Kind.INVENTED, read.record) in about and (read.behind or read.first_line != read.last_line):
        lines = f"line {read.first_line}"
        if read.first_line != read.last_line:
            lines = f"lines {read.first_line} to {read.last_line}"
        return f"<- invented, from {lines}{undefined}", "bad" if read.defined else "weak"
    if (Kind.CHANGED, read.record) in about and not read.behind:
        return f"<- changed: the line is no record{undefined}", "bad" if read.defined else "weak"
    if not credits_something(read.record):
        why = "negative layer" if read.record[0] < 0 else "count 0"
        return f"credits nothing: {why}{undefined}", "faint"
    return "", ""

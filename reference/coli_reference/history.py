"""Text histories: lines to records and records to lines (W01-W06, W18, R12, R21, R23)."""

import re
from collections.abc import Iterable
from typing import NamedTuple

DIMENSIONS = -1
IDENTITY = -2

_LINE = re.compile(rb"[ \t]*(-?[0-9]+)[ \t]+(-?[0-9]+)[ \t]+(-?[0-9]+)[ \t]*\r?")
_BLANK_LINE = re.compile(rb"[ \t]*\r?")
# int() refuses texts of thousands of digits; a number of more digits than this is out of every range.
_MOST_DIGITS = 19


class Record(NamedTuple):
    """Three numbers: a header record when the first is negative, else layer, expert and count."""

    first: int
    second: int
    third: int

    @property
    def is_header(self) -> bool:
        """Whether this is a header record."""
        return self.first < 0


def _number(text: bytes) -> int | None:
    if len(text) <= _MOST_DIGITS:
        return int(text)
    digits = text.lstrip(b"-").lstrip(b"0") or b"0"
    if len(digits) > _MOST_DIGITS:
        return None
    return -int(digits) if text.startswith(b"-") else int(digits)


def in_range(record: Record) -> bool:
    """Tell whether each of the three numbers is in the declared range of its field (R21)."""
    import coli_spec  # noqa: PLC0415 - reading the declaration is not part of starting an engine

    first, second, third = coli_spec.load().fields
    return first.holds(record.first) and second.holds(record.second) and third.holds(record.third)


def parse_line(line: bytes) -> Record | None:
    """Return the record on a line (LF taken off), or None: malformed or out of range (R12, R21)."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    first, second, third = map(_number, found.groups())
    if first is None or second is None or third is None:
        return None
    record = Record(first, second, third)
    return record if in_range(record) else None


def is_blank(line: bytes) -> bool:
    """Tell whether a line holds nothing but blanks, which a reader passes over (R12)."""
    return _BLANK_LINE.fullmatch(line) is not None


def parse(data: bytes) -> list[Record]:
    """Return the records of a text history, headers included, up to the first line that is none (R23: stop).

    A number outside its field's range ends the reading like any malformed line: it is never wrapped into
    another number (R21).
    """
    records = []
    for line in data.split(b"\n"):
        if is_blank(line):
            continue
        record = parse_line(line)
        if record is None:
            break
        records.append(record)
    return records


def header_records(dimensions: tuple[int, int], format_version: int, engine_id: int) -> list[Record]:
    """Return the two records that begin a history: dimensions, then version second and id third (W04-W06)."""
    return [Record(DIMENSIONS, *dimensions), Record(IDENTITY, format_version, engine_id)]


def extra_header_record(number: int, second: int, third: int) -> Record:
    """Return one more header record that a history may carry after the two every history begins with.

    Raises ValueError for a number the registry does not list as agreed (W14), for the two themselves (W04),
    and for a number out of its field's range (W03).
    """
    import coli_spec  # noqa: PLC0415 - reading the declaration is not part of starting an engine

    record = Record(number, second, third)
    if number in (DIMENSIONS, IDENTITY):
        raise ValueError(f"record {number} begins every history already and stands there once (W04)")
    if number not in coli_spec.load().agreed_numbers():
        raise ValueError(f"record {number} is not an agreed header record; propose it first (W14, G07)")
    if not in_range(record):
        raise ValueError(f"record {number}: {second} or {third} is outside its field's range (W03)")
    return record


def render(records: Iterable[Record]) -> bytes:
    """Return the canonical text of `records`; no record is no byte (W02, W03, W08, W18, W23)."""
    return b"".join(b"%d %d %d\n" % record for record in records)

"""What is wrong with the form of a written history: clauses W02, W03, W23 and, where asked, W18."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import coli_spec
from coli_conformance.judge.history_lines import Line, cut, shown
from coli_conformance.judge.verdict import Finding
from coli_reference import old_reader

_SIGNED = re.compile(rb"-?[0-9]+")
_UNSIGNED = re.compile(rb"[0-9]+")
_PATTERNS = (_SIGNED, _SIGNED, _UNSIGNED)
_SURELY_FITS = min(len(str(field.maximum)) for field in coli_spec.load().fields) - 1
_SOUND = re.compile(rb"[ \t]*-?[0-9]{1,%d}[ \t]+-?[0-9]{1,%d}[ \t]+[0-9]{1,%d}[ \t\r]*" % (3 * (_SURELY_FITS,)))
"""Nearly every line of a sound history: no number in it is long enough to leave the range of its field."""
_ORDINAL = ("first", "second", "third")


def judge_form(lines: Sequence[Line]) -> Iterator[Finding]:
    """Yield what is wrong with the fields of each line: their number, what they are, their ranges."""
    for line in lines:
        if _SOUND.fullmatch(line.raw):
            continue
        misfits = list(_not_plain_integers(line))
        yield from misfits
        count = len(line.fields)
        if count != 3 and (not misfits or (count > 3 and line.begins_with_record)):
            yield _wrong_count(line, count)


def _wrong_count(line: Line, count: int) -> Finding:
    if count > 3 and count % 3 == 0:
        return line.finding(
            "W23", f"{count // 3} records on one line; every record has a line of its own", 3, "one record"
        )
    if count > 3:
        consequence = "take the rest for the start of the next record, and invent one from it"
    else:
        consequence = "fill it up from the next line"
    fields = f"{count} field{'s' if count > 1 else ''}"
    return line.finding("W02", f"{fields}: readers already shipped {consequence}", 3, "three fields")


def _not_plain_integers(line: Line) -> Iterator[Finding]:
    """Yield a finding for the first field that is no plain integer, else for each that leaves its range (W03)."""
    for index, field in enumerate(line.fields):
        if not _PATTERNS[index % 3].fullmatch(field):
            sentence = _why_no_plain_integer(line, field, index % 3)
            yield line.finding("W03", sentence, index, "a plain decimal integer")
            return
    for index, (value, type_) in enumerate(zip(line.values, coli_spec.load().fields, strict=False)):
        if value is not None and not type_.holds(value):
            field = line.fields[index]
            yield line.finding(
                "W03",
                f"{shown(field)} does not fit the {_ORDINAL[index]} field ({type_.name}); readers already shipped "
                f"parse it with {'%d' if type_.signed else '%u'} and see {_as_old_readers_see(field, index)}",
                index,
                f"{type_.minimum}..{type_.maximum}",
            )


def _why_no_plain_integer(line: Line, field: bytes, position: int) -> str:
    if position == 2 and _SIGNED.fullmatch(field):
        return f"the third field carries a sign ({shown(field)}); it is unsigned"
    if line.fields[0].startswith(b"#"):
        return "a comment; readers already shipped stop here and lose every record after it"
    return f"`{shown(field)}` is no plain decimal integer; readers already shipped stop here and lose what comes after"


def _as_old_readers_see(text: bytes, index: int) -> str:
    """Return what old readers make of a field that leaves its range, where each platform has its own opinion."""
    alone = b" ".join(text if position == index else b"0" for position in range(3))
    seen = {platform: old_reader.records(alone, platform)[0][index] for platform in ("glibc64", "ilp32")}
    return f"{seen['glibc64']} on 64-bit Linux, {seen['ilp32']} on Windows and 32-bit systems"


def judge_canonical(path: str, data: bytes, canonical: bytes) -> Iterator[Finding]:
    """Yield the first place where the bytes are not the canonical ones (W18)."""
    if data == canonical:
        return
    seen_lines, wanted_lines = data.split(b"\n"), canonical.split(b"\n")
    pairs = enumerate(zip_longest(seen_lines, wanted_lines), start=1)
    number, seen, wanted = next((number, seen, wanted) for number, (seen, wanted) in pairs if seen != wanted)
    yield Finding(
        "W18",
        f"line {number} is not canonical: {_why_not_canonical(data, seen, wanted)}",
        path=path,
        line=number,
        column=1,
        width=max(1, len(seen or b"")),
        expected=_shown(wanted),
        seen=_shown(seen),
    )


def _why_not_canonical(data: bytes, seen: bytes | None, wanted: bytes | None) -> str:
    """Return what is wrong with the first line that is not the canonical one; None is a line that is not there."""
    if seen is None or wanted is None:
        return "the file has no final newline" if not data.endswith(b"\n") else "the file ends elsewhere"
    values = [value for line in cut(seen, "") for value in line.values if value is not None]
    faults = {
        "it ends in CR LF; the end of a line is LF": seen.endswith(b"\r"),
        "it is blank": not seen.strip(),
        "there is one space between fields, and none before or after them": seen.split() == wanted.split(),
        "a number has leading zeros or a sign it does not need": values == [int(field) for field in wanted.split()],
    }
    by_order = "records stand in ascending order of layer, then expert"
    return next((sentence for sentence, is_so in faults.items() if is_so), by_order)


def _shown(line: bytes | None) -> str:
    """Return a line with what cannot be seen made visible; None is the line that is not there."""
    if line is None:
        return "the end of the file, with no newline"
    return line.decode("ascii", "backslashreplace").replace("\r", "\\r").replace("\t", "\\t")

"""`check` on histories: what is found, and at which line and column, written out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from coli_conformance.check.asked import Asked
from coli_conformance.check.catalogue import CODES
from coli_conformance.check.code import Code, Kind, Level
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.old_reading import OldReading
from coli_conformance.check.source import Source
from coli_spec.model import Dimensions

GLM = b"-1 5 8\n-2 1 3815245270\n"
K3_ID = 1820578806
Places = list[tuple[str, str, int, int]]


def examined(folder: Path, data: bytes, asked: Asked | None = None, kind: Kind | None = None) -> Examined:
    path = folder / "file"
    path.write_bytes(data)
    with Source(path) as source:
        return examine(source, asked if asked is not None else Asked(), kind=kind)


def places(result: Examined) -> Places:
    return [(finding.code.level.value, finding.code.name, finding.line, finding.column) for finding in result.findings]


NO_HEADER = ("note", "no-header", 1, 1)

FOUND: dict[str, tuple[bytes, Places]] = {
    "sound": (GLM + b"3 2 5\n4 1 8\n", []),
    "empty": (b"", []),
    "mtp-row": (GLM + b"5 0 7\n", []),
    "boundary-values": (b"-1 5 8\n-2 1 3841822045\n0 0 4294967295\n", []),
    "comment-header": (b"# v1\n3 2 5\n", [NO_HEADER, ("error", "comment", 1, 1)]),
    "comment-in-the-middle": (b"0 1 10\n# merged-by 00112233\n0 2 5\n", [NO_HEADER, ("error", "comment", 2, 1)]),
    "comment-behind-a-record": (GLM + b"3 2 5 # hot\n", [("error", "comment", 3, 7)]),
    "name-instead-of-hash": (b"-1 5 8\n-2 1 glm\n3 2 5\n", [("error", "name-for-id", 2, 6)]),
    "hash-in-second-field": (b"-1 5 8\n-2 3815245270 1\n3 2 5\n", [("error", "out-of-range", 2, 4)]),
    "small-hash-in-second-field": (b"-1 5 8\n-2 1820578806 1\n3 2 5\n", [("error", "swapped-identity", 2, 4)]),
    "fourth-field-visible": (
        b"3 2 5\n-3 7 12 99\n4 1 8\n",
        [NO_HEADER, ("warning", "unknown-record", 2, 1), ("error", "fourth-field", 2, 9)],
    ),
    "fourth-field-in-range": (
        b"3 2 5\n-3 7 12 4\n1 3 8\n",
        [NO_HEADER, ("warning", "unknown-record", 2, 1), ("error", "fourth-field", 2, 9), ("note", "unsorted", 3, 1)],
    ),
    "fourth-field-a-word": (GLM + b"3 2 5 hot\n", [("error", "fourth-field", 3, 7), ("error", "not-a-number", 3, 7)]),
    "several-records": (GLM + b"3 2 5 4 1 8\n", [("error", "several-records", 3, 7)]),
    "several-records-out-of-range": (
        b"3 2 5 4 1 99999999999\n",
        [NO_HEADER, ("error", "several-records", 1, 7), ("error", "out-of-range", 1, 11)],
    ),
    "third-record-of-a-line-below-zero": (
        GLM + b"3 2 5 4 1 8 4 4294967296 -1\n",
        [
            ("error", "several-records", 3, 7),
            ("error", "out-of-range", 3, 15),
            ("error", "signed-count", 3, 26),
        ],
    ),
    "two-fields": (GLM + b"3 2\n4 1 8\n", [("error", "missing-field", 3, 4)]),
    "headers-only": (GLM, [("error", "no-counts", 1, 1)]),
    "one-newline": (b"\n", [("error", "no-counts", 1, 1), ("note", "blank-line", 1, 1)]),
    "crlf": (b"-1 5 8\r\n-2 1 3815245270\r\n3 2 2\r\n", [("note", "crlf", 1, 7)]),
    "blanks": (GLM + b"3 2\t5\n", [("note", "blanks", 3, 4)]),
    "blanks-in-front": (GLM + b" 3 2 5\n", [("note", "blanks", 3, 1)]),
    "blank-line": (GLM + b"\n3 2 5\n", [("note", "blank-line", 3, 1)]),
    "header-after-data": (
        b"3 2 9\n-2 1 1820578806\n4 1 2\n",
        [("error", "missing-dimensions", 1, 1), ("error", "late-header", 2, 1)],
    ),
    "dimensions-after-data": (
        b"3 2 9\n-1 4 8\n",
        [("error", "missing-identity", 1, 1), ("error", "late-header", 2, 1)],
    ),
    "headers-in-the-wrong-order": (
        b"-2 1 3815245270\n-1 5 8\n3 2 9\n",
        [("error", "late-header", 2, 1)],
    ),
    "repeated-header": (GLM + b"-1 5 8\n3 2 5\n", [("error", "repeated-header", 3, 1)]),
    "contradictory-header": (GLM + b"-1 6 8\n3 2 5\n", [("error", "contradictory-header", 3, 1)]),
    "second-identity-of-a-later-version": (
        GLM + b"-2 2 3815245270\n3 2 5\n",
        [("error", "contradictory-header", 3, 1), ("error", "unknown-version", 3, 4)],
    ),
    "second-identity-of-another-engine": (GLM + b"-2 1 1820578806\n3 2 5\n", [("error", "contradictory-header", 3, 1)]),
    "one-header-alone": (b"-1 5 8\n3 2 5\n", [("error", "missing-identity", 1, 1)]),
    "version-two": (b"-1 5 8\n-2 2 3815245270\n3 2 6\n", [("error", "unknown-version", 2, 4)]),
    "version-zero": (b"-1 5 8\n-2 0 3815245270\n3 2 6\n", [("error", "unknown-version", 2, 4)]),
    "version-negative": (b"-1 5 8\n-2 -1 3815245270\n3 2 6\n", [("error", "unknown-version", 2, 4)]),
    "wrapping-dimensions": (
        b"-1 5 4294967304\n3 2 5\n",
        [("error", "missing-identity", 1, 1), ("error", "out-of-range", 1, 6)],
    ),
    "wrapping-id": (b"-1 5 8\n-2 1 8110212566\n3 2 5\n", [("error", "out-of-range", 2, 6)]),
    "negative-id": (b"-1 5 8\n-2 1 -479722026\n3 2 5\n", [("error", "signed-count", 2, 6)]),
    "unregistered-name": (b"-1 5 8\n-2 1 12345\n3 2 5\n", [("note", "unregistered-id", 2, 6)]),
    "unknown-negative": (b"-3 7 12\n3 2 5\n", [NO_HEADER, ("warning", "unknown-record", 1, 1)]),
    "not-dimensions": (b"-15 3 4\n3 2 5\n", [NO_HEADER, ("warning", "unknown-record", 1, 1)]),
    "duplicates": (b"3 2 5\n3 2 9\n", [NO_HEADER, ("warning", "duplicate-record", 2, 1)]),
    "unsorted": (GLM + b"4 1 8\n3 2 5\n", [("note", "unsorted", 4, 1)]),
    "zero-count": (GLM + b"3 2 0\n", [("error", "zero-count", 3, 5)]),
    "wide-count": (b"0 0 4294967303\n0 1 5\n", [NO_HEADER, ("error", "out-of-range", 1, 5)]),
    "layer-alias": (b"4294967296 0 7\n0 1 5\n", [NO_HEADER, ("error", "out-of-range", 1, 1)]),
    "huge-number": (GLM + b"3 2 " + b"9" * 9000 + b"\n", [("error", "out-of-range", 3, 5)]),
    "float-count": (GLM + b"0 0 3.5\n0 1 5\n", [("error", "decimal-point", 3, 5)]),
    "exponent": (GLM + b"0 0 1e3\n", [("error", "exponent", 3, 5)]),
    "thousands-separator": (GLM + b"0 1 1,000\n0 2 5\n", [("error", "digit-separator", 3, 5)]),
    "hexadecimal": (GLM + b"0 0x1f 5\n", [("error", "hexadecimal", 3, 3)]),
    "plus-sign": (GLM + b"0 1 +5\n", [("error", "plus-sign", 3, 5)]),
    "signed-count": (GLM + b"0 1 -5\n", [("error", "signed-count", 3, 5)]),
    "leading-zeros": (GLM + b"0 1 005\n", [("warning", "leading-zero", 3, 5)]),
    "minus-zero": (GLM + b"-0 1 5\n", [("warning", "minus-zero", 3, 1)]),
    "layer-beyond-the-dimensions": (GLM + b"6 0 7\n", [("error", "out-of-bounds", 3, 1)]),
    "expert-beyond-the-dimensions": (GLM + b"5 8 7\n", [("error", "out-of-bounds", 3, 3)]),
    "negative-expert": (b"3 -2 7\n", [NO_HEADER, ("error", "out-of-bounds", 1, 3)]),
    "no-layers": (b"-1 0 8\n-2 1 3815245270\n0 1 5\n", [("error", "impossible-dimensions", 1, 4)]),
    "torn-last-record": (b"1 1 4\n3 2", [NO_HEADER, ("warning", "no-final-newline", 2, 4)]),
    "no-final-newline": (GLM + b"3 2 5", [("warning", "no-final-newline", 3, 6)]),
    "byte-order-mark": (
        b"\xef\xbb\xbf-1 5 8\n3 2 2\n",
        [("error", "byte-order-mark", 1, 1), ("error", "missing-identity", 1, 1)],
    ),
    "columns-behind-a-byte-order-mark": (
        b"\xef\xbb\xbf3 x 5\n",
        [("error", "byte-order-mark", 1, 1), ("error", "not-a-number", 1, 6)],
    ),
    "utf-16": ("3 2 5\n".encode("utf-16"), [("error", "utf-16", 1, 1)]),
    "utf-16-without-a-mark": ("3 2 5\n".encode("utf-16-be"), [("error", "utf-16", 1, 1)]),
    "nul": (GLM + b"3 2 5\n\x00\x00\x00\n", [("error", "nul-byte", 4, 1)]),
    "escape-sequence": (GLM + b"3 2 \x1b[2J5\n", [("error", "control-byte", 3, 5)]),
    "full-width-digit": (GLM + b"3 2 \xef\xbc\x95\n", [("error", "not-ascii", 3, 5)]),
    "cr-only": (
        b"-1 5 8\r-2 1 3815245270\r3 2 5\r",
        [("error", "lone-carriage-return", 1, 7), ("warning", "no-final-newline", 1, 30)],
    ),
    "malformed-line": (
        b"0 1 7\ninvalid\n0 1 5\n",
        [NO_HEADER, ("error", "not-a-number", 2, 1), ("warning", "duplicate-record", 3, 1)],
    ),
    "text-that-begins-with-the-magic": (b"IKU1 5 8\n3 2 5\n", [("error", "magic-in-text", 1, 1)]),
    "csv": (b"layer,expert,count\n", [("error", "not-a-number", 1, 1)]),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_and_where(name: str, tmp_path: Path) -> None:
    data, expected = FOUND[name]
    assert sorted(places(examined(tmp_path, data))) == sorted(expected)


FOR_AN_ENGINE: dict[str, tuple[bytes, str | None, str | None, Places]] = {
    "its-own": (GLM + b"3 2 5\n", "glm_moe_dsa", "5x8", []),
    "another-engine": (b"-1 5 8\n-2 1 1820578806\n3 2 6\n", "glm_moe_dsa", "5x8", [("error", "other-engine", 2, 6)]),
    "other-layers": (b"-1 4 8\n-2 1 3815245270\n3 2 6\n", None, "5x8", [("error", "other-dimensions", 1, 4)]),
    "other-experts": (b"-1 5 9\n-2 1 3815245270\n3 2 6\n", None, "5x8", [("error", "other-dimensions", 1, 6)]),
    "bounds-of-legacy-text": (
        b"3 2 5\n9 1 100\n1 99 200\n",
        None,
        "5x8",
        [NO_HEADER, ("error", "out-of-bounds", 2, 1), ("error", "out-of-bounds", 3, 3)],
    ),
}


@pytest.mark.parametrize("name", FOR_AN_ENGINE)
def test_what_is_found_for_an_engine(name: str, tmp_path: Path) -> None:
    data, engine, dims, expected = FOR_AN_ENGINE[name]
    assert sorted(places(examined(tmp_path, data, asked(engine, dims)))) == sorted(expected)


def asked(engine: str | None, dims: str | None) -> Asked:
    sizes = () if dims is None else (Dimensions(*map(int, dims.split("x"))),)
    return Asked(engine, sizes)


@pytest.mark.parametrize("code", [code for code in CODES if code.example is not None], ids=lambda code: code.name)
def test_each_code_is_found_where_its_example_says(code: Code, tmp_path: Path) -> None:
    example = code.example
    assert example is not None
    found = places(examined(tmp_path, example.data, asked(example.engine, example.dims), code.kind))
    assert (code.level.value, code.name, example.line, example.column) in found


def test_every_code_has_an_example_but_those_about_huge_or_changing_files_and_records_still_to_be_agreed() -> None:
    without = {code.name.removeprefix("trace-").removeprefix("pairs-") for code in CODES if code.example is None}
    assert without == {"endless-line", "changed-while-read", "agreed-field-range", "agreed-record-count"}


def test_codes_are_unique_and_their_clauses_declared() -> None:
    import coli_spec

    assert len({code.name for code in CODES}) == len(CODES)
    for code in CODES:
        assert coli_spec.load().clause(code.clause).id == code.clause


def test_errors_and_warnings_make_a_file_unsound_and_notes_do_not(tmp_path: Path) -> None:
    assert examined(tmp_path, b"3 2 5\r\n").is_sound
    assert not examined(tmp_path, GLM + b"3 2 5").is_sound
    assert examined(tmp_path, b"3 2 5\n").count(Level.NOTE) == 1


RECOVERS = "An old reader recovers every record from here on."
OLD_READERS: dict[str, tuple[bytes, str, str]] = {
    "comment": (b"0 1 10\n# x\n0 2 5\n", "comment", "An old reader stops in line 2 and loses `0 2 5`."),
    "fourth": (b"3 2 5\n-3 7 12 99\n4 1 8\n", "fourth-field", "An old reader invents `99 4 1` and loses `4 1 8`."),
    "fourth-in-range": (
        b"3 2 5\n-3 7 12 4\n1 3 8\n",
        "fourth-field",
        "An old reader invents `4 1 3` and loses `1 3 8`.",
    ),
    "float": (
        b"0 0 3.5\n0 1 5\n",
        "decimal-point",
        "An old reader stops in line 1, misreads `0 0 3` and loses `0 1 5`.",
    ),
    "crlf": (GLM + b"3 2 5\r\n", "crlf", "An old reader recovers every record from here on."),
    "several-on-a-line": (b"3 2 5 4 1 8\n", "several-records", RECOVERS),
    "carriage-returns-alone": (b"3 2 5\r4 1 8\r", "lone-carriage-return", RECOVERS),
    "plus-sign": (b"3 +2 5\n", "plus-sign", RECOVERS),
    "form-feed": (b"3\x0c2 5\n", "form-feed", RECOVERS),
    # 2 to the 32nd has no low 32 bits, with either sign; no C library keeps the number.
    "count-of-33-bits": (
        b"3 2 4294967296\n",
        "out-of-range",
        "An old reader misreads `3 2 4294967296` as `3 2 0` on 64-bit Linux.",
    ),
    "count-of-33-bits-below-zero": (
        b"3 2 -4294967296\n",
        "signed-count",
        "An old reader misreads `3 2 -4294967296` as `3 2 0` on 64-bit Linux.",
    ),
    # C defines it as negation in 32 bits unsigned: 4294967296 - 5, everywhere.
    "count-below-zero": (b"3 2 -5\n", "signed-count", "An old reader misreads `3 2 -5` as `3 2 4294967291`."),
    "second-of-a-line-wraps": (
        b"3 2 5 4 1 4294967303\n",
        "several-records",
        "An old reader misreads `4 1 4294967303` as `4 1 7` on 64-bit Linux.",
    ),
    "header-wraps": (
        b"-1 5 4294967304\n3 2 5\n",
        "out-of-range",
        "An old reader misreads `-1 5 4294967304` as `-1 5 8` on 64-bit Linux.",
    ),
    "four-on-a-line": (
        b"3 2 5 99\n4 1 8\n",
        "fourth-field",
        "An old reader invents `99 4 1` and loses `4 1 8`.",
    ),
    "four-on-a-line-and-one-wraps": (
        b"3 2 5 99\n4 4294967303 8\n",
        "fourth-field",
        "An old reader invents `99 4 7` on 64-bit Linux and loses `4 4294967303 8`.",
    ),
    "two-in-one-field": (b"3-2 5\n", "not-a-number", "An old reader misreads `3 -2 5`."),
    "after-the-stop": (b"# x\n0 1 0\n", "zero-count", "An old reader stopped in line 1 and never gets here."),
}


@pytest.mark.parametrize("name", OLD_READERS)
def test_what_an_old_reader_makes_of_it_from_there_on(name: str, tmp_path: Path) -> None:
    data, code, sentence = OLD_READERS[name]
    result = examined(tmp_path, data)
    (finding,) = (finding for finding in result.findings if finding.code.name == code)
    assert OldReading(result).of(finding) == sentence


def test_an_id_in_the_wrong_field_is_told_with_what_old_readers_store(tmp_path: Path) -> None:
    (finding,) = examined(tmp_path, b"-1 5 8\n-2 3815245270 1\n3 2 5\n").findings
    assert "-479722026 on 64-bit Linux, 2147483647 on 32-bit" in finding.sentence
    assert "field 3 (W06)" in finding.sentence

"""`check` on traces, tables of pairs and IKU1 files: what is found and where, written out by hand."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.sniff import kind_of
from coli_conformance.check.source import Source
from coli_reference import pairs, trace
from coli_spec.model import Dimensions

Places = list[tuple[str, str, int, int]]
SMALL = Asked(None, (Dimensions(5, 8),))


def found(folder: Path, data: bytes, kind: Kind | None = None, asked: Asked | None = None) -> Places:
    path = folder / "file"
    path.write_bytes(data)
    with Source(path) as source:
        result: Examined = examine(source, asked if asked is not None else Asked(), kind=kind)
    return [(finding.code.level.value, finding.code.name, finding.line, finding.column) for finding in result.findings]


TRACES: dict[str, tuple[bytes, Places]] = {
    "sound": (b"0 0 3 1:0.5000 2:0.5000\n0 1 3 4:1.0000\n1 0 4 2:-0.5000\n5 0 5 2:0.5000\n", []),
    "gates-do-not-sum-to-one": (b"0 0 3 1:1.2500 2:1.2500\n", []),
    "zero-gate": (b"0 0 3 1:0.0000\n", []),
    "call-never-advances": (b"0 0 3 1:0.5000\n0 0 4 2:0.5000\n", [("error", "trace-call-never-advances", 2, 1)]),
    "row-repeated": (
        b"7 0 3 1:0.5000\n7 1 3 2:0.5000\n7 0 3 2:0.5000\n",
        [("error", "trace-call-never-advances", 3, 1)],
    ),
    "call-goes-back": (b"1 0 3 1:0.5000\n0 0 4 2:0.5000\n", [("error", "trace-call-goes-back", 2, 1)]),
    "rows-begin-at-one": (b"0 1 3 1:0.5000\n", [("warning", "trace-row-start", 1, 3)]),
    "rows-descend": (
        b"0 0 3 1:0.5000\n0 2 3 1:0.5000\n0 1 3 1:0.5000\n",
        [("warning", "trace-row-order", 3, 3)],
    ),
    "negative-id-and-nan": (
        b"0 0 3 -1:nan 4:0.5000\n1 0 4 2:0.5000\n",
        [("error", "trace-expert-range", 1, 7), ("error", "trace-gate-not-finite", 1, 10)],
    ),
    "infinite": (b"0 0 3 1:-inf\n", [("error", "trace-gate-not-finite", 1, 9)]),
    "beyond-float32": (b"0 0 3 1:" + b"9" * 40 + b".0000\n", [("error", "trace-gate-not-finite", 1, 9)]),
    "word-for-a-layer": (
        b"5 0 x 1:.5\n",
        [("error", "trace-number", 1, 5), ("error", "trace-gate", 1, 9)],
    ),
    "no-id": (b"0 0 3 :0.5\n", [("error", "trace-no-expert", 1, 7), ("error", "trace-few-decimals", 1, 8)]),
    "no-gate": (b"1 0 4 2\n", [("error", "trace-no-gate", 1, 8)]),
    "no-choice": (b"1 0 4\n", [("error", "trace-no-choice", 1, 6)]),
    "half-a-head": (b"1\n", [("error", "trace-no-choice", 1, 2)]),
    "negative-row": (b"1 -1 4 2:0.5000\n", [("error", "trace-number", 1, 3)]),
    "leading-zero": (b"1 0 04 2:0.5000\n", [("error", "trace-number", 1, 5)]),
    "nineteen-digits": (b"1" * 19 + b" 0 4 2:0.5000\n", [("error", "trace-number", 1, 1)]),
    "duplicate-id": (b"0 0 3 1:0.5000 1:0.5000\n", [("error", "trace-duplicate-expert", 1, 16)]),
    "decimal-comma": (b"0 0 3 1:0,5000\n", [("error", "trace-decimal-comma", 1, 9)]),
    "exponent": (b"0 0 3 1:5.0000e-01\n", [("error", "trace-gate", 1, 9)]),
    "three-decimals": (b"0 0 3 1:0.500\n", [("error", "trace-few-decimals", 1, 9)]),
    "six-decimals": (b"0 0 3 1:0.500000\n", [("note", "trace-more-decimals", 1, 9)]),
    "crlf": (b"0 0 3 1:0.5000\r\n1 0 3 1:0.5000\r\n", [("error", "trace-crlf", 1, 15)]),
    "tab": (b"0 0 3\t1:0.5000\n", [("error", "trace-spacing", 1, 6)]),
    "blank-line": (b"0 0 3 1:0.5000\n\n1 0 3 1:0.5000\n", [("error", "trace-spacing", 2, 1)]),
    "trailing-blank": (b"0 0 3 1:0.5000 \n", [("error", "trace-spacing", 1, 15)]),
    "carriage-returns-alone": (
        b"0 0 3 1:0.5000\r1 0 4 2:0.5000\r",
        [("error", "trace-lone-carriage-return", 1, 15)],
    ),
    "carriage-returns-alone-behind-lines": (
        b"0 0 3 1:0.5000\n1 0 4 2:0.5000\r2 0 4 2:0.5000\r",
        [("error", "trace-lone-carriage-return", 2, 15), ("warning", "trace-no-final-newline", 2, 31)],
    ),
    "cut-in-its-first-line": (b"0 0 3 1:0.5", [("error", "trace-no-line", 1, 12)]),
    "a-block-of-iku1": (b"IKU1" + bytes(32), [("error", "trace-no-line", 1, 37)]),
    "utf-16-without-a-line": ("0 0 3".encode("utf-16-le"), [("error", "trace-no-line", 1, 11)]),
    "cut": (b"0 0 3 1:0.5000\n1 0 4 2:0.5", [("warning", "trace-no-final-newline", 2, 12)]),
    "empty": (b"", [("note", "trace-empty", 1, 1)]),
    "csv": (b"call,row\n0,0\n", [("error", "trace-foreign", 1, 1)]),
    "csv-of-one-line": (b"0,0,3,1,0.5000\n", [("error", "trace-foreign", 1, 1)]),
    "layer-and-experts": (b"3 17 4 99 8\n4 1 2 3 4\n", [("error", "trace-foreign", 1, 1)]),
    "not-ascii": (b"0 0 \xc3\xa9 1:0.5000\n", [("error", "trace-number", 1, 5)]),
}


@pytest.mark.parametrize("name", TRACES)
def test_what_is_found_in_a_trace(name: str, tmp_path: Path) -> None:
    data, expected = TRACES[name]
    assert sorted(found(tmp_path, data, Kind.TRACE)) == sorted(expected)


def test_ranges_of_a_trace_are_those_of_the_dimensions(tmp_path: Path) -> None:
    data = b"0 0 5 7:0.5000\n1 0 6 8:0.5000\n"
    assert found(tmp_path, data, asked=SMALL) == [
        ("error", "trace-layer-range", 2, 5),
        ("error", "trace-expert-range", 2, 7),
    ]


def test_what_the_reference_writes_is_sound(tmp_path: Path) -> None:
    lines = b"".join(trace.line(call, row, call % 5, [(row, 0.25), (7, -3.5)]) for call in range(9) for row in range(3))
    assert found(tmp_path, lines, asked=SMALL) == []
    table = pairs.render(pairs.coactivations(trace.read(lines.splitlines(keepends=True))))
    assert found(tmp_path, table, asked=SMALL) == []


PAIRS: dict[str, tuple[bytes, Places]] = {
    "sound": (b"COLIPAIRS 1 2\n3 1 0 4:9 5:9 1:2\n3 2 0 4:9\n", []),
    "empty-table": (b"COLIPAIRS 1 0\n", []),
    "no-head": (b"", [("error", "pairs-header", 1, 1)]),
    "another-version": (b"COLIPAIRS 2 0\n", [("error", "pairs-version", 1, 11)]),
    "too-few-lines": (b"COLIPAIRS 1 2\n3 1 0 4:9\n", [("error", "pairs-line-count", 1, 13)]),
    "count-zero": (b"COLIPAIRS 1 1\n3 1 0 4:0\n", [("error", "pairs-number", 2, 7)]),
    "three-layers-ahead": (b"COLIPAIRS 1 1\n3 3 0 4:9\n", [("error", "pairs-layers-ahead", 2, 3)]),
    "ties-by-id": (b"COLIPAIRS 1 1\n3 1 0 5:9 4:9\n", [("error", "pairs-partner-order", 2, 11)]),
    "line-twice": (b"COLIPAIRS 1 2\n3 1 0 4:9\n3 1 0 4:9\n", [("error", "pairs-order", 3, 1)]),
    "crlf": (b"COLIPAIRS 1 0\r\n", [("error", "pairs-spacing", 1, 14)]),
    "without-a-line": (b"COLIPAIRS 1 0", [("error", "pairs-header", 1, 14)]),
    "a-block-of-iku1": (b"IKU1" + bytes(32), [("error", "pairs-header", 1, 37)]),
    "carriage-returns-alone-behind-a-line": (
        b"COLIPAIRS 1 1\n3 1 0 4:9\r3 2 0 4:9\r",
        [("error", "pairs-spacing", 2, 10), ("warning", "pairs-no-final-newline", 2, 21)],
    ),
    "carriage-returns-alone": (b"COLIPAIRS 1 1\r3 1 0 4:9\r", [("error", "pairs-header", 1, 25)]),
    "no-partner": (b"COLIPAIRS 1 1\n3 1 0\n", [("error", "pairs-no-partner", 2, 6)]),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_found_in_a_table_of_pairs(name: str, tmp_path: Path) -> None:
    data, expected = PAIRS[name]
    assert found(tmp_path, data, Kind.PAIRS) == expected


def block(n_layers: int, n_experts: int, words: int, last: int = 1) -> bytes:
    return b"IKU1" + struct.pack(f"<{2 + words}I", n_layers, n_experts, *([0] * (words - 1)), last)


LAYOUT = ("note", "iku1-layout", 1, 1)
BLOCKS: dict[str, tuple[bytes, Asked, Places]] = {
    "sound": (block(2, 3, 6), Asked(), [LAYOUT]),
    "for-its-engine": (block(2, 3, 6), Asked("inkling", (Dimensions(2, 3),)), [LAYOUT]),
    "cut-in-its-header": (b"IKU1\x05\x00", Asked(), [LAYOUT, ("error", "iku1-cut-header", 1, 7)]),
    "cut-in-a-row": (block(2, 3, 6)[:-1], Asked(), [LAYOUT, ("error", "iku1-cut-block", 1, 36)]),
    "long": (block(2, 3, 6) + bytes(4), Asked(), [LAYOUT, ("warning", "iku1-long-block", 1, 37)]),
    # The seventh word is not zero, and it is none of the six counts.
    "long-and-all-zero": (
        block(2, 3, 7),
        Asked(),
        [LAYOUT, ("warning", "iku1-no-counts", 1, 13), ("warning", "iku1-long-block", 1, 37)],
    ),
    "all-zero-and-a-byte": (
        block(2, 3, 6, last=0) + b"\x01",
        Asked(),
        [LAYOUT, ("warning", "iku1-no-counts", 1, 13), ("warning", "iku1-long-block", 1, 37)],
    ),
    "huge": (
        bytes.fromhex("494b5531 ffffffff ffffffff"),
        Asked(),
        [LAYOUT, ("error", "iku1-impossible-dimensions", 1, 5)],
    ),
    "zero": (block(0, 3, 1), Asked(), [LAYOUT, ("error", "iku1-impossible-dimensions", 1, 5)]),
    "big-endian-magic": (b"1UKI" + bytes(32), Asked(), [("error", "iku1-byte-order", 1, 1)]),
    "big-endian-sizes": (
        b"IKU1" + struct.pack(">3I", 1, 1, 7),
        Asked(),
        [LAYOUT, ("error", "iku1-byte-order", 1, 5)],
    ),
    "inkling-the-other-way-round": (
        block(256, 66, 256 * 66),
        Asked(),
        [LAYOUT, ("error", "iku1-swapped-dimensions", 1, 5)],
    ),
    "other-dimensions": (
        block(2, 3, 6),
        Asked(None, (Dimensions(5, 8),)),
        [LAYOUT, ("error", "iku1-other-dimensions", 1, 5)],
    ),
    "other-engine": (
        block(2, 3, 6),
        Asked("glm_moe_dsa", (Dimensions(2, 3),)),
        [LAYOUT, ("error", "iku1-other-engine", 1, 1)],
    ),
    "all-zero": (block(2, 3, 6, last=0), Asked(), [LAYOUT, ("warning", "iku1-no-counts", 1, 13)]),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_found_in_an_iku1_file(name: str, tmp_path: Path) -> None:
    data, asked, expected = BLOCKS[name]
    assert sorted(found(tmp_path, data, asked=asked)) == sorted(expected)


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (b"", Kind.HISTORY),
        (b"-1 5 8\n", Kind.HISTORY),
        (b"IKU1 5 8\n3 2 5\n", Kind.HISTORY),
        (b"IKU1", Kind.IKU1),
        (b"IKU1\xff\xff\xff\xff\xff\xff\xff\xff", Kind.IKU1),
        (b"1UKI\x00\x00\x00\x01", Kind.IKU1),
        (b"0 0 3 1:0.5000\n", Kind.TRACE),
        (b"0 0 3 -1:nan 4:0.5000\nrubbish\n0 0 3 1:0.5\n", Kind.TRACE),
        (b"5 0 x 1:.5\n", Kind.TRACE),
        (b"COLIPAIRS 1 2\n", Kind.PAIRS),
        (b"call,row,layer,expert,gate\n0,0,3,1,0.5000\n", Kind.TRACE),
        (b"0,0,3,1,0.5000\r\n", Kind.TRACE),
        (b"layer,expert,count\n3,2,5\n", Kind.HISTORY),
        (b"3 2 1,000,000,000\n", Kind.HISTORY),
        (b"3 2 5\ncall,row,layer,expert\n", Kind.HISTORY),
        (b"3 2 5\n# at 12:30\n", Kind.HISTORY),
    ],
)
def test_the_kind_is_told_by_the_first_bytes(first: bytes, kind: Kind) -> None:
    assert kind_of(first) is kind

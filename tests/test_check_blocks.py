"""`check` on large files: blocks read at once say the same as the grammar's terminals, and as line by line."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from coli_conformance.check import scan, source
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind
from coli_conformance.check.declared_lines import terminals
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.history_block import parse as parse_history
from coli_conformance.check.source import Source
from coli_conformance.check.trace_block import parse as parse_trace

MUTATIONS = (
    b" ",
    b"\n",
    b"0",
    b"-",
    b"x",
    b"+",
    b".",
    b":",
    b"\r",
    b"\r\n",
    b"\t",
    b"99999999999999999999",
    b"\x00",
    b"",
)


def records(draw: random.Random, count: int) -> list[bytes]:
    cells = sorted(draw.sample(range(40 * 64), count))
    return [
        b"%d %d %d\n" % (*divmod(cell, 64), draw.choice((1, 9, 10, 4294967295, draw.randrange(1, 10**6))))
        for cell in cells
    ]


def decisions(draw: random.Random, count: int) -> list[bytes]:
    lines: list[bytes] = []
    call = 0
    while len(lines) < count:
        for row in range(draw.randrange(1, 4)):
            experts = draw.sample(range(64), draw.randrange(1, 9))
            if draw.random() < 0.03:
                experts[-1] = experts[0]
            choices = b" ".join(b"%d:%.4f" % (expert, draw.uniform(-2, 9)) for expert in experts)
            lines.append(b"%d %d %d %s\n" % (call, row, draw.randrange(40), choices))
        call += draw.randrange(1, 3)
    return lines


def damaged(draw: random.Random, lines: list[bytes], times: int) -> bytes:
    data = bytearray(b"".join(lines))
    for _ in range(times):
        at = draw.randrange(len(data))
        data[at : at + draw.randrange(3)] = draw.choice(MUTATIONS)
    return bytes(data)


def data_record() -> re.Pattern[bytes]:
    """The grammar's own expression of a data record, put together without the reader of blocks."""
    parts = terminals("history")
    text = "".join(parts[name] for name in ("LAYER", "SP", "EXPERT", "SP", "COUNT", "LF"))
    return re.compile(f"(?:{text})+".encode())


def trace_line() -> re.Pattern[bytes]:
    parts = terminals("trace")
    head = "".join(parts[name] for name in ("CALL", "SP", "ROW", "SP", "LAYER"))
    choice = "".join(parts[name] for name in ("SP", "EXPERT", "COLON", "GATE"))
    return re.compile(f"(?:{head}(?:{choice})+{parts['LF']})+".encode())


def fields_fit(data: bytes) -> bool:
    return all(len(number) <= 18 for number in re.findall(rb"[0-9]+", data))


@pytest.mark.parametrize("seed", range(200))
def test_a_block_of_records_is_read_where_the_grammar_matches(seed: int) -> None:
    draw = random.Random(seed)
    data = damaged(draw, records(draw, 12), draw.randrange(3))
    data = data[: data.rfind(b"\n") + 1]
    block = parse_history(data)
    if b"\r" in data:
        return
    assert (block is not None) == (data_record().fullmatch(data) is not None and fields_fit(data))
    if block is not None:
        numbers = [[int(field) for field in line.split()] for line in data.splitlines()]
        assert [list(record) for record in zip(block.layers, block.experts, block.counts, strict=True)] == numbers


@pytest.mark.parametrize("seed", range(200))
def test_a_block_of_a_trace_is_read_where_the_grammar_matches(seed: int) -> None:
    draw = random.Random(seed)
    data = damaged(draw, decisions(draw, 8), draw.randrange(3))
    data = data[: data.rfind(b"\n") + 1]
    block = parse_trace(data)
    if b"\r" in data:
        return
    lines = data.splitlines()
    matches = trace_line().fullmatch(data) is not None and fields_fit(re.sub(rb":-?[0-9]{1,38}\.[0-9]+", b"", data))
    experts = [[int(choice.split(b":")[0]) for choice in line.split()[3:]] for line in lines] if matches else []
    assert (block is not None) == (matches and all(len(set(chosen)) == len(chosen) for chosen in experts))
    if block is not None:
        assert [int(expert) for expert in block.experts] == [expert for chosen in experts for expert in chosen]
        heads = [[int(part) for part in line.split()[:3]] for line in lines]
        assert [list(head) for head in zip(block.calls, block.rows, block.layers, strict=True)] == heads


SOUND = {
    Kind.HISTORY: b"3 2 50\n10 0 405\n",
    Kind.TRACE: b"0 0 3 1:0.5000 20:-1.2500\n17 0 30 4:12.3456\n",
}


@pytest.mark.parametrize("kind", SOUND)
def test_no_byte_in_any_place_gets_a_block_past_the_grammar(kind: Kind) -> None:
    data = SOUND[kind]
    grammar = data_record() if kind is Kind.HISTORY else trace_line()
    parse = parse_history if kind is Kind.HISTORY else parse_trace
    assert parse(data) is not None
    # Behind the last LF nothing can stand: blocks end at line ends.
    for at in range(len(data)):
        for byte in range(256):
            for rest in (data[at:], data[at + 1 :]):
                changed = data[:at] + bytes([byte]) + rest
                if changed.endswith(b"\n") and byte != 0x0D:
                    assert (parse(changed) is not None) == (grammar.fullmatch(changed) is not None), changed


@pytest.mark.parametrize(
    ("kind", "bad", "code", "column"),
    [
        (Kind.TRACE, b"20000 0 3 1:3-0.5000 2:0.2500\n", "trace-gate", 13),
        (Kind.TRACE, b"20000 0 3 1:--0.5000 2:0.2500\n", "trace-gate", 13),
        (Kind.TRACE, b"20000 0 3 1:0-.5000 2:0.2500\n", "trace-gate", 13),
        (Kind.TRACE, b"20000 0 3 1:0.50-00 2:0.2500\n", "trace-gate", 13),
        (Kind.TRACE, b"20000 0 3 1-1:0.5000 2:0.2500\n", "trace-number", 11),
        (Kind.TRACE, b"20000 0 3-3 1:0.5000 2:0.2500\n", "trace-number", 9),
        (Kind.HISTORY, b"78 3-2 7\n", "not-a-number", 4),
        (Kind.HISTORY, b"78 32 7-\n", "not-a-number", 7),
        (Kind.HISTORY, b"7-8 32 7\n", "not-a-number", 1),
    ],
)
def test_a_minus_within_a_number_of_a_large_file_is_found(
    kind: Kind, bad: bytes, code: str, column: int, tmp_path: Path
) -> None:
    """Line 20,001 of so many that the file is read in blocks: the record of layer 78, expert 32 in a history."""
    if kind is Kind.TRACE:
        lines = [b"%d 0 3 1:0.5000 2:0.2500\n" % call for call in range(40_000)]
    else:
        lines = [b"%d %d 1234567\n" % divmod(cell, 256) for cell in range(60_000)]
    lines[20_000] = bad
    path = tmp_path / "file"
    path.write_bytes(b"".join(lines))
    assert path.stat().st_size > 2 * source.BLOCK
    found = [(finding.code.name, finding.line, finding.column) for finding in read(path, kind).findings]
    assert [finding for finding in found if finding[0] != "no-header"] == [(code, 20_001, column)]


def read(path: Path, kind: Kind) -> Examined:
    with Source(path) as opened:
        return examine(opened, Asked(), kind=kind)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Blocks of half a kilobyte, cut down to lines at 64 bytes, so that small files are read as large ones are."""
    for module, name, value in (
        (source, "BLOCK", 512),
        (scan, "BLOCK", 512),
        (scan, "_SMALL_FILE", 0),
        (scan, "_LINE_BY_LINE", 64),
    ):
        monkeypatch.setattr(module, name, value)
    yield


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kind", [Kind.HISTORY, Kind.TRACE])
def test_blocks_say_the_same_as_line_by_line(
    kind: Kind, seed: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    draw = random.Random(seed)
    lines = records(draw, 300) if kind is Kind.HISTORY else decisions(draw, 80)
    if draw.random() < 0.3:
        draw.shuffle(lines)
    if draw.random() < 0.3:
        lines.insert(draw.randrange(len(lines)), draw.choice(lines))
    if draw.random() < 0.2:
        lines = [line.replace(b"\n", b"\r\n") for line in lines]
    if kind is Kind.HISTORY and draw.random() < 0.5:
        lines[:0] = [b"-1 39 64\n", b"-2 1 3815245270\n"]
    path = tmp_path / "file"
    path.write_bytes(damaged(draw, lines, draw.randrange(4)))
    line_by_line = read(path, kind)
    request.getfixturevalue("small_blocks")
    assert read(path, kind).findings == line_by_line.findings


def test_a_record_that_comes_again_many_blocks_later_is_found(tmp_path: Path) -> None:
    path = tmp_path / "history"
    lines = [b"%d %d 7\n" % (layer, expert) for layer in range(301) for expert in range(256)]
    path.write_bytes(b"-1 999 256\n-2 1 3815245270\n" + b"".join(lines) + b"3 70 7\n")
    assert path.stat().st_size > 2 * source.BLOCK
    line = 2 + 301 * 256 + 1
    assert [(finding.code.name, finding.line) for finding in read(path, Kind.HISTORY).findings] == [
        ("unsorted", line),
        ("duplicate-record", line),
    ]

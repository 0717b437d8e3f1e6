"""`check -`: a pipe says the same as a file, however its bytes are cut, and a closed standard input is a sentence."""

from __future__ import annotations

import array
import fcntl
import os
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coli_conformance.check import source as source_module
from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.source import BLOCK, Endless, Source

STANDARD_INPUT = Path("-")
PROGRAM = "import sys; from coli_conformance.cli import main; sys.exit(main())"
_PATIENCE = 20


def _hand_out(parts: list[bytes], read_end: int, write_end: int) -> None:
    """Write each part once the one before it was read, so that no read gets bytes of two parts."""
    waiting = array.array("i", [0])
    end = time.monotonic() + _PATIENCE
    for part in parts:
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(write_end, rest) :]
        waiting[0] = 1
        while waiting[0] and time.monotonic() < end:
            fcntl.ioctl(read_end, termios.FIONREAD, waiting)
    os.close(write_end)


@contextmanager
def piped(parts: list[bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a pipe in the place of standard input that hands out these parts one by one."""
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb", buffering=0) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        thread = threading.Thread(target=_hand_out, args=(parts, read_end, write_end), daemon=True)
        thread.start()
        yield
        thread.join()


def read(path: Path, kind: Kind | None = None) -> Examined:
    with Source(path) as source:
        return examine(source, Asked(), kind=kind)


def codes(result: Examined) -> list[tuple[str, int, int]]:
    return [(finding.code.name, finding.line, finding.column) for finding in result.findings]


BLOCK_2X3 = b"IKU1" + bytes.fromhex("02000000 03000000") + bytes(20) + b"\x01\x00\x00\x00"


@pytest.mark.parametrize(
    ("parts", "kind", "expected"),
    [
        ([BLOCK_2X3[:4], BLOCK_2X3[4:]], Kind.IKU1, [("iku1-layout", 1, 1)]),
        ([BLOCK_2X3[:2], BLOCK_2X3[2:11], BLOCK_2X3[11:]], Kind.IKU1, [("iku1-layout", 1, 1)]),
        ([b"0 0", b" 3 1:0.5000\n"], Kind.TRACE, []),
        ([b"COLI", b"PAIRS 1 0\n"], Kind.PAIRS, []),
        ([b"-1 5 8\n-2 1 38152", b"45270\n3 2 ", b"5\n"], Kind.HISTORY, []),
    ],
)
def test_the_kind_of_a_pipe_is_told_by_more_than_its_first_part(
    parts: list[bytes], kind: Kind, expected: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with piped(parts, monkeypatch):
        result = read(STANDARD_INPUT)
    assert result.kind is kind
    assert codes(result) == expected


LONG_LINES = {
    "at-the-start-just-short-enough": (b"3 2 5" + b" " * (BLOCK - 6) + b"\n4 1 8\n", None),
    "at-the-start-too-long": (b"3 2 5" + b" " * (BLOCK - 5) + b"\n4 1 8\n", 1),
    "behind-blank-lines-just-short-enough": (b"\n" * 200_000 + b"3 2 5" + b" " * (BLOCK - 6) + b"\n4 1 8\n", None),
    "behind-blank-lines-too-long": (b"\n" * 200_000 + b"3 2 5" + b" " * 322_144 + b"\n4 1 8\n", 200_001),
    "at-the-end-too-long": (b"4 1 8\n3 2 5" + b" " * (BLOCK - 5) + b"\n", 2),
}


@pytest.mark.parametrize("part_size", [None, 60_000, 999])
@pytest.mark.parametrize("name", LONG_LINES)
def test_a_line_is_endless_by_its_length_alone(
    name: str, part_size: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, line = LONG_LINES[name]
    if part_size is None:
        path = tmp_path / "file"
        path.write_bytes(data)
        result = read(path)
    else:
        with piped([data[at : at + part_size] for at in range(0, len(data), part_size)], monkeypatch):
            result = read(STANDARD_INPUT)
    found = [(finding.line, finding.sentence) for finding in result.findings if finding.code.name == "endless-line"]
    length = len(data.split(b"\n")[0 if line is None else line - 1])
    assert found == ([] if line is None else [(line, f"a line of {length} bytes; a record takes at most a few dozen")])


def test_no_place_of_a_line_makes_it_longer_or_shorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = 64
    monkeypatch.setattr(source_module, "BLOCK", block)
    path = tmp_path / "file"
    for before in range(3 * block):
        for length in (block - 1, block, 2 * block - 1, 2 * block, 2 * block + 1):
            for ending in (b"", b"\n", b"\n4 1 8\n"):
                data = b"\n" * before + b"7" * length + ending
                path.write_bytes(data)
                with Source(path) as source:
                    pieces = list(source.pieces())
                lengths = [piece.length for piece in pieces if isinstance(piece, Endless)]
                assert lengths == ([length] if length >= block else [])
                whole = b"".join(b"" if isinstance(piece, Endless) else piece.data for piece in pieces)
                assert whole == (data if length < block else b"\n" * before + ending[1:])


def test_a_stream_that_would_rather_not_wait_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with piped([b"-1 5 8\n", b"-2 1 3815245270\n", b"3 x 5\n"], monkeypatch):
        os.set_blocking(sys.stdin.fileno(), False)
        assert codes(read(STANDARD_INPUT)) == [("not-a-number", 3, 3)]


def test_a_closed_standard_input_is_a_sentence_and_exit_status_2() -> None:
    command = ["sh", "-c", 'exec "$0" -c "$1" check - <&-', sys.executable, PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("coli-conformance: standard input: it is closed;")

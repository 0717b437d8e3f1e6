"""`check` on files that mean harm or trouble: huge, endless, changing, no file at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coli_conformance.check.asked import Asked
from coli_conformance.check.code import Kind
from coli_conformance.check.examined import Examined, examine
from coli_conformance.check.source import BLOCK, Source, SourceError

GLM = b"-1 5 8\n-2 1 3815245270\n"
LIMIT = """
import resource, sys
from coli_conformance.cli import main
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
sys.exit(main(["check", *sys.argv[1:]]))
"""


def read(path: Path, kind: Kind | None = None, most: int | None = None) -> Examined:
    with Source(path) as source:
        return examine(source, Asked(), kind=kind, most=most)


def codes(result: Examined) -> list[str]:
    return [finding.code.name for finding in result.findings]


def in_little_memory(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a gigabyte of address space; what a file declares must not be taken from it."""
    command = [sys.executable, "-c", LIMIT, *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("kind", [Kind.HISTORY, Kind.TRACE, Kind.PAIRS])
def test_a_line_without_end_is_one_finding_and_reading_goes_on(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"7" * (3 * BLOCK) + b"\nrubbish\n")
    result = read(path, kind)
    assert codes(result)[0].endswith("endless-line")
    assert result.findings[0].line == 1
    assert any(finding.line == 2 for finding in result.findings)


def test_a_sparse_gigabyte_of_one_line_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(b"3 2 5 ")
        file.truncate(1 << 30)
    done = in_little_memory(path, "--kind", "history")
    assert (done.returncode, done.stderr) == (1, "")
    assert f"a line of {1 << 30} bytes" in done.stdout


@pytest.mark.parametrize(
    "data",
    [
        b"-1 2147483647 4294967295\n-2 1 3815245270\n2147483647 2147483647 5\n",
        bytes.fromhex("494b5531 ffffffff ffffffff"),
        b"0 0 2147483647 2147483647:0.5000\n",
    ],
    ids=["history", "iku1", "trace"],
)
def test_declared_dimensions_cost_no_memory(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    done = in_little_memory(path, "--summary")
    assert done.stderr == ""
    assert done.returncode in {0, 1}


def test_findings_are_limited_and_what_was_not_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(GLM + b"-3 1 1\n" * 100_000)
    result = read(path, most=20)
    assert (len(result.findings), result.stopped) == (20, True)


def test_header_records_without_end_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(GLM + b"-1 5 8\n" * 20_000 + b"3 2 5\n")
    assert codes(read(path)).count("repeated-header") == 20_000


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_are_read_as_any_kind(seed: int, tmp_path: Path) -> None:
    import random

    path = tmp_path / "file"
    draw = random.Random(seed)
    alphabet = (bytes(range(256)), b"0123456789 -:.\n", b"IKU1\x00\n :")[seed % 3]
    path.write_bytes(bytes(draw.choice(alphabet) for _ in range(3000)))
    for kind in (None, *Kind):
        assert read(path, kind).name == str(path)


def test_a_folder_a_pipe_and_a_missing_file_are_refused_in_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "no regular file"), (".", "a folder"), ("gone", "No such file")):
        with pytest.raises(SourceError, match=words):
            Source(tmp_path / name)


def test_a_file_that_shrinks_while_it_is_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(GLM + b"3 2 5\n" + (b" " * 99 + b"\n") * (BLOCK // 50))

    def shrink(_: int) -> None:
        os.truncate(path, len(GLM))

    with Source(path, shrink) as source:
        assert "changed-while-read" in codes(examine(source, Asked()))

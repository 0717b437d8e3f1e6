"""The tutorial, done as it stands: its files saved, its changes made, its commands run, their output compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
FENCED = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A line after a `$`, and what it must print."""

    text: str
    output: str


def commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        text, _, output = part.partition("\n")
        yield Command(text, output)


def as_pattern(output: str) -> str:
    """Return a pattern for what a command prints: `...` stands for anything, on a line of its own for lines."""
    pieces = re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)
    return r"(?:.*\n)*?".join(re.escape(piece).replace(re.escape("..."), ".*") for piece in pieces)


def changed(text: str, diff: str) -> str:
    """Return `text` with the one place changed that the lines of `diff` describe."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1, f"the tutorial changes what is not there, or there twice:\n{before}"
    return text.replace(before, after)


def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    if shutil.which("cc") is None or shutil.which("bash") is None:
        pytest.skip("the tutorial needs `cc` and `bash`")
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    ran = []
    for language, name, content in FENCED.findall(TUTORIAL.read_text(encoding="utf-8")):
        if language == "c":
            (tmp_path / name).write_text(content)
        elif language == "diff":
            (tmp_path / name).write_text(changed((tmp_path / name).read_text(), content))
        elif language == "console":
            for command in commands(content):
                done = subprocess.run(
                    ["bash", "-c", command.text],
                    cwd=tmp_path,
                    env={"PATH": programs, "LC_ALL": "C.UTF-8"},
                    capture_output=True,
                    text=True,
                    timeout=120,
                    check=False,
                )
                assert done.stderr == "", command.text
                assert re.fullmatch(as_pattern(command.output), done.stdout), (
                    f"{command.text}\n{done.stdout}\nis not what the tutorial shows:\n{command.output}"
                )
                ran.append(command.text)
    assert len(ran) >= 8


def test_what_is_left_out_and_what_is_not() -> None:
    assert re.fullmatch(as_pattern("a\n...\nb\n"), "a\nx\ny\nb\n")
    assert re.fullmatch(as_pattern("a\n...\nb\n"), "a\nb\n")
    assert re.fullmatch(as_pattern("5 ... cases\n"), "5 of 6 cases\n")
    assert not re.fullmatch(as_pattern("5 ... cases\n"), "5 of\n6 cases\n")
    assert not re.fullmatch(as_pattern("a\nb\n"), "a\nx\nb\n")
    with pytest.raises(AssertionError, match="not there"):
        changed("a\n", "-b\n+c\n")

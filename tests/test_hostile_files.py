"""Every command that is given a path or a file, and every kind of path and file that means harm or trouble.

What is asked is one thing: a sentence on standard error, one line of it, and exit status 1 or 2; never a traceback, nor
a wait without end, nor more memory than a gigabyte. What `check` makes of hostile files is in test_check_hostile.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

from coli_conformance import known_failing, manifest, regular_file
from coli_conformance.cli import main
from coli_conformance.records import proposal

Captured = pytest.CaptureFixture[str]

ENGINE = "inprocess:coli_reference.engine:ReferenceEngine"
SECONDS = 60
"""After so long a command counts as one that never ends."""
SAID = "coli-conformance: "
PLACE = "@"
"""Where the path stands among the words of a command."""


@dataclass(frozen=True)
class Command:
    """The words of a command, with PLACE for the path."""

    words: tuple[str, ...]

    def at(self, path: str) -> list[str]:
        return [word.replace(PLACE, path) for word in self.words]


LOADERS = {
    "run --manifest": Command(("run", "--case", "R01-empty", "--manifest", PLACE)),
    "run --known-failing": Command(("run", "--case", "R01-empty", "--engine", ENGINE, "--known-failing", PLACE)),
    "fuzz --manifest": Command(("fuzz", "--count", "1", "--manifest", PLACE)),
    "shrink --manifest": Command(("shrink", "--case", "R01-empty", "--manifest", PLACE)),
    "matrix": Command(("matrix", PLACE)),
    "records check": Command(("records", "check", PLACE)),
    "records accept": Command(("records", "accept", PLACE)),
    "report diff": Command(("report", "diff", PLACE, PLACE)),
    "report verify": Command(("report", "verify", PLACE)),
}
"""Commands that refuse a file unless it is a manifest, a proposal, a report, ..."""

JUDGES = {
    "check": Command(("check", PLACE)),
    "compat": Command(("compat", PLACE)),
}
"""Commands that have something to say of any bytes."""


# -- paths that lead to no file ----------------------------------------------------------------------------------------


def _folder(folder: Path) -> str:
    (folder / "a folder").mkdir()
    return str(folder / "a folder")


def _pipe(folder: Path) -> str:
    os.mkfifo(folder / "pipe")
    return str(folder / "pipe")


def _dangling(folder: Path) -> str:
    (folder / "link").symlink_to("nowhere")
    return str(folder / "link")


def _loop(folder: Path) -> str:
    (folder / "link").symlink_to("link")
    return str(folder / "link")


def _below_a_file(folder: Path) -> str:
    (folder / "file").write_bytes(b"")
    return str(folder / "file" / "below")


NO_FILES: dict[str, Callable[[Path], str]] = {
    "missing": lambda folder: str(folder / "missing"),
    "empty-name": lambda folder: "",
    "folder": _folder,
    "pipe": _pipe,
    "endless-device": lambda folder: "/dev/zero",
    "dangling-link": _dangling,
    "link-to-itself": _loop,
    "below-a-file": _below_a_file,
    "name-too-long": lambda folder: str(folder / ("n" * 300)),
    "path-too-long": lambda folder: str(folder) + "/n" * 5000,
    "line-end-and-escape": lambda folder: str(folder / "two\nlines \x1b[31m\u202e"),
    "no-utf-8": lambda folder: os.fsdecode(os.fsencode(folder) + b"/\xff\xfe"),
}


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    """Fail a test that waits for ever, instead of waiting with it."""

    def too_long(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"the command did not end within {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refusal(words: list[str], captured: Captured) -> str:
    """Run a command that must refuse what it is given, and return its one line on standard error."""
    status = main(words)
    said = captured.readouterr().err
    assert status in {1, 2}, said
    assert "Traceback" not in said
    assert "fault of the suite itself" not in said
    assert said.endswith("\n")
    assert all(character.isprintable() for character in said.replace("\n", "")), said
    return said


@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.parametrize("name", [*LOADERS, *JUDGES])
def test_a_path_that_leads_to_no_file_is_a_sentence(name: str, kind: str, tmp_path: Path, capsys: Captured) -> None:
    said = refusal({**LOADERS, **JUDGES}[name].at(NO_FILES[kind](tmp_path)), capsys)
    assert said.startswith(SAID)
    assert said.count("\n") == 1
    assert len(said.split()) > 5


# -- contents ----------------------------------------------------------------------------------------------------------

DEEP = 100_000

CONTENTS: dict[str, bytes] = {
    "nothing": b"",
    "nuls": bytes(5000),
    "no-utf-8": b"command: [\xff\xfe]\n",
    "byte-order-mark-alone": b"\xef\xbb\xbf",
    "every-byte": bytes(range(256)) * 20,
    "deep-lists": b"[" * DEEP,
    "deep-lists-closed": b"[" * DEEP + b"]" * DEEP,
    "deep-objects": b'{"a":' * DEEP,
    "deep-blocks": b"".join(b" " * depth + b"a:\n" for depth in range(1000)),
    "aliases": b"a: &a [x, x]\n" + b"".join(b"%c: &%c [*%c, *%c]\n" % (n + 1, n + 1, n, n) for n in range(97, 121)),
    "alias-to-itself": b"a: &a [*a]\n",
    "tag": b"!!python/object/apply:os.system ['true']\n",
    "million-headers": b"-1 5 8\n" * 1_000_000,
    "largest-dimensions": b"-1 4294967295 4294967295\n-2 1 3815245270\n4294967294 4294967294 1\n",
    "number-of-5000-digits": b"9" * 5000 + b"\n",
    "key-of-5000-digits": b'{"format": ' + b"9" * 5000 + b"}\n",
    "long-line": b"x" * 900_000 + b"\n",
    "many-keys": b"".join(b"k%d: v\n" % n for n in range(50_000)),
    "two-documents": b"a: b\n---\na: b\n",
    "surrogate": b'{"format": 1, "suite": "\\ud800"}\n',
    "not-a-number": b'{"format": NaN, "suite": Infinity}\n',
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("name", LOADERS)
def test_contents_that_mean_nothing_are_a_sentence(name: str, kind: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(CONTENTS[kind])
    said = refusal(LOADERS[name].at(str(path)), capsys)
    assert said.startswith(f"{SAID}{path}:")
    assert said.count("\n") == 1
    assert len(said) < 2000, "what stands in the file is quoted without end"


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("name", JUDGES)
def test_any_bytes_are_judged(name: str, kind: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "file"
    path.write_bytes(CONTENTS[kind])
    status = main(JUDGES[name].at(str(path)))
    out, err = capsys.readouterr()
    assert status in {0, 1, 2}, err
    assert "Traceback" not in out + err
    assert out + err


IN_LITTLE_MEMORY = """
import resource, sys
from coli_conformance.cli import main
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("name", [*LOADERS, "compat"])
def test_a_gigabyte_of_one_line_takes_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    with path.open("wb") as file:
        file.write(b'{"format": 1, ')
        file.truncate(1 << 30)
    words = {**LOADERS, **JUDGES}[name].at(str(path))
    done = subprocess.run(
        [sys.executable, "-c", IN_LITTLE_MEMORY, *words], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode in {1, 2}, done.stderr
    assert done.stderr.startswith(f"{SAID}{path}: the file ")
    assert done.stderr.count("\n") == 1


# -- sound files under strange names -----------------------------------------------------------------------------------

NAMES = ("with blanks ", "two\nlines", "\u00e4\u20ac\U0001f600\u202e", "-dash", "'quoted\"", "$(x) `y` ;&", "n" * 240)
MANIFEST = "command: [/bin/sh, -c, 'read line; echo ok']\n"
KNOWN = "failing:\n  - case: W06-*\n    status: fail\n    reason: https://example.org/1\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_file_may_have_any_name(name: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = folder / name
    path.write_text(MANIFEST)
    assert manifest.read(path).command[0] == "/bin/sh"
    path.write_text(KNOWN)
    assert known_failing.read(path).entries[0].pattern == "W06-*"
    path.write_bytes(b"-1 78 256\n-2 1 3815245270\n3 2 5\n")
    assert main(["check", str(path)]) == 0
    assert main(["compat", str(path)]) == 0
    capsys.readouterr()


# -- where something is to be written ----------------------------------------------------------------------------------

WRITERS = {
    "run --report": Command(("run", "--case", "R01-*", "--engine", ENGINE, "--report", f"json={PLACE}")),
    "run --keep": Command(("run", "--case", "R01-*", "--engine", "fault:stop-at-minus3", "--keep", PLACE)),
    "records new": Command(("records", "new", PLACE)),
    "vectors copy": Command(("vectors", "copy", PLACE)),
    "vectors generate --output": Command(("vectors", "generate", "--output", PLACE)),
    "init": Command(("init", "--lang", "python", PLACE)),
    "fuzz --corpus": Command(("fuzz", "--count", "1", "--jobs", "1", "--engine", ENGINE, "--corpus", PLACE)),
}
NOT_TO_BE_WRITTEN = ("below-a-file", "name-too-long", "path-too-long", "link-to-itself")


@pytest.mark.parametrize("kind", NOT_TO_BE_WRITTEN)
@pytest.mark.parametrize("name", WRITERS)
def test_a_path_that_cannot_be_written_is_a_sentence(name: str, kind: str, tmp_path: Path, capsys: Captured) -> None:
    words = WRITERS[name].at(NO_FILES[kind](tmp_path))
    assert refusal(words, capsys)


@pytest.mark.parametrize("name", ["vectors copy", "vectors generate --output", "init", "run --keep", "fuzz --corpus"])
def test_a_file_where_a_folder_is_expected_is_a_sentence_and_stays(name: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"mine\n")
    assert refusal(WRITERS[name].at(str(path)), capsys)
    assert path.read_bytes() == b"mine\n"


# -- files that change, and what a file names --------------------------------------------------------------------------


def test_a_proposal_and_its_digest_come_from_one_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.yaml"
    sound = (Path(__file__).parents[1] / "docs" / "examples" / "transition-counts.yaml").read_bytes()
    path.write_bytes(sound)
    unchanged = proposal.read(path).digest
    opened: list[Path] = []
    system_open = os.open

    def changing(name: str, flags: int, mode: int = 0o777) -> int:
        """Open a file as ever; the second time it has changed."""
        opened.append(Path(name))
        if len(opened) > 1:
            path.write_bytes(sound + b"# changed\n")
        return system_open(name, flags, mode)

    monkeypatch.setattr(os, "open", changing)
    assert proposal.read(path).digest == unchanged
    assert opened == [path]


def test_a_larger_file_than_asked_for_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert regular_file.read(path, 4) == b"1234"
    with pytest.raises(regular_file.UnusableFileError, match="more than 3 bytes"):
        regular_file.read(path, 3)

"""Engines that cannot be asked: the sentence says what is wrong, in whose file, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coli_conformance.cli import main
from coli_conformance.engines.command import open_command
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import EngineUnusable

Captured = pytest.CaptureFixture[str]

MODULES = {
    "syntax": ('class A:\n    roles = {"load"}\n    def f(:\n', 3, "SyntaxError: invalid syntax"),
    "imports": ("import os\nimport no_such_thing_at_all\n", 2, "No module named 'no_such_thing_at_all'"),
    "raises": ("def f():\n    raise ValueError('no model')\n\n\nf()\n", 2, "ValueError: no model"),
    "exits": ("raise SystemExit('not here')\n", 1, "SystemExit: not here"),
    "init": ("class A:\n    roles = {'load'}\n    def __init__(self):\n        1 / 0\n", 4, "ZeroDivisionError"),
}
CLASSES = {
    "without": ("class A:\n    pass\n", "The class `A` has no attribute `roles`"),
    "a_text": ("class A:\n    roles = 'load save'\n", "'load save' as its `roles`"),
    "misspelt": ("class A:\n    roles = {'laod'}\n", "claims no role"),
    "nothing": ("A = 3\n", "has no class `A`"),
}


@pytest.fixture(params=["inprocess", "python"])
def kind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the engine is run; the folder it is in is the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return str(request.param)


def said(kind: str, name: str, source: str, tmp_path: Path, capsys: Captured) -> str:
    """Return what `run` says of the class A of a module, which cannot be used."""
    module = f"unusable_{name}_{kind}"
    (tmp_path / f"{module}.py").write_text(source)
    assert main(["run", "--engine", f"{kind}:{module}:A"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "fault of the suite" not in captured.err
    return captured.err


@pytest.mark.parametrize("name", MODULES)
def test_file_line_and_the_error_itself_are_named(kind: str, name: str, tmp_path: Path, capsys: Captured) -> None:
    source, line, error = MODULES[name]
    text = said(kind, name, source, tmp_path, capsys)
    path = tmp_path / f"unusable_{name}_{kind}.py"
    assert f"{path}:{line}: " in text or f'File "{path}", line {line}, in __init__' in text
    assert error in text.splitlines()[-1]


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_wrong_with_the_class_is_said(kind: str, name: str, tmp_path: Path, capsys: Captured) -> None:
    source, told = CLASSES[name]
    assert told in said(kind, name, source, tmp_path, capsys)


PRINTING = """
import os
print("at import")
class A:
    roles = {"load", "bonds"}
    def init(self, *words):
        print("in init")
        os.system("echo from a program")
    def load(self, path):
        print("ok 7")
        return 0
    def counts(self):
        return ()
"""


def test_what_an_engine_prints_is_free_text(kind: str, tmp_path: Path) -> None:
    from coli_conformance.corpus import vectors

    (tmp_path / f"printing_{kind}.py").write_text(PRINTING)
    case = next(case for case in vectors.committed()[0] if case.id == "R13-zero-bytes")
    with open_python(f"printing_{kind}:A", in_process=kind == "inprocess") as transport:
        assert transport.description.roles == {"load"}
        assert transport.description.ignored == ("bonds",)
        ((_, seen),) = transport.play([case])
    assert seen.stdout.startswith(b"ok\nok 0\n")
    assert b"in init\n" in seen.stderr
    assert b"ok 7\n" in seen.stderr


def unusable(*command: str) -> str:
    with pytest.raises(EngineUnusable) as error:
        open_command(command)
    return str(error.value)


def test_nothing_of_how_the_suite_asks_leaks_into_the_message() -> None:
    text = unusable("cat")
    assert "it answered `hello 1`." in text
    assert "fence" not in text


def test_the_end_of_what_was_said_is_quoted() -> None:
    text = unusable(sys.executable, "-c", "import sys; [print(n, file=sys.stderr) for n in range(50)]; sys.exit(2)")
    head, *lines = text.split("\n")
    assert head.endswith("ended with exit status 2 before it answered `hello 1`. It said last:")
    assert lines == [str(number) for number in range(42, 50)]


def script(folder: Path, first_line: bytes) -> str:
    path = folder / "driver"
    path.write_bytes(first_line + b"\necho ok load\n")
    path.chmod(0o755)
    return str(path)


def test_an_interpreter_that_is_missing_is_named(tmp_path: Path) -> None:
    text = unusable(script(tmp_path, b"#! /no/such/interpreter -u"))
    assert "names the interpreter `/no/such/interpreter`, and there is no such file" in text
    assert "LF" not in text


def test_a_first_line_in_crlf_is_told_from_a_missing_interpreter(tmp_path: Path) -> None:
    text = unusable(script(tmp_path, b"#!/bin/sh\r"))
    assert r"`/bin/sh\r`" in text
    assert "Save it with LF" in text


def test_a_quoted_command_line_is_recognised(tmp_path: Path) -> None:
    driver = script(tmp_path, b"#!/bin/sh")
    assert "Leave out the quotation marks" in unusable(f"{driver} --flag")
    assert "Leave out" not in unusable("./no-such-driver --flag")

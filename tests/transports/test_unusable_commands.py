"""Commands that are no engine: the sentence says what is wrong with each; and how a sound one is understood."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from coli_conformance.engines.command import open_command
from coli_conformance.engines.transport import EngineUnusable
from tests.leftovers import MARK

from .playing import DRIVERS, FAULTY, case, observe, sound


def unusable(command: Sequence[str], timeout: float = 60.0) -> str:
    with pytest.raises(EngineUnusable) as error:
        open_command(command, timeout=timeout)
    return str(error.value)


def test_command_that_does_not_exist() -> None:
    assert "`./no-such-driver`" in unusable(["./no-such-driver"])
    assert "PATH" in unusable(["no-such-driver"])


def test_command_here_but_not_in_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(DRIVERS / "ignored_signals.sh", tmp_path / "driver-of-this-folder")
    monkeypatch.chdir(tmp_path)
    assert "./driver-of-this-folder" in unusable(["driver-of-this-folder"])


def test_command_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "driver").write_text("#!/bin/sh\n")
    assert "chmod +x" in unusable([str(tmp_path / "driver")])


def test_script_without_an_interpreter(tmp_path: Path) -> None:
    (tmp_path / "driver").write_text("echo ok load\n")
    (tmp_path / "driver").chmod(0o755)
    assert "#!" in unusable([str(tmp_path / "driver")])


def test_command_that_ends_at_once() -> None:
    assert "exit status 1" in unusable(["false"])


def test_command_that_never_ends() -> None:
    assert "0.5 s" in unusable(["sleep", "3600"], timeout=0.5)


def test_command_that_does_not_speak_the_protocol() -> None:
    assert "answered `hello 1`" in unusable(["cat"])


def test_command_that_claims_no_known_role() -> None:
    assert "no role" in unusable([*FAULTY, "loads", "saves"])


def test_engine_output_in_a_sentence_is_escaped() -> None:
    assert "\x1b" not in unusable(["printf", r"\033[31mred"])


def test_relative_files_among_the_arguments(mark: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(DRIVERS)
    (seen,) = observe(mark, sound(), command=(sys.executable, "-S", "faulty_driver.py"))
    assert seen.files == {"here": b"written\n"}
    monkeypatch.chdir(tmp_path)


def test_wrap_is_put_before_the_command(mark: str) -> None:
    with open_command(FAULTY, environment={MARK: mark}, wrap=("env", "WRAPPED=1")) as transport:
        ((_, seen),) = transport.play([case("init tells_all 3 4")])
    assert b"WRAPPED=1" in seen.files["environment"]

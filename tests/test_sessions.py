"""Sessions that hypothesis makes up agree with the bookkeeping, for both engines; those of faulty engines do not."""

import contextlib
import io
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from coli_conformance.engines.serve import serve
from coli_conformance.faults import fault
from coli_conformance.fuzzing.sessions import OpenDriver, session_machine
from coli_conformance.protocol import is_final
from coli_reference.engine import ReferenceEngine

SETTINGS = settings(
    max_examples=80,
    stateful_step_count=30,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
"""The same sessions in every run; how long one takes is nobody's concern here."""

UNSHRUNK = settings(SETTINGS, phases=[Phase.generate], max_examples=400)
"""For sessions of faulty engines, of which any one will do. Which ones are made depends on the imported modules,
as hypothesis takes constants out of them, so that a rare one may come late."""

NewFolder = Callable[[], Path]


@pytest.fixture
def new_folder(tmp_path: Path) -> NewFolder:
    """Make one empty folder after another."""

    def folders() -> Iterator[Path]:
        for number in range(1_000_000):
            folder = tmp_path / str(number)
            folder.mkdir()
            yield folder

    return folders().__next__


def emptied(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, which is then gone."""
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    for name in files:
        (folder / name).unlink()
    folder.rmdir()
    return files


class ProcessDriver:
    """A driver program: one process for the session."""

    def __init__(self, program: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment},
        )

    def send(self, command: str) -> bytes:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        lines: list[bytes] = []
        while not lines or not is_final(lines[-1]):
            line = self.process.stdout.readline()
            assert line.endswith(b"\n"), f"the engine ended in its answer to `{command}`"
            lines.append(line.rstrip(b"\n"))
        return b"\n".join(lines)

    def end(self) -> dict[str, bytes]:
        self.process.communicate(timeout=10)
        assert self.process.returncode == 0
        return emptied(self.folder)


class Kept:
    """An engine as `serve` sees it that plays one command at a time: `close` waits for the end of the session."""

    def __init__(self, engine: ReferenceEngine) -> None:
        self.engine = engine

    def __getattr__(self, name: str) -> Any:
        if name == "close":
            raise AttributeError(name)
        return getattr(self.engine, name)


class ClassDriver:
    """A Python engine in this process."""

    def __init__(self, engine_class: type[ReferenceEngine], folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        # What an engine remembers for its process stands on its class (R19), so every session has one of its own.
        self.engine = type(engine_class.__name__, (engine_class,), {})()

    def send(self, command: str) -> bytes:
        out = io.BytesIO()
        kept: Any = lambda: Kept(self.engine)  # noqa: E731 - it stands where `serve` expects a class
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stderr(io.StringIO()),
            mock.patch.dict(os.environ, self.environment),
        ):
            serve(kept, [f"{command}\n".encode()], out)
        return out.getvalue().removesuffix(b"\n")

    def end(self) -> dict[str, bytes]:
        self.engine.close()
        return emptied(self.folder)


def search(open_driver: OpenDriver, *, strict: bool, examples: settings = SETTINGS) -> None:
    run_state_machine_as_test(session_machine(open_driver, strict=strict), settings=examples)


@pytest.mark.parametrize("strict", [True, False])
def test_the_reference_engine_agrees_with_the_bookkeeping(new_folder: NewFolder, strict: bool) -> None:
    search(lambda environment: ClassDriver(ReferenceEngine, new_folder(), environment), strict=strict)


@pytest.mark.parametrize("strict", [True, False])
def test_the_c_engine_agrees_with_the_bookkeeping(c_engine: Path, new_folder: NewFolder, strict: bool) -> None:
    search(lambda environment: ProcessDriver(c_engine, new_folder(), environment), strict=strict)


@pytest.mark.parametrize(
    "name",
    [
        *("save-clears-counters", "second-save-ignored", "one-run-replaces-the-history", "mtp-row-lost-on-write"),
        *("dropped-row-written-back", "refused-file-credited", "loads-refused-for-ever", "replace-instead-of-add"),
        *("counted-twice-when-tracing", "call-per-row", "empty-call-not-counted", "layers-numbered-among-routing"),
        *("trust-relaxes-dimensions", "counts-as-float", "second-load-ignored", "refusal-clears-counters"),
    ],
)
def test_a_fault_that_takes_several_commands_is_found(new_folder: NewFolder, name: str) -> None:
    with pytest.raises(AssertionError, match=r"\([A-Z]\d\d\)"):
        search(lambda environment: ClassDriver(fault(name), new_folder(), environment), strict=False, examples=UNSHRUNK)


def test_a_wrapping_counter_is_found_by_a_strict_search_alone(new_folder: NewFolder) -> None:
    def open_driver(environment: Mapping[str, str]) -> ClassDriver:
        return ClassDriver(fault("counter-wraps"), new_folder(), environment)

    search(open_driver, strict=False)
    with pytest.raises(AssertionError):
        search(open_driver, strict=True, examples=UNSHRUNK)

"""Engines that are a Python class, in a child process and in this one."""

from __future__ import annotations

import os

import pytest

from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import EngineUnusable, Transport
from tests.leftovers import MARK

from .playing import DRIVERS, case

ENGINE = "python_engines"


def python_engine(name: str, *, in_process: bool, mark: str, monkeypatch: pytest.MonkeyPatch) -> Transport:
    monkeypatch.chdir(DRIVERS)
    return open_python(f"{ENGINE}:{name}", in_process=in_process, environment={MARK: mark})


@pytest.fixture(params=[False, True], ids=["child process", "in process"])
def in_process(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ("init glm 3 4", b"ok\n"),
        ("init glm three 4", b"error 'three' is not a decimal number\n"),
        ("load good", b"ok 18446744073709551615\n"),
        ("load bad", b"refused\n"),
        ("counts", b"1 2 3\n4 5 6\nok\n"),
        ("save full", b"error no space left on it\n"),
        ("pin auto", b"ok .coli_usage untrusted\n"),
        ("pin other", b"ok other trusted\n"),
        ("pin none", b"ok\n"),
        ("route 1 0 3:0.5 4:nan", b"ok\n"),
        ("route 1 0 3", b"error '3' is not ID:GATE\n"),
        ("dense there", b"unsupported\n"),
        ("trust there", b"unsupported\n"),
        ("roles", b"unsupported\n"),
        ("", b"unsupported\n"),
    ],
)
def test_answers_of_a_python_engine(mark: str, monkeypatch: pytest.MonkeyPatch, step: str, answer: bytes) -> None:
    with python_engine("Scripted", in_process=True, mark=mark, monkeypatch=monkeypatch) as transport:
        ((_, seen),) = transport.play([case(step)])
    assert (seen.stdout, seen.exit_status) == (answer, 0)


def test_answers_of_a_python_engine_in_a_child_process(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with python_engine("Scripted", in_process=False, mark=mark, monkeypatch=monkeypatch) as transport:
        assert transport.description.roles == {"load", "save"}
        ((_, seen),) = transport.play([case("counts", "load bad")])
    assert (seen.stdout, seen.exit_status) == (b"1 2 3\n4 5 6\nok\nrefused\n", 0)


def test_exception_of_a_python_engine_is_a_crash(mark: str, monkeypatch: pytest.MonkeyPatch, in_process: bool) -> None:
    with python_engine("Scripted", in_process=in_process, mark=mark, monkeypatch=monkeypatch) as transport:
        ((_, seen), (_, after)) = transport.play([case("counts", "load crash"), case("counts")])
    assert (seen.exit_status, seen.stdout) == (1, b"1 2 3\n4 5 6\nok\n")
    assert b"ZeroDivisionError" in seen.stderr
    assert after.exit_status == 0


def test_surroundings_of_a_python_engine(mark: str, monkeypatch: pytest.MonkeyPatch, in_process: bool) -> None:
    monkeypatch.setenv("NOT_FOR_ENGINES", "1")
    one = case("init glm 3 4", environment={"ROUTE_TRACE": "trace.txt"}, limit=100)
    with python_engine("Surroundings", in_process=in_process, mark=mark, monkeypatch=monkeypatch) as transport:
        ((_, seen),) = transport.play([one])
    assert (seen.stdout, seen.exit_status) == (b"ok\n", 0)
    assert b"ROUTE_TRACE" in seen.files["names"].split()
    assert b"NOT_FOR_ENGINES" not in seen.files["names"].split()
    assert seen.files["large"] == b"x" * 100
    assert b"File too large" in seen.stderr
    assert os.environ["NOT_FOR_ENGINES"] == "1"


@pytest.mark.parametrize("target", ["no_such_module_anywhere:Engine", f"{ENGINE}:NoSuchClass", "no-colon"])
def test_python_engine_that_does_not_exist(monkeypatch: pytest.MonkeyPatch, in_process: bool, target: str) -> None:
    monkeypatch.chdir(DRIVERS)
    with pytest.raises(EngineUnusable) as error:
        open_python(target, in_process=in_process)
    # The message names what is missing; the child's own message is quoted.
    assert any(name in str(error.value) for name in target.split(":"))
    assert "Traceback" not in str(error.value)

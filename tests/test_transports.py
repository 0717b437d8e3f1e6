"""Transports against real processes: what a faulty engine does costs its own case, and nothing of it is left."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from coli_conformance.case import Case, Outcome, SetupFile
from coli_conformance.engines.command import open_command
from coli_conformance.engines.fence import AnswerCount
from coli_conformance.engines.process import STDERR_KEPT
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import EngineUnusable, Transport
from coli_conformance.judge.observation import Ending, Observation

DRIVERS = Path(__file__).parent / "drivers"
FAULTY = (sys.executable, "-S", "-E", str(DRIVERS / "faulty_driver.py"))
MARK = "COLI_TEST_MARK"
SHORT = 1.5
"""Seconds for a case in the tests of engines that hang."""


def case(
    *steps: str,
    environment: dict[str, str] | None = None,
    limit: int | None = None,
    setup: Sequence[SetupFile] = (),
) -> Case:
    return Case(
        id=f"W01-{uuid.uuid4()}",
        since=1,
        clauses=("W01",),
        level="must",
        roles=("save",),
        why="",
        steps=steps,
        outcomes=(Outcome(answers=()),),
        environment=environment or {},
        file_size_limit=limit,
        setup=tuple(setup),
    )


def sound() -> Case:
    return case("init glm 3 4", "save here")


@pytest.fixture
def mark() -> str:
    return str(uuid.uuid4())


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> Iterator[None]:
    """After each test no process that inherited the mark runs, and the temporary folder is empty."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []
    assert running(mark) == []


def running(mark: str) -> list[str]:
    """The processes that have the mark in their environment, zombies aside, which have none."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text())
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


@pytest.fixture(params=["a process per case", "one process for many cases"])
def roles(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return ("load", "save", "reusable") if request.param == "one process for many cases" else ("load", "save")


def observe(
    mark: str,
    *cases: Case,
    roles: Sequence[str] = (),
    timeout: float = 60.0,
    jobs: int = 1,
    command: Sequence[str] = FAULTY,
) -> list[Observation]:
    """Play the cases and return what was seen of each, in the order given."""
    command = (*command, *roles)
    home = Path.cwd()
    with open_command(command, environment={MARK: mark}, timeout=timeout, jobs=jobs) as transport:
        played = list(transport.play(cases))
    assert Path.cwd() == home
    assert [one.id for one, _ in played] == [one.id for one in cases]
    return [observation for _, observation in played]


def between_sound(mark: str, fault: str, roles: Sequence[str], timeout: float = 60.0) -> Observation:
    """Play a fault between two sound cases, check that those are as they should be, and return what was seen of it."""
    before, seen, after = observe(mark, sound(), case(f"init {fault} 3 4"), sound(), roles=roles, timeout=timeout)
    for one in (before, after):
        assert (one.stdout, one.ending, one.files, one.oddities) == (
            b"ok\nok\n",
            Ending.EXITED,
            {"here": b"written\n"},
            {},
        )
    assert before.exit_status is (None if "reusable" in roles else 0) or before.exit_status == 0
    assert after.exit_status == 0
    return seen


# What an engine may do wrong


def test_exit_without_an_answer(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "exits_at_once", roles)
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 3, b"")


def test_exit_status_after_right_answers(mark: str) -> None:
    seen = between_sound(mark, "ends_badly", ("save",))
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 4, b"ok\n")


@pytest.mark.parametrize("fault", ["hangs", "ignores_sigterm", "closes_streams", "leaves_its_group"])
def test_hanging(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles, timeout=SHORT)
    assert (seen.ending, seen.stdout) == (Ending.TIMEOUT, b"")
    assert f"{SHORT} s" in seen.detail


def test_signal(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "segfaults", roles)
    assert (seen.ending, seen.exit_status, seen.files) == (Ending.EXITED, -11, {})


@pytest.mark.parametrize(
    ("fault", "stream"), [("floods_stdout", "standard output"), ("floods_stderr", "standard error")]
)
def test_flood(mark: str, roles: tuple[str, ...], fault: str, stream: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert seen.ending is Ending.FLOODED
    assert stream in seen.detail
    assert len(seen.stderr) <= STDERR_KEPT


def test_beginning_of_standard_error_is_kept(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "grumbles", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")
    assert seen.stderr.startswith(b"first.")


@pytest.mark.parametrize("fault", ["leaves_child", "leaves_daemon", "leaves_quiet_daemon"])
def test_left_process_is_not_waited_for(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")


def test_left_process_of_the_group_is_killed_with_its_case(mark: str) -> None:
    with open_command(FAULTY, environment={MARK: mark}) as transport:
        assert list(transport.play([case("init leaves_quiet_child 3 4")]))
        given_up = time.monotonic() + 30  # a killed process takes a moment to be gone
        while running(mark) and time.monotonic() < given_up:
            time.sleep(0.01)
        assert running(mark) == []


def test_garbage(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_garbage", roles)
    assert (seen.ending, seen.exit_status) == (Ending.EXITED, 0)
    assert seen.stdout.startswith(b"Hello there!\n")


def test_answering_twice_does_not_reach_the_next_case(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_twice", roles)
    assert (seen.ending, seen.exit_status) == (Ending.EXITED, 0)
    assert seen.stdout.startswith(b"ok\nok\n")


def test_half_a_line(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_half_a_line", roles)
    assert (seen.ending, seen.exit_status, seen.stdout) == (Ending.EXITED, 0, b"o")


def test_crlf(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_crlf", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\r\n")


def test_answers_larger_than_a_pipe(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "answers_at_length", roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"1 2 3\n" * 100_000 + b"ok\n")


@pytest.mark.parametrize("fault", ["deletes_its_folder", "replaces_its_folder"])
def test_lost_folder(mark: str, roles: tuple[str, ...], fault: str) -> None:
    seen = between_sound(mark, fault, roles)
    assert (seen.ending, seen.stdout) == (Ending.EXITED, b"ok\n")
    assert "." in seen.oddities


def test_oddities_are_named_and_not_followed(mark: str, roles: tuple[str, ...]) -> None:
    seen = between_sound(mark, "leaves_oddities", roles)
    assert seen.files == {"folder/file": b"inside"}
    assert seen.oddities.keys() == {"fifo", "link", "folder", "huge"}
    assert "FIFO" in seen.oddities["fifo"]
    assert "symbolic link" in seen.oddities["link"]
    assert str(100 * 1024 * 1024) in seen.oddities["huge"]


def test_locked_folder_is_removed(mark: str, roles: tuple[str, ...]) -> None:
    assert between_sound(mark, "locks_its_folder", roles).stdout == b"ok\n"


@pytest.mark.parametrize(
    ("pieces", "expected", "before"),
    [
        ((b"ok\nunsupported\n",), 2, b"ok\n"),
        ((b"ok\r\n1 2", b" 3\nok\nunsup", b"ported why\r\n"), 3, b"ok\r\n1 2 3\nok\n"),
        ((b"ok\nok\n",), 2, None),  # one of them is too many, for the last is not the fence's
        ((b"ok\nok\nunsupported\n",), 2, None),
        ((b"ok\nunsupported\nmore",), 2, None),
        ((b"ok\n",), 2, None),
        ((b"okay\nunsupported\n",), 2, None),
    ],
)
def test_what_stands_before_the_fence(pieces: tuple[bytes, ...], expected: int, before: bytes | None) -> None:
    count = AnswerCount(expected)
    out = bytearray()
    for piece in pieces:
        out += piece
        count.scan(out)
    assert count.before_fence(out) == before


# What an engine is given


def test_surroundings(mark: str) -> None:
    (seen,) = observe(mark, case("init tells_all 3 4", environment={"ROUTE_TRACE": "trace.txt"}))
    given = dict(line.split("=", 1) for line in seen.files["environment"].decode().splitlines())
    assert given == {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "ROUTE_TRACE": "trace.txt",
        MARK: mark,
    }
    assert seen.files["limits"] == b"0 %d" % (256 * 1024 * 1024)
    assert seen.files["leads"] == b"True"


def test_file_size_limit_of_the_case(mark: str) -> None:
    (seen,) = observe(mark, case("init tells_all 3 4", limit=4096))
    assert seen.files["limits"] == b"0 4096"


def test_signals_are_as_a_shell_would_leave_them_but_for_the_limit(mark: str) -> None:
    driver = (str(DRIVERS / "ignored_signals.sh"),)
    plain, limited = observe(mark, case("save mask"), case("save mask", limit=4096), command=driver)
    sigpipe, sigxfsz = 1 << 12, 1 << 24  # bit n-1 of signals 13 and 25
    assert int(plain.files["mask"], 16) & (sigpipe | sigxfsz) == 0
    assert int(limited.files["mask"], 16) & (sigpipe | sigxfsz) == sigxfsz


def test_setup_is_laid_out_in_order(mark: str, roles: tuple[str, ...]) -> None:
    setup = (
        SetupFile("sub/old", data=b"\x00\xff"),
        SetupFile("link", link_to="sub/old"),
        SetupFile("empty", folder=True),
    )
    first, second = observe(mark, case("init a 3 4", "save link", setup=setup), sound(), roles=roles)
    # The link is a hard one: what is written through it is seen under the other name.
    assert first.files == {"sub/old": b"written\n", "link": b"written\n"}
    assert first.oddities.keys() == {"sub", "empty"}
    assert second.files == {"here": b"written\n"}


def test_commands_larger_than_a_pipe(mark: str, roles: tuple[str, ...]) -> None:
    (seen,) = observe(mark, case("init a 3 4", *["add 1 2 3"] * 50_000), roles=roles)
    assert seen.stdout == b"ok\n" * 50_001


# Order, number and end


def test_order_is_kept_when_a_later_case_ends_first(mark: str, roles: tuple[str, ...]) -> None:
    cases = (case("init hangs 3 4"), sound(), sound(), case("init segfaults 3 4"), sound())
    seen = observe(mark, *cases, roles=roles, timeout=SHORT, jobs=2)
    assert [one.ending for one in seen] == [Ending.TIMEOUT] + [Ending.EXITED] * 4
    assert [one.exit_status == -11 for one in seen] == [False, False, False, True, False]


def test_spawns_of_a_process_per_case(mark: str) -> None:
    with open_command(FAULTY, environment={MARK: mark}) as transport:
        assert list(transport.play([sound(), sound(), sound()]))
        assert transport.spawns == 4  # one asked for the roles


def test_spawns_of_a_reusable_process(mark: str) -> None:
    alone = case("init a 3 4", environment={"ROUTE_TRACE": "t"})
    with open_command((*FAULTY, "save", "reusable"), environment={MARK: mark}) as transport:
        assert list(transport.play([sound(), alone, sound(), sound()]))
        assert transport.spawns == 3  # roles, the one that is alone, all others


def test_last_case_of_a_reusable_process_answers_for_its_exit_status(mark: str) -> None:
    first, last = observe(mark, sound(), case("init ends_badly 3 4"), roles=("save", "reusable"))
    assert first.exit_status is None
    assert last.exit_status == 4


def test_no_offer_is_taken_from_a_driver_that_knows_every_verb(mark: str) -> None:
    # It answers `ok` where the protocol asks for `unsupported`, so the end of a case could not be told.
    driver = (str(DRIVERS / "ignored_signals.sh"),)
    with open_command(driver, environment={MARK: mark}) as transport:
        assert transport.description.kind == "a process per case"


def test_closing_the_iterator_early_kills_what_runs(mark: str, roles: tuple[str, ...]) -> None:
    with open_command((*FAULTY, *roles), environment={MARK: mark}, jobs=2) as transport:
        played = transport.play([sound(), case("init hangs 3 4"), case("init hangs 3 4")])
        next(played)
        assert running(mark)
        played.close()
        assert running(mark) == []


def test_driver_that_cannot_be_started_again(mark: str, tmp_path: Path) -> None:
    driver = tmp_path / "driver.sh"
    shutil.copy(DRIVERS / "removes_itself.sh", driver)
    seen = observe(mark, sound(), sound(), command=(str(driver),))
    assert [one.ending for one in seen] == [Ending.NOT_STARTED, Ending.NOT_STARTED]
    assert "could not be started" in seen[0].detail


def test_system_without_events_for_exits(mark: str, roles: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    assert between_sound(mark, "exits_at_once", roles).exit_status == 3
    assert between_sound(mark, "leaves_child", roles).stdout == b"ok\n"
    assert between_sound(mark, "hangs", roles, timeout=SHORT).ending is Ending.TIMEOUT


INTERRUPTED = """
import signal, sys
from coli_conformance import runner
from coli_conformance.case import Case, Outcome
from coli_conformance.engines.command import open_command

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
case = Case("W01-x", 1, ("W01",), "must", ("save",), "", ("init hangs 3 4",), (Outcome(()),))
with open_command(sys.argv[2:], environment={"COLI_TEST_MARK": sys.argv[1]}, timeout=3600, jobs=2) as transport:
    print("playing", flush=True)
    runner.run(transport, [case, case], on_result=print)
"""


def test_interrupt_leaves_nothing(mark: str, roles: tuple[str, ...], tmp_path: Path) -> None:
    words = [sys.executable, "-c", INTERRUPTED, mark, *FAULTY, *roles]
    temporary = tmp_path / "temporary"
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}
    ) as suite:
        assert suite.stdout is not None
        assert suite.stdout.readline() == b"playing\n"
        while len(running(mark)) < 2:
            assert suite.poll() is None
        suite.send_signal(signal.SIGINT)
        _, said = suite.communicate(timeout=60)
    assert b"KeyboardInterrupt" in said


# Engines that cannot be used


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


# Python engines


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

"""Interrupted saves: sound engines hold at every call, wrong ones are red with the right clause, absence is said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.engines.command import open_command
from coli_conformance.engines.fixed import Fixed
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.interruption import envelope
from coli_conformance.interruption.build import CannotInterrupt, built
from coli_conformance.interruption.calls import Call, in_place_by, interrupted_at, logged, of_the_save, on_the_history
from coli_conformance.interruption.envelope import Cost, Envelope, quadratic, why_not_measured
from coli_conformance.interruption.ids import EACH_CALL, TWO_SAVERS, names_interrupted_save
from coli_conformance.interruption.play import InterruptedSaves, OpenEngine, interrupted_saves, target_of
from coli_conformance.judge.verdict import Status
from coli_reference.engine import ReferenceEngine

SOURCES = Path(__file__).parents[1] / "reference" / "c"
WRONG_WAYS = Path(__file__).parent / "interruption" / "replace.c"

EXPECTED = {
    "NO_FAULT": {},
    "WRITES_IN_PLACE": {
        "W16": ["W16-killed-at-write-1", "W16-killed-at-write-2"],
        "W17": ["W17-write-fails-1", "W17-close-fails-1"],
        "W24": ["W24-held-at-write-1", "W24-held-at-write-2"],
    },
    "REMOVES_THE_OLD_FILE_FIRST": {
        "W16": ["W16-killed-at-open-1", "W16-killed-at-write-1", "W16-killed-at-rename-1"],
        "W17": ["W17-open-fails-1", "W17-write-fails-1", "W17-rename-fails-1"],
        "W24": ["W24-held-at-open-1", "W24-held-at-rename-1"],
    },
    "SETS_THE_OLD_FILE_ASIDE": {
        "W16": ["W16-killed-at-rename-2"],
        "W17": ["W17-rename-fails-2"],
        "W20": ["W17-rename-fails-2"],
        "W24": ["W24-held-at-rename-2"],
    },
    "IGNORES_EVERY_ERROR": {
        "W17": ["W17-write-fails-1", "W17-close-fails-1", "W17-rename-fails-1"],
        "W20": ["W17-rename-fails-1"],
    },
    "DOES_NOT_LOOK_AT_CLOSE": {"W17": ["W17-close-fails-1"]},
    "RENAMES_BEFORE_CLOSE": {"W16": [], "W17": ["W17-close-fails-1"], "W24": []},
    "LEAVES_ITS_TEMPORARY_FILE": {"W20": ["W17-write-fails-1", "W17-close-fails-1", "W17-rename-fails-1"]},
    "FIXED_TEMPORARY_NAME": {"W24": ["W24-held-at-write-2"]},
}
"""What each wrong way breaks, and cases that have to show it. When a C library writes is its own affair."""


@pytest.fixture(scope="module")
def interruptible(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip, in words, where the calls of an engine cannot be interrupted."""
    try:
        built(tmp_path_factory.mktemp("program"))
    except CannotInterrupt as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def engine_with(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build the C engine with one of the wrong ways of replacing a history."""
    if not shutil.which("cc"):
        pytest.skip("building faulty C engines needs `cc`")
    objects = tmp_path_factory.mktemp("objects")
    sound = [path for path in SOURCES.glob("*.c") if path.name not in {"old_reader.c", "replace.c"}]
    subprocess.run(["cc", "-std=c11", "-O1", "-w", "-c", *sound], cwd=objects, check=True)

    def build_one(fault: str) -> Path:
        program = objects / fault.lower()
        units = sorted(objects.glob("*.o"))
        subprocess.run(
            ["cc", "-std=c11", "-O1", "-w", f"-D{fault}", f"-I{SOURCES}", WRONG_WAYS, *units, "-o", program], check=True
        )
        return program

    return build_one


def behind(*command: object) -> OpenEngine:
    return lambda before: open_command([str(word) for word in command], wrap=before, jobs=2)


def played(open_engine: OpenEngine, wanted: Callable[[Case], bool] = lambda case: True) -> InterruptedSaves:
    return interrupted_saves(open_engine, lambda cases: [case for case in cases if wanted(case)], lambda *_: None)


def answering(folder: Path, cases: str) -> Path:
    """Make a driver that answers each verb as the `cases` of a shell say."""
    script = folder / "driver.sh"
    script.write_text(f"#!/bin/sh\nwhile read verb rest; do case $verb in {cases};; esac; done\n")
    script.chmod(0o755)
    return script


def red(saves: InterruptedSaves) -> dict[str, list[str]]:
    """Return the ids of the cases that broke each clause."""
    broken: dict[str, list[str]] = {}
    for result in saves.results:
        for clause in result.broken:
            broken.setdefault(clause, []).append(result.case_id)
    return broken


# -- engines ------------------------------------------------------------------------------------------------------


def test_the_c_engine_holds_at_every_call(interruptible: None, c_engine: Path) -> None:
    saves = played(behind(c_engine))
    assert {result.status for result in saves.results} == {Status.PASS}
    assert saves.cannot is None
    kinds = {result.case_id.rsplit("-", 1)[0] for result in saves.results}
    assert kinds >= {f"W16-killed-at-{word}" for word in ("open", "write", "close", "rename")}
    assert kinds >= {f"W17-{word}-fails" for word in ("open", "write", "close", "rename")}
    assert kinds >= {f"W24-held-at-{word}" for word in ("open", "write", "close", "rename")}
    assert "W16-killed-at-write-2" in {result.case_id for result in saves.results}


def test_the_python_engine_holds_at_every_call(interruptible: None) -> None:
    saves = played(lambda before: open_python("coli_reference.engine:ReferenceEngine", wrap=before, jobs=2))
    assert {result.status for result in saves.results} == {Status.PASS}
    assert {"W16-killed-at-sync-1", "W17-unlink-fails-1", TWO_SAVERS} <= {case.id for case in saves.cases}


@pytest.mark.parametrize("fault", EXPECTED)
def test_a_wrong_way_of_saving_is_red_with_the_clauses_it_breaks(
    fault: str, interruptible: None, engine_with: Callable[[str], Path]
) -> None:
    # Left to race, two engines may or may not meet; held, they do.
    saves = played(behind(engine_with(fault)), lambda case: case.id != TWO_SAVERS)
    found = red(saves)
    assert found.keys() == EXPECTED[fault].keys()
    for clause, case_ids in EXPECTED[fault].items():
        assert set(case_ids) <= set(found[clause])


def test_what_a_kill_left_is_told_with_what_to_do(interruptible: None, engine_with: Callable[[str], Path]) -> None:
    saves = played(behind(engine_with("WRITES_IN_PLACE")), lambda case: case.id == "W16-killed-at-write-1")
    (result,) = saves.results
    assert "Killed before write 1 (of .coli_usage)" in result.detail
    assert ".coli_usage is 0 bytes long" in result.detail
    assert "rename it over the old one" in result.detail


def test_an_unsynced_folder_costs_no_record(interruptible: None, tmp_path: Path) -> None:
    """A failure that concerns another file than the history may be let go by: `ok` is right, and so is `error`."""
    script = tmp_path / "locking.py"
    script.write_text(LOCKING)
    saves = played(behind(sys.executable, script), lambda case: case.id.startswith("W17-"))
    by_id = {result.case_id: result.status for result in saves.results}
    assert by_id["W17-unlink-fails-1"] is Status.PASS
    assert by_id["W17-close-fails-2"] is Status.PASS, "the lock"
    assert by_id["W17-close-fails-1"] is Status.FAIL, "the history"


LOCKING = '''
import os, sys
from contextlib import suppress
from coli_conformance.engines import serve
from coli_reference.engine import ReferenceEngine

class Locking(ReferenceEngine):
    """Says `ok` whatever becomes of its lock, and of closing the history."""
    def replace(self, path, data):
        lock = os.open("lock", os.O_CREAT | os.O_RDWR)
        beside = os.open("beside", os.O_CREAT | os.O_WRONLY)
        os.write(beside, data)
        with suppress(OSError):
            os.close(beside)
        os.rename("beside", path)
        with suppress(OSError):
            os.close(lock)
        with suppress(OSError):
            os.unlink("lock")

serve.serve(Locking, sys.stdin.buffer, sys.stdout.buffer)
'''


# -- where it cannot be done --------------------------------------------------------------------------------------


def unsupported_in_words(saves: InterruptedSaves, words: str) -> bool:
    results = [result for result in saves.results if result.status is Status.UNSUPPORTED]
    return bool(results) and saves.cannot is not None and all(words in each.detail for each in results)


def test_without_a_compiler_two_engines_still_save_at_once(c_engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coli_conformance.interruption.build.which", lambda name: None)
    saves = interrupted_saves(lambda before: open_command([str(c_engine)], wrap=before), tuple, lambda *_: None)
    assert {case.id for case in saves.cases} == {*EACH_CALL, TWO_SAVERS}
    assert unsupported_in_words(saves, "there is no `cc`")
    assert {each.case_id: each.status for each in saves.results}[TWO_SAVERS] is Status.PASS


def test_another_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coli_conformance.interruption.build.sys.platform", "darwin")
    with pytest.raises(CannotInterrupt, match="Linux only, and this is darwin"):
        built(tmp_path)


def test_an_engine_in_this_process_cannot_be_interrupted() -> None:
    saves = played(lambda before: InProcess(ReferenceEngine, "reference", {}))
    assert unsupported_in_words(saves, "python:MODULE:CLASS")
    assert len(saves.results) == len(EACH_CALL) + 1


def test_an_engine_that_does_not_save_is_not_asked(tmp_path: Path) -> None:
    saves = played(behind(answering(tmp_path, "hello) echo ok load;; *) echo unsupported")))
    assert unsupported_in_words(saves, "roles that the engine does not claim: save")


def test_an_engine_whose_save_fails_by_itself_is_to_be_put_right_first(
    interruptible: None, engine_with: Callable[[str], Path], tmp_path: Path
) -> None:
    script = answering(tmp_path, "hello) echo ok save;; save) echo error;; *) echo ok")
    saves = played(behind(script), lambda case: case.id in EACH_CALL)
    assert unsupported_in_words(saves, "did not go well")


def test_histories_are_saved_for_whom_an_engine_was_built() -> None:
    built_for = target_of(Fixed("olmoe", (16, 64)))
    assert (built_for.name, built_for.n_layers, built_for.n_experts) == ("olmoe", 16, 64)
    assert target_of(Fixed("olmoe")).name == "olmoe"


# -- calls --------------------------------------------------------------------------------------------------------


def calls(*words: str) -> tuple[Call, ...]:
    return tuple(Call(number, word, ("f",)) for number, word in enumerate(words, start=1))


def test_the_calls_of_a_save_are_those_a_session_without_it_does_not_make() -> None:
    whole = calls("open", "write", "close", "open", "write", "write", "close", "rename", "close")
    without = calls("open", "write", "close", "close")
    found = of_the_save(whole, without)
    assert [(call.number, call.place) for call in found] == [
        (4, "open-1"),
        (5, "write-1"),
        (6, "write-2"),
        (7, "close-1"),
        (8, "rename-1"),
    ]


def test_the_middle_of_many_calls_of_one_kind_is_left_out() -> None:
    found = of_the_save(calls("open", *["write"] * 600, "close"), ())
    assert [call.place for call in interrupted_at(found)] == [
        "open-1",
        *(f"write-{number}" for number in (1, 2, 3, 4, 5, 596, 597, 598, 599, 600)),
        "close-1",
    ]


def test_a_log_that_was_cut_off_is_read_to_its_last_whole_line() -> None:
    assert logged(b"1\topen\ta b\n2\trename\ta b\tc\n3\tclo") == (
        Call(1, "open", ("a b",)),
        Call(2, "rename", ("a b", "c")),
    )


def test_the_history_s_own_calls_are_told_from_others() -> None:
    log = ["1 open t", "2 write t", "3 write lock", "4 close t", "5 rename t h", "6 close lock", "7 sync h"]
    save = logged("".join(line.replace(" ", "\t") + "\n" for line in log).encode())
    own = [call.number for call in save if on_the_history(call, save, "h")]
    assert own == [2, 4, 7]
    assert [call.number for call in save if in_place_by(call, save, "h")] == [6, 7]


def test_no_record_is_lost_with_the_close_of_a_file_that_was_synced() -> None:
    synced, unsynced = calls("open", "write", "sync", "close"), calls("open", "sync", "write", "close")
    assert not on_the_history(synced[3], synced, "f")
    assert on_the_history(unsynced[3], unsynced, "f")


def test_no_case_of_the_corpus_has_the_id_of_an_interrupted_save() -> None:
    assert [case.id for case in vectors.committed()[0] if names_interrupted_save(case.id)] == []
    assert all(map(names_interrupted_save, (*EACH_CALL, TWO_SAVERS, "W17-write-fails-3", "W16-killed-at-open-1")))


# -- the command line ---------------------------------------------------------------------------------------------


def test_results_join_the_report(
    interruptible: None, engine_with: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    engine = str(engine_with("DOES_NOT_LOOK_AT_CLOSE"))
    chosen = ["--case", "W17-close-fails-1", "--case", "W16-killed-at-close-1"]
    words = ["run", "--interrupt", *chosen, "--strict", "--report", f"json={report}", "--", engine]
    assert main(words) == 1
    text = capsys.readouterr().out
    assert f"Again:  coli-conformance run --interrupt --case W17-close-fails-1 -- {engine}" in text
    results = {each["case"]: each for each in json.loads(report.read_text())["results"]}
    assert results["W17-close-fails-1"]["broken"] == ["W17"]
    assert results["W16-killed-at-close-1"]["status"] == "pass"
    assert len(results) == 2


def test_cases_of_the_corpus_and_interrupted_ones_are_chosen_together(
    interruptible: None, c_engine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "--interrupt", "--case", "W07-olmoe", "--case", "W24-held-at-rename-1", "--", str(c_engine)]
    assert main(words) == 0
    assert "of 2 selected cases" in capsys.readouterr().out


@pytest.mark.parametrize("choice", [["--case", "W24-two-savers"], ["--clause", "W24"]])
def test_without_the_option_it_is_named(choice: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *choice, "--", "true"]) == 2
    assert "`run --interrupt` plays them" in capsys.readouterr().err


# -- the envelope -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "SIZES", ((1, 3, 5), (10, 9, 16), (100, 31, 51)))


def test_the_envelope_is_measured_at_three_sizes(
    c_engine: Path, small_sizes: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--envelope", "--case", "W07-olmoe", "--", str(c_engine)]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(at for at, line in enumerate(lines) if line.split()[:1] == ["envelope"])
    assert [line.split()[:2] for line in lines[head + 1 : head + 4]] == [["1", "x"], ["10", "x"], ["100", "x"]]
    assert [line.split(")")[1].split()[0] for line in lines[head + 1 : head + 4]] == ["20", "160", "1,632"]
    assert all(line.split(")")[1].count("ms") == 2 for line in lines[head + 1 : head + 4])


def test_a_wrong_answer_ends_the_measurement(
    tmp_path: Path, small_sizes: None, capsys: pytest.CaptureFixture[str]
) -> None:
    script = answering(tmp_path, "hello) echo ok load save;; *) echo ok 7")
    main(["run", "--envelope", "--case", "R01-*", "--", str(script)])
    text = " ".join(capsys.readouterr().out.split())
    assert "The envelope was not measured further: `init glm_moe_dsa 3 5` was answered by `ok 7`" in text


def costs(*seconds: float) -> Envelope:
    return Envelope(
        tuple(
            Cost(times, 1, 1, times, load=taken, save=0.001, memory=times)
            for times, taken in zip((1, 10, 100), seconds, strict=True)
        )
    )


def test_quadratic_growth_is_flagged() -> None:
    (sentence,) = quadratic(costs(0.01, 0.6, 7.0))
    assert sentence.startswith("A load takes 60 times as much for 10 times the records")
    assert list(quadratic(costs(0.01, 0.1, 1.0))) == []
    assert len(list(quadratic(costs(0.01, 1.0, 60.1)))) == 2


def test_what_takes_no_time_tells_nothing_of_growth() -> None:
    assert list(quadratic(costs(0.0001, 0.01, 0.04))) == []


def test_the_envelope_says_what_it_needs() -> None:
    reader = EngineDescription("reader", ("reader",), frozenset({"load"}), "a process per case")
    assert why_not_measured(reader) == "It takes roles that the engine does not claim: save."
    both = frozenset({"load", "save"})
    fixed = EngineDescription("fixed", ("fixed",), both, "a process per case", Fixed("olmoe", (16, 64)))
    assert "built for olmoe with 16 x 64 counters" in (why_not_measured(fixed) or "")
    assert why_not_measured(EngineDescription("any", ("any",), both, "a process per case")) is None

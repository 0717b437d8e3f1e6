"""The search finds what it should, shrinks it, saves it and says so; about sound engines it finds nothing."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from coli_conformance import faults
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.corpus.target import Target
from coli_conformance.engines.command import open_command
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import Transport
from coli_conformance.fuzzing.outcome import exit_status
from coli_conformance.fuzzing.search import Findings, search
from coli_conformance.fuzzing.source import KINDS, entries
from coli_conformance.judge.verdict import Status
from coli_reference.engine import ReferenceEngine

DRIVERS = Path(__file__).parent / "drivers"
SMALL = 100
"""Bytes of files and commands that are enough to show any of the faults below, and more than a minimal case has."""


def searched(transport: Transport, folder: Path, *, count: int, seed: int = 1) -> Findings:
    return search(transport, entries(seed), seconds=None, count=count, folder=folder, on_input=lambda *_: None)


def searched_fault(name: str, folder: Path, *, count: int, seed: int = 1) -> Findings:
    with InProcess(faults.fault(name), name, {}) as transport:
        return searched(transport, folder, count=count, seed=seed)


@pytest.mark.parametrize(
    "name",
    [
        # readers
        *("blank-line-ends-the-history", "stop-at-minus3", "refuse-at-minus3", "unknown-record-credited"),
        *("legacy-text-refused", "crlf-refused", "last-line-without-newline-lost", "empty-file-refused"),
        "experts-clamped",
        *("layers-unchecked", "identity-unchecked", "version-unchecked", "trust-relaxes-nothing"),
        *("crash-on-a-word", "counters-out-of-bounds", "numbers-wrap", "dropped-row-credited"),
        # writers
        *("hash-printed-signed", "mtp-row-lost-on-write", "unregistered-record"),
    ],
)
def test_a_fault_is_found_and_shrunk_without_the_corpus(name: str, tmp_path: Path) -> None:
    found = searched_fault(name, tmp_path, count=500)
    about = [difference for difference in found.differences if difference.key[1] in faults.breaks(faults.fault(name))]
    assert about, f"{name} was not found: {[difference.key for difference in found.differences]}"
    smallest = min(difference.answered.asked.entry.size for difference in about)
    assert smallest <= SMALL
    assert not found.doubtful


@pytest.mark.parametrize("seed", [1, 5])
@pytest.mark.parametrize("name", ["header-after-data-ignored", "header-after-data-credits"])
def test_a_late_header_that_is_read_past_or_credited_before_breaks_no_must(
    name: str, seed: int, tmp_path: Path
) -> None:
    found = searched_fault(name, tmp_path, count=1500, seed=seed)
    assert [difference.key for difference in found.differences] == [(Status.FAIL, "R20")]


def test_nothing_is_found_about_the_c_engine(c_engine: Path, tmp_path: Path) -> None:
    with open_command([str(c_engine)]) as transport:
        found = searched(transport, tmp_path / "corpus", count=3000)
        spawns = transport.spawns
    assert found.differences == []
    assert not found.in_company
    assert set(found.inputs) == set(KINDS)
    assert found.inputs.total() == 3000
    assert spawns < 200
    assert not (tmp_path / "corpus").exists()


def test_the_same_seed_makes_the_same_entries() -> None:
    first, again, other = ([asked.entry for _, asked in islice(entries(seed), 300)] for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_what_was_saved_is_tried_first(tmp_path: Path) -> None:
    found = searched_fault("stop-at-minus3", tmp_path, count=300)
    saved = {file.stem for file in tmp_path.iterdir()}
    assert saved == {difference.answered.asked.case.id for difference in found.differences}
    assert any(name.startswith("R02-fuzz-") for name in saved)
    again = searched_fault("stop-at-minus3", tmp_path, count=0)
    assert {difference.answered.asked.case.id for difference in again.differences} == saved
    assert all(difference.kept for difference in again.differences)
    with InProcess(ReferenceEngine, "reference", {}) as transport:
        repaired = searched(transport, tmp_path, count=0)
    assert {case.id for case in repaired.passing_again} == saved
    assert repaired.differences == []


def test_a_saved_case_is_a_vector_that_says_what_was_broken(tmp_path: Path) -> None:
    searched_fault("stop-at-minus3", tmp_path, count=300)
    (path,) = tmp_path.glob("R02-*.json")
    (case,) = vectors.parse_area(path.read_text(), path.name)
    assert case.clauses == ("R02",)
    (file,) = case.setup
    assert file.data is not None
    assert re.fullmatch(rb"-[0-9]+ -?[0-9]+ [0-9]+\n[0-9]+ [0-9]+ [0-9]+\n?", file.data)
    assert case.outcomes[0].answers[1] == f"ok {file.data.split()[-1].decode()}"


def test_state_that_leaks_is_no_difference_of_the_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(DRIVERS)
    with open_python("leaky_engines:CountersKept", jobs=1) as transport:
        of_one_model = entries(1, Target())
        found = search(transport, of_one_model, seconds=None, count=60, folder=tmp_path, on_input=lambda *_: None)
    assert found.in_company
    assert found.differences == []
    assert exit_status(found, strict=False) == 1


def test_an_engine_that_hangs_is_found_out_and_given_up(tmp_path: Path) -> None:
    driver = tmp_path / "driver.sh"
    driver.write_text(
        "#!/bin/sh\nwhile read -r verb rest; do\n"
        "case $verb in hello) echo ok load bounds identify;; load) sleep 60;; init|drop) echo ok;; *) echo ok;; esac\n"
        "done\n"
    )
    driver.chmod(0o755)
    with open_command([str(driver)], timeout=0.2) as transport:
        found = searched(transport, tmp_path / "corpus", count=100)
    assert [difference.key for difference in found.differences] == [(Status.TIMEOUT, "R17")]
    assert found.gave_up is not None and "timed out" in found.gave_up
    assert found.inputs.total() < 100


def test_a_plain_driver_that_is_built_for_one_model_is_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], c_engine: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coli-engine.yaml").write_text(
        f"load: [{str(DRIVERS / 'one_read.sh')!r}, {str(c_engine)!r}, glm_moe_dsa, '5', '8', load, '{{path}}']\n"
        "name: dashboard\nroles: [load, bounds, identify]\nengine: glm_moe_dsa\ndimensions: 5x8\n"
    )
    status = main(["fuzz", "--count", "60", "--seed", "1", "--manifest", "coli-engine.yaml"])
    output = capsys.readouterr()
    assert status == 0, output.out + output.err
    assert "60 inputs" in output.out


@pytest.fixture
def in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def test_fuzz_shows_a_difference_as_a_failing_case(in_a_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["fuzz", "--count", "300", "--seed", "1", "--engine", "fault:stop-at-minus3"])
    output = capsys.readouterr().out
    assert status == 1
    assert "search with seed 1 " in output
    assert re.search(r"must +R02 ", output)
    (again,) = re.findall(r"Again:  (coli-conformance shrink --case R02-.*)", output)
    assert main(shlex.split(again)[1:]) == 1
    shrunk = capsys.readouterr().out
    assert "expected `ok " in shrunk
    assert list((in_a_folder / ".coli-fuzz").glob("R02-fuzz-*.json"))


def test_a_difference_in_a_should_counts_where_shoulds_do(
    in_a_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["fuzz", "--count", "600", "--seed", "1", "--engine", "fault:negative-id-wraps"]
    strict = main([*options, "--strict"])
    lenient = main(options)
    assert "should" in capsys.readouterr().out
    assert (lenient, strict) == (0, 1)


def test_fuzz_says_when_nothing_can_be_asked(
    in_a_folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    driver = tmp_path / "driver.sh"
    driver.write_text("#!/bin/sh\nread -r hello\necho ok pin\n")
    driver.chmod(0o755)
    assert main(["fuzz", "--count", "5", "--", str(driver)]) == 2
    assert "a search needs an engine that claims `load` or `save`" in capsys.readouterr().err


def test_fuzz_names_a_saved_file_that_is_none(in_a_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_a_folder / ".coli-fuzz").mkdir()
    (in_a_folder / ".coli-fuzz" / "broken.json").write_text("{")
    assert main(["fuzz", "--count", "5", "--engine", "fault:stop-at-minus3"]) == 2
    assert "broken.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", [["--seconds", "nan"], ["--seconds", "-1"], ["--count", "x"], ["--timeout", "0"], []]
)
def test_wrong_usage_is_status_2(options: list[str], in_a_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = ["--engine", "fault:stop-at-minus3"] if options else []
    assert main(["fuzz", *options, *engine]) == 2
    assert capsys.readouterr().err


def test_an_engine_that_does_not_start_is_status_3(in_a_folder: Path) -> None:
    assert main(["fuzz", "--count", "5", "--", "./absent"]) == 3


@pytest.mark.parametrize("case_id", ["R02-first-minus10-1-0", "R02-among-data-minus20-0-1"])
def test_shrink_makes_a_case_of_the_corpus_small(
    case_id: str, in_a_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shrink", "--case", case_id, "--engine", "fault:refuse-at-minus3"]) == 1
    assert "expected `ok" in capsys.readouterr().out
    (path,) = (in_a_folder / ".coli-fuzz").glob("R02-fuzz-*.json")
    (case,) = json.loads(path.read_text())["cases"]
    assert case["setup"][0]["text"].count(" ") <= 4, "one unknown record and at most one data record are enough"


def test_shrink_says_why_a_case_cannot_be_made_smaller(in_a_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "--case", "P01-both", "--engine", "fault:stats-before-history"]) in {1, 2}
    assert capsys.readouterr().err


def test_shrink_has_nothing_to_do_about_a_case_that_passes(
    in_a_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shrink", "--case", "R01-one-record", "--engine", "fault:stop-at-minus3"]) == 0
    assert "pass" in capsys.readouterr().out


def test_shrink_needs_one_case(in_a_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shrink", "--case", "R01-*", "--engine", "fault:stop-at-minus3"]) == 2
    assert main(["shrink", "--case", "R01-one-recrd", "--engine", "fault:stop-at-minus3"]) == 2
    assert "Did you mean R01-one-record" in capsys.readouterr().err

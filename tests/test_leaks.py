"""State leaks of reusable drivers: found with the pair of cases that shows them, and never where there is none."""

from __future__ import annotations

import json
import shlex
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus.vectors import committed
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.reusable import Reusable
from coli_conformance.judge.verdict import Status
from coli_conformance.leaks import Leak, LeakSearch, find_leaks
from coli_conformance.runner import Run, run

DRIVERS = Path(__file__).parent / "drivers"

ONE_RECORD, FEW_RECORDS = "R01-one-record", "R01-few-records"
SMALLEST = "R01-1x1"
EVERY_COUNTER = "R01-every-counter"
MTP_ROW_DROPPED = "R11-mtp-row"
REFUSED = "R05-glm_moe_dsa-reads-kimi_k3"
KIMI, OLMOE = "W07-kimi_k3", "W07-olmoe"
READS = (ONE_RECORD, FEW_RECORDS, SMALLEST)


def cases(*ids: str) -> list[Case]:
    by_id = {case.id: case for case in committed()[0]}
    chosen = [by_id[case_id] for case_id in ids]
    assert not any(case.alone for case in chosen)
    return chosen


@pytest.fixture(autouse=True)
def _where_the_engines_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DRIVERS)


def searched(engine: str, *ids: str, jobs: int = 1) -> tuple[Run, LeakSearch]:
    """Return the run of these cases in this order, and the search for leaks after it."""
    with open_python(f"leaky_engines:{engine}", jobs=jobs) as transport:
        assert isinstance(transport, Reusable)
        done = run(transport, cases(*ids), on_result=lambda *_: None)
        return done, find_leaks(transport, cases(*ids), done.results)


def verdicts(search: LeakSearch) -> dict[str, Status]:
    return {case.id: result.status for case, result, _ in search.settled}


def failing_after(case_id: str, after: str | None) -> Leak:
    return Leak(case_id, after, alone=Status.PASS, together=Status.FAIL)


@pytest.mark.parametrize(
    ("engine", "ids", "leaks"),
    [
        (
            "CountersKept",
            (ONE_RECORD, FEW_RECORDS),
            [failing_after(ONE_RECORD, FEW_RECORDS), failing_after(FEW_RECORDS, ONE_RECORD)],
        ),
        ("DroppedRowsKept", (MTP_ROW_DROPPED, EVERY_COUNTER), [failing_after(EVERY_COUNTER, MTP_ROW_DROPPED)]),
        ("RefusalRemembered", (REFUSED, ONE_RECORD), [failing_after(ONE_RECORD, REFUSED)]),
        ("FirstNameKept", (KIMI, OLMOE), [failing_after(KIMI, OLMOE), failing_after(OLMOE, KIMI)]),
    ],
)
def test_a_leak_is_told_with_the_earlier_case_and_does_not_count(
    engine: str, ids: tuple[str, ...], leaks: list[Leak]
) -> None:
    # With two jobs the cases of the run itself are in no process together.
    _, search = searched(engine, *ids, jobs=2)
    assert list(search.leaks) == leaks
    assert verdicts(search) == dict.fromkeys(ids, Status.PASS)


def test_the_earlier_case_is_found_among_many_that_do_no_harm() -> None:
    _, search = searched("RefusalRemembered", ONE_RECORD, REFUSED, SMALLEST, FEW_RECORDS, KIMI, OLMOE, EVERY_COUNTER)
    assert EVERY_COUNTER in {leak.case_id for leak in search.leaks}
    assert {leak.after for leak in search.leaks} == {REFUSED}
    assert set(verdicts(search).values()) == {Status.PASS}


@pytest.mark.parametrize("engine", ["Sound", "WrongInEverySession", "CrashesInEverySession"])
def test_no_leak_where_there_is_none(engine: str) -> None:
    done, search = searched(engine, *READS, REFUSED)
    assert (Status.PASS in {result.status for result in done.results[:3]}) == (engine == "Sound")
    assert search == LeakSearch()


def test_an_order_that_hides_a_failure_hides_it_no_longer() -> None:
    done, search = searched("RightFromTheSecondSessionOn", *READS)
    assert [result.status for result in done.results] == [Status.FAIL, Status.PASS, Status.PASS]
    assert verdicts(search) == dict.fromkeys(READS, Status.FAIL)
    assert {(leak.alone, leak.together) for leak in search.leaks} == {(Status.FAIL, Status.PASS)}
    assert all(leak.after in READS for leak in search.leaks)


def test_a_leak_that_takes_more_than_one_earlier_case_is_told_without_one() -> None:
    _, search = searched("ThirdLoadRefused", *READS)
    assert failing_after(SMALLEST, None) in search.leaks


def test_a_single_case_has_nothing_to_leak_from() -> None:
    assert searched("CountersKept", ONE_RECORD)[1] == LeakSearch()


def test_every_process_of_a_search_is_counted(tmp_path: Path) -> None:
    counting = tmp_path / "counting"
    counting.write_text(f'#!/bin/sh\necho started >> {shlex.quote(str(tmp_path))}/log\nexec "$@"\n')
    counting.chmod(0o755)
    with open_python("leaky_engines:RefusalRemembered", wrap=[str(counting)]) as transport:
        assert isinstance(transport, Reusable)
        chosen = cases(REFUSED, ONE_RECORD)
        find_leaks(transport, chosen, run(transport, chosen, on_result=lambda *_: None).results)
        assert transport.spawns == len((tmp_path / "log").read_text().splitlines()) > 4


def test_no_run_of_a_case_that_needs_its_own_process_shares_one() -> None:
    twice = [case for case in committed()[0] if case.second_run is not None]
    assert twice
    assert all(case.second_run.alone for case in twice if case.second_run is not None)
    with open_python("leaky_engines:CountersKept") as transport:
        done = run(transport, [*cases(ONE_RECORD), twice[0]], on_result=lambda *_: None)
    assert [result.status for result in done.results] == [Status.PASS, Status.PASS]


# -- in a run ---------------------------------------------------------------------------------------------------------


def played(tmp_path: Path, engine: str, *words: str) -> tuple[int, dict[str, object]]:
    """Return the exit status and the JSON report of a run, which is what its schema declares."""
    path = tmp_path / "report.json"
    status = main(["run", "--report", f"json={path}", *words, "--engine", f"python:leaky_engines:{engine}"])
    document: dict[str, object] = json.loads(path.read_text())
    declared = (resources.files("coli_conformance.reports") / "report.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(declared)).validate(document)
    return status, document


def test_a_leak_makes_a_run_fail_and_no_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"
    words = ["--case", REFUSED, "--case", ONE_RECORD, "--jobs", "1", "--keep", str(kept)]
    status, document = played(tmp_path, "RefusalRemembered", *words)
    out = capsys.readouterr().out
    again = f"coli-conformance run --jobs 1 --case {REFUSED} --case {ONE_RECORD}"
    again += " --engine python:leaky_engines:RefusalRemembered"
    assert status == 1
    assert document["leaks"] == [{"case": ONE_RECORD, "after": REFUSED, "alone": "pass", "together": "fail"}]
    assert document["musts"] == {"passed": 2, "failed": 0, "unsupported": 0}
    assert document["verdict"] == "conformant"
    assert f"After {REFUSED} in the same process, {ONE_RECORD}: fail. Alone: pass." in out
    assert f"Again:  {again}\n" in out
    assert list(kept.iterdir()) == []
    assert main(shlex.split(again)[1:]) == 1
    assert f"After {REFUSED} in the same process, {ONE_RECORD}: fail." in capsys.readouterr().out


def test_a_failure_that_an_order_hid_is_shown_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for case_id in READS for word in ("--case", case_id)]
    status, document = played(tmp_path, "RightFromTheSecondSessionOn", *words, "--jobs", "1")
    assert status == 1
    assert document["musts"] == {"passed": 0, "failed": 3, "unsupported": 0}
    out = capsys.readouterr().out
    assert all(f"Again:  coli-conformance run --case {name} " in out for name in READS)


def test_a_sound_driver_passes(tmp_path: Path) -> None:
    words = [word for case_id in (*READS, REFUSED, KIMI) for word in ("--case", case_id)]
    status, document = played(tmp_path, "Sound", *words)
    assert (status, document["leaks"]) == (0, [])

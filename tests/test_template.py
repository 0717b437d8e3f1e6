"""Engines without a driver, run by a command template: their output and exit status are the answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from coli_conformance import manifest
from coli_conformance.case import Case
from coli_conformance.corpus import vectors
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.engines.declared import open_declared
from coli_conformance.engines.fixed import Fixed
from coli_conformance.engines.template import ExitStatuses, Template, open_template
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.judge.judging import judge
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

DASHBOARD = Path(__file__).parents[1] / "examples" / "dashboard"
DRIVERS = Path(__file__).parent / "drivers"
CASES, _ = vectors.committed()


def played(template: Template, cases: Sequence[Case], fixed: Fixed | None = None, timeout: float = 30) -> list[Result]:
    with open_template(template, fixed=fixed or Fixed(), jobs=2, timeout=timeout) as transport:
        return list(run(transport, cases, on_result=lambda *_: None).results)


def shell(script: str, exits: ExitStatuses | None = None) -> Template:
    """A template whose command is a shell script; the file to read is $1."""
    return Template(("sh", "-c", script, "sh", "{path}"), exits=exits or ExitStatuses())


def reading(content: str, *, refused: bool = False) -> Case:
    """A case about one read of `content`, which means the records 3 2 5 and 4 1 8 where it is not refused."""
    session = Session(Target())
    session.given("history", content)
    if refused:
        session.refused("history")
    else:
        session.load("history", [(3, 2, 5), (4, 1, 8)])
    session.counts()
    return session.case("R01-made-here", "Made for this test.")


def broken(results: Sequence[Result]) -> dict[str, Status]:
    return {
        result.case_id: result.status for result in results if result.status not in {Status.PASS, Status.UNSUPPORTED}
    }


# -- the example dashboard --------------------------------------------------------------------------------------------


def test_the_example_dashboard_passes_what_it_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    # The example says python3; the one that runs these tests is sure to be new enough.
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    with open_declared(manifest.read(DASHBOARD / "coli-engine.yaml"), jobs=2, timeout=60) as transport:
        results = run(transport, CASES, on_result=lambda *_: None).results
    assert broken(results) == {}
    passed = [result for result in results if result.status is Status.PASS]
    assert len(passed) == transport.spawns
    assert {result.case_id.partition("-")[0] for result in passed} >= {
        *("R01", "R02", "R08", "R12", "R13", "R14", "R15", "R17", "R21", "R22", "R23", "R24")
    }


@pytest.mark.parametrize(
    ("fault", "clause", "status"), [("stops", "R02", Status.FAIL), ("crashes", "R13", Status.CRASH)]
)
def test_a_dashboard_with_a_fault_is_red(fault: str, clause: str, status: Status) -> None:
    words = (sys.executable, str(DRIVERS / "faulty_dashboard.py"), str(DASHBOARD), fault, "{path}")
    about = [case for case in CASES if case.clauses[0] == clause and case.roles == ("load",)][:12]
    results = played(Template(words, exits=ExitStatuses(refused=3)), about)
    assert status in broken(results).values()
    assert {clause for result in results for clause in result.broken} == {clause}


def test_a_dashboard_that_shows_layer_99_of_5_does_not_keep_bounds() -> None:
    words = (sys.executable, str(DASHBOARD / "dashboard.py"), "--dump", "{path}")
    template = Template(words, roles=frozenset({"load", "bounds"}), exits=ExitStatuses(refused=3))
    session = Session(Target())
    session.given("history", "3 2 5\n99 4 1\n")
    session.load("history", [(3, 2, 5), (99, 4, 1)])
    session.counts()
    case = session.case("R10-made-here", "Made for this test.")
    (result,) = played(template, [case], Fixed("glm_moe_dsa", (5, 8)))
    assert (result.status, result.broken) == (Status.FAIL, ("R10",))
    assert result.detail == "the counter of layer 99, expert 4 is 1, expected 0"


# -- exit statuses and output -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "status", "told"),
    [
        ("cat $1", Status.PASS, ""),
        ("exit 1", Status.FAIL, "answered `refused`, expected `ok 13`"),
        ("cat $1; exit 77", Status.UNSUPPORTED, "exit status 77"),
        ("cat $1; exit 2", Status.CRASH, "exit status 2; it says 0 where it accepted the file, 1 where it refused"),
        ("cat $1; kill -s SEGV $$", Status.CRASH, "SIGSEGV"),
        ("exec sleep 60", Status.TIMEOUT, "still running after 1 s"),
        ("echo 3 2 4; echo 4 1 8; echo 3 2 1", Status.PASS, ""),
        ("tr '\\n' '\\r' <$1 | sed 's/\\r/\\r\\n/g'", Status.PASS, ""),
        ("printf '3 2 5\\n4 1 8'", Status.PASS, ""),
        ("cat $1; echo 4 2 1", Status.FAIL, "the counter of layer 4, expert 2 is 1, expected 0"),
        ("cat $1; echo layers: 2", Status.FAIL, "`counts` answered the line `layers: 2`"),
        ("cat $1; echo ok 13", Status.FAIL, "`counts` answered the line `'ok 13'`"),
        ("cat $1; cat; cat", Status.PASS, ""),
    ],
)
def test_what_a_command_does_with_a_good_file(script: str, status: Status, told: str) -> None:
    (result,) = played(shell(script), [reading("3 2 5\n4 1 8\n")], timeout=1 if "sleep" in script else 30)
    assert result.status is status
    assert told in result.detail


def test_a_refusal_credits_nothing_whatever_was_printed_before() -> None:
    (result,) = played(shell("cat $1; exit 1"), [reading("3 2 5\n", refused=True)])
    assert result.status is Status.PASS
    (result,) = played(shell("cat $1"), [reading("3 2 5\n", refused=True)])
    assert (result.status, result.detail) == (Status.FAIL, "`load history` answered `ok`, expected `refused`")


def test_only_a_reader_without_totals_may_leave_the_total_out() -> None:
    seen = Observation(b"ok\nok\n3 2 5\n4 1 8\nok\n")
    case = reading("3 2 5\n4 1 8\n")
    assert judge(case, seen).detail == "`load history` answered `ok`, expected `ok 13`"
    assert judge(case, replace(seen, totals=False)).status is Status.PASS


def test_exit_statuses_can_mean_something_else() -> None:
    exits = ExitStatuses(accepted=10, refused=0, unsupported=1)
    good, bad = reading("3 2 5\n4 1 8\n"), reading("x", refused=True)
    assert [played(shell(f"cat $1; exit {status}", exits), [good])[0].status for status in (10, 0, 1, 77)] == [
        *(Status.PASS, Status.FAIL, Status.UNSUPPORTED, Status.CRASH)
    ]
    assert played(shell("exit 0", exits), [bad])[0].status is Status.PASS


def test_the_path_can_stand_within_a_word_and_more_than_once() -> None:
    script = 'test "$1" = "--file=history" && test "$2" = history && cat history'
    template = Template(("sh", "-c", script, "sh", "--file={path}", "{path}"))
    assert played(template, [reading("3 2 5\n4 1 8\n")])[0].status is Status.PASS


def test_a_trusted_read_is_a_command_of_its_own() -> None:
    template = Template(("false", "{path}"), ("cat", "{path}"), frozenset({"load", "trusted"}))
    session = Session(Target())
    session.given("typed.txt", "3 2 5\n")
    session.load("typed.txt", [(3, 2, 5)], trusted=True)
    session.counts()
    assert played(template, [session.case("R01-made-here", "Made for this test.")])[0].status is Status.PASS
    assert played(template, [reading("3 2 5\n4 1 8\n")])[0].status is Status.FAIL


def test_a_command_that_is_not_there_is_an_unusable_engine() -> None:
    with pytest.raises(EngineUnusable, match="no-such-dump"):
        open_template(Template(("./no-such-dump", "{path}")))


# -- what cannot be asked of one read ---------------------------------------------------------------------------------


def test_sessions_that_one_read_cannot_have_are_unsupported_and_not_played() -> None:
    two_reads, dropped, counted_before = Session(Target()), Session(Target()), Session(Target())
    two_reads.load("a", [])
    two_reads.load("b", [])
    dropped.drop(2)
    dropped.load("a", [])
    counted_before.counts()
    counted_before.load("a", [])
    sessions = {
        "load b": two_reads,
        "drop 2": dropped,
        "counts": counted_before,
        "init glm_moe_dsa 5 8": Session(Target()),
    }
    for step, session in sessions.items():
        case = session.case("R01-made-here", "Made for this test.", roles=("load",))
        with open_template(Template(("cat", "{path}"), roles=frozenset({"load", "bounds"}))) as transport:
            (result,) = run(transport, [case], on_result=lambda *_: None).results
            assert transport.spawns == 0
        assert result.status is Status.UNSUPPORTED
        assert f"`{step}` has no equivalent" in result.detail

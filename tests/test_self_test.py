"""The suite's test of itself: what makes a corpus inadequate, how faults are played, the command, the canaries.

That the whole corpus is adequate and the committed matrix today's, the CI asks of the command.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from coli_conformance import faults
from coli_conformance.case import Case
from coli_conformance.cli import main, self_test
from coli_conformance.cli.engine_choice import CANARIES
from coli_conformance.corpus import vectors
from coli_conformance.engines.in_process import InProcess
from coli_conformance.runner import run
from coli_conformance.selftest import adequacy, markdown
from coli_conformance.selftest.matrix import Row, rows
from coli_conformance.selftest.play import (
    BLATANT,
    SOUND,
    Played,
    Plays,
    Reached,
    play_blatant,
    play_sound,
)
from coli_conformance.selftest.reach import replaced
from coli_reference.engine import ReferenceEngine

CASES = vectors.committed()[0]
Captured = pytest.CaptureFixture[str]


# -- what makes a corpus inadequate -----------------------------------------------------------------------------------


def as_it_should_be() -> tuple[Plays, tuple[Row, ...]]:
    """Return what the matrix would be if each fault were shown by one case, and reddened all that it declares."""
    first_about: dict[str, Case] = {}
    for case in CASES:
        first_about.setdefault(case.clauses[0], case)
    played = []
    for name, fault in faults.all_faults().items():
        clauses = faults.breaks(fault)
        played.append(Played(name, {first_about[clauses[0]].id: clauses}, frozenset(), with_large=False))
    nothing = {case.id: case.clauses[:1] for case in CASES}
    sound = Played(SOUND, {}, frozenset(), with_large=True)
    plays = Plays(sound, Played(BLATANT, nothing, frozenset(), with_large=True), tuple(played))
    return plays, rows(plays.faults, CASES)


def test_nothing_is_said_where_nothing_is_missing() -> None:
    plays, matrix = as_it_should_be()
    assert list(adequacy.inadequacies(plays, matrix, CASES)) == []


def changed(name: str, **changes: object) -> tuple[Row, ...]:
    _, matrix = as_it_should_be()
    assert any(row.fault == name for row in matrix)
    return tuple(replace(row, **changes) if row.fault == name else row for row in matrix)  # type: ignore[arg-type]


def test_a_fault_that_survives_is_named() -> None:
    plays, _ = as_it_should_be()
    (problem,) = adequacy.inadequacies(plays, changed("dense-zeros", shown_by=()), CASES)
    assert problem.startswith("the fault dense-zeros survives: none of the 6 cases about W01")


def test_a_clause_that_a_fault_declares_and_does_not_redden_is_named() -> None:
    plays, _ = as_it_should_be()
    (problem,) = adequacy.inadequacies(plays, changed("fourth-field", also_red=()), CASES)
    assert problem.startswith("the fault fourth-field declares that it breaks W15 too")


@pytest.mark.parametrize(("clause", "level"), [("R02", "must"), ("W19", "should")])
def test_a_clause_that_no_fault_kills_is_named(clause: str, level: str) -> None:
    plays, matrix = as_it_should_be()
    others = tuple(row for row in matrix if row.clause != clause)
    (problem,) = adequacy.inadequacies(plays, others, CASES)
    assert problem.startswith(f"no fault about {clause}, a {level}, is shown")


@pytest.mark.parametrize("clause", ["R02", "R23"])
def test_a_clause_without_a_case_is_named(clause: str) -> None:
    plays, matrix = as_it_should_be()
    without = [case for case in CASES if case.clauses[0] != clause]
    problems = list(adequacy.inadequacies(plays, tuple(row for row in matrix if row.clause != clause), without))
    assert len(problems) == 1
    assert problems[0].startswith(f"no case is about {clause}, a ")


def test_a_sound_engine_that_fails_is_named() -> None:
    plays, matrix = as_it_should_be()
    failing = replace(plays.sound, broken={"W06-glm_moe_dsa": ("W06", "W03")})
    (problem,) = adequacy.inadequacies(replace(plays, sound=failing), matrix, CASES)
    assert problem.startswith("the sound engine fails W06-glm_moe_dsa (W06, W03)")


def test_a_control_fault_that_is_not_caught_in_an_area_is_named() -> None:
    plays, matrix = as_it_should_be()
    blind = {case_id: broken for case_id, broken in plays.blatant.broken.items() if not case_id.startswith("I")}
    shoulds_only = {**blind, "I06-empty": ("I06",)}
    uncaught = replace(plays, blatant=replace(plays.blatant, broken=shoulds_only))
    (problem,) = adequacy.inadequacies(uncaught, matrix, CASES)
    assert "breaks no must in area I" in problem


def test_a_clause_that_this_machine_cannot_ask_is_left_out() -> None:
    plays, _ = as_it_should_be()
    asking = frozenset(case.id for case in CASES if case.clauses[0] == "T09")
    unaskable = replace(plays, sound=replace(plays.sound, unsupported=asking))
    survivor = changed("comma-decimal-point", shown_by=())
    assert list(adequacy.inadequacies(unaskable, survivor, CASES)) == []
    assert len(list(adequacy.inadequacies(plays, survivor, CASES))) == 2


# -- how faults are played --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reached() -> Reached:
    """The steps of the sound engine that each case takes."""
    return play_sound()[1]


@pytest.mark.parametrize("name", ["two-decimals", "lines-end-in-crlf", "negative-id-wraps"])
def test_a_case_that_is_left_out_would_have_passed(name: str, reached: Reached) -> None:
    engine = faults.fault(name)
    names = replaced(engine)
    assert names is not None
    left_out = [case for case in CASES if not names & reached[case.id]]
    assert 100 < len(left_out) < len(CASES)
    with InProcess(engine, name, {}) as transport:
        results = run(transport, left_out, on_result=lambda *_: None).results
    assert [result for result in results if result.broken] == []


def test_a_fault_of_which_the_class_itself_differs_is_played_against_everything() -> None:
    class OtherRoles(ReferenceEngine):
        roles = frozenset({"load"})

    class OtherBeginning(ReferenceEngine):
        def __init__(self) -> None:
            super().__init__()

    class OtherCall(ReferenceEngine):
        def endcall(self) -> None:
            self.call += 2

    assert replaced(OtherRoles) is None
    assert replaced(OtherBeginning) is None
    assert replaced(OtherCall) == frozenset({"endcall"})


def test_the_engine_that_does_nothing_breaks_musts_of_readers_and_writers() -> None:
    red = {clause for broken in play_blatant().broken.values() for clause in broken}
    assert {"W11", "W12", "R01", "R05", "I01", "I03", "T01", "P01", "C02"} <= red


# -- the page and the command -----------------------------------------------------------------------------------------


def test_the_first_line_that_differs_is_quoted() -> None:
    assert markdown.difference("a\nb\n", "a\nb\n") is None
    assert str(markdown.difference("a\nb\n", "a\nc\n")).startswith("line 2 is `b`, and ")
    assert str(markdown.difference("a\n", "a\nc\n")).endswith("make it `c`")


@pytest.fixture
def canned(monkeypatch: pytest.MonkeyPatch) -> Callable[[Plays], None]:
    """Let the command see these plays instead of playing."""

    def install(plays: Plays) -> None:
        monkeypatch.setattr(self_test, "play_all", lambda names, jobs, on_played: plays)

    return install


def test_check_finds_what_write_did_not_write(
    canned: Callable[[Plays], None], tmp_path: Path, capsys: Captured
) -> None:
    page = tmp_path / "matrix.md"
    plays, _ = as_it_should_be()
    canned(plays)
    assert main(["self-test", "--write", str(page)]) == 0
    assert main(["self-test", "--check", str(page)]) == 0
    assert "adequate: " in capsys.readouterr().out
    page.write_text(page.read_text().replace("| `dense-zeros` |", "| `dense-ones` |"))
    assert main(["self-test", "--check", str(page)]) == 1
    assert "`dense-ones`" in capsys.readouterr().out
    assert main(["self-test", "--check", str(tmp_path / "none.md")]) == 2


def test_1_where_a_fault_survives(canned: Callable[[Plays], None], capsys: Captured) -> None:
    plays, _ = as_it_should_be()
    survivor = replace(plays.faults[0], broken={})
    canned(replace(plays, faults=(survivor, *plays.faults[1:])))
    assert main(["self-test"]) == 1
    assert f"the fault {survivor.name} survives" in capsys.readouterr().out.replace("\n  ", " ")
    canned(replace(plays, faults=(survivor,)))
    assert main(["self-test", "--fault", survivor.name]) == 1


def test_one_fault_alone(capsys: Captured) -> None:
    assert main(["self-test", "--fault", "hash-in-second-field", "--jobs", "1"]) == 0
    assert "W06-glm_moe_dsa" in capsys.readouterr().out


def test_2_for_wrong_usage(tmp_path: Path, capsys: Captured) -> None:
    assert main(["self-test", "--fault", "hash-in-third-field"]) == 2
    assert "Did you mean hash-in-second-field" in capsys.readouterr().err
    assert main(["self-test", "--fault", "dense-zeros", "--write", str(tmp_path / "m.md")]) == 2
    assert "leave --fault out" in capsys.readouterr().err


# -- the canaries -----------------------------------------------------------------------------------------------------


def test_the_canaries_are_a_writer_a_reader_and_a_trace_fault() -> None:
    assert [faults.breaks(faults.fault(name))[0][0] for name in CANARIES] == ["W", "R", "T"]


@pytest.mark.parametrize("name", CANARIES)
def test_a_canary_makes_a_run_red(name: str, capsys: Captured) -> None:
    (clause, *_) = faults.breaks(faults.fault(name))
    assert main(["run", "--engine", f"fault:{name}", "--clause", clause]) == 1
    out = capsys.readouterr().out
    assert ["must", clause] in [line.split()[:2] for line in out.splitlines()]
    assert f"--engine fault:{name}" in out


def test_the_help_of_run_names_the_canaries(capsys: Captured) -> None:
    assert main(["run", "--help"]) == 0
    text = "".join(capsys.readouterr().out.split())
    assert all(name in text for name in CANARIES)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--engine", "fault:hash-in-third-field"], "Did you mean hash-in-second-field"),
        (["--engine", "fault:"], "there is no faulty engine ''"),
        (["--engine", "fault:call-per-row", "--wrap", "valgrind"], "a fault: engine has none"),
    ],
)
def test_2_for_a_canary_that_is_none(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(["run", *arguments]) == 2
    assert told in capsys.readouterr().err

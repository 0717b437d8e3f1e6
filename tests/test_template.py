"""Engines without a driver, run by a command template, and engines built for one identity and one set of dimensions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from coli_conformance import corpus, manifest
from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.corpus.for_target import made_for
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target
from coli_conformance.engines import EngineUnusable
from coli_conformance.engines.declared import open_declared
from coli_conformance.engines.fixed import Fixed
from coli_conformance.engines.template import ExitStatuses, Template, open_template
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run
from coli_spec import SpecError

DASHBOARD = Path(__file__).parents[1] / "examples" / "dashboard"
DRIVERS = Path(__file__).parent / "drivers"
CASES, DIGEST = vectors.committed()
GLM = Target("glm_moe_dsa", 78, 256)


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


def written(folder: Path, text: str) -> Path:
    path = folder / "coli-engine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


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


# -- engines built for one identity and one set of dimensions ---------------------------------------------------------


def test_a_reader_built_for_olmoe_holds_all_that_it_claims(c_engine: Path, tmp_path: Path) -> None:
    words = f"{DRIVERS / 'one_read.sh'}, {c_engine}, olmoe, 16, 64"
    path = written(
        tmp_path,
        f'load: [{words}, load, "{{path}}"]\ntrust: [{words}, trust, "{{path}}"]\n'
        "roles: [load, bounds, identify, trusted, iku1]\nengine: olmoe\ndimensions: 16x64\n",
    )
    declared = manifest.read(path)
    cases, _ = made_for(declared.fixed.target)
    with open_declared(declared, jobs=2, timeout=30) as transport:
        results = run(transport, cases, on_result=lambda *_: None).results
    assert broken(results) == {}
    passed = {result.case_id.partition("-")[0] for result in results if result.status is Status.PASS}
    assert passed >= {"R03", "R04", "R05", "R06", "R07", "R10", "R16", "R18", "R20", "I02", "I03", "I05"}


def test_the_corpus_for_a_fixed_driver_is_made_for_it(tmp_path: Path) -> None:
    engine = (
        f"command: [{sys.executable}, -P, -m, coli_conformance.engines.serve, fixed_engine:OlmoeAlone]\n"
        f"env: {{PYTHONPATH: {DRIVERS}}}\n"
    )
    statuses = []
    for built_for in ("", "engine: olmoe\ndimensions: {n_layers: 16, n_experts: 64}\n"):
        declared = manifest.read(written(tmp_path, engine + built_for))
        cases = made_for(declared.fixed.target)[0] if declared.fixed else CASES
        about = [case for case in cases if case.clauses[0] in {"W03", "R09"}]
        with open_declared(declared, jobs=2, timeout=60) as transport:
            results = run(transport, about, on_result=lambda *_: None).results
        statuses.append({case.steps[0]: result.status for case, result in zip(about, results, strict=True)})
    unsaid, said = statuses
    assert set(unsaid.values()) == {Status.UNSUPPORTED}
    assert said == {init: Status.PASS if init == "init olmoe 16 64" else Status.UNSUPPORTED for init in said}
    assert "init olmoe 16 64" in said
    other = next(result for result in results if result.status is Status.UNSUPPORTED)
    assert "built for olmoe with 16 x 64 counters" in other.detail


@pytest.mark.parametrize("target", [GLM, Target("kimi_k3", 93, 896), Target("qwen38", 1, 1)], ids=lambda t: t.name)
def test_the_c_engine_passes_the_corpus_made_for_another_engine(c_engine: Path, target: Target) -> None:
    fixed = Fixed(target.name, (target.n_layers, target.n_experts))
    declared = manifest.Manifest(None, (str(c_engine),), {}, fixed)
    cases = [case for case in corpus.generate(target) if case.clauses[0][0] in "WRI"]
    with open_declared(declared, jobs=2, timeout=60) as transport:
        results = run(transport, cases, on_result=lambda *_: None).results
    assert broken(results) == {}
    passed = sum(result.status is Status.PASS for result in results)
    assert passed == sum(case.steps[0] == target.init for case in cases) > len(cases) // 2


def test_a_corpus_can_be_made_for_dimensions_that_a_clause_tries_anyway() -> None:
    ids = [case.id for case in corpus.generate(GLM)]
    assert len(ids) == len(set(ids))
    (corner,) = [case for case in corpus.generate(Target("mine", 78, 256)) if case.id == "R10-78x256-corners"]
    assert corner.steps[0] == "init mine 78 256"


def test_the_digest_is_that_of_the_files_that_would_be_written() -> None:
    assert made_for(Target())[1] == DIGEST
    assert made_for(Target("olmoe", 5, 8))[1] != DIGEST


@pytest.mark.parametrize(
    ("fixed", "init", "takes"),
    [
        (Fixed(), "init any 1 2", True),
        (Fixed("olmoe"), "init olmoe 3 4", True),
        (Fixed("olmoe"), "init olmoe2 3 4", False),
        (Fixed(dimensions=(3, 4)), "init any 3 4", True),
        (Fixed(dimensions=(3, 4)), "init any 4 3", False),
        (Fixed("olmoe", (3, 4)), "init olmoe 3 5", False),
    ],
)
def test_which_sessions_a_fixed_engine_takes(fixed: Fixed, init: str, takes: bool) -> None:
    assert fixed.takes(init) is takes


def test_what_is_not_built_in_is_that_of_the_committed_cases() -> None:
    assert Fixed("olmoe").target == Target("olmoe", 5, 8)
    assert Fixed(dimensions=(3, 4)).target == Target("glm_moe_dsa", 3, 4)


# -- manifests --------------------------------------------------------------------------------------------------------


def test_a_manifest_of_a_template(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text("")
    text = 'load: [./dump, "{path}"]\nexit: {refused: 4}\nengine: olmoe\ndimensions: 16x64\nroles: [load, bounds]\n'
    read = manifest.read(written(tmp_path, text))
    assert read.template == Template(
        (str(tmp_path / "dump"), "{path}"), None, frozenset({"load", "bounds"}), ExitStatuses(0, 4, 77)
    )
    assert read.command == ()
    assert read.fixed == Fixed("olmoe", (16, 64))


def test_a_template_claims_load_and_nothing_is_built_in_unless_it_says_so(tmp_path: Path) -> None:
    read = manifest.read(written(tmp_path, 'load: [cat, "{path}"]\n'))
    assert read.template == Template(("cat", "{path}"), None, frozenset({"load"}), ExitStatuses(0, 1, 77))
    assert not read.fixed


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('command: [a]\nload: [b, "{path}"]\n', 1, "both 'command' and 'load'"),
        ("load: [./dump]\n", 1, "no argument of 'load' has {path}"),
        ('load: ["{path}"]\n', 1, "no argument of 'load' has {path}"),
        ("load: []\n", 1, "empty"),
        ('load: [a, "{path}"]\ntrust: [a, -f]\nroles: [load, trusted]\nengine: a\ndimensions: 1x1\n', 2, "{path}"),
        ('load: [a, "{path}"]\nroles: [load, save]\n', 2, "'save' is no role of a command that reads one file"),
        ('load: [a, "{path}"]\nroles: [bounds]\ndimensions: 1x1\n', 2, "lacks load"),
        ('load: [a, "{path}"]\nroles: [load, bounds]\n', 2, "'bounds' needs the key 'dimensions'"),
        ('load: [a, "{path}"]\nroles: [load, identify]\ndimensions: 1x1\n', 2, "'identify' needs the key 'engine'"),
        ('load: [a, "{path}"]\nroles: [load, trusted]\nengine: a\ndimensions: 1x1\n', 2, "needs the key 'trust'"),
        ('load: [a, "{path}"]\ntrust: [a, "{path}"]\n', 2, "add it to 'roles'"),
        ('load: [a, "{path}"]\nexit: {refused: 0}\n', 2, "accepted 0, refused 0, unsupported 77"),
        ('load: [a, "{path}"]\nexit: {refused: 256}\n', 2, "at most 255"),
        ('load: [a, "{path}"]\nexit: {crash: 3}\n', 2, "crash"),
        ("command: [a]\nexit: {refused: 3}\n", 2, "'exit' goes with 'load'"),
        ("command: [a]\nengine: GLM\n", 2, "W07"),
        ("command: [a]\ndimensions: 16 by 64\n", 2, "such as 78x256, up to 1000x4096"),
        ("command: [a]\ndimensions: 0x64\n", 2, "0x64"),
        ("command: [a]\ndimensions: 1001x64\n", 2, "1001x64"),
        ("command: [a]\ndimensions: {n_layers: 16}\n", 2, "n_experts"),
        ("command: [a]\ndimensions: [16, 64]\n", 2, "a list"),
    ],
)
def test_complaints_about_templates_name_file_and_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        manifest.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert told in str(caught.value)


# -- the command line -------------------------------------------------------------------------------------------------


def test_a_run_by_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'name: old dump\nload: [cat, "{path}"]\nroles: [load]\n')
    report = tmp_path / "report.json"
    arguments = ["run", "--manifest", str(path), "--case", "R13-zero-bytes", "--case", "R14-two-files"]
    assert main([*arguments, "--report", f"json={report}"]) == 0
    assert "1 ask for an identity, dimensions or a session that the engine cannot take" in " ".join(
        capsys.readouterr().out.split()
    )
    results = {result["case"]: result["status"] for result in json.loads(report.read_text())["results"]}
    assert results["R13-zero-bytes"] == "pass"
    assert results["R14-two-files"] == "unsupported"
    header = next(case.id for case in CASES if case.clauses[0] == "R02" and case.roles == ("load",))
    assert main(["run", "--manifest", str(path), "--case", header]) == 1, "`cat` shows header records as counters"
    assert main(["run", "--manifest", str(path), "--case", "R14-two-files"]) == 2


def test_a_manifest_that_cannot_be_used_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'load: [./no-such-dump, "{path}"]\n')
    assert main(["run", "--manifest", str(path)]) == 3
    assert "./no-such-dump" in capsys.readouterr().err
    assert main(["run", "--manifest", str(written(tmp_path, "load: [a]\n"))]) == 2
    assert f"{path}:1: " in capsys.readouterr().err

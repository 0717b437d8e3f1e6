"""The command line: exit statuses, sentences for whoever typed it wrongly, and what each command writes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Self

import pytest

from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.cli.engine_choice import EngineChoice
from coli_conformance.corpus import vectors
from coli_conformance.engines.transport import EngineDescription
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.protocol import VERSION
from coli_conformance.selection import clauses_tested, select, select_twins
from coli_reference.identity import engine_id

DUTIES = frozenset({"load", "bounds", "identify", "trusted", "iku1", "save", "trace"})
ONE_CASE = ["--case", "W06-glm_moe_dsa"]
Behaviour = Callable[[Case], Observation]


def as_expected(case: Case) -> Observation:
    """Return what a sound engine shows: the first legal outcome of the case."""
    outcome = case.outcomes[0]
    files = {item.path: item.history.canonical_bytes for item in outcome.files if item.history is not None}
    return Observation(outcome.stdout, files=files)


def swapping(case: Case) -> Observation:
    """Return what an engine shows that writes the id where the version belongs."""
    sound = as_expected(case)
    text = sound.files[".coli_usage"].replace(b"-2 1 3815245270", b"-2 3815245270 1")
    return Observation(sound.stdout, files={".coli_usage": text})


def hanging(case: Case) -> Observation:
    return Observation(b"", ending=Ending.TIMEOUT, exit_status=-9, detail="It was killed after 10 s.")


def interrupted(case: Case) -> Observation:
    raise KeyboardInterrupt


class StandIn:
    """A transport without an engine: every case goes as `behaviour` says."""

    def __init__(self, behaviour: Behaviour, roles: frozenset[str] = DUTIES) -> None:
        self.description = EngineDescription("stand-in", ("./driver", "a b"), roles, "a stand-in")
        self.behaviour = behaviour
        self.spawns = 1
        self.closed = False

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        for case in cases:
            self.spawns += 1
            yield case, self.behaviour(case)

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., StandIn]:
    def install(behaviour: Behaviour, roles: frozenset[str] = DUTIES) -> StandIn:
        stand_in = StandIn(behaviour, roles)
        monkeypatch.setattr(EngineChoice, "open", lambda choice: stand_in)
        return stand_in

    return install


Install = Callable[..., StandIn]
Captured = pytest.CaptureFixture[str]


# -- exit statuses ----------------------------------------------------------------------------------------------------


def test_0_when_every_must_holds(engine: Install, capsys: Captured) -> None:
    stand_in = engine(as_expected)
    assert main(["run", *ONE_CASE, "--", "./driver"]) == 0
    assert "conformant, of 1 selected case: the must case holds." in capsys.readouterr().out
    assert stand_in.closed


def test_1_when_a_must_is_broken(engine: Install, capsys: Captured) -> None:
    engine(swapping)
    assert main(["run", *ONE_CASE, "--", "./driver", "a b"]) == 1
    out = capsys.readouterr().out
    assert "| -2 3815245270 1\n          |    ^^^^^^^^^^\n" in out
    assert "Again:  coli-conformance run --case W06-glm_moe_dsa -- ./driver 'a b'" in out


def test_1_when_a_required_role_is_not_claimed(engine: Install) -> None:
    engine(as_expected, frozenset({"save"}))
    assert main(["run", *ONE_CASE, "--", "./driver"]) == 0
    assert main(["run", *ONE_CASE, "--require-roles", "save,trace", "--", "./driver"]) == 1


def test_2_when_nothing_was_verified(engine: Install, capsys: Captured) -> None:
    engine(as_expected, frozenset({"load"}))
    assert main(["run", *ONE_CASE, "--", "./driver"]) == 2
    assert "nothing is passed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no engine given"),
        (["--engine", "python:m:C", "--", "./driver"], "more than one engine"),
        (["--engine", "ruby:m:C"], "python:MODULE:CLASS"),
        (["--engine", "python:m"], "python:MODULE:CLASS"),
        (["--engine", "inprocess:m:C", "--wrap", "valgrind"], "--wrap"),
        (["--wrap", "'open", "--", "./driver"], "quotation"),
        (["--timeout", "0", "--", "./driver"], "--timeout"),
        (["--timeout", "nan", "--", "./driver"], "--timeout"),
        (["--jobs", "0", "--", "./driver"], "--jobs"),
        (["--repeat", "0", "--", "./driver"], "--repeat"),
        (["--nonsense", "--", "./driver"], "--nonsense"),
        (["--case", "W06-glm", "--", "./driver"], "Did you mean"),
        (["--clause", "W99", "--", "./driver"], "there is no clause 'W99'"),
        (["--role", "write", "--", "./driver"], "there is no role 'write'"),
        (["--require-roles", "write", "--", "./driver"], "there is no role 'write'"),
        (["--case", "W06-glm_moe_dsa", "--clause", "R02", "--", "./driver"], "no case is left"),
        (["--report", "xml=x", "--", "./driver"], "the formats are: json"),
        (["--report", "json=", "--", "./driver"], "FORMAT=PATH"),
        (["--report", "json=/nowhere/at/all", "--", "./driver"], "/nowhere/at/all"),
        (["--manifest", "none.yaml"], "none.yaml"),
    ],
)
def test_2_for_wrong_usage_with_a_sentence(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(["run", *arguments]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_3_when_the_engine_cannot_be_started(capsys: Captured) -> None:
    assert main(["run", *ONE_CASE, "--", "./there-is-no-such-driver"]) == 3
    assert "./there-is-no-such-driver" in capsys.readouterr().err


def test_3_when_the_run_is_given_up(engine: Install, capsys: Captured) -> None:
    engine(hanging)
    assert main(["run", "--clause", "W06", "--clause", "W07", "--", "./driver"]) == 3
    assert "given up" in capsys.readouterr().out


def test_4_for_a_fault_of_the_suite(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def broken() -> None:
        raise RuntimeError("out of\x1b[31m order")

    monkeypatch.setattr(vectors, "committed", broken)
    monkeypatch.delenv("COLI_DEBUG", raising=False)
    assert main(["run", "--", "./driver"]) == 4
    quiet = capsys.readouterr().err
    assert r"RuntimeError: out of\x1b[31m order" in quiet
    assert "COLI_DEBUG=1" in quiet
    assert "Traceback" not in quiet
    monkeypatch.setenv("COLI_DEBUG", "1")
    assert main(["run", "--", "./driver"]) == 4
    assert "Traceback" in capsys.readouterr().err


def test_130_when_interrupted_and_the_engine_is_ended(engine: Install, capsys: Captured) -> None:
    stand_in = engine(interrupted)
    assert main(["run", *ONE_CASE, "--", "./driver"]) == 130
    assert stand_in.closed
    assert "Interrupted" in capsys.readouterr().err


# -- run --------------------------------------------------------------------------------------------------------------


def test_the_adapter_contract_is_in_the_help(capsys: Captured) -> None:
    assert main(["run", "--help"]) == 0
    text = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert f"driver protocol, version {VERSION}" in " ".join(lines)
    assert "hello 1 ok ROLE ROLE ...: the roles it claims, such as load or save" in lines
    assert "load PATH | trust PATH ok TOTAL or refused: an untrusted or a trusted read into the counters" in lines
    for verb in [
        "hello",
        "init",
        "drop",
        "route",
        "endcall",
        "add",
        "load",
        "counts",
        "save",
        "pin",
        "pairs",
        "record",
    ]:
        assert any(line.startswith(f"{verb} ") or line == verb for line in lines), verb
    for status in range(5):
        assert any(line.startswith(f"{status} ") for line in lines), status


@pytest.mark.parametrize(
    ("arguments", "better"),
    [
        (["./driver", "--strict"], "run --strict -- ./driver"),
        (["--case", "W06*", "./driver", "a b", "--jobs=2"], "run --case 'W06*' --jobs=2 -- ./driver 'a b'"),
        (["./driver", "--help"], "run --help -- ./driver"),
    ],
)
def test_an_option_behind_the_command_is_not_swallowed(
    arguments: list[str], better: str, engine: Install, capsys: Captured
) -> None:
    stand_in = engine(as_expected)
    assert main(["run", *arguments]) == 2
    assert better in capsys.readouterr().err
    assert stand_in.spawns == 1


@pytest.mark.parametrize("words", [["--", "./driver", "--strict"], ["./driver", "--its-own"], ["./driver", "strict"]])
def test_what_belongs_to_the_command_is_left_to_it(words: list[str], engine: Install, capsys: Captured) -> None:
    engine(swapping)
    assert main(["run", *ONE_CASE, *words]) == 1
    assert f"-- {' '.join(word for word in words if word != '--')}\n" in capsys.readouterr().out


def test_the_wrapped_checker_of_the_help_fails_where_it_finds_something(capsys: Captured) -> None:
    assert main(["run", "--help"]) == 0
    assert "valgrind -q --error-exitcode=99" in " ".join(capsys.readouterr().out.split())


def test_claimed_words_that_are_no_roles_are_told(engine: Install, capsys: Captured) -> None:
    stand_in = engine(as_expected)
    stand_in.description = EngineDescription("s", ("./d",), DUTIES, "a stand-in", ignored=("bonds", "\x1b[31m"))
    assert main(["run", *ONE_CASE, "--", "./driver"]) == 0
    assert r"ignored, not roles: bonds \x1b[31m" in " ".join(capsys.readouterr().out.split())


def test_what_an_engine_said_before_it_was_given_up_is_shown_as_lines(capsys: Captured) -> None:
    script = "import sys; sys.exit('line one\\n\x1b[31mlast line')"
    assert main(["run", "--", sys.executable, "-c", script]) == 3
    assert capsys.readouterr().err.splitlines()[1:] == ["    | line one", r"    | \x1b[31mlast line"]


def test_a_clause_may_be_typed_in_small_letters(engine: Install, capsys: Captured) -> None:
    engine(as_expected)
    assert main(["run", "--clause", "w06", "--", "./driver"]) == 0
    assert f"of {sum('W06' in clauses_tested(case) for case in with_twins('W06'))} selected" in capsys.readouterr().out


def with_twins(clause: str) -> tuple[Case, ...]:
    corpus = vectors.committed()[0]
    return (*select(corpus, clauses=[clause]), *select_twins(corpus, clauses=[clause]))


def test_an_unwritable_report_is_told_before_the_engine_is_run(engine: Install, tmp_path: Path) -> None:
    stand_in = engine(as_expected)
    assert main(["run", "--report", f"json={tmp_path}/none/r.json", "--", "./driver"]) == 2
    assert stand_in.spawns == 1
    assert not stand_in.closed


def test_the_json_report_of_a_run(engine: Install, tmp_path: Path) -> None:
    engine(swapping)
    path = tmp_path / "r.json"
    assert main(["run", *ONE_CASE, "--report", f"json={path}", "--repeat", "3", "--", "./driver"]) == 1
    document = json.loads(path.read_text())
    assert document["count"] == 3
    assert document["spawns"] == 4
    assert document["musts"] == {"passed": 0, "failed": 1, "unsupported": 0}
    assert document["suite"]["corpus_digest"] == vectors.committed()[1]
    assert document["results"][0]["reproduce"] == "coli-conformance run --case W06-glm_moe_dsa -- ./driver"
    assert "W06" in document["results"][0]["broken"]


def test_failing_cases_are_kept_and_sound_ones_are_not(engine: Install, tmp_path: Path) -> None:
    engine(swapping)
    assert main(["run", *ONE_CASE, "--keep", str(tmp_path / "kept"), "--", "./driver"]) == 1
    assert [entry.name for entry in (tmp_path / "kept").iterdir()] == ["W06-glm_moe_dsa"]
    engine(as_expected)
    assert main(["run", *ONE_CASE, "--keep", str(tmp_path / "empty"), "--", "./driver"]) == 0
    assert list((tmp_path / "empty").iterdir()) == []
    assert main(["run", *ONE_CASE, "--keep", str(tmp_path / "kept"), "--", "./driver"]) == 2


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["--", "./driver", "a b"], "-- ./driver 'a b'"),
        (["--engine", "python:m:C"], "--engine python:m:C"),
        (["--timeout", "2.5", "--wrap", "valgrind -q", "--", "./d"], "--wrap 'valgrind -q' --timeout 2.5 -- ./d"),
    ],
)
def test_the_command_that_shows_a_failure_again(
    arguments: list[str], command: str, engine: Install, capsys: Captured
) -> None:
    engine(swapping)
    assert main(["run", *ONE_CASE, *arguments]) == 1
    assert f"Again:  coli-conformance run --case W06-glm_moe_dsa {command}\n" in capsys.readouterr().out


def test_a_real_driver_from_the_command_line(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from coli_conformance.cli import main; raise SystemExit(main())",
        "run",
        *ONE_CASE,
    ]
    engine_words = ["--engine", "python:coli_reference.engine:ReferenceEngine"]
    done = subprocess.run([*command, *engine_words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
    assert "the must case holds" in done.stdout
    assert list(tmp_path.iterdir()) == []


# -- the other commands -----------------------------------------------------------------------------------------------


def test_the_version_is_told(capsys: Captured) -> None:
    from coli_conformance import __version__

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"coli-conformance {__version__}\n"


def test_the_version_costs_no_import_of_what_it_does_not_need() -> None:
    code = (
        "import sys; from coli_conformance.cli import main; main(['--version']);"
        "print(sorted({'rich', 'yaml', 'numpy', 'construct', 'lark', 'coli_spec'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_command_has_help(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name in ("run", "explain", "vectors", "engines"):
        assert f"\n  {name} " in text
        assert main([name, "--help"]) == 0


def test_an_unknown_command_is_wrong_usage(capsys: Captured) -> None:
    assert main(["runn"]) == 2
    assert "runn" in capsys.readouterr().err


def test_registered_names_are_listed_with_their_ids(capsys: Captured) -> None:
    assert main(["engines", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if line.startswith("glm_moe_dsa ")).split()[1:3] == ["3815245270", "78x256"]


@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("mistral_9", 0, "Nothing stands against it."),
        ("olmoe", 1, "registered already"),
        ("OLMoE", 1, "is no name"),
        ("", 1, "is no name"),
        ("a" * 64, 1, "is no name"),
        ("with\x1b[0m", 1, r"with\x1b[0m"),
    ],
)
def test_a_new_name_is_checked(name: str, status: int, told: str, capsys: Captured) -> None:
    assert main(["engines", "check", name]) == status
    captured = capsys.readouterr()
    assert told in captured.out + captured.err


def test_a_name_whose_id_is_taken_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    from coli_conformance.cli import engines

    monkeypatch.setattr(engines, "engine_id", lambda name: 7)
    assert any("has the id of the registered engine glm_moe_dsa, 7" in text for text in engines.problems_of("newcomer"))
    monkeypatch.setattr(engines, "engine_id", lambda name: 0x31554B49 if name == "newcomer" else engine_id(name))
    assert any("IKU1" in text for text in engines.problems_of("newcomer"))


@pytest.mark.parametrize(("number", "notes"), [(2147483647, 1), (2147483648, 2), (4294967295, 2), (0, 1), (12345, 0)])
def test_ids_at_boundaries_are_worth_a_note(number: int, notes: int) -> None:
    from coli_conformance.cli import engines

    assert len(list(engines.notes_on(number))) == notes

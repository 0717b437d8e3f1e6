"""The command line: exit statuses, sentences for whoever typed it wrongly, and what each command writes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Self

import jsonschema
import pytest

from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.cli.engine_choice import EngineChoice
from coli_conformance.cli.vectors import area_texts, difference
from coli_conformance.corpus import vectors
from coli_conformance.engines import EngineDescription
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.protocol import VERSION
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


def test_a_clause_is_explained(capsys: Captured) -> None:
    assert main(["explain", "r23"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("R23  may")
    assert "legal    stop, skip-line, refuse, desync, first-three" in text
    cases = [case.id for case in vectors.committed()[0] if case.clauses[0] == "R23"]
    assert cases
    assert all(case_id in text for case_id in cases)


def test_a_case_is_explained(capsys: Captured) -> None:
    assert main(["explain", "W06-glm_moe_dsa"]) == 0
    text = capsys.readouterr().out
    assert "init glm_moe_dsa 5 8  ok" in text
    assert "2 | -2 1 3815245270" in text


@pytest.mark.parametrize(
    ("name", "near"), [("W6", "W06"), ("W06-glm_moe_ds", "W06-glm_moe_dsa"), ("W06-olmo", "olmoe")]
)
def test_what_cannot_be_explained_gets_near_matches(name: str, near: str, capsys: Captured) -> None:
    assert main(["explain", name]) == 2
    captured = capsys.readouterr()
    assert near in captured.err
    assert captured.out == ""


def test_every_case_can_be_explained(capsys: Captured) -> None:
    from coli_conformance.cli.explain import case_lines
    from coli_conformance.reports.lines import plain

    for case in vectors.committed()[0]:
        lines = [plain(content) for content in case_lines(case, 110)]
        assert lines[0].startswith(case.id)
        assert all(line.isprintable() for line in lines)


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


# -- vectors ----------------------------------------------------------------------------------------------------------


def test_the_cases_are_listed_and_shown(capsys: Captured) -> None:
    assert main(["vectors", "list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [case.id for case in vectors.committed()[0]]
    assert main(["vectors", "show", "W06-glm_moe_dsa"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "W06-glm_moe_dsa"
    assert main(["vectors", "show", "W06-glm"]) == 2
    assert "W06-glm_moe_dsa" in capsys.readouterr().err


def test_vector_files_are_what_their_schema_declares() -> None:
    from importlib import resources

    root = resources.files("coli_vectors")
    declared = json.loads((root / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(declared)
    validator = jsonschema.Draft202012Validator(declared)
    areas = {case.clauses[0][0] for case in vectors.committed()[0]}
    for area in sorted(areas):
        document = json.loads((root / f"{area}.json").read_text(encoding="utf-8"))
        validator.validate(document)
        document["cases"][0]["steps"] = []
        assert not validator.is_valid(document)


def test_generating_writes_what_changed_and_checking_names_the_first_difference(
    tmp_path: Path, capsys: Captured
) -> None:
    assert main(["vectors", "generate", "--output", str(tmp_path)]) == 0
    assert main(["vectors", "generate", "--check", "--output", str(tmp_path)]) == 0
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    path = tmp_path / "W.json"
    document = json.loads(path.read_text())
    document["cases"][1]["why"] = "Edited by hand."
    path.write_text(json.dumps(document, indent=1) + "\n")
    (tmp_path / "Z.json").write_text("{}")
    capsys.readouterr()
    assert main(["vectors", "generate", "--check", "--output", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert f"W.json: {document['cases'][1]['id']} is not what is generated" in told
    assert "Z.json: nothing is generated for this area any more" in told
    assert main(["vectors", "generate", "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "W.json: written\nZ.json: removed\n"
    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"W.json"}


def test_differences_are_named_by_case(tmp_path: Path) -> None:
    cases = [case for case in vectors.committed()[0] if case.clauses[0] == "W06"]
    text = area_texts(tuple(cases))["W.json"]
    path = tmp_path / "W.json"
    assert difference(path, text) == "W.json: there is no such file"
    path.write_text(area_texts(tuple(cases[1:]))["W.json"])
    assert difference(path, text) == f"W.json: where {cases[0].id} is generated, the file has {cases[1].id}"
    path.write_text(area_texts(tuple(cases[:-1]))["W.json"])
    assert difference(path, text) == f"W.json: {cases[-1].id} is generated and not in the file"
    path.write_text(text.replace(" ", "  ", 1))
    assert difference(path, text) == "W.json: the same cases, written otherwise"
    path.write_text("{")
    assert difference(path, text).startswith("W.json:1:2: not JSON")


def test_the_corpus_is_copied_as_plain_files(tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "cases"
    assert main(["vectors", "copy", str(folder)]) == 0
    index = json.loads((folder / "index.json").read_text())
    cases, digest = vectors.committed()
    assert index["corpus_digest"] == digest
    assert [entry["id"] for entry in index["cases"]] == [case.id for case in cases]
    for case, entry in zip(cases, index["cases"], strict=True):
        session = (folder / entry["session"]).read_text()
        assert session.splitlines() == ["hello 1", *case.steps]
        for item in case.setup:
            if item.data is not None:
                assert (folder / entry["folder"] / "files" / item.path).read_bytes() == item.data
        for outcome, copied in zip(case.outcomes, entry["outcomes"], strict=True):
            assert (folder / copied["answers"]).read_bytes() == outcome.stdout
            assert len(copied["files"]) == len(outcome.files)
    written = (folder / "W06-glm_moe_dsa" / "expected" / ".coli_usage").read_bytes()
    assert written.startswith(b"-1 5 8\n-2 1 3815245270\n")
    assert main(["vectors", "copy", str(folder)]) == 2
    assert "not empty" in capsys.readouterr().err

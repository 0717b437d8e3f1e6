"""The command `check`: exit statuses, what it writes in each format, summaries, salvage, and the page of its codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from coli_conformance.check.catalogue import CODES
from coli_conformance.check.findings_page import page
from coli_conformance.cli import main

ROOT = Path(__file__).parents[1]
GLM = b"-1 5 8\n-2 1 3815245270\n"
FOUR_FIELDS = b"3 2 5\n-3 7 12 99\n4 1 8\n"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "usage"


def test_a_sound_file_is_said_to_be_sound(file: Path, capsys: Captured) -> None:
    file.write_bytes(GLM + b"3 2 5\n")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: history, nothing is wrong with it\n"


def test_a_finding_has_its_place_its_line_the_old_reader_and_advice(file: Path, capsys: Captured) -> None:
    file.write_bytes(FOUR_FIELDS)
    assert main(["check", str(file)]) == 1
    said = capsys.readouterr().out
    assert f"{file}:2:9: error fourth-field(W02) 4 fields" in said
    assert "      2 | -3 7 12 99\n        |         ^^\n" in said
    assert "An old reader invents `99 4 1` and loses `4 1 8`." in said
    assert "spread over several records (G02)" in said
    assert said.endswith(f"{file}: history, 1 error, 1 warning, 1 note\n")


def test_notes_leave_the_exit_status_alone(file: Path, capsys: Captured) -> None:
    file.write_bytes(b"4 1 8\r\n3 2 5\r\n")
    assert main(["check", str(file)]) == 0
    assert "3 notes" in capsys.readouterr().out


def test_what_a_file_holds_cannot_reach_the_terminal(file: Path, capsys: Captured) -> None:
    file.write_bytes(GLM + b"3 2 \x1b[2J\n\xc2\x9b5 x\x07y 5\n")
    assert main(["check", str(file)]) == 1
    said = capsys.readouterr().out
    assert "\\x1b[2J" in said
    assert all(character.isprintable() or character == "\n" for character in said)


def test_standard_input_is_a_dash() -> None:
    program = "import sys; from coli_conformance.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "check", "-"]
    done = subprocess.run(command, input=FOUR_FIELDS, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"standard input:2:9: error fourth-field" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone"], "No such file"),
        (["."], "this is a folder"),
        (["--engine", "olmo", "usage"], "olmoe"),
        (["--dims", "5", "usage"], "78x256"),
        (["--dims", "4294967295x4294967295", "usage"], "78x256"),
        (["--format", "json", "--summary", "usage"], "--format text"),
        (["--salvage", "out", "usage", "usage"], "one FILE"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_status_2(
    arguments: list[str], words: str, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(GLM + b"3 2 5\n")
    monkeypatch.chdir(file.parent)
    assert main(["check", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_file_that_cannot_be_read_does_not_hide_the_others(file: Path, capsys: Captured) -> None:
    file.write_bytes(FOUR_FIELDS)
    assert main(["check", str(file.parent / "gone"), str(file)]) == 2
    assert "fourth-field" in capsys.readouterr().out


def test_findings_end_where_enough_were_asked_for(file: Path, capsys: Captured) -> None:
    file.write_bytes(GLM + b"3 2 0\n" * 9)
    assert main(["check", "--max-findings", "3", str(file)]) == 1
    said = capsys.readouterr().out
    assert said.count("zero-count(W01)") + said.count("duplicate-record(W22)") == 3
    assert "; the rest was not read (--max-findings 0 reads on)\n" in said
    assert main(["check", "--max-findings", "0", str(file)]) == 1
    assert capsys.readouterr().out.count("zero-count(W01)") == 9


@pytest.mark.parametrize("limit", ["0", "1", "50"])
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("history", "3 2 5\n".encode("utf-16")),
        ("history", b"IKU1 5 8\n3 2 5\n"),
        ("trace", b"call,row,layer,expert,gate\n0,0,3,1,0.5000\n"),
    ],
    ids=["utf-16", "magic-in-text", "foreign"],
)
def test_no_limit_is_named_where_none_would_read_on(
    kind: str, data: bytes, limit: str, file: Path, capsys: Captured
) -> None:
    file.write_bytes(data)
    assert main(["check", "--kind", kind, "--max-findings", limit, str(file)]) == 1
    assert capsys.readouterr().out.endswith(f"{file}: {kind}, 1 error; the rest was not read\n")


def test_an_engine_and_its_dimensions_are_checked_for(file: Path, capsys: Captured) -> None:
    file.write_bytes(b"-1 93 896\n-2 1 1820578806\n3 2 5\n")
    assert main(["check", "--engine", "kimi_k3", str(file)]) == 0
    assert main(["check", "--engine", "glm_moe_dsa", str(file)]) == 1
    said = capsys.readouterr().out
    assert "other-engine(R05) written by kimi_k3" in said
    assert "it declares 93x896, and the engine has 78x256" in said


def run_json(capsys: Captured, *arguments: str) -> Any:
    main(["check", "--format", "json", *arguments])
    return json.loads(capsys.readouterr().out)


def test_the_json_report_has_its_schema(file: Path, capsys: Captured) -> None:
    file.write_bytes(FOUR_FIELDS)
    report = run_json(capsys, str(file), str(file.parent / "gone"))
    schema = resources.files("coli_conformance").joinpath("check/check.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(report)
    (checked,) = report["files"]
    assert [(finding["code"], finding["line"], finding["column"]) for finding in checked["findings"]] == [
        ("no-header", 1, 1),
        ("unknown-record", 2, 1),
        ("fourth-field", 2, 9),
    ]
    assert report["count"] == 3
    assert [entry["name"] for entry in report["unusable"]] == [str(file.parent / "gone")]


def test_sarif_has_a_rule_for_each_result_and_regions_in_the_file(file: Path, capsys: Captured) -> None:
    dense = file.with_name("dense block")
    dense.write_bytes(b"IKU1\x05\x00")
    file.write_bytes(FOUR_FIELDS)
    assert main(["check", "--format", "sarif", str(file), str(dense)]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(rules) == len(CODES)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
    four, cut = (result for result in run["results"] if result["ruleId"] in {"fourth-field", "iku1-cut-header"})
    assert four["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 9, "endColumn": 11}
    place = cut["locations"][0]["physicalLocation"]
    assert place["region"] == {"byteOffset": 6, "byteLength": 1}
    assert place["artifactLocation"]["uri"].endswith("/dense%20block")


def test_github_annotations_are_escaped(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "a,b:100%"
    file.write_bytes(GLM + b"3 2 50%\n")
    assert main(["check", "--format", "github", str(file)]) == 1
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith(
        f"::error file={tmp_path}/a%2Cb%3A100%25,line=3,col=5,endColumn=8,title=not-a-number (W03)::"
    )
    assert "field 3 is 50%25, which" in said


def test_a_history_is_summed_up(file: Path, capsys: Captured) -> None:
    file.write_bytes(GLM + b"3 2 5\n3 7 1\n5 0 10\n")
    assert main(["check", "--summary", str(file)]) == 0
    said = capsys.readouterr().out
    assert "written by glm_moe_dsa, format version 1" in said
    assert "5 layers of 8 experts" in said
    assert "3 records, 16 selections" in said
    assert "hottest (layer/expert): 5/0 10, 3/2 5, 3/7 1" in said


@pytest.mark.parametrize("small", [True, False])
def test_a_trace_is_summed_up_the_same_in_blocks_and_by_lines(small: bool, file: Path, capsys: Captured) -> None:
    calls = 100 if small else 20_000
    lines = [b"%d %d %d 7:0.5000 1:0.2500\n" % (call, row, call % 3) for call in range(calls) for row in (0, 1)]
    file.write_bytes(b"".join(lines))
    assert main(["check", "--summary", str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"{2 * calls} routing decisions in {calls} moe calls of up to 2 rows, {4 * calls} selections" in said
    # Layers 0, 1 and 2 take turns, so that layer 0 has a third of the calls, rounded up; two rows each.
    assert f"0/1 {2 * -(-calls // 3)}," in said


def test_an_iku1_file_is_summed_up(file: Path, capsys: Captured) -> None:
    words = [0] * 40
    words[1], words[30] = 2, 3
    file.write_bytes(b"IKU1" + b"".join(word.to_bytes(4, "little") for word in (5, 8, *words)))
    assert main(["check", "--summary", str(file)]) == 0
    said = capsys.readouterr().out
    assert "2 records, 5 selections" in said
    assert "hottest (layer/expert): 3/6 3, 0/1 2" in said


def test_pictures_are_ascii_where_the_encoding_has_no_blocks() -> None:
    from coli_conformance.check.summary import bars_for

    assert bars_for(io.TextIOWrapper(io.BytesIO(), "ascii")).isascii()
    assert not bars_for(io.TextIOWrapper(io.BytesIO(), "utf-8")).isascii()


def salvage(file: Path, data: bytes, *options: str) -> tuple[int, bytes | None]:
    file.write_bytes(data)
    out = file.with_name("out")
    status = main(["check", *options, "--salvage", str(out), str(file)])
    assert file.read_bytes() == data
    return status, out.read_bytes() if out.exists() else None


def test_what_is_sound_is_salvaged_and_what_was_left_out_is_listed(file: Path, capsys: Captured) -> None:
    data = GLM + b"# hot\n3  2 5\r\n\n4 1 8 9\n3 3 0\n6 0 1\n3 2 9\n-1 5 8\n4 4 0x1\n5 0"
    assert salvage(file, data) == (1, GLM + b"3 2 5\n3 2 9\n")
    said = capsys.readouterr().out
    assert "4 lines kept, 7 lines left out:" in said
    for number, code in (
        (3, "comment"),
        (6, "fourth-field"),
        (7, "zero-count"),
        (8, "out-of-bounds"),
        (10, "repeated-header"),
        (11, "hexadecimal"),
        (12, "no-final-newline"),
    ):
        assert f"    line {number}: {code}" in said


def test_lines_of_a_large_damaged_trace_are_salvaged(file: Path, capsys: Captured) -> None:
    lines = [b"%d 0 3 7:0.5000 1:0.2500\n" % call for call in range(30_000)]
    bad = b"17000 0 3 7:nan\n"
    assert salvage(file, b"".join([*lines[:17000], bad, *lines[17001:]])) == (
        1,
        b"".join(lines[:17000] + lines[17001:]),
    )
    assert "line 17001: trace-gate-not-finite" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"-1 5 8\n-2 2 3815245270\n3 2 5\n", "its records may mean something else"),
        (GLM + b"-2 2 3815245270\n3 2 5\n", "line 3: version 2; the current one is 1, and its records may mean"),
        (GLM + b"3 2 5 -2 2 3815245270\n", "its records may mean something else"),
        (b"IKU1 5 8\n3 2 5\n", "no line to keep"),
        (b"COLIPAIRS 1 0\n", "only lines of histories and traces"),
    ],
)
def test_what_cannot_be_salvaged_leaves_no_file(data: bytes, words: str, file: Path, capsys: Captured) -> None:
    assert salvage(file, data) == (2, None)
    assert words in capsys.readouterr().err


def test_a_history_without_a_count_is_salvaged_as_zero_bytes(file: Path) -> None:
    assert salvage(file, GLM + b"3 2 0\n") == (1, b"")


def test_nothing_is_salvaged_over_a_file_that_exists(file: Path, capsys: Captured) -> None:
    file.with_name("out").write_bytes(b"mine")
    assert salvage(file, FOUR_FIELDS) == (2, b"mine")
    assert "nothing is ever overwritten" in capsys.readouterr().err


def test_a_code_is_explained(capsys: Captured) -> None:
    assert main(["explain", "fourth-field"]) == 0
    said = capsys.readouterr().out
    assert "check, history, W02" in said
    assert "found at 2:9" in said


def test_the_page_of_codes_is_what_is_declared() -> None:
    committed = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert committed == page(), "write it again: python -m coli_conformance.check.findings_page > docs/findings.md"

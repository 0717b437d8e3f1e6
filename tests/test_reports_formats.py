"""Reports for machines: JUnit, JSON Lines, Markdown, annotations and the badge, of hostile and of ordinary runs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from coli_conformance.case import Case, Level, Outcome
from coli_conformance.cli import main
from coli_conformance.cli.report_option import FORMATS
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.known_failing import Compared, Flake
from coli_conformance.leaks import Leak
from coli_conformance.recorded import parse
from coli_conformance.reports.badge import badge_report
from coli_conformance.reports.failure import failure
from coli_conformance.reports.formats import RENDERERS
from coli_conformance.reports.github import github_report
from coli_conformance.reports.json_report import json_report
from coli_conformance.reports.jsonl import jsonl_report
from coli_conformance.reports.junit import junit_report
from coli_conformance.reports.markdown import markdown_report
from coli_conformance.reports.reported import ReportedRun
from coli_conformance.score import FAILED, score
from coli_conformance.twin_run import Twins

ROLES = frozenset({"load", "bounds", "identify", "trusted", "iku1", "save", "trace"})
EVIL = "\x1b[31m\x00\ufffe\ud800]]></failure><script>alert(1)</script>\n::error::| `code` [x](http://y) --- %0A&amp;"
LEVELS: dict[str, Level] = {"W06": "must", "R02": "must", "W18": "should", "R23": "may"}


def case(case_id: str) -> Case:
    clause = case_id.partition("-")[0]
    steps = ("init glm_moe_dsa 5 8",)
    return Case(case_id, 1, (clause,), LEVELS[clause], ("save",), "The id is 32 bits.", steps, (Outcome(("ok",)),))


def result(case_id: str, status: Status = Status.PASS, sentence: str = "it is wrong") -> Result:
    clause = case_id.partition("-")[0]
    if status not in FAILED:
        return Result(case_id, status, detail=sentence if status is Status.UNSUPPORTED else "")
    return Result(case_id, status, (clause,), findings=(Finding(clause, sentence, expected="-2 1 5", seen=sentence),))


def run_of(results: Sequence[Result], name: str = "colibri", known: Compared | None = None) -> ReportedRun:
    cases = {each.case_id: case(each.case_id) for each in results}
    return ReportedRun(
        corpus_digest="0" * 64,
        corpus_version=1,
        seed=7,
        arguments=["--", "./driver"],
        started=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        engine_name=name,
        command=["./driver"],
        engine_digest="1" * 64,
        roles=ROLES,
        cases=cases,
        results=results,
        scored=score(list(cases.values()), results, ROLES),
        spawns=3,
        gave_up=None,
        reproduce=lambda case_id: f"coli-conformance run --case {case_id} -- ./driver",
        twins=Twins(),
        leaks=[],
        failures=[failure(cases[r.case_id], r, Observation(b"")) for r in results if r.status in FAILED],
        evidence={},
        known=known,
    )


def every_status(sentence: str = "it is wrong") -> list[Result]:
    return [result(f"W06-{status.word}", status, sentence) for status in Status]


def hostile() -> ReportedRun:
    run = run_of(every_status(EVIL), name=EVIL)
    known = Compared(tuple(run.results), frozenset(), {}, (Flake("W06-x", 1, 2, EVIL),), (EVIL,))
    return replace(run, known=known, gave_up=EVIL, leaks=[Leak("W06-a", None, Status.PASS, Status.CRASH)])


def test_every_format_that_can_be_asked_for_is_made_and_no_other() -> None:
    assert tuple(RENDERERS) == FORMATS


@pytest.mark.parametrize("kind", FORMATS)
def test_no_report_holds_a_character_that_a_terminal_or_a_parser_acts_on(kind: str) -> None:
    text = RENDERERS[kind](hostile())
    assert not [c for c in text if not c.isprintable() and c != "\n"]
    text.encode("utf-8")


@pytest.mark.parametrize("kind", ["json", "jsonl", "junit", "html", "markdown", "github", "badge"])
def test_the_share_of_musts_that_were_not_verified_stands_beside_every_score(kind: str) -> None:
    results = [result("W06-a"), result("W06-b", Status.UNSUPPORTED), result("W06-c", Status.UNSUPPORTED)]
    text = RENDERERS[kind](run_of(results)).replace("%25", "%")
    said = '"unverified": 0.666667' if kind.startswith("json") else "67% of the musts not verified"
    assert said in text


# -- JUnit ------------------------------------------------------------------------------------------------------------


def junit(run: ReportedRun) -> ElementTree.Element:
    """Return the report as a tree, having held it to the common schema."""
    text = junit_report(run)
    schema = xmlschema.XMLSchema(str(Path(__file__).parent / "data" / "junit-10.xsd"))
    schema.validate(text)
    return ElementTree.fromstring(text)


def test_junit_is_valid_whatever_an_engine_said() -> None:
    tree = junit(hostile())
    (message,) = {each.get("message") for each in tree.iter("failure") if each.get("type") == "fail"}
    assert message is not None
    assert "<script>alert(1)</script>" in message
    assert "\\x1b[31m\\x00\\ufffe\\ud800" in message


@pytest.mark.parametrize(
    ("status", "element"),
    [
        (Status.PASS, None),
        (Status.FAIL, "failure"),
        (Status.CRASH, "error"),
        (Status.TIMEOUT, "error"),
        (Status.PROTOCOL, "error"),
        (Status.UNSUPPORTED, "skipped"),
        (Status.NOT_RUN, "skipped"),
        (Status.KNOWN_FAILING, "skipped"),
        (Status.UNEXPECTED_PASS, "failure"),
    ],
)
def test_what_junit_makes_of_a_status(status: Status, element: str | None) -> None:
    tree = junit(run_of([result("W06-a", status)]))
    (test,) = tree.iter("testcase")
    assert [child.tag for child in test] == ([element] if element else [])
    counted = {tag: tree[0].get(tag) for tag in ("tests", "failures", "errors", "skipped")}
    expected = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    assert counted == {"tests": "1", **{tag: str(int(name == element)) for tag, name in expected.items()}}


def test_junit_does_not_redden_what_is_never_scored() -> None:
    tree = junit(run_of([result("R23-a", Status.FAIL), result("W06-a")]))
    assert [child.tag for test in tree.iter("testcase") for child in test] == ["skipped"]


def test_a_repeated_case_is_one_test_with_its_worst_result() -> None:
    tree = junit(run_of([result("W06-a"), result("W06-a", Status.CRASH), result("W06-a", Status.FAIL)]))
    assert [child.tag for test in tree.iter("testcase") for child in test] == ["error"]


def test_junit_has_a_suite_for_each_area_and_the_command_in_each_failure() -> None:
    tree = junit(run_of([result("W06-a", Status.FAIL), result("R02-a"), result("W18-a")]))
    assert [(suite.get("name", "")[0], suite.get("tests")) for suite in tree] == [("W", "2"), ("R", "1")]
    (failed,) = tree.iter("failure")
    assert "coli-conformance run --case W06-a -- ./driver" in (failed.text or "")


# -- JSON Lines -------------------------------------------------------------------------------------------------------


def test_json_lines_hold_what_the_json_report_holds() -> None:
    run = run_of(every_status())
    lines = [json.loads(line) for line in jsonl_report(run).splitlines()]
    assert [line["kind"] for line in lines] == ["run", *["result"] * len(Status), "end"]
    document: dict[str, Any] = {**lines[0], **lines[-1], "results": lines[1:-1]}
    for part in (document, *document["results"]):
        del part["kind"]
    assert document == json.loads(json_report(run))
    declared = (resources.files("coli_conformance.reports") / "report.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(declared)).validate(document)
    assert parse(jsonl_report(run), "a") == parse(json_report(run), "a")


# -- Markdown and annotations -----------------------------------------------------------------------------------------


def test_markdown_says_what_broke_and_how_to_see_it_again() -> None:
    text = markdown_report(run_of([result("W06-a", Status.FAIL), result("R02-a"), result("W18-a", Status.FAIL)]))
    assert "## colibri: nonconformant" in text
    assert re.search(r"\| W [^|]*\| 0/1 \| 0/1 \| W06 W18 \|", text)
    assert text.index("### W06 (must)") < text.index("`coli-conformance run --case W06-a -- ./driver`")
    assert text.index("### W06") < text.index("### W18")


def test_nothing_that_an_engine_said_is_markup_in_markdown() -> None:
    text = markdown_report(hostile())
    outside_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"(?<!\\)<|(?<!\\)\]\(", outside_code)
    assert r"\<script\>" in text


def test_markdown_stays_below_what_a_summary_page_takes() -> None:
    many = [result(f"W06-{number}", Status.FAIL) for number in range(2000)]
    text = markdown_report(run_of(many, known=None))
    assert len(text) < 1_000_000
    assert "1995 more about W06: `--clause W06` shows them all." in text


def commands(run: ReportedRun) -> list[tuple[str, str]]:
    """Return each annotation's kind and the rest of its line."""
    found = []
    for line in github_report(run).splitlines():
        match = re.fullmatch(r"::(error|warning|notice) (title=[^:]*::.*)", line)
        assert match, line
        found.append((match[1], match[2]))
    return found


def test_an_annotation_for_each_broken_clause_and_one_for_the_verdict() -> None:
    broken = [result("W06-a", Status.FAIL), result("W06-b", Status.FAIL), result("W18-a", Status.FAIL)]
    assert [kind for kind, _ in commands(run_of([*broken, result("R23-a", Status.FAIL), result("R02-a")]))] == [
        "notice",
        "error",
        "warning",
        "notice",
    ]
    first = commands(run_of(broken))[1][1]
    assert "W06 (must) is broken" in first
    assert "2 failing cases, such as W06-a" in first
    assert "%0Acoli-conformance run --case W06-a -- ./driver" in first


def test_an_annotation_is_one_command_whatever_an_engine_said() -> None:
    kinds = [kind for kind, _ in commands(hostile())]
    assert kinds.count("error") == 4  # the file's problem, the broken clause, the leak, giving up


def test_what_is_known_is_no_error_in_annotations() -> None:
    assert [kind for kind, _ in commands(run_of([result("W06-a", Status.KNOWN_FAILING)]))] == ["notice", "notice"]


def test_annotations_can_go_to_standard_output_and_nothing_else_can(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--case", "W06-glm_moe_dsa", "--engine", "fault:hash-in-second-field"]
    assert main(["run", "--report", "github=-", *chosen]) == 1
    assert "\n::error title=W06 (must) is broken::" in capsys.readouterr().out
    assert main(["run", "--report", "json=-", *chosen]) == 2
    assert "name a file" in capsys.readouterr().err


def test_two_reports_never_go_to_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--report", f"json={tmp_path}/a", "--report", f"html={tmp_path}/a", "--engine", "fault:stop-at-minus3"]
    assert main(["run", *words]) == 2
    assert "a file for each" in capsys.readouterr().err


# -- the badge --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "message", "colour"),
    [
        ([result("W06-a"), result("R02-a")], "conformant, 2/2 musts", "brightgreen"),
        ([result("W06-a"), result("R02-a", Status.FAIL)], "nonconformant, 1/2 musts", "red"),
        (
            [result("W06-a"), result("R02-a", Status.UNSUPPORTED)],
            "partial, 1/1 musts, 50% of the musts not verified",
            "yellowgreen",
        ),
        (
            [result("W06-a", Status.UNSUPPORTED)],
            "unverified, 0/0 musts, 100% of the musts not verified",
            "lightgrey",
        ),
    ],
)
def test_the_badge(results: list[Result], message: str, colour: str) -> None:
    badge = json.loads(badge_report(run_of(results)))
    assert (badge["schemaVersion"], badge["message"], badge["color"]) == (1, message, colour)

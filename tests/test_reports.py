"""Reports: what is shown of a failing case, escaping of hostile bytes, the JSON report and its schema, kept cases."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from coli_conformance.case import Case, Outcome, SetupFile
from coli_conformance.escape import cut, shown_bytes, shown_text
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.leaks import Leak
from coli_conformance.reports import output
from coli_conformance.reports.broken import broken_lines
from coli_conformance.reports.excerpt import ShownLine, excerpt
from coli_conformance.reports.failure import Failure, again, failure
from coli_conformance.reports.json_report import json_report
from coli_conformance.reports.kept import Keeper, session_text
from coli_conformance.reports.lines import line, plain, write
from coli_conformance.reports.reported import ReportedRun
from coli_conformance.reports.summary import head_lines, table_lines, verdict_lines
from coli_conformance.score import score
from coli_conformance.twin_run import Twins

ALL_ROLES = frozenset({"load", "bounds", "identify", "trusted", "iku1", "save", "trace"})
WIDTH = 110
SWAPPED = b"-1 5 8\n-2 3815245270 1\n3 2 5\n"


def case(case_id: str, setup: tuple[SetupFile, ...] = (), steps: tuple[str, ...] = ("init glm_moe_dsa 5 8",)) -> Case:
    return Case(
        id=case_id,
        since=1,
        clauses=(case_id.partition("-")[0],),
        level="must",
        roles=("save",),
        why="The id does not fit an int32.",
        steps=steps,
        outcomes=(Outcome(("ok",) * len(steps)),),
        setup=setup,
    )


def again_command(case_id: str) -> str:
    return f"coli-conformance run --case {case_id} -- ./driver"


SWAP = Finding(
    "W06",
    "line 2: version and id have changed places",
    path=".coli_usage",
    line=2,
    column=4,
    width=10,
    expected="-2 1 3815245270",
    seen="-2 3815245270 1",
)


def swapped(case_id: str, *more: Finding) -> Failure:
    broken = tuple(dict.fromkeys(finding.clause for finding in (SWAP, *more)))
    result = Result(case_id, Status.FAIL, broken, findings=(SWAP, *more), detail=SWAP.sentence)
    return failure(case(case_id), result, Observation(b"ok\n", files={".coli_usage": SWAPPED}))


def shown(failures: list[Failure], show_all: bool = False) -> str:
    played = {item.case.id: item.case for item in failures}
    results = [item.result for item in failures]
    return "\n".join(map(plain, broken_lines(failures, played, results, again_command, WIDTH, show_all=show_all)))


# -- bytes ------------------------------------------------------------------------------------------------------------


def test_every_byte_is_shown_as_printable_ascii() -> None:
    text = shown_bytes(bytes(range(256)))
    assert text.isascii()
    assert text.isprintable()
    assert shown_bytes(b"\x1b[31m\t\r\n\\\xff") == r"\x1b[31m\t\r\n\\\xff"


def test_text_that_could_move_the_cursor_or_turn_the_writing_is_escaped() -> None:
    assert shown_text("a\x1b[2Jb\u202ec\ud800 colibrì") == r"a\x1b[2Jb\u202ec\ud800 colibrì"
    assert cut("abcdefgh", 6) == "abc..."


def test_an_excerpt_has_the_caret_under_the_field() -> None:
    lines = excerpt(SWAPPED, 2, 4, 10, 80)
    assert lines == (
        ShownLine(1, "-1 5 8"),
        ShownLine(2, "-2 3815245270 1", (3, 10)),
        ShownLine(3, "3 2 5"),
    )


def test_the_caret_counts_escaped_bytes_by_their_shown_width() -> None:
    (only,) = excerpt(b"\x00\x00ab", 1, 3, 1, 80)
    assert only.text[only.caret[0]] == "a" if only.caret else False


def test_a_long_line_is_cut_around_its_column() -> None:
    (only,) = excerpt(b"1" * 100_000 + b"X" + b"2" * 100_000, 1, 100_001, 1, 80)
    assert len(only.text) == 80
    assert only.caret is not None
    assert only.text[only.caret[0]] == "X"


def test_an_excerpt_of_a_file_without_lines_is_empty() -> None:
    assert excerpt(b"", 1, 1, 1, 80) == ()


# -- what broke -------------------------------------------------------------------------------------------------------


def test_a_broken_case_is_shown_with_rule_bytes_reason_expectation_and_command() -> None:
    text = shown([swapped("W06-glm_moe_dsa")])
    order = [
        "must    W06",
        "1 of 1 cases about it broken",
        "old readers use there",
        "W06-glm_moe_dsa",
        "wrote .coli_usage",
        "2 | -2 3815245270 1",
        "|    ^^^^^^^^^^",
        "version and id have changed places.",
        "expected  -2 1 3815245270",
        "seen      -2 3815245270 1",
        "Again:  coli-conformance run --case W06-glm_moe_dsa -- ./driver",
    ]
    places = [text.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)
    assert max(map(len, text.splitlines())) <= WIDTH


def test_few_cases_of_a_clause_are_shown_unless_all_are_asked_for() -> None:
    failures = [swapped(f"W06-{name}") for name in ("a", "b", "c", "d")]
    text = shown(failures)
    assert "4 of 4 cases about it broken" in text
    assert "2 more cases about W06 like this: --clause W06 shows them all." in text
    assert "W06-d" not in text
    assert "W06-d" in shown(failures, show_all=True)


def test_other_clauses_of_a_case_get_a_sentence_each() -> None:
    other = Finding("W15", "an old reader loses `3 2 5`", path=".coli_usage")
    assert "also W15: an old reader loses `3 2 5`." in shown([swapped("W06-a", other)])


def test_musts_come_before_shoulds() -> None:
    untidy = Finding("W18", "the last line has no newline", path=".coli_usage")
    soft = failure(case("W18-a"), Result("W18-a", Status.FAIL, ("W18",), findings=(untidy,)), Observation(b""))
    text = shown([soft, swapped("W06-a")])
    assert 0 <= text.find("must    W06") < text.find("should  W18")


def test_a_wrong_answer_shows_the_file_that_was_read() -> None:
    given = SetupFile("h.txt", data=b"-3 7 12\n3 2 5\n")
    wrong = Finding("R02", "`load h.txt` answered `ok 0`, expected `ok 5`", step=1, expected="ok 5", seen="ok 0")
    the_case = case("R02-first", (given,), ("init glm_moe_dsa 5 8", "load h.txt"))
    item = failure(the_case, Result("R02-first", Status.FAIL, ("R02",), findings=(wrong,)), Observation(b"ok\nok 0\n"))
    text = shown([item])
    assert "was given h.txt" in text
    assert "1 | -3 7 12" in text


def crashed(stderr: bytes) -> str:
    result = Result("W06-a", Status.CRASH, ("W06",), detail="the engine was ended by SIGSEGV")
    return shown([failure(case("W06-a"), result, Observation(b"", stderr, Ending.EXITED, -11))])


def test_a_crash_shows_both_ends_of_standard_error_escaped() -> None:
    noise = b"".join(b"==1== line %d\n\n" % number for number in range(1, 11))
    text = crashed(b"\x1b]0;owned\x07 [bold red]first[/]\n" + noise)
    assert "W06-a    crash" in text
    words = [line.split("| ", 1)[1] for line in text.splitlines() if "standard error | " in line]
    assert words == [
        r"\x1b]0;owned\x07 [bold red]first[/]",
        "==1== line 1",
        "==1== line 2",
        "... 5 more lines ...",
        "==1== line 8",
        "==1== line 9",
        "==1== line 10",
    ]


def test_a_little_standard_error_is_shown_whole() -> None:
    text = crashed(b"1\n2\n3\n4\n5\n6\n7\n")
    assert text.count("standard error | ") == 7
    assert "more lines" not in text


LINKED = (SetupFile(".coli_usage", data=b"3 2 5\n"), SetupFile("before", link_to=".coli_usage"))
CHANGED = Finding("W16", "before holds other bytes", path="before", line=1, column=5)


def test_a_hard_link_is_called_what_it_is_and_not_said_to_be_written() -> None:
    result = Result("W16-a", Status.FAIL, ("W16",), findings=(CHANGED,))
    files = {"before": b"3 2 6\n", ".coli_usage": b"3 2 6\n"}
    text = shown([failure(case("W16-a", LINKED), result, Observation(b"ok\n", files=files))])
    assert "before: a hard link made by the case to .coli_usage as it was before the session" in text
    assert "1 | 3 2 6" in text
    assert "wrote before" not in text


def test_a_file_that_was_not_touched_is_not_said_to_be_written() -> None:
    stale = Finding("W12", "the old counters", path=".coli_usage", line=1)
    result = Result("W12-a", Status.FAIL, ("W12",), findings=(stale,))
    item = failure(case("W12-a", LINKED), result, Observation(b"ok\n", files={".coli_usage": b"3 2 5\n"}))
    text = shown([item])
    assert ".coli_usage: as the case made it, unchanged" in text
    assert "wrote" not in text


def test_a_sentence_and_an_excerpt_are_not_shown_twice() -> None:
    again_by_another = Finding("W18", SWAP.sentence, path=".coli_usage")
    other_words = Finding("W06", "and the version is missing", path=SWAP.path, line=2, column=4, width=10)
    text = shown([swapped("W06-a", other_words, again_by_another)])
    assert text.count(SWAP.sentence) == 1
    assert "that breaks W18 as well" in text
    assert text.count("wrote .coli_usage") == 1
    assert "and the version is missing." in text


def test_nothing_that_an_engine_supplied_reaches_the_terminal_raw() -> None:
    evil = "\x1b[2J\r\u202e[red]"
    hostile = Finding("W06", f"says {evil}", path=f"a{evil}", line=1, column=1, expected=evil, seen=evil)
    result = Result("W06-a", Status.FAIL, ("W06",), findings=(hostile,), detail=evil)
    item = failure(case("W06-a"), result, Observation(b"", files={f"a{evil}": evil.encode()}))
    text = shown([item])
    assert text.replace("\n", "").isprintable()
    assert "[red]" in text


def test_failing_again_is_counted() -> None:
    assert "failed 2 times" in shown([again(swapped("W06-a"))])


def flat(text: str) -> str:
    """Return `text` as if it had never been wrapped."""
    return " ".join(text.split())


# -- head and foot ----------------------------------------------------------------------------------------------------


def summary(results: list[Result], claimed: frozenset[str] = ALL_ROLES, **options: Any) -> str:
    cases = [case(result.case_id) for result in results]
    scored = score(cases, results, claimed, gave_up=options.get("gave_up") is not None)
    foot = verdict_lines(
        scored,
        options.get("selected"),
        options.get("missing", ()),
        options.get("strict", False),
        options.get("gave_up"),
        WIDTH,
    )
    return "\n".join(map(plain, (*head_lines(cases, claimed, 1, WIDTH), *table_lines(scored, WIDTH), *foot)))


def test_a_sound_run_is_told_in_a_few_lines() -> None:
    text = summary([Result("W06-a", Status.PASS), Result("W07-a", Status.PASS)])
    assert len(text.splitlines()) <= 6
    assert "2 cases for all 7 duties" in text
    assert "2/2" in text
    assert "conformant: all 2 must cases hold. Every must was verified." in text


def test_the_share_that_was_not_verified_stands_beside_the_verdict() -> None:
    claimed = ALL_ROLES - {"save", "trace"}
    text = flat(summary([Result("W06-a", Status.UNSUPPORTED)], claimed))
    assert "not claimed: save trace" in text
    assert "not verified: W (writing a history)" in text
    assert "1 of 1 musts was not verified (roles not claimed: save)." in text
    assert "Nothing was verified" in text


def test_the_verdict_names_what_broke_and_what_it_was_over() -> None:
    results = [Result("W06-a", Status.FAIL, ("W06", "W18")), Result("W07-a", Status.PASS)]
    text = flat(summary(results, selected=2, missing=["trace"], strict=True))
    assert "1/2 W06" in text
    assert "nonconformant, of 2 selected cases: 1 must broken (W06) in 1 case." in text
    assert "1 should broken (W18), which counts here (--strict)." in text
    assert "Required and not claimed: trace." in text


def test_a_run_that_was_given_up_says_why() -> None:
    results = [Result("W06-a", Status.TIMEOUT), Result("W06-b", Status.NOT_RUN)]
    text = flat(summary(results, gave_up="Given up for a reason."))
    assert "Given up for a reason." in text
    assert "1 of 2 musts was not verified (1 not run)." in text


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colours_on_a_terminal_and_none_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured, unwanted, piped = Terminal(), Terminal(), io.StringIO()
    content = [line(("[red]broken[/red]", "bad"), " rest")]
    write(content, coloured)
    write(content, piped)
    monkeypatch.setenv("NO_COLOR", "1")
    write(content, unwanted)
    assert "\x1b[" in coloured.getvalue()
    assert "[red]broken[/red]" in coloured.getvalue()
    assert unwanted.getvalue() == piped.getvalue() == "[red]broken[/red] rest\n"


# -- files ------------------------------------------------------------------------------------------------------------


def report(results: list[Result]) -> dict[str, Any]:
    cases = {result.case_id: case(result.case_id) for result in results}
    text = json_report(
        ReportedRun(
            corpus_digest="0" * 64,
            corpus_version=1,
            seed=None,
            arguments=["--", "./driver", "\udcff"],
            started=datetime(2026, 1, 2, tzinfo=UTC),
            engine_name="evil\x1b[31m",
            command=["./driver", "\udcff"],
            engine_digest="1" * 64,
            roles=ALL_ROLES,
            cases=cases,
            results=results,
            scored=score(list(cases.values()), results, ALL_ROLES),
            spawns=3,
            gave_up=None,
            reproduce=again_command,
            twins=Twins(not_sampled=7),
            leaks=[
                Leak("W06-0", "W06-1\x1b", Status.PASS, Status.CRASH),
                Leak("W06-1", None, Status.FAIL, Status.PASS),
            ],
            failures=[],
            evidence={},
            known=None,
        )
    )
    assert text.isascii()
    assert "\x1b" not in text
    document: dict[str, Any] = json.loads(text)
    return document


def schema() -> jsonschema.Draft202012Validator:
    text = (resources.files("coli_conformance.reports") / "report.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator.check_schema(json.loads(text))
    return jsonschema.Draft202012Validator(json.loads(text))


def test_the_json_report_is_what_its_schema_declares() -> None:
    every_status = [Result(f"W06-{number}", status) for number, status in enumerate(Status)]
    document = report(every_status)
    schema().validate(document)
    assert document["count"] == len(document["results"]) == len(Status)
    assert document["musts"] == {"passed": 2, "failed": 5, "unsupported": 1}
    assert document["verdict"] == "nonconformant"


def test_the_schema_turns_away_what_is_no_report() -> None:
    document = report([Result("W06-a", Status.PASS)])
    del document["count"]
    document["results"][0]["status"] = "fine"
    messages = [error.message for error in schema().iter_errors(document)]
    assert len(messages) == 2


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    output.write(path, "new")
    assert path.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]
    with pytest.raises(output.OutputError, match="folder"):
        output.check(tmp_path)
    with pytest.raises(output.OutputError, match="No such file"):
        output.check(tmp_path / "none" / "report.json")


def test_a_failing_case_is_kept_ready_to_be_run_by_hand(tmp_path: Path) -> None:
    given = SetupFile("h.txt", data=b"3 2 5\n")
    link = SetupFile("link.txt", link_to="h.txt")
    the_case = case("W06-a~b", (given, link), ("init glm_moe_dsa 5 8", "load h.txt"))
    keeper = Keeper(tmp_path / "kept")
    seen = Observation(b"ok\nok 0\n", b"warning\n", files={".coli_usage": SWAPPED, "sub/x": b"1"})
    for _ in range(2):
        keeper.keep(the_case, Result("W06-a~b", Status.FAIL, ("W06",), findings=(SWAP,)), seen)
    folder = tmp_path / "kept" / "W06-a~b"
    assert (
        (folder / "session.txt").read_text() == "hello 1\ninit glm_moe_dsa 5 8\nload h.txt\n" == session_text(the_case)
    )
    assert (folder / "h.txt").samefile(folder / "link.txt")
    assert (folder / "stdout.txt").read_bytes() == seen.stdout
    assert (folder / "stderr.txt").read_bytes() == seen.stderr
    assert (folder / "after" / ".coli_usage").read_bytes() == SWAPPED
    assert (folder / "after" / "sub" / "x").read_bytes() == b"1"
    assert json.loads((folder / "case.json").read_text())["case"]["id"] == "W06-a~b"
    assert (tmp_path / "kept" / "W06-a~b.2").is_dir()


def test_cases_are_never_kept_among_other_files(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    with pytest.raises(output.OutputError, match="not empty"):
        Keeper(tmp_path)


def test_every_field_of_the_json_report_is_documented() -> None:
    from importlib import resources

    declared = json.loads((resources.files("coli_conformance.reports") / "report.schema.json").read_text())
    page = (Path(__file__).parents[1] / "docs" / "reading-a-report.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in page for field in declared["properties"])
    assert all(f"`{field}`" in page for field in declared["$defs"]["result"]["properties"])
    assert all(f"`{word}`" in page for word in declared["$defs"]["status"]["enum"])

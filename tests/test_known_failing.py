"""The known-failing file: what it excuses, how it goes stale, how it is rewritten, and what it is refused for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from coli_conformance import known_failing
from coli_conformance.cli import main
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.known_failing import Compared, compare
from coli_conformance.known_failing_fix import fixed
from coli_spec import SpecError

LINK = "https://example.org/issues/12"
CORPUS = ("W01-a", "W01-b", "W06-a", "W06-b", "R02-a", "R02-a~crlf")
Captured = pytest.CaptureFixture[str]


def written(folder: Path, text: str) -> Path:
    path = folder / "known.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def entry(case: str, status: str | None = "fail", reason: str = LINK) -> str:
    said = f"    status: {status}\n" if status else ""
    return f'  - case: "{case}"\n{said}    reason: {reason}\n'


def results(**statuses: Status) -> list[Result]:
    """Return a result for each id, in which `_` stands for `-`."""
    return [Result(name.replace("_", "-"), status) for name, status in statuses.items()]


def compared(path: Path, seen: Sequence[Result]) -> Compared:
    return compare(known_failing.read(path), seen, lambda: CORPUS)


def words(marked: Compared) -> list[str]:
    return [result.status.word for result in marked.results]


def test_what_fails_as_the_file_says_is_known_and_nothing_else_is(tmp_path: Path) -> None:
    path = written(tmp_path, "failing:\n" + entry("W06-*"))
    seen = compared(path, results(W06_a=Status.FAIL, W06_b=Status.FAIL, W01_a=Status.FAIL, R02_a=Status.PASS))
    assert words(seen) == ["known-failing", "known-failing", "fail", "pass"]
    assert seen.excused == {"W06-a", "W06-b"}
    assert seen.reasons == {"W06-a": LINK, "W06-b": LINK}
    assert seen.problems == ()


@pytest.mark.parametrize(
    ("text", "seen", "told"),
    [
        (entry("W06-*"), results(W06_a=Status.FAIL, W06_b=Status.PASS), ":2: 'W06-*': W06-b passed"),
        (entry("W06-a"), results(W06_a=Status.CRASH), "came to crash, and the entry says fail"),
        (entry("W06-a", "crash"), results(W06_a=Status.FAIL), "came to fail, and the entry says crash"),
        (entry("W99-a"), results(W06_a=Status.PASS), "'W99-a' matches no case. Did you mean"),
        (entry("W06-a"), results(W06_a=Status.UNSUPPORTED), "cannot be asked of this engine"),
        (
            entry("W06-a") + entry("W06-*"),
            results(W06_a=Status.FAIL),
            ":5: W06-a is matched by 'W06-*' and by 'W06-a' on line 2",
        ),
    ],
)
def test_an_entry_that_is_no_longer_right_is_told_with_its_line(
    tmp_path: Path, text: str, seen: list[Result], told: str
) -> None:
    (problem,) = compared(written(tmp_path, "failing:\n" + text), seen).problems
    assert told in problem


def test_a_case_that_passes_unexpectedly_says_so(tmp_path: Path) -> None:
    seen = compared(written(tmp_path, "failing:\n" + entry("W06-a")), results(W06_a=Status.PASS))
    assert words(seen) == ["unexpected-pass"]
    assert not seen.excused


def test_another_status_than_the_entry_says_is_not_excused(tmp_path: Path) -> None:
    seen = compared(written(tmp_path, "failing:\n" + entry("W06-a")), results(W06_a=Status.CRASH))
    assert words(seen) == ["crash"]
    assert not seen.excused


@pytest.mark.parametrize("pattern", ["W01-a", "R02-a~crlf", "W01-a@7-3", "W16-killed-at-write-3"])
def test_an_entry_whose_case_was_not_played_says_nothing(tmp_path: Path, pattern: str) -> None:
    seen = compared(written(tmp_path, "failing:\n" + entry(pattern)), results(W06_a=Status.PASS))
    assert seen.problems == ()


def test_a_flaky_case_may_do_either_and_is_named_where_it_fails(tmp_path: Path) -> None:
    path = written(tmp_path, "flaky:\n" + entry("W06-a", None))
    steady = compared(path, results(W06_a=Status.PASS))
    assert (words(steady), steady.flaky, steady.problems) == (["pass"], (), ())
    thrice = [Result("W06-a", status) for status in (Status.PASS, Status.TIMEOUT, Status.PASS)]
    seen = compared(path, thrice)
    assert words(seen) == ["pass", "known-failing", "pass"]
    assert [(flake.case_id, flake.failed, flake.of) for flake in seen.flaky] == [("W06-a", 1, 3)]
    assert seen.excused == {"W06-a"}
    assert seen.problems == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("failing:\n" + entry("W06-a", "pass"), "known.yaml:3: 'status'"),
        ("failing:\n" + entry("W06-a", reason="because"), "known.yaml:4: the reason for 'W06-a' has no link"),
        ("failing:\n  - case: W06-a\n", "lacks the key 'status'"),
        ("flaky:\n" + entry("W06-a"), "unknown key 'status'"),
        ("falling: []\n", "unknown key 'falling'"),
        ("failing: [", "known.yaml:"),
        ("[]", "known.yaml:1"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_by_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SpecError) as caught:
        known_failing.read(written(tmp_path, text))
    assert told in str(caught.value)


# -- rewriting --------------------------------------------------------------------------------------------------------


def test_a_rewritten_file_is_right_again(tmp_path: Path) -> None:
    comment = "# What the team knows.\n"
    text = comment + "failing:\n" + entry("W06-*") + entry("W01-a") + entry("W99-x") + entry("R02-a~crlf")
    path = written(tmp_path, text + "flaky:\n" + entry("W01-b", None, f'"say: {LINK}"'))
    seen = results(W06_a=Status.CRASH, W06_b=Status.PASS, W01_a=Status.FAIL, W01_b=Status.FAIL, R02_a=Status.PASS)
    new = fixed(known_failing.read(path), seen, lambda: CORPUS)
    path.write_text(new.text, encoding="utf-8")
    entries = [(each.pattern, each.status) for each in known_failing.read(path).entries]
    assert entries == [("W06-a", "crash"), ("W01-a", "fail"), ("R02-a~crlf", "fail"), ("W01-b", None)]
    assert new.text.startswith(comment)
    assert f"say: {LINK}" in known_failing.read(path).entries[-1].reason
    assert compared(path, seen).problems == ()


def test_a_file_that_is_right_keeps_its_patterns(tmp_path: Path) -> None:
    path = written(tmp_path, "failing:\n" + entry("W06-*"))
    seen = results(W06_a=Status.FAIL, W06_b=Status.FAIL)
    new = fixed(known_failing.read(path), seen, lambda: CORPUS)
    assert [each.pattern for each in new.kept.entries] == ["W06-*"]
    assert "nothing to change" in new.sentence


def test_a_new_failure_is_not_known_before_somebody_has_said_why(tmp_path: Path) -> None:
    path = written(tmp_path, "failing: []\n")
    seen = [*results(W06_a=Status.FAIL), Result("W06-a@7-3", Status.FAIL)]
    new = fixed(known_failing.read(path), seen, lambda: CORPUS)
    assert "@" not in new.text
    assert new.kept.entries == ()
    path.write_text(new.text, encoding="utf-8")
    with pytest.raises(SpecError, match=r"known\.yaml:4: the reason for 'W06-a' has no link"):
        known_failing.read(path)


# -- in a run ---------------------------------------------------------------------------------------------------------


def faulty(*words: str) -> list[str]:
    return ["run", *words, "--engine", "fault:stop-at-minus3"]


def test_a_run_whose_failures_are_all_known_ends_with_0(tmp_path: Path, capsys: Captured) -> None:
    chosen = ["--case", "R02-*"]
    failing = failing_ids(tmp_path, chosen)
    assert failing
    path = written(tmp_path, "failing:\n" + "".join(entry(case_id) for case_id in failing))
    capsys.readouterr()
    assert main(faulty(*chosen, "--known-failing", str(path))) == 0
    out = capsys.readouterr().out
    assert f"{len(failing)} cases fail as known" in out
    assert "nonconformant" in out
    assert "Again:" not in out


def failing_ids(folder: Path, chosen: Sequence[str]) -> list[str]:
    from coli_conformance.recorded import read

    path = folder / "all.json"
    assert main(faulty(*chosen, "--report", f"json={path}")) == 1
    return [result.case for result in read(path).results if result.status == "fail"]


def test_a_stale_file_makes_a_run_end_with_1(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, "failing:\n" + entry("W06-glm_moe_dsa"))
    assert main(faulty("--case", "W06-glm_moe_dsa", "--known-failing", str(path))) == 1
    out = capsys.readouterr().out
    assert "known.yaml:2: 'W06-glm_moe_dsa': W06-glm_moe_dsa passed" in " ".join(out.split())


@pytest.mark.parametrize("words", [["--case", "R02-*"], ["--clause", "R02"], ["--role", "load"], ["--corpus", "1"]])
def test_a_partial_run_rewrites_nothing(tmp_path: Path, capsys: Captured, words: list[str]) -> None:
    path = written(tmp_path, "failing: []\n")
    assert main(faulty(*words, "--known-failing", str(path), "--fix")) == 2
    assert "whole run" in capsys.readouterr().err
    assert path.read_text() == "failing: []\n"


def test_fix_without_a_file_and_a_file_that_is_not_there_are_told(tmp_path: Path, capsys: Captured) -> None:
    assert main(faulty("--fix")) == 2
    assert "--known-failing FILE" in capsys.readouterr().err
    assert main(faulty("--known-failing", str(tmp_path / "none.yaml"))) == 2
    assert "none.yaml" in capsys.readouterr().err


def test_a_whole_run_writes_the_file_that_a_team_starts_from(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "new.yaml"
    assert main(faulty("--known-failing", str(path), "--fix")) == 1
    assert "give each a reason with a link" in capsys.readouterr().err
    text = path.read_text()
    path.write_text(text.replace("say why, and link to where it is dealt with", LINK))
    assert main(faulty("--known-failing", str(path))) == 0
    assert main(faulty("--known-failing", str(path), "--strict", "--require-roles", "load")) == 0

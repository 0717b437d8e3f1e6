"""What broke, clause by clause: which clause comes first, which cases stand under it, what is listed behind."""

from __future__ import annotations

import pytest

from coli_conformance.case import Case, Outcome
from coli_conformance.cli import main
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status
from coli_conformance.reports.broken import broken_lines
from coli_conformance.reports.failure import Failure, failure, home_clause
from coli_conformance.reports.lines import plain
from coli_conformance.score import score

ALL_ROLES = frozenset({"load", "bounds", "identify", "trusted", "iku1", "save", "trace"})
WIDTH = 110


def case(case_id: str) -> Case:
    clause = case_id.partition("-")[0]
    outcome = Outcome(("ok",))
    return Case(case_id, 1, (clause,), "must", ("save",), "For the report.", ("init glm_moe_dsa 5 8",), (outcome,))


def again_command(case_id: str) -> str:
    return f"coli-conformance run --case {case_id} -- ./driver"


def shown(failures: list[Failure], show_all: bool = False) -> str:
    played = {item.case.id: item.case for item in failures}
    results = [item.result for item in failures]
    return "\n".join(map(plain, broken_lines(failures, played, results, again_command, WIDTH, show_all=show_all)))


def flat(text: str) -> str:
    """Return `text` as if it had never been wrapped."""
    return " ".join(text.split())


def broken(case_id: str, *clauses: str) -> Failure:
    """Return a case that broke these clauses."""
    findings = tuple(Finding(clause, f"wrong by {clause}") for clause in clauses)
    return failure(case(case_id), Result(case_id, Status.FAIL, clauses, findings=findings), Observation(b""))


def heads(text: str) -> list[str]:
    """Return the clauses that have a section, in the order of the report."""
    return [line.split()[1] for line in text.splitlines() if line.startswith(("  must ", "  should ", "  may "))]


def test_one_case_a_clause_is_enough_where_very_many_clauses_broke() -> None:
    clauses = [f"W{number:02}" for number in range(1, 10)]
    text = shown([broken(f"{clause}-{name}", clause) for clause in clauses for name in ("a", "b")])
    assert text.count("Again:") == 9
    assert text.count("1 more case about") == 9


def test_the_clause_whose_own_cases_broke_most_thoroughly_comes_first() -> None:
    failures = [broken("W01-a", "W01", "W07"), *(broken(f"R01-{n}", "R01") for n in range(3)), broken("W07-a", "W07")]
    sound = [case("W01-b"), case("R01-3")]
    played = {each.id: each for each in (*sound, *(item.case for item in failures))}
    results = [*(item.result for item in failures), *(Result(each.id, Status.PASS) for each in sound)]
    text = "\n".join(map(plain, broken_lines(failures, played, results, again_command, WIDTH)))
    assert heads(text) == ["W07", "R01", "W01"]
    assert "start with W07" in text
    assert "1 of 1 cases about it broken" in text
    assert "3 of 4 cases about it broken" in text
    assert "W07 was also broken in 1 case about another clause" in flat(text)


def test_shares_that_are_alike_go_by_number_and_then_as_declared() -> None:
    failures = [broken("R01-a", "R01"), broken("W22-a", "W22"), broken("T01-a", "T01"), broken("T01-b", "T01")]
    assert heads(shown(failures)) == ["T01", "W22", "R01"]


def test_what_no_case_about_it_broke_is_listed_last_with_an_example() -> None:
    text = shown([broken("W07-a", "W07", "W11"), broken("W22-a", "W11"), broken("W22-b", "W11", "W18")])
    assert heads(text) == ["W07"]
    last = flat(text).rpartition("also broken, in cases about other clauses: ")[2]
    assert last == "W11 in 3 (such as W07-a), W18 in 1 (such as W22-b)"


def test_no_failing_case_is_hidden_where_all_are_asked_for_or_none_is_about_what_it_broke() -> None:
    on_the_way = broken("W22-a", "W11")
    assert "W22-a" not in shown([broken("W07-a", "W07"), on_the_way]).partition("also broken")[0]
    assert again_command("W22-a") in shown([broken("W07-a", "W07"), on_the_way], show_all=True)
    text = shown([on_the_way])
    assert "broken in 1 case about another clause" in text
    assert again_command("W22-a") in text


def test_rewritten_inputs_are_counted_apart_from_the_cases_about_a_clause() -> None:
    failures = [broken("R12-tabs", "R12"), broken("R12-a~crlf", "R12"), broken("R12-b~crlf", "R12")]
    text = shown(failures)
    assert "1 of 1 cases about it broken" in text
    assert "1 rewritten input about R12 like this: --clause R12 shows it." in text
    assert "2 of 2 rewritten inputs broken" in shown(failures[1:])


def test_every_clause_that_the_verdict_names_stands_above_it() -> None:
    failures = [broken("W07-a", "W07", "W11"), broken("W22-a", "W11", "W18"), broken("R24-a", "R24")]
    text = shown(failures)
    results = [item.result for item in failures]
    scored = score([item.case for item in failures], results, ALL_ROLES)
    named = {*scored.broken_musts, *scored.broken_shoulds, *(clause for clause, _ in scored.none_legal)}
    assert named == {"W07", "W11", "W18", "R24"}
    assert named <= set(heads(text)) | set(text.partition("also broken")[2].replace(",", "").split())


def test_a_may_case_without_a_legal_behaviour_is_told_in_its_own_words() -> None:
    text = flat(shown([broken("R24-a", "R24")]))
    assert "no legal behaviour in 1 of 1 cases about it" in text
    assert "None of the legal behaviours was seen (read, refuse, empty)." in text
    assert "broken" not in text.partition("R24-a")[0]


def test_a_case_is_shown_under_the_clause_it_is_about_or_else_under_the_first_must_that_it_broke() -> None:
    assert home_clause(case("W18-a"), Result("W18-a", Status.FAIL, ("W18", "W22", "W15"))) == "W18"
    assert home_clause(case("R01-a"), Result("R01-a", Status.FAIL, ("W18", "W22", "W15"))) == "W22"
    assert home_clause(case("R24-a"), Result("R24-a", Status.FAIL, ("R24", "W15"))) == "W15"
    assert home_clause(case("W18-a"), Result("W18-a", Status.CRASH)) == "W18"


@pytest.mark.parametrize(("fault", "cause"), [("fnv1-instead-of-fnv1a", "W07"), ("stop-at-minus3", "R02")])
def test_the_cause_heads_the_report_of_a_whole_run(fault: str, cause: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--engine", f"fault:{fault}"]) == 1
    assert heads(capsys.readouterr().out)[0] == cause

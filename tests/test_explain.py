"""`explain`: clauses, cases, and lists of clauses in words."""

from __future__ import annotations

import pytest

import coli_spec
from coli_conformance.cli import main
from coli_conformance.corpus import vectors

Captured = pytest.CaptureFixture[str]


def test_a_clause_is_explained(capsys: Captured) -> None:
    assert main(["explain", "r23"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("R23  may")
    assert "legal    stop, skip-line, refuse, desync, first-three" in text
    cases = [case.id for case in vectors.committed()[0] if case.clauses[0] == "R23"]
    assert cases
    assert all(case_id in text for case_id in cases)


def test_clauses_are_listed_by_area_where_none_is_named(capsys: Captured) -> None:
    assert main(["explain"]) == 0
    text = capsys.readouterr().out
    listed = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert listed == [clause.id for clause in coli_spec.load().clauses]
    assert "  W06  must    The record -2 holds the format version, 1, in its second field" in text
    assert main(["explain", "w"]) == 0
    assert capsys.readouterr().out == text[: text.index("\nR  ")]


@pytest.mark.parametrize("clause", ["W03", "R21"])
def test_the_ranges_of_the_fields_stand_where_a_clause_speaks_of_them(clause: str, capsys: Captured) -> None:
    assert main(["explain", clause]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "second field -2147483648 to 2147483647; third field 0 to 4294967295" in text


def test_the_number_of_cases_is_that_of_cases_about_the_clause(capsys: Captured) -> None:
    assert main(["explain", "W06"]) == 0
    about = sum(case.clauses[0] == "W06" for case in vectors.committed()[0])
    assert f"cases    {about} about it" in capsys.readouterr().out


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

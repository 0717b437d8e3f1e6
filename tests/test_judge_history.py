"""The judge of written histories, on files written by hand: each fault is named by its own clause."""

from __future__ import annotations

import pytest

from coli_conformance.case import WrittenHistory
from coli_conformance.judge.written_history import judge_history

GLM = 3815245270
K3 = 1820578806
MEANT = WrittenHistory(n_layers=5, n_experts=8, engine_id=GLM, records=((3, 2, 5), (5, 0, 7)), dropped=(0, 1))
HEADER = f"-1 5 8\n-2 1 {GLM}\n"
SOUND = HEADER + "3 2 5\n5 0 7\n"


def broken(data: str, expected: WrittenHistory = MEANT, clause: str = "W02") -> set[str]:
    return {finding.clause for finding in judge_history(data.encode(), "history", expected, clause)}


@pytest.mark.parametrize(
    ("data", "clauses"),
    [
        pytest.param(SOUND, set(), id="sound"),
        pytest.param(SOUND.replace("\n", "\r\n"), set(), id="crlf is no must"),
        pytest.param(SOUND[:-1], set(), id="a missing final newline is no must"),
        pytest.param(HEADER + "5 0 7\n3 2 5\n", set(), id="the order is no must"),
        pytest.param(HEADER + "03 2 5\n\n5 0 007\n", set(), id="leading zeros and blank lines are no must"),
        pytest.param(HEADER + "3 2 5 1\n5 0 7\n", {"W02", "W15"}, id="a fourth field"),
        pytest.param(HEADER + "3 2\n5 0 7\n", {"W02", "W15", "W22"}, id="two fields"),
        pytest.param("# v1\n" + SOUND, {"W03", "W04", "W15"}, id="a comment line"),
        pytest.param(HEADER + "3 2 5 # hot\n5 0 7\n", {"W02", "W03", "W15"}, id="a comment behind a record"),
        pytest.param(HEADER + "3 2 +5\n5 0 7\n", {"W03"}, id="a plus sign"),
        pytest.param(HEADER + "3 2 0x5\n5 0 7\n", {"W03", "W15", "W22"}, id="hex"),
        pytest.param(HEADER + "3 2 5.0\n5 0 7\n", {"W03", "W15", "W22"}, id="a decimal point"),
        pytest.param("-1 5 8\n-2 1 glm_moe_dsa\n3 2 5\n5 0 7\n", {"W03", "W07", "W15"}, id="the name for the id"),
        pytest.param("-1 5 8\n-2 1 -479722026\n3 2 5\n5 0 7\n", {"W03", "W07"}, id="the id printed signed"),
        pytest.param(f"-1 5 8\n-2 {GLM} 1\n3 2 5\n5 0 7\n", {"W03", "W06"}, id="the id in the second field"),
        pytest.param(f"-1 5 8\n-2 2 {GLM}\n3 2 5\n5 0 7\n", {"W06"}, id="version 2"),
        pytest.param(f"-1 5 8\n-2 1 {K3}\n3 2 5\n5 0 7\n", {"W07"}, id="another engine's id"),
        pytest.param(f"-1 6 8\n-2 1 {GLM}\n3 2 5\n5 0 7\n", {"W05"}, id="other layers"),
        pytest.param(f"-1 8 5\n-2 1 {GLM}\n3 2 5\n5 0 7\n", {"W05"}, id="dimensions swapped"),
        pytest.param("3 2 5\n5 0 7\n", {"W04"}, id="no header"),
        pytest.param(f"-2 1 {GLM}\n-1 5 8\n3 2 5\n5 0 7\n", {"W04"}, id="header swapped"),
        pytest.param(HEADER + HEADER + "3 2 5\n5 0 7\n", {"W04"}, id="header twice"),
        pytest.param("3 2 5\n" + HEADER + "5 0 7\n", {"W04"}, id="header late"),
        pytest.param(HEADER + "-3 1 1\n3 2 5\n5 0 7\n", {"W14"}, id="an unknown header record"),
        pytest.param(HEADER + "3 1 0\n3 2 5\n5 0 7\n", {"W01"}, id="a count of 0"),
        pytest.param(HEADER + "1 4 3\n3 2 5\n5 0 7\n", {"W09"}, id="a dropped row"),
        pytest.param(HEADER + "3 2 5\n", {"W10"}, id="the MTP row lost"),
        pytest.param(HEADER + "5 0 7\n", {"W22"}, id="a counter lost"),
        pytest.param(HEADER + "3 2 4\n5 0 7\n", {"W11"}, id="a count that is not exact"),
        pytest.param(HEADER + "3 2 2\n3 2 3\n5 0 7\n", {"W22"}, id="two records for one counter"),
        pytest.param(HEADER + "3 2 5\n4 1 1\n5 0 7\n", {"W22"}, id="an invented counter"),
        pytest.param(HEADER + "3 2 5 5 0 7\n", {"W23"}, id="two records on a line"),
        pytest.param(HEADER + "3 2 4294967301\n5 0 7\n", {"W03", "W11", "W15"}, id="a count above 32 bits"),
        pytest.param("", {"W22"}, id="zero bytes though counted"),
        pytest.param("\n", {"W04", "W10", "W22"}, id="one newline though counted"),
    ],
)
def test_each_fault_is_named(data: str, clauses: set[str]) -> None:
    assert broken(data) == clauses


@pytest.mark.parametrize(
    ("data", "clauses"),
    [
        ("", set()),
        ("\n", {"W08"}),
        (HEADER, {"W08"}),
        (HEADER + "3 2 5\n", {"W08", "W22"}),
    ],
)
def test_nothing_counted_is_zero_bytes(data: str, clauses: set[str]) -> None:
    empty = WrittenHistory(n_layers=5, n_experts=8, engine_id=GLM, records=())
    assert broken(data, empty) == clauses


def test_wrong_records_break_what_the_case_is_about_too() -> None:
    assert broken(HEADER + "3 2 5\n", clause="W13") == {"W10", "W13"}
    assert broken(SOUND.replace("-1 5 8", "-1 5 9"), clause="W13") == {"W05"}


def test_canonical_bytes_are_judged_only_where_asked() -> None:
    canonical = WrittenHistory(5, 8, GLM, MEANT.records, canonical=True)
    for data in (SOUND.replace(" ", "  "), SOUND.replace("\n", "\r\n"), SOUND[:-1], HEADER + "5 0 7\n3 2 5\n"):
        assert broken(data, canonical) == {"W18"}
    assert broken(SOUND, canonical) == set()


def test_header_records_that_were_loaded_may_stay_and_those_asked_for_must_be_there() -> None:
    kept = WrittenHistory(5, 8, GLM, MEANT.records, kept=((-7, 1, 2),))
    added = WrittenHistory(5, 8, GLM, MEANT.records, added=((-7, 1, 2),))
    with_record = HEADER + "-7 1 2\n3 2 5\n5 0 7\n"
    assert (broken(with_record, kept), broken(SOUND, kept)) == (set(), set())
    assert (broken(with_record, added), broken(SOUND, added)) == (set(), {"W14"})


def test_a_finding_points_at_its_field() -> None:
    data = f"-1 5 8\n-2 {GLM} 1\n3 2 5\n5 0 7\n"
    finding = next(f for f in judge_history(data.encode(), "history", MEANT, "W06") if f.clause == "W03")
    assert (finding.path, finding.line, finding.column, finding.width) == ("history", 2, 4, len(str(GLM)))
    assert "int32" in finding.sentence


def test_a_file_of_faults_gives_a_few_findings_of_a_clause() -> None:
    dense = HEADER + "".join(f"3 {expert} 0\n" for expert in range(1000)) + "3 2 5\n5 0 7\n"
    findings = judge_history(dense.encode(), "history", MEANT, "W01")
    assert {finding.clause for finding in findings} == {"W01"}
    assert len(findings) <= 3


@pytest.mark.parametrize("data", [b"\x00\xff\xfe", b"IKU1" + bytes(40), b"9" * 100_000 + b" 1 1\n", b"-\n--\n- - -\n"])
def test_garbage_has_findings_and_no_traceback(data: bytes) -> None:
    assert judge_history(data, "history", MEANT, "W03")


def test_an_id_that_equals_the_version_is_in_its_place() -> None:
    own = WrittenHistory(5, 8, 1, ((3, 2, 5),))
    assert broken("-1 5 8\n-2 1 1\n3 2 5", own) == set()


def test_a_file_many_times_too_long_is_judged_by_its_beginning() -> None:
    dense = HEADER + "".join(f"{layer} {expert} 0\n" for layer in range(500) for expert in range(1000)) + "5 0 7\n"
    assert broken(dense) == {"W01"}

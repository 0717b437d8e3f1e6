"""The judge of traces, on traces written by hand: each fault is named by its own clause."""

from __future__ import annotations

import pytest

from coli_conformance.case import ExpectedTrace
from coli_conformance.judge.trace_file import judge_trace

MEANT = ExpectedTrace(("0 0 3 4:0.5 1:0.25", "0 1 3 2:1.5", "2 0 4 7:0.1"))
SOUND = "0 0 3 4:0.5000 1:0.2500\n0 1 3 2:1.5000\n2 0 4 7:0.1000\n"


def broken(data: str, expected: ExpectedTrace = MEANT, clause: str = "T01") -> set[str]:
    return {finding.clause for finding in judge_trace(data.encode(), "trace.txt", expected, clause)}


def one_gate(applied: str, printed: str, clause: str = "T06", four_decimals: bool = False) -> set[str]:
    expected = ExpectedTrace((f"0 0 3 1:{applied}",), four_decimals)
    return broken(f"0 0 3 1:{printed}\n", expected, clause)


@pytest.mark.parametrize(
    ("data", "clauses"),
    [
        pytest.param(SOUND, set(), id="sound"),
        pytest.param(SOUND.replace("0.5000", "0.50000"), set(), id="five decimals are no must"),
        pytest.param(SOUND.replace("4:0.5000 1", "4:0.5000  1"), {"T01"}, id="two blanks"),
        pytest.param(SOUND.replace("0 0 3", "0\t0\t3"), {"T01"}, id="tabs"),
        pytest.param(SOUND.replace("\n", " \n"), {"T01"}, id="trailing blanks"),
        pytest.param(SOUND.replace("\n", "\r\n"), {"T01"}, id="crlf"),
        pytest.param(SOUND[:-1], {"T01"}, id="no LF at the end"),
        pytest.param("call row layer\n" + SOUND, {"T01"}, id="a line of names"),
        pytest.param("\n" + SOUND, {"T01"}, id="a blank line"),
        pytest.param(SOUND + "3 0 4\n", {"T01"}, id="a line without a choice"),
        pytest.param(SOUND.replace("0 0 3", "0 0 -3"), {"T01"}, id="a negative layer"),
        pytest.param(SOUND.replace("2:1.5000", "2:1.5000e0"), {"T01"}, id="an exponent"),
        pytest.param(SOUND.replace("2:1.5000", "2:+1.5000"), {"T01"}, id="a plus sign"),
        pytest.param("", {"T02"}, id="nothing traced"),
        pytest.param(SOUND.replace("0 1 3 2:1.5000\n", ""), {"T02"}, id="a row lost"),
        pytest.param(SOUND + "2 0 4 7:0.1000\n", {"T02"}, id="a line twice"),
        pytest.param(
            "0 1 3 2:1.5000\n0 0 3 4:0.5000 1:0.2500\n2 0 4 7:0.1000\n", {"T02"}, id="rows in another order"
        ),
        pytest.param(SOUND.replace("2 0 4", "1 0 4"), {"T03"}, id="an empty call not counted"),
        pytest.param(SOUND.replace("0 1 3", "1 1 3"), {"T03"}, id="a call for each row"),
        pytest.param(
            SOUND.replace("2 0 4", "3 0 4").replace("0 0 3", "1 0 3").replace("0 1 3", "1 1 3"),
            {"T03"},
            id="calls from 1",
        ),
        pytest.param(SOUND.replace("0 0 3", "0 3 0"), {"T04"}, id="layer before row"),
        pytest.param(SOUND.replace("2 0 4", "2 2 4"), {"T04"}, id="rows numbered throughout"),
        pytest.param(SOUND.replace("2 0 4", "2 0 1"), {"T04"}, id="layers renumbered"),
        pytest.param(SOUND.replace("4:0.5000 1:0.2500", "1:0.2500 4:0.5000"), {"T05"}, id="sorted by id"),
        pytest.param(SOUND.replace(" 1:0.2500", ""), {"T05"}, id="the last expert lost"),
        pytest.param(SOUND.replace("7:", "6:"), {"T05"}, id="another expert"),
        pytest.param(SOUND.replace("1.5000", "1.0000"), {"T06"}, id="cut off at 1"),
        pytest.param(SOUND.replace("0.1000", "0.100"), {"T06"}, id="three decimals"),
        pytest.param(SOUND.replace("1.5000", "1"), {"T06"}, id="no decimals"),
        pytest.param(SOUND.replace(".", ","), {"T09"}, id="a decimal comma"),
        pytest.param(
            SOUND.replace("2 0 4 7", "1 0 5 6"), {"T03", "T04", "T05"}, id="three faults in one line"
        ),
    ],
)  # fmt: skip
def test_each_fault_is_named(data: str, clauses: set[str]) -> None:
    assert broken(data) == clauses


@pytest.mark.parametrize(
    ("applied", "printed", "clauses"),
    [
        pytest.param("0.1", "0.1000", set(), id="rounded"),
        pytest.param("0.1", "0.1001", {"T06"}, id="a unit too high"),
        pytest.param("0.1", "0.100000001", set(), id="the float's own digits"),
        pytest.param("0.1", "0.100000000", {"T06"}, id="the decimal's digits, which no float has"),
        pytest.param("0.03125", "0.0312", set(), id="a tie downwards"),
        pytest.param("0.03125", "0.0313", set(), id="a tie upwards"),
        pytest.param("0.03125", "0.0311", {"T06"}, id="neither side of the tie"),
        pytest.param("0.00005", "0.0000", set(), id="the float is below the half"),
        pytest.param("0.00005", "0.0001", {"T06"}, id="the decimal is not what was applied"),
        pytest.param("0.99999", "1.0000", set(), id="carried"),
        pytest.param("0.99999", "0.9999", {"T06"}, id="cut off"),
        pytest.param("-0.00004", "-0.0000", set(), id="minus zero"),
        pytest.param("-0.25", "0.2500", {"T06"}, id="the sign lost"),
        pytest.param("511.9375", "511.9375", set(), id="large"),
        pytest.param("0.25", ".2500", {"T01"}, id="no digit before the point"),
        pytest.param("0.25", "nan", {"T12"}, id="not a number"),
        pytest.param("0.25", "-inf", {"T12"}, id="infinite"),
    ],
)
def test_gates_are_within_half_a_unit(applied: str, printed: str, clauses: set[str]) -> None:
    assert one_gate(applied, printed) == clauses


def test_exactly_four_decimals_only_where_asked() -> None:
    assert one_gate("0.5", "0.500000", clause="T10", four_decimals=True) == {"T10"}
    assert one_gate("0.5", "0.500000") == set()
    assert one_gate("0.5", "0.5000", clause="T10", four_decimals=True) == set()


def test_a_wrong_line_breaks_the_later_clause_of_the_case_too() -> None:
    assert broken(SOUND.replace("2 0 4", "1 0 4"), clause="T11") == {"T03", "T11"}
    assert broken(SOUND.replace("2 0 4", "1 0 4"), clause="T02") == {"T03"}


def test_under_t12_no_must_is_broken() -> None:
    for data in (SOUND + "3 0 4 -1:0.5000\n", SOUND + "3 0 4 8:0.5000\n", SOUND.replace("1:0.2500", "1:0.2500 6:nan")):
        assert broken(data, clause="T12") == {"T12"}
    assert broken(SOUND, clause="T12") == set()


def test_a_finding_points_at_its_gate() -> None:
    data = SOUND.replace("2:1.5000", "2:1.2500")
    (finding,) = judge_trace(data.encode(), "trace.txt", MEANT, "T06")
    assert (finding.path, finding.line, finding.column, finding.width) == ("trace.txt", 2, 9, 6)
    assert (finding.expected, finding.seen) == ("1.5", "1.2500")


def test_a_trace_of_faults_gives_a_few_findings() -> None:
    meant = ExpectedTrace(tuple(f"{call} 0 3 1:0.5" for call in range(1000)))
    for line in ("{call} 0 3 1:0.4000\n", "{call} 3 0 1:0.5000\n", "{call} 0 3\n"):
        data = "".join(line.format(call=call) for call in range(1000))
        assert 1 <= len(judge_trace(data.encode(), "trace.txt", meant, "T02")) <= 4


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\xfe",
        b"\xff" * 1000 + b"\n",
        b" \n" * 50,
        b"0 0 3 1:half\n",
        b"0 0 3 1:\xff\n",
        b"0 0 3 1:" + b"9" * 6000 + b".0000\n",
        b"9" * 6000 + b" 0 3 1:0.5000\n",
    ],
)
def test_garbage_has_findings_and_no_traceback(data: bytes) -> None:
    assert judge_trace(data, "trace.txt", MEANT, "T01")

"""The matrix, played with real engines: every cell of a known crowd comes out as the contract says it must."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest

import coli_conformance
from coli_conformance.cli import main

TESTS = Path(__file__).parent
NAIVE_READER = """
import sys
for line in open(sys.argv[1], encoding="ascii", newline=None):
    fields = line.split()
    if len(fields) == 3 and int(fields[0]) >= 0:
        print(*fields)
"""
ENGINES = """
engines:
  - {name: reference, python: "coli_reference.engine:ReferenceEngine"}
  - {name: c, command: ["%(c_engine)s"]}
  - {name: hash second, python: "coli_conformance.faults.writer_header:HashInSecondField", reads: false}
  - {name: fourth field, python: "coli_conformance.faults.writer_form:FourthField", reads: false}
  - {name: headerless, python: "period_writers:HeaderlessEngine"}
  - {name: wide counts, python: "period_writers:WideCountsEngine"}
  - {name: old 64, old-reader: glibc64}
  - {name: old 32, old-reader: ilp32}
  - {name: template, load: ["%(python)s", naive_reader.py, "{path}"]}
"""
READERS = ("reference", "c", "old 64", "old 32", "template")
SCENARIOS = (
    *("small", "mtp-row", "dropped-rows", "boundary-counts"),
    *("id-0", "id-2147483647", "id-2147483648", "id-4294967295"),
    *("real-dimensions", "accumulated", "unknown-record", "empty"),
)
READ_RIGHT_BY = {
    "reference": READERS,
    "c": READERS,
    # The version stands where the loop of old readers, and a tool that knows no header, look at nothing (W06).
    "hash second": ("old 64", "old 32", "template"),
    # Old readers take the fourth field for the first of the next record; the others stop or skip the line (W02, R23).
    "fourth field": (),
    # Read as it is (R08).
    "headerless": READERS,
    # A count of 2**32 + n: only a 64-bit long, stored in 32 bits, makes n of it (W03, R21).
    "wide counts": ("old 64",),
}
GOLD = ("headerless", "headerless, CRLF", "header 1", "header 1, CRLF", "IKU1")
READ_IKU1 = ("reference", "c")


def expected_status(writer: str, reader: str, scenario: str) -> str:
    if scenario in {"accumulated", "unknown-record"} and writer in {"headerless", "wide counts"}:
        return "unsupported"  # they only write, and these begin with a load
    if scenario == "empty":
        return "pass"  # a file of no bytes has no field to get wrong (W08)
    return "pass" if reader in READ_RIGHT_BY[writer] else "fail"


@pytest.fixture(scope="module")
def report(c_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The JSON report of the whole crowd; the command must say that cells failed."""
    folder = tmp_path_factory.mktemp("matrix")
    (folder / "naive_reader.py").write_text(NAIVE_READER)
    (folder / "period_writers.py").write_bytes((TESTS / "period_writers.py").read_bytes())
    (folder / "engines.yaml").write_text(ENGINES % {"c_engine": c_engine, "python": sys.executable})
    written = folder / "matrix.json"
    assert main(["matrix", str(folder / "engines.yaml"), "--jobs", "2", "--report", f"json={written}"]) == 1
    document = json.loads(written.read_text())
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="module")
def cells(report: dict[str, object]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Status and reason of each cell."""
    listed = report["cells"]
    assert isinstance(listed, list)
    return {(one["writer"], one["reader"], one["scenario"]): (one["status"], one["reason"]) for one in listed}


def test_every_cell_is_right(cells: dict[tuple[str, str, str], tuple[str, str]]) -> None:
    expected = {
        (writer, reader, scenario): expected_status(writer, reader, scenario)
        for writer in READ_RIGHT_BY
        for reader in READERS
        for scenario in SCENARIOS
    }
    for name in GOLD:
        for reader in READERS:
            supported = name != "IKU1" or reader in READ_IKU1
            expected[f"gold: {name}", reader, "gold"] = "pass" if supported else "unsupported"
    assert {place: status for place, (status, _) in cells.items()} == expected


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        # 0 0 1 1 | 1 7 2 1 | ...: the fourth field of a line and two fields of the next one become a record.
        (("fourth field", "old 64", "small"), "invented 1 1 7"),
        (("fourth field", "template", "small"), "lost all 4 records (0 0 1, 1 7 2, 3 2 5 and 1 more)"),
        (("wide counts", "old 32", "mtp-row"), "3 2 from 5 to 4294967295"),
        (("wide counts", "template", "mtp-row"), "3 2 from 5 to 4294967301"),
        (("hash second", "reference", "id-2147483647"), "refused the file: "),
        (("hash second", "c", "id-2147483647"), "refused the file: "),
        (("headerless", "c", "accumulated"), "the writer: It needs roles that the engine does not claim: load"),
        (("gold: IKU1", "old 64", "gold"), "the reader: It needs roles that the engine does not claim: iku1"),
    ],
)
def test_a_cell_says_in_words_what_happened(
    cells: dict[tuple[str, str, str], tuple[str, str]], place: tuple[str, str, str], reason: str
) -> None:
    assert reason in cells[place][1]


def test_the_json_report_is_what_its_schema_declares(report: dict[str, object]) -> None:
    schema = Path(coli_conformance.__file__).parent / "matrix" / "matrix.schema.json"
    jsonschema.validate(report, json.loads(schema.read_text()))
    assert report["count"] == len(READ_RIGHT_BY) * len(READERS) * len(SCENARIOS) + len(GOLD) * len(READERS)

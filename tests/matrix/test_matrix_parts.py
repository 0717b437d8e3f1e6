"""The parts of the matrix: ENGINES.yaml, gold files, differences in words, versions, the table, exit statuses."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Self

import pytest

from coli_conformance.case import Case
from coli_conformance.cli import main
from coli_conformance.corpus.target import Target
from coli_conformance.engines.transport import EngineDescription, EngineUnusable
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.matrix.cells import Cell, CellStatus, Engine, Matrix, Written
from coli_conformance.matrix.difference import differences
from coli_conformance.matrix.engines_file import read, target
from coli_conformance.matrix.play import cells_of
from coli_conformance.matrix.scenarios import scenarios
from coli_conformance.matrix.table import matrix_lines
from coli_conformance.matrix.versions import families
from coli_conformance.reports.lines import plain
from coli_spec import SpecError

from . import period_writers

GOLD = Path(__file__).parents[2] / "vectors" / "gold"
REFERENCE = 'python: "coli_reference.engine:ReferenceEngine"'


def listed(folder: Path, *entries: str) -> Path:
    path = folder / "engines.yaml"
    path.write_text("engines:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries))
    return path


@pytest.mark.parametrize(
    "entry", json.loads((GOLD / "index.json").read_text())["files"], ids=lambda entry: entry["file"]
)
def test_a_gold_file_is_what_the_writer_of_its_time_writes(entry: dict[str, list[list[int]] | str | int]) -> None:
    assert isinstance(entry["records"], list)
    assert isinstance(entry["n_layers"], int)
    assert isinstance(entry["n_experts"], int)
    counters = {(layer, expert): count for layer, expert, count in entry["records"]}
    write = period_writers.WRITERS[str(entry["file"])]
    assert (GOLD / str(entry["file"])).read_bytes() == write(counters, entry["n_layers"], entry["n_experts"])


def test_every_gold_file_is_in_the_index_with_its_provenance() -> None:
    entries = json.loads((GOLD / "index.json").read_text())["files"]
    files = {path.name for path in GOLD.iterdir()} - {"index.json", "README.md", ".gitattributes"}
    assert {entry["file"] for entry in entries} == files == set(period_writers.WRITERS)
    assert all(entry["provenance"].endswith(").") for entry in entries)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (
            "name: a",
            ":2: the engine 'a' has no way to reach it; write exactly one of: command, load, python, old-reader",
        ),
        (f"name: a, old-reader: musl, {REFERENCE}", ":2: the engine 'a' has 'python' and 'old-reader'"),
        ("name: a, old-reader: vax", "it must be one of glibc64, musl, ilp32, windows"),
        ("name: a, python: engine", "write MODULE:CLASS"),
        (f'name: a, version: "1", {REFERENCE}', "the engine 'a' has a version and no family"),
        (f"name: a, writes: false, writs: false, {REFERENCE}", "unknown key 'writs'"),
        (f"name: a, reads: false, {REFERENCE}", "every engine has 'reads: false'"),
        ('name: a, load: [cat, "file"]', "no argument of 'load' has {path} in it"),
    ],
)
def test_what_is_wrong_with_the_list_is_said_with_its_line(tmp_path: Path, entry: str, complaint: str) -> None:
    path = listed(tmp_path, entry)
    with pytest.raises(SpecError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}:")
    assert complaint in str(raised.value)


def test_two_engines_have_two_names(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="engine on line 2 as well"):
        read(listed(tmp_path, f"name: a, {REFERENCE}", "name: a, old-reader: musl"))


def test_an_engine_built_for_one_identity_decides_whom_the_histories_are_for(tmp_path: Path) -> None:
    fixed = "name: fixed, command: [./driver], engine: olmoe, dimensions: 16x64"
    assert target(read(listed(tmp_path, f"name: free, {REFERENCE}", fixed))) == Target("olmoe", 16, 64)
    assert target(read(listed(tmp_path, f"name: free, {REFERENCE}"))) == Target()


def test_a_session_and_its_meaning_fit_the_smallest_dimensions() -> None:
    for scenario in scenarios(Target("olmoe", 1, 1)):
        if scenario.target.n_layers == 1:
            assert all(layer <= 1 and expert == 0 for layer, expert, _ in scenario.meant)


def test_differences_are_told_as_lost_invented_and_changed() -> None:
    # The four-field line of the description: 3 2 5 | -3 7 12 99 | 4 1 8, as an old reader sees it.
    assert differences({(3, 2): 5, (4, 1): 8}, {(3, 2): 5, (99, 4): 1}) == "lost 4 1 8; invented 99 4 1"
    assert differences({(3, 2): 5}, {(3, 2): 6}) == "changed 3 2 from 5 to 6"
    assert differences({(3, 2): 5, (4, 1): 8}, {}) == "lost all 2 records (3 2 5, 4 1 8)"
    assert differences({(3, 2): 5}, {(3, 2): 5}) == ""


def family_of(*read_right: str, scenario: str = "small", breaches: tuple[str, ...] = ()) -> Matrix:
    """Three versions of one engine, of which those in `read_right` read the file of another."""
    written = Written("other", scenario, Target(), ((3, 2, 5),), b"3 2 5\n", breaches=breaches)
    engines = tuple(
        Engine(f"mine {version}", "a process per case", (), ("load",), False, True, "mine", version)
        for version in ("1.0", "1.1", "1.2")
    )
    cells = tuple(
        Cell(written, engine.name, CellStatus.PASS if engine.version in read_right else CellStatus.FAIL, "lost 3 2 5")
        for engine in engines
    )
    return Matrix(engines, ("other",), tuple(engine.name for engine in engines), ((scenario, "why"),), cells)


@pytest.mark.parametrize(
    ("read_right", "first_broken"),
    [
        (("1.0", "1.1"), "1.2"),
        (("1.0",), "1.1"),
        (("1.0", "1.2"), "1.1"),
        (("1.1", "1.2"), "1.0"),
        ((), "every version"),
    ],
)
def test_versions_say_in_which_one_a_scenario_first_broke(read_right: tuple[str, ...], first_broken: str) -> None:
    (family,) = families(family_of(*read_right))
    assert family.versions == ("1.0", "1.1", "1.2")
    (row,) = family.rows
    assert (row.side, row.first_broken) == ("reads", ((first_broken, ("other",)),))


def test_versions_that_all_read_right_are_broken_in_none() -> None:
    ((row,),) = [family.rows for family in families(family_of("1.0", "1.1", "1.2"))]
    assert row.first_broken == ()
    assert set(row.statuses) == {CellStatus.PASS}


def test_a_file_that_breaks_the_contract_says_nothing_about_the_versions_of_its_reader() -> None:
    assert families(family_of("1.0", breaches=("W02: four fields",)))[0].rows == ()


def test_the_table_of_a_wide_crowd_numbers_the_readers() -> None:
    matrix = family_of("1.0")
    wide, narrow = ([plain(line) for line in matrix_lines(matrix, width)] for width in (100, 40))
    assert any(line.split() == ["written", "by", "mine", "1.0", "mine", "1.1", "mine", "1.2"] for line in wide)
    assert "  other       pass 1    FAIL 1/1  FAIL 1/1" in wide
    assert any(line.split() == ["written", "by", "[1]", "[2]", "[3]"] for line in narrow)
    assert "    [2] mine 1.1" in narrow


def test_readers_that_failed_alike_are_told_together() -> None:
    lines = [plain(line) for line in matrix_lines(family_of("1.0"), 100)]
    at = lines.index("  fail  other read by mine 1.1, mine 1.2: small")
    assert lines[at + 1 : at + 3] == ["    lost 3 2 5", "       1 | 3 2 5"]


def test_names_and_reasons_cannot_move_the_cursor() -> None:
    written = Written("\x1b[2J", "small", Target(), (), b"\x1b[2J\n")
    cells = (Cell(written, "\u202e", CellStatus.FAIL, "refused the file: \x1b]0;x\x07"),)
    engine = Engine("\u202e", "a process per case", (), ("load",), False, True)
    text = "\n".join(
        plain(line) for line in matrix_lines(Matrix((engine,), ("\x1b[2J",), ("\u202e",), (("small", ""),), cells), 100)
    )
    assert "\\x1b[2J read by \\u202e" in text
    assert text.replace("\n", "").isprintable()


def test_a_crowd_without_a_failure_is_exit_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = listed(tmp_path, f"name: reference, {REFERENCE}, writes: false", "name: shipped, old-reader: windows")
    assert main(["matrix", str(path)]) == 0
    assert "every supported cell passed: of 10 cells 9 pass, 1 unsupported." in capsys.readouterr().out


def test_an_engine_that_cannot_be_asked_is_exit_status_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", str(listed(tmp_path, "name: gone, command: [./no-such-driver]"))]) == 3
    assert "The engine gone: `./no-such-driver` cannot be started" in capsys.readouterr().err


def test_an_engine_that_neither_writes_nor_reads_is_exit_status_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = f"name: idle, {REFERENCE}, reads: false, writes: false"
    assert main(["matrix", str(listed(tmp_path, entry, "name: shipped, old-reader: musl"))]) == 3
    assert "The engine idle neither writes nor reads" in capsys.readouterr().err


class Hanging:
    """A transport to an engine that is killed in every session."""

    description = EngineDescription("hanging", ("./driver",), frozenset({"load"}), "a stand-in")
    spawns = 1

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        for case in cases:
            yield case, Observation(b"", ending=Ending.TIMEOUT, exit_status=-9, detail="It was killed after 10 s.")

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


def test_a_reader_that_never_answers_is_given_up() -> None:
    files = [Written("other", "small", Target(), ((3, 2, count),), b"3 2 %d\n" % count) for count in range(1, 7)]
    with pytest.raises(EngineUnusable, match=r"hanging was given up after several cases in a row\. It was killed"):
        cells_of("hanging", Hanging(), files)


def test_the_example_is_a_list_of_engines() -> None:
    entries = read(Path(__file__).parents[2] / "examples" / "matrix" / "engines.yaml")
    assert [entry.version for entry in entries if entry.family == "example"] == ["1.0", "1.1"]
    assert {entry.old_reader for entry in entries} == {None, "glibc64", "ilp32"}


@pytest.mark.parametrize("text", ["", "engines: []\n", "engines:\n  - 7\n", "\x00", "engines: &a [*a]\n"])
def test_a_list_that_cannot_be_used_is_exit_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "engines.yaml"
    path.write_text(text)
    assert main(["matrix", str(path)]) == 2
    assert "engines.yaml:1:" in capsys.readouterr().err.replace("engines.yaml:2:", "engines.yaml:1:")


def test_a_report_that_cannot_be_written_is_exit_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = listed(tmp_path, f"name: reference, {REFERENCE}")
    assert main(["matrix", str(path), "--report", "pdf=x"]) == 2
    assert main(["matrix", str(path), "--report", f"html={tmp_path}"]) == 2
    assert "the formats are: json, html" in capsys.readouterr().err


def test_a_writer_that_crashes_fails_every_cell_of_its_row(tmp_path: Path) -> None:
    (tmp_path / "crashing.py").write_text(
        "class Crashing:\n    roles = frozenset({'save', 'bounds'})\n    def init(self, *_): pass\n"
        "    def drop(self, _): pass\n    def add(self, *_): pass\n    def save(self, _): raise SystemExit(3)\n"
    )
    written = tmp_path / "matrix.json"
    path = listed(tmp_path, 'name: crashing, python: "crashing:Crashing"', "name: shipped, old-reader: glibc64")
    assert main(["matrix", str(path), "--report", f"json={written}"]) == 1
    cells = [cell for cell in json.loads(written.read_text())["cells"] if cell["writer"] == "crashing"]
    assert {cell["status"] for cell in cells if cell["scenario"] not in {"accumulated", "unknown-record"}} == {"fail"}
    assert "the writer: The engine ended with exit status 3" in cells[0]["reason"]

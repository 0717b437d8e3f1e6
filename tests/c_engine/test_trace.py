"""The C engine's trace, and the pairs table it builds from one."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .programs import GLM, HEADER, converse, names_in


def test_the_trace_of_a_run(engine: Path, tmp_path: Path) -> None:
    steps = ["route 3 0 7:0.1 1:2.5", "route 3 1 0:-0.25", "endcall", "endcall", "route 5 0 2:511.99997"]
    (tmp_path / "t").write_text("the trace of an earlier run\n" * 10)
    said = converse(engine, tmp_path, GLM, *steps, "endcall", "save on", environment={"ROUTE_TRACE": "t"})
    assert set(said.answers) == {"ok"}
    lines = ["0 0 3 7:0.1000 1:2.5000", "0 1 3 0:-0.2500", "2 0 5 2:512.0000"]
    assert (tmp_path / "t").read_text() == "".join(f"{line}\n" for line in lines)
    converse(engine, tmp_path, GLM, *steps, "save off", environment={"ROUTE_TRACE": ""})
    assert (tmp_path / "off").read_bytes() == (tmp_path / "on").read_bytes()
    assert names_in(tmp_path) == ["off", "on", "t"]


def test_unsound_routing_reaches_neither_trace_nor_counters(engine: Path, tmp_path: Path) -> None:
    unsound = ["route 3 0 8:0.5 -1:0.5 99999999999:0.5 1:nan 2:inf 4:0.5", "route 2 0 1:0.5", "route 6 0 1:0.5"]
    said = converse(
        engine, tmp_path, GLM, "drop 2", *unsound, "route -1 0 1:1", "counts", environment={"ROUTE_TRACE": "t"}
    )
    assert said.answers[2:] == ["ok"] * 4 + ["3 4 1", "ok"]
    assert (tmp_path / "t").read_text() == "0 0 3 4:0.5000\n"


def test_a_second_init_starts_truly_fresh(engine: Path, tmp_path: Path) -> None:
    run = ["init olmoe 2 4", "route 1 0 1:0.5", "endcall"]
    said = converse(
        engine, tmp_path, GLM, "drop 1", "add 0 0 5", "endcall", *run, "counts", environment={"ROUTE_TRACE": "t"}
    )
    assert said.answers[-2:] == ["1 1 1", "ok"]
    assert (tmp_path / "t").read_text() == "0 0 1 1:0.5000\n"


@pytest.mark.parametrize("path", ["missing/t", ".", "/dev/full"])
def test_a_trace_that_cannot_be_written_is_told_and_the_run_goes_on(engine: Path, tmp_path: Path, path: str) -> None:
    commands = [GLM, "route 0 0 1:0.5", "endcall", "route 0 0 1:0.5", "save h"]
    said = converse(engine, tmp_path, *commands, environment={"ROUTE_TRACE": path})
    assert said.answers == ["ok"] * 5
    assert said.errors.count(f"{path}: ") == 1
    assert (tmp_path / "h").read_text() == f"{HEADER}0 1 2\n"


def test_the_decimal_point_of_a_comma_locale(engine: Path, tmp_path: Path) -> None:
    locale = tmp_path / "locales" / "de_DE.UTF-8"
    locale.parent.mkdir()
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(locale)]
    if not shutil.which("localedef") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no `localedef`, or no sources, to make a locale with a decimal comma")
    environment = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locale.parent), "ROUTE_TRACE": "t"}
    converse(engine, tmp_path, GLM, "route 0 0 1:0.5 2:1.75", environment=environment)
    assert (tmp_path / "t").read_text() == "0 0 0 1:0.5000 2:1.7500\n"


def test_pairs_of_a_trace_worked_by_hand(engine: Path, tmp_path: Path) -> None:
    # Two forwards: layers 0, 1, 3 in calls 0, 1, 4 with rows 0 and 1; then layers 1, 2, 3 in calls 7 to 9.
    first = ["0 0 0 1:.5", "0 1 0 2:.5", "1 0 1 3:.5 4:.5", "1 1 1 3:.5", "4 1 3 6:.5", "4 0 3 5:.5"]
    second = ["7 0 1 3:.5", "8 0 2 9:.5", "9 0 3 5:.5 6:.5"]
    trace = "".join(f"{line.replace(':.5', ':0.5000')}\n" for line in first + second)
    (tmp_path / "t").write_text(trace)
    assert converse(engine, tmp_path, "pairs t out").answers == ["ok"]
    table = ["0 1 1 3:1 4:1", "0 1 2 3:1", "1 1 3 9:1", "1 2 3 5:2 6:2", "1 2 4 5:1", "2 1 9 5:1 6:1"]
    assert (tmp_path / "out").read_text() == "COLIPAIRS 1 6\n" + "".join(f"{line}\n" for line in table)


def test_pairs_keep_sixteen_partners_most_frequent_first(engine: Path, tmp_path: Path) -> None:
    wide = " ".join(f"{expert}:0.1000" for expert in range(20))
    lines = ["0 0 0 7:0.5000", f"1 0 1 {wide}", "2 0 0 7:0.5000", "3 0 1 19:0.5000"]
    (tmp_path / "t").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "nothing").write_text("")
    assert converse(engine, tmp_path, "pairs t out", "pairs nothing none").answers == ["ok", "ok"]
    partners = " ".join(["19:2", *(f"{expert}:1" for expert in range(15))])
    assert (tmp_path / "out").read_text() == f"COLIPAIRS 1 1\n0 1 7 {partners}\n"
    assert (tmp_path / "none").read_text() == "COLIPAIRS 1 0\n"


@pytest.mark.parametrize(
    "line",
    [
        *("5 0 x 1:0.5000", "2 0 4 :0.5000", "2 0 4 2", "2 0 4", "2 0 4 ", "", "2 0 4 -1:0.5000", "-1 0 4 1:0.5000"),
        *("2 0 4 1:nan", "2 0 4 1:", "2 0 4 1:0.500", "2 0 4 1:.5000", "2 0 4 1:1e3", "2 0 4 1:0x1p3", "2 0 4 1:1"),
        *("2  0 4 1:0.5000", "2 0 4  1:0.5000", "2 0 4 1:0.5000 ", "2 0 4 1:0.5000x", "2 0 4 1:0.5000\r", "x" * 999),
        *("2 0 99999999999 1:0.5000", "2 0 4 \x001:0.5000", "1 1 4 1:0.5000", "1 0 3 1:0.5000", "0 0 4 1:0.5000"),
    ],
)
def test_a_malformed_trace_line_is_told_by_its_number(engine: Path, tmp_path: Path, line: str) -> None:
    trace = f"1 0 3 1:0.5000\n{line}\n3 0 4 1:0.5000\n"
    (tmp_path / "t").write_bytes(trace.encode("latin-1"))
    said = converse(engine, tmp_path, "pairs t out")
    assert said.answers[0].startswith("error line 2: ")
    assert "t: line 2: " in said.errors
    assert names_in(tmp_path) == ["t"]


def test_a_trace_that_was_cut_is_told_and_a_sound_one_beside_it_is_not(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("1 0 3 1:0.5000\n2 0 4 1:0.5000")
    (tmp_path / "sound").write_text("1 0 3 1:0.5000\n2 0 4 1:-0.50000\n")
    said = converse(engine, tmp_path, "pairs t out", "pairs sound out")
    assert said.answers[0].startswith("error line 2: ")
    assert said.answers[1] == "ok"
    assert (tmp_path / "out").read_text() == "COLIPAIRS 1 1\n3 1 1 1:1\n"


def test_a_layer_that_comes_again_begins_the_next_forward(engine: Path, tmp_path: Path) -> None:
    lines = ["0 0 0 1", "1 0 1 2", "2 0 1 3", "3 0 2 4", "4 0 2 5"]
    (tmp_path / "t").write_text("".join(f"{line}:0.5000\n" for line in lines))
    assert converse(engine, tmp_path, "pairs t out").answers == ["ok"]
    assert (tmp_path / "out").read_text() == "COLIPAIRS 1 2\n0 1 1 2:1\n1 1 3 4:1\n"

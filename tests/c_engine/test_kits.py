"""The old reader and the driver kits."""

import struct
import subprocess
from pathlib import Path

from .programs import GLM, HEADER, K3_HISTORY, converse, iku1


def test_the_old_reader_prints_what_the_loop_reads(built: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("3 2 5\n-3 7 12 99\n4 1 8\n")
    (tmp_path / "b").write_text("# v1\n3 2 5\n")
    command = [str(built / "old_reader"), "a", "b"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.splitlines() == ["# a", "3 2 5", "-3 7 12", "99 4 1", "# b"]
    frames = [(tmp_path / "a").read_bytes(), b"", b"1 1 4\n3 2", b"0 1 2\0 3 4 5\n", b"-1 5 8\r\n3 2 2\r\n"]
    stream = b"".join(struct.pack("<I", len(frame)) + frame for frame in frames)
    command = [str(built / "old_reader"), "--batch"]
    batch = subprocess.run(command, input=stream, capture_output=True, timeout=10, check=True)
    expected = "3 2 5,-3 7 12,99 4 1,.,.,1 1 4,.,0 1 2,.,-1 5 8,3 2 2,."
    assert batch.stdout.decode().splitlines() == expected.split(",")


def test_the_starter_driver_claims_every_duty_and_can_do_nothing(built: Path, tmp_path: Path) -> None:
    said = converse(built / "driver", tmp_path, "hello 1", GLM, "route 0 0 1:0.5", "load h", "save h", "counts")
    assert said.answers == ["ok load bounds identify trusted iku1 save trace", "ok", *["unsupported"] * 4]


def test_the_route_trace_driver_speaks_for_its_engine(built: Path, tmp_path: Path) -> None:
    driver = built / "route_trace_driver"
    (tmp_path / "k3").write_text(K3_HISTORY)
    (tmp_path / "ink").write_bytes(iku1(5, 8, {1: 2}))
    adds = ["add 5 0 7", "add 2 0 9", "add 9 9 1", "add 0 0 4294967295", "add 0 0 3"]
    routes = ["route 3 0 1:0.5 2:0.25", "endcall", "route 3 0 1:1.5"]
    reads = ["load k3", "load ink", "trust k3", "trust ink", "counts", "save h", "save missing/h"]
    commands = ["hello 1", GLM, "drop 2", *adds, *routes, *reads, GLM, "dense h"]
    said = converse(driver, tmp_path, *commands, environment={"ROUTE_TRACE": "t"})
    assert said.answers[0] == "ok load bounds identify trusted iku1 save trace"
    assert said.answers[1:11] == ["ok"] * 10
    assert said.answers[11:15] == ["refused", "refused", "ok 6", "ok 2"]
    counts = ["0 0 4294967295", "0 1 2", "3 1 2", "3 2 7", "5 0 7"]
    assert said.answers[15:22] == [*counts, "ok", "ok"]
    assert [answer.split()[0] for answer in said.answers[22:]] == ["error", "unsupported", "unsupported"]
    assert (tmp_path / "h").read_text() == HEADER + "".join(f"{record}\n" for record in counts)
    assert (tmp_path / "t").read_text() == "0 0 3 1:0.5000 2:0.2500\n1 0 3 1:1.5000\n"

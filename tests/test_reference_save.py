"""The reference engine writing histories, and what is left when it cannot (W)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from coli_reference import atomic
from coli_reference.counters import Counters
from coli_reference.engine import ReferenceEngine

GLM_HEADER = "-1 5 8\n-2 1 3815245270\n"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReferenceEngine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROUTE_TRACE", raising=False)
    made = ReferenceEngine()
    made.init("glm_moe_dsa", 5, 8)
    yield made
    made.close()


def names() -> set[str]:
    return {path.name for path in Path().iterdir()}


def test_a_history_in_canonical_bytes(engine: ReferenceEngine) -> None:
    engine.add(5, 0, 7)
    engine.add(3, 7, 4294967295)
    engine.add(3, 0, 1)
    engine.add(1, 1, 0)
    engine.save("history")
    assert Path("history").read_bytes() == (GLM_HEADER + "3 0 1\n3 7 4294967295\n5 0 7\n").encode()


def test_without_a_count_there_is_no_byte(engine: ReferenceEngine) -> None:
    engine.save("history")
    assert Path("history").read_bytes() == b""
    assert engine.load("history") == 0


def test_a_counter_stays_at_the_largest_count(engine: ReferenceEngine) -> None:
    engine.add(0, 0, 4294967295)
    engine.add(0, 1, 4294967294)
    for _ in range(2):
        engine.route(0, 0, [(0, 1.0), (1, 1.0)])
    assert list(engine.counts()) == [(0, 0, 4294967295), (0, 1, 4294967295)]


def test_saving_again_replaces_and_changes_no_counter(engine: ReferenceEngine) -> None:
    engine.add(0, 1, 1)
    engine.save("history")
    os.link("history", "before")
    engine.add(0, 1, 1)
    engine.save("history")
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "0 1 2\n"
    assert Path("before").read_text() == GLM_HEADER + "0 1 1\n"
    assert list(engine.counts()) == [(0, 1, 2)]
    assert names() == {"history", "before"}


def test_old_and_new_counts_add_up(engine: ReferenceEngine) -> None:
    Path("history").write_text("0 1 1000\n")
    assert engine.load("history") == 1000
    for _ in range(3):
        engine.route(0, 0, [(2, 0.5)])
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "0 1 1000\n0 2 3\n"


def test_unknown_headers_are_dropped_on_save(engine: ReferenceEngine) -> None:
    Path("history").write_text("-3 7 12\n3 2 5\n")
    engine.load("history")
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "3 2 5\n"


def test_two_saves_at_once_leave_one_whole_history(engine: ReferenceEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ReferenceEngine()
    other.init("glm_moe_dsa", 5, 8)
    other.add(4, 4, 4)
    engine.add(0, 1, 1)
    flush = os.fsync

    def save_in_between(descriptor: int) -> None:
        monkeypatch.setattr(os, "fsync", flush)
        other.save("history")
        assert Path("history").read_text() == GLM_HEADER + "4 4 4\n"
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", save_in_between)
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "0 1 1\n"
    assert names() == {"history"}


@pytest.mark.parametrize("path", ["missing/history", "folder"])
def test_a_save_that_fails_leaves_nothing_behind(engine: ReferenceEngine, path: str) -> None:
    Path("folder").mkdir()
    engine.add(0, 1, 1)
    with pytest.raises(OSError, match=r"missing|folder"):
        engine.save(path)
    assert names() == {"folder"}


FULL_DISK = """
import resource
from coli_reference.engine import ReferenceEngine
engine = ReferenceEngine()
engine.init("glm_moe_dsa", 5, 8)
engine.add(3, 2, 5)
engine.save("history")
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
try:
    engine.save("history")
except OSError:
    raise SystemExit(3)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="this system has no file size limits")
def test_a_full_disk_leaves_the_old_history(engine: ReferenceEngine) -> None:
    ran = subprocess.run([sys.executable, "-c", FULL_DISK], check=False, capture_output=True)
    assert (ran.returncode, ran.stderr) == (3, b"")
    assert Path("history").read_text() == GLM_HEADER + "3 2 5\n"
    assert names() == {"history"}


def test_a_refused_history_is_not_overwritten(engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = "-1 5 8\n-2 1 1820578806\n3 2 6\n"
    Path("history").write_text(foreign)
    engine.add(0, 1, 1)
    assert engine.load("history") is None
    for write in (engine.save, engine.dense):
        with pytest.raises(OSError, match="history was refused"):
            write("./history")
    assert Path("history").read_text() == foreign
    engine.save("elsewhere")
    assert Path("elsewhere").read_text() == GLM_HEADER + "0 1 1\n"
    assert engine.trust("history") == 6
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "0 1 1\n3 2 6\n"


def test_a_refused_history_that_was_moved_away_is_no_hindrance(engine: ReferenceEngine) -> None:
    Path("history").write_text("-1 4 8\n3 2 6\n")
    engine.add(0, 1, 1)
    assert engine.load("history") is None
    Path("history").rename("set-aside")
    engine.save("history")
    assert Path("history").read_text() == GLM_HEADER + "0 1 1\n"


@pytest.mark.parametrize("number", [-1, -2, -3, -2147483649, 0, 3])
def test_no_header_record_that_is_not_agreed(engine: ReferenceEngine, number: int) -> None:
    with pytest.raises(ValueError, match=f"record {number} "):
        engine.record(number, 1, 1)


def test_a_second_init_starts_fresh(engine: ReferenceEngine) -> None:
    Path("history").write_text("-1 4 8\n3 2 6\n")
    engine.add(0, 1, 1)
    engine.drop(2)
    assert engine.load("history") is None
    engine.init("olmoe", 4, 8)
    assert list(engine.counts()) == []
    engine.add(2, 0, 1)
    engine.save("history")
    assert Path("history").read_text() == "-1 4 8\n-2 1 3841822045\n2 0 1\n"


def test_pin_auto_passes_over_an_empty_history(engine: ReferenceEngine) -> None:
    assert engine.pin("auto") is None
    Path(".coli_usage").touch()
    assert engine.pin("auto") is None
    Path("stats.txt").write_text("0 1 1\n")
    assert engine.pin("auto") == ("stats.txt", False)
    Path(".coli_usage").write_text("0 1 1\n")
    assert engine.pin("auto") == (".coli_usage", False)
    assert engine.pin("typed") == ("typed", True)


def test_counters_admit_rows_up_to_the_mtp_row() -> None:
    counters = Counters(2, 4)
    counters.drop(1)
    admitted = [(layer, expert) for layer in range(-1, 5) for expert in range(-1, 6)
                if counters.admits(layer, expert)]  # fmt: skip
    assert admitted == [(0, 0), (0, 1), (0, 2), (0, 3), (2, 0), (2, 1), (2, 2), (2, 3)]


def test_a_device_is_not_replaced_and_a_link_stays(tmp_path: Path) -> None:
    fifo, link, target = tmp_path / "fifo", tmp_path / "link", tmp_path / "target"
    os.mkfifo(fifo)
    target.write_bytes(b"old")
    link.symlink_to(target)
    with pytest.raises(OSError, match="not a regular file"):
        atomic.replace(str(fifo), b"new")
    atomic.replace(str(link), b"new")
    assert fifo.is_fifo()
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fifo", "link", "target"]

"""The reference engine and IKU1: who reads it, what is refused before it costs anything (I)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from coli_reference import iku1
from coli_reference.engine import ReferenceEngine
from coli_spec import iku1 as declared

HEADER = bytes.fromhex("494b5531 05000000 08000000")


def words(counts: dict[int, int]) -> bytes:
    return b"".join(counts.get(word, 0).to_bytes(4, "little") for word in range(40))


TWO_COUNTS = HEADER + words({1: 2, 30: 3})


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReferenceEngine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROUTE_TRACE", raising=False)
    monkeypatch.setattr(ReferenceEngine, "override_noticed", False)
    made = ReferenceEngine()
    made.init("inkling", 5, 8)
    yield made
    made.close()


def write(data: bytes) -> str:
    Path("history").write_bytes(data)
    return "history"


def test_the_magic_is_the_declared_one() -> None:
    assert iku1.MAGIC == (0x31554B49).to_bytes(4, "little") == declared.MAGIC.to_bytes(4, "little")
    assert iku1.writer() == "inkling"


def test_inkling_reads_each_count_to_its_place(engine: ReferenceEngine) -> None:
    assert engine.load(write(TWO_COUNTS)) == 5
    assert list(engine.counts()) == [(0, 1, 2), (3, 6, 3)]


def test_any_other_engine_refuses_it_by_name(engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.init("glm_moe_dsa", 5, 8)
    assert engine.load(write(TWO_COUNTS)) is None
    refusal = capsys.readouterr().err
    assert "inkling" in refusal
    assert "glm_moe_dsa" in refusal
    assert "PIN=history" in refusal
    assert list(engine.counts()) == []


def test_a_typed_path_lets_another_engine_read_it(engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.init("glm_moe_dsa", 5, 8)
    assert engine.trust(write(TWO_COUNTS)) == 5
    assert engine.trust("history") == 5
    assert list(engine.counts()) == [(0, 1, 4), (3, 6, 6)]
    assert capsys.readouterr().err.count("inkling") == 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(bytes.fromhex("494b5531"), id="nothing but the magic"),
        pytest.param(bytes.fromhex("494b5531 0500"), id="cut in its header"),
        pytest.param(HEADER, id="no row"),
        pytest.param(TWO_COUNTS[:-1], id="one byte short"),
        pytest.param(TWO_COUNTS[:100], id="cut in a row"),
        pytest.param(bytes.fromhex("494b5531 ffffffff ffffffff"), id="huge dimensions"),
        pytest.param(bytes.fromhex("494b5531 08000000 05000000") + words({1: 2}), id="dimensions swapped"),
        pytest.param(bytes.fromhex("494b5531 04000000 08000000") + words({1: 2}), id="one layer fewer"),
        pytest.param(bytes.fromhex("494b5531 00000000 00000000"), id="no dimensions"),
        pytest.param(b"IKU1 5 8\n3 2 5\n", id="text that begins with the magic"),
    ],
)
@pytest.mark.parametrize("name", ["inkling", "glm_moe_dsa"])
def test_refused_trusted_or_not(
    engine: ReferenceEngine, capsys: pytest.CaptureFixture[str], name: str, data: bytes
) -> None:
    engine.init(name, 5, 8)
    assert engine.load(write(data)) is None
    assert engine.trust("history") is None
    assert list(engine.counts()) == []
    said = capsys.readouterr().err
    assert said.count("history: refused: written by inkling") == 2
    assert "PIN=" not in said


def test_bytes_after_the_block_are_ignored(engine: ReferenceEngine) -> None:
    assert engine.load(write(TWO_COUNTS + b"\1\0\0\0" * 8)) == 5


def test_dropped_rows_hold_here_too(engine: ReferenceEngine) -> None:
    engine.drop(3)
    assert engine.load(write(TWO_COUNTS)) == 2


def test_dense_writes_the_block(engine: ReferenceEngine) -> None:
    engine.add(0, 1, 2)
    engine.add(3, 6, 3)
    engine.dense("saved")
    assert Path("saved").read_bytes() == TWO_COUNTS


def test_dense_says_that_it_leaves_the_mtp_row_out(engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.add(0, 1, 2)
    engine.add(3, 6, 3)
    engine.add(5, 0, 9)
    engine.dense("saved")
    assert Path("saved").read_bytes() == TWO_COUNTS
    assert "row 5" in capsys.readouterr().err


def test_the_largest_count_and_the_last_place(engine: ReferenceEngine) -> None:
    assert engine.load(write(HEADER + words({39: 4294967295}))) == 4294967295
    assert list(engine.counts()) == [(4, 7, 4294967295)]


def test_a_file_of_inklings_size(engine: ReferenceEngine) -> None:
    engine.init("inkling", 66, 256)
    for layer in range(66):
        for expert in range(256):
            engine.add(layer, expert, layer * 256 + expert + 1)
    engine.dense("saved")
    meant = list(engine.counts())
    assert Path("saved").stat().st_size == 67596
    engine.init("inkling", 66, 256)
    assert engine.load("saved") == 16896 * 16897 // 2
    assert list(engine.counts()) == meant

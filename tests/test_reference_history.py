"""The reference engine reading text histories: one test per kind of input the contract speaks of (R)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from coli_reference import history, identity
from coli_reference.engine import ReferenceEngine

GLM = 3815245270
K3 = 1820578806
GLM_HEADER = f"-1 5 8\n-2 1 {GLM}\n"

Loaded = dict[tuple[int, int], int]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReferenceEngine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROUTE_TRACE", raising=False)
    monkeypatch.setattr(ReferenceEngine, "override_noticed", False)
    made = ReferenceEngine()
    made.init("glm_moe_dsa", 5, 8)
    yield made
    made.close()


def loaded(engine: ReferenceEngine) -> Loaded:
    return {(layer, expert): count for layer, expert, count in engine.counts()}


def write(text: str | bytes, path: str = "history") -> str:
    Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("glm_moe_dsa", 3815245270),
        ("inkling", 2050583463),
        ("olmoe", 3841822045),
        ("kimi_k3", 1820578806),
        ("deepseek_v4", 1277378958),
        ("qwen38", 2546085765),
        ("glm53", 2402853253),
        ("akhnp9x", 0),
        ("aeto96", 1),
        ("d3ir4j_", 2147483646),
        ("a1zo9rv", 2147483647),
        ("hp4gi_", 2147483648),
        ("aidnpf8", 2147483649),
        ("aecrekt", 4294967294),
        ("aqmd2_t", 4294967295),
        ("bc1i2hy", 827673417),
        ("", 2166136261),
    ],
)
def test_engine_ids(name: str, number: int) -> None:
    assert identity.engine_id(name) == number


def test_only_registered_ids_have_names() -> None:
    assert identity.name_of(GLM) == "glm_moe_dsa"
    assert identity.name_of(K3) == "kimi_k3"
    assert identity.name_of(12345) is None


@pytest.mark.parametrize(
    ("text", "total", "counters"),
    [
        pytest.param(GLM_HEADER + "3 2 5\n5 0 7\n", 12, {(3, 2): 5, (5, 0): 7}, id="canonical, MTP row inside"),
        pytest.param("0 1 2\n3 2 5\n", 7, {(0, 1): 2, (3, 2): 5}, id="legacy text"),
        pytest.param("", 0, {}, id="zero bytes"),
        pytest.param("3 2 5\n9 1 100\n1 99 200\n", 5, {(3, 2): 5}, id="total-counts-rejected"),
        pytest.param("5 0 7\n6 0 9\n", 7, {(5, 0): 7}, id="mtp-row-between-layouts"),
        pytest.param("3 -1 4\n3 8 4\n3 7 1\n", 1, {(3, 7): 1}, id="experts out of bounds"),
        pytest.param(f"-1 5 8\r\n-2 1 {GLM}\r\n3 2 2\r\n", 2, {(3, 2): 2}, id="crlf"),
        pytest.param("\t3 \t 2  5 \n\n  \n\r\n4 1 8", 13, {(3, 2): 5, (4, 1): 8}, id="blanks, no last newline"),
        pytest.param("-3 7 12\n3 2 5\n", 5, {(3, 2): 5}, id="unknown-negative-skipped"),
        pytest.param("-15 3 4\n3 2 5\n", 5, {(3, 2): 5}, id="prefix of -1"),
        pytest.param("-20 3 4\n3 2 5\n", 5, {(3, 2): 5}, id="prefix of -2"),
        pytest.param(GLM_HEADER + "-3 7 12\n3 2 5\n", 5, {(3, 2): 5}, id="unknown after the header"),
        pytest.param("3 2 5\n-2147483648 -7 4294967295\n4 1 1\n", 6, {(3, 2): 5, (4, 1): 1}, id="extreme header"),
        pytest.param("3 2 5\n3 2 9\n", 14, {(3, 2): 14}, id="duplicates"),
        pytest.param("0 0 2147483648\n0 1 4294967295\n", 6442450943, {(0, 0): 2**31, (0, 1): 2**32 - 1}, id="wide"),
        pytest.param("0 0 4000000000\n0 0 4000000000\n", 8000000000, {(0, 0): 4294967295}, id="counter-overflow"),
        pytest.param("0 0 4294967303\n0 1 5\n", 0, {}, id="count-wider-than-32-bits"),
        pytest.param("4294967296 0 7\n0 1 5\n", 0, {}, id="layer-aliases"),
        pytest.param("0 1 7\n0 0 -1\n0 2 5\n", 7, {(0, 1): 7}, id="negative count"),
        pytest.param("0 1 7\n" + "9" * 5000 + " 0 1\n", 7, {(0, 1): 7}, id="5000 digits"),
        pytest.param("0 1 " + "0" * 5000 + "7\n", 7, {(0, 1): 7}, id="leading zeros"),
        pytest.param("0 1 7\ninvalid\n0 1 5\n", 7, {(0, 1): 7}, id="malformed-line"),
        pytest.param("0 0 3.5\n0 1 5\n", 0, {}, id="float-count"),
        pytest.param("0 1 1,000\n0 2 5\n", 0, {}, id="thousands-separator"),
        pytest.param("1 1 4\n3 2", 4, {(1, 1): 4}, id="torn-last-record"),
        pytest.param("# v1\n3 2 5\n", 0, {}, id="comment-header"),
        pytest.param("0 1 10\n# merged-by 00112233\n0 2 5\n", 10, {(0, 1): 10}, id="comment-in-the-middle"),
        pytest.param("-1 5 8\n-2 1 glm\n3 2 5\n", 0, {}, id="name-instead-of-hash"),
        pytest.param(f"-1 5 8\n-2 {GLM} 1\n3 2 5\n", 0, {}, id="hash-in-second-field"),
        pytest.param("3 2 5\n-3 7 12 99\n4 1 8\n", 5, {(3, 2): 5}, id="fourth-field-visible"),
        pytest.param("\ufeff-1 5 8\n3 2 2\n", 0, {}, id="byte-order-mark"),
        pytest.param("-1 5 4294967304\n3 2 5\n", 0, {}, id="dimension that would wrap"),
        pytest.param("-1 5 8\n-2 1 8110212566\n3 2 5\n", 0, {}, id="id that would wrap"),
        pytest.param("-1 5 8\n-2 1 -479722026\n3 2 5\n", 0, {}, id="id as a negative number"),
        pytest.param("-1 5 8\n3 2 5\n", 5, {(3, 2): 5}, id="dimensions alone"),
        pytest.param(f"-2 1 {GLM}\n3 2 5\n", 5, {(3, 2): 5}, id="identity alone"),
        pytest.param("+3 2 5\n", 0, {}, id="plus sign"),
        pytest.param("0x3 2 5\n", 0, {}, id="hex"),
    ],
)
def test_what_a_file_says(engine: ReferenceEngine, text: str, total: int, counters: Loaded) -> None:
    assert engine.load(write(text)) == total
    assert loaded(engine) == counters


@pytest.mark.parametrize(
    ("text", "because"),
    [
        pytest.param("-1 5 9\n3 2 5\n", "5 layers of 9 experts", id="experts differ"),
        pytest.param("-1 4 8\n3 2 5\n", "4 layers of 8 experts", id="layers differ"),
        pytest.param(f"-1 99 512\n-2 1 {GLM}\n3 2 6\n", "99 layers of 512", id="trust-too-broad, dimensions"),
        pytest.param(f"-1 99 512\n-2 1 {K3}\n3 2 6\n", "written by kimi_k3", id="both differ"),
        pytest.param(f"-1 5 8\n-2 2 {GLM}\n3 2 6\n", "format version 2", id="trust-too-broad, version"),
        pytest.param("-1 5 8\n-2 0 1\n3 2 6\n", "unknown engine (id 1)", id="version zero"),
        pytest.param(f"-1 5 8\n-2 -1 {GLM}\n3 2 6\n", "format version -1", id="version negative"),
        pytest.param("3 2 9\n-1 4 8\n", "4 layers of 8 experts", id="dimensions after data"),
        pytest.param("-1 5 8\n-1 5 9\n3 2 1\n", "5 layers of 9 experts", id="second dimensions differ"),
    ],
)
def test_refused_trusted_or_not(
    engine: ReferenceEngine, capsys: pytest.CaptureFixture[str], text: str, because: str
) -> None:
    engine.add(1, 1, 3)
    path = write(text)
    assert engine.load(path) is None
    assert engine.trust(path) is None
    assert loaded(engine) == {(1, 1): 3}
    said = capsys.readouterr().err
    assert said.count(because) == 2
    assert said.count("history: refused") == 2
    assert said.count("glm_moe_dsa") >= 2
    assert "PIN=" not in said
    assert engine.load(write(GLM_HEADER + "3 2 5\n", "good")) == 5


@pytest.mark.parametrize(
    ("text", "writer"),
    [
        (f"-1 5 8\n-2 1 {K3}\n3 2 6\n", "kimi_k3"),
        ("-1 5 8\n-2 1 12345\n3 2 6\n", "unknown engine (id 12345)"),
        (f"3 2 5\n-2 1 {K3}\n4 1 1\n", "kimi_k3"),
    ],
    ids=["circular-advice", "unregistered-name", "header-after-data"],
)
def test_another_identity_needs_a_typed_path(
    engine: ReferenceEngine, capsys: pytest.CaptureFixture[str], text: str, writer: str
) -> None:
    path = write(text)
    assert engine.load(path) is None
    assert loaded(engine) == {}
    refusal = capsys.readouterr().err
    assert writer in refusal
    assert "glm_moe_dsa" in refusal
    assert "PIN=history" in refusal
    assert engine.trust(path) == 6
    again = ReferenceEngine()
    again.init("glm_moe_dsa", 5, 8)
    assert again.trust(path) == 6
    assert capsys.readouterr().err.count(writer) == 1


def test_a_trusted_read_of_ones_own_history_needs_no_notice(
    engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert engine.trust(write(GLM_HEADER + "3 2 5\n")) == 5
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["glm_moe_dsa", "akhnp9x", "a1zo9rv", "hp4gi_", "aqmd2_t", "bc1i2hy"])
def test_an_engine_reads_its_own_history(engine: ReferenceEngine, name: str) -> None:
    engine.init(name, 5, 8)
    engine.add(3, 2, 5)
    engine.save("own")
    engine.init(name, 5, 8)
    assert engine.load("own") == 5


def test_a_dropped_row_is_never_credited(engine: ReferenceEngine) -> None:
    engine.add(2, 1, 1)
    engine.drop(2)
    assert engine.load(write("2 3 50\n3 4 7\n")) == 7
    engine.save("saved")
    assert Path("saved").read_text() == GLM_HEADER + "3 4 7\n"


def test_loading_adds_to_what_is_there(engine: ReferenceEngine) -> None:
    engine.add(3, 2, 5)
    assert engine.load(write("3 2 2\n")) == 2
    assert loaded(engine) == {(3, 2): 7}


def test_what_is_no_file(engine: ReferenceEngine, capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    assert engine.load("missing") == 0
    assert engine.load("folder") is None
    assert "folder: refused" in capsys.readouterr().err


def test_headers_are_not_experts(engine: ReferenceEngine) -> None:
    engine.init("glm_moe_dsa", 2, 4)
    assert engine.load(write(f"-1 2 4\n-2 1 {GLM}\n0 1 5\n")) == 5


def test_a_history_of_real_size_comes_back(engine: ReferenceEngine) -> None:
    # 76 rows that route, of 256 experts: the largest a history of these dimensions can be.
    meant = [(layer, expert, 1 + (layer * 7919 + expert * 104729) % 9973)
             for layer in range(3, 79) for expert in range(256)]  # fmt: skip
    text = f"-1 78 256\n-2 1 {GLM}\n" + "".join(f"{layer} {expert} {count}\n" for layer, expert, count in meant)
    engine.init("glm_moe_dsa", 78, 256)
    for layer in range(3):
        engine.drop(layer)
    assert engine.load(write(text)) == sum(count for _, _, count in meant)
    assert list(engine.counts()) == meant
    engine.save("saved")
    assert Path("saved").read_text() == text
    assert len(meant) == 19456


def test_bytes_that_are_no_history_are_read_as_none() -> None:
    assert history.parse(bytes(range(256)) * 8) == []
    assert history.parse(b"\0" * 4096) == []

"""The trace the reference engine writes, and its strict reader of traces (T, C03)."""

import locale
import math
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coli_reference import trace
from coli_reference.engine import ReferenceEngine


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReferenceEngine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROUTE_TRACE", "trace")
    made = ReferenceEngine()
    made.init("glm_moe_dsa", 5, 8)
    yield made
    made.close()


def traced() -> str:
    return Path("trace").read_text()


def test_one_line_per_decision_complete_after_each_answer(engine: ReferenceEngine) -> None:
    engine.route(3, 0, [(7, 1.25), (2, 0.5)])
    assert traced() == "0 0 3 7:1.2500 2:0.5000\n"
    engine.route(3, 1, [(1, 0.0)])
    engine.endcall()
    engine.endcall()
    engine.route(4, 0, [(0, -0.33333)])
    assert traced() == "0 0 3 7:1.2500 2:0.5000\n0 1 3 1:0.0000\n2 0 4 0:-0.3333\n"
    assert list(engine.counts()) == [(3, 1, 1), (3, 2, 1), (3, 7, 1), (4, 0, 1)]


def test_the_gate_is_a_32_bit_float(engine: ReferenceEngine) -> None:
    # Between 256 and 512 those are 2**-15 apart: the nearest to 400.00005 is 400 + 2 * 2**-15 = 400.00006...
    engine.route(3, 0, [(0, 400.00005)])
    assert traced() == "0 0 3 0:400.0001\n"
    assert trace.nearest_float32(0.1) == 13421773 / 2**27
    assert trace.nearest_float32(-1e39) == -math.inf


def test_an_unsound_choice_reaches_neither_trace_nor_counters(engine: ReferenceEngine) -> None:
    engine.route(3, 0, [(-1, 0.5), (4, 0.5), (8, 0.5), (5, math.nan), (6, math.inf), (7, 1e39)])
    engine.route(3, 1, [(1, math.nan)])
    engine.route(6, 2, [(1, 0.5)])
    engine.drop(2)
    engine.route(2, 3, [(1, 0.5)])
    assert traced() == "0 0 3 4:0.5000\n"
    assert list(engine.counts()) == [(3, 4, 1)]


@pytest.mark.parametrize("value", ["", None])
def test_no_trace_unless_asked_for(engine: ReferenceEngine, monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    engine.route(3, 0, [(1, 0.5)])
    engine.save("with")
    Path("trace").unlink()
    if value is None:
        monkeypatch.delenv("ROUTE_TRACE")
    else:
        monkeypatch.setenv("ROUTE_TRACE", value)
    engine.init("glm_moe_dsa", 5, 8)
    engine.route(3, 0, [(1, 0.5)])
    engine.save("without")
    assert Path("with").read_bytes() == Path("without").read_bytes()
    assert not Path("trace").exists()


def test_a_new_run_starts_the_trace_anew(engine: ReferenceEngine) -> None:
    engine.route(3, 0, [(1, 0.5)])
    engine.endcall()
    engine.init("glm_moe_dsa", 5, 8)
    engine.route(4, 0, [(1, 0.5)])
    assert traced() == "0 0 4 1:0.5000\n"


def test_a_trace_that_cannot_be_opened_is_reported(
    engine: ReferenceEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUTE_TRACE", "missing/trace")
    engine.init("glm_moe_dsa", 5, 8)
    assert "missing/trace" in capsys.readouterr().err
    engine.route(3, 0, [(1, 0.5)])
    assert list(engine.counts()) == [(3, 1, 1)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_trace_that_cannot_be_written_is_reported_once(
    engine: ReferenceEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROUTE_TRACE", "/dev/full")
    engine.init("glm_moe_dsa", 5, 8)
    for _ in range(3):
        engine.route(3, 0, [(1, 0.5)])
    assert capsys.readouterr().err.count("trace cannot be written") == 1
    assert list(engine.counts()) == [(3, 1, 3)]


def test_the_decimal_point_is_a_point_in_any_locale(engine: ReferenceEngine) -> None:
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        break
    else:
        pytest.skip("no locale with a decimal comma is installed")
    try:
        engine.route(3, 0, [(1, 0.5)])
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)
    assert traced() == "0 0 3 1:0.5000\n"


@pytest.mark.parametrize(
    ("line", "column", "complaint"),
    [
        ("0 0 3 -1:nan 4:0.5000\n", 7, "expert id"),
        ("0 0 3 1:nan 4:0.5000\n", 9, "gate"),
        ("5 0 x 1:.5\n", 5, "layer"),
        ("0 0 3 :0.5\n", 7, "expert id"),
        ("1 0 4 2\n", 8, "no `:`"),
        ("1 0 4\n", 6, "ends before"),
        ("1 0 4 \n", 7, "expert id"),
        ("1  4 2:0.5000\n", 3, "row"),
        ("-1 0 4 2:0.5000\n", 1, "call"),
        ("\n", 1, "call"),
        ("1 0 4 2:0.500\n", 9, "gate"),
        ("1 0 4 2:5e-1\n", 9, "gate"),
        ("1 0 4 2:0.5000\r\n", 9, "gate"),
        ("1 0 4 2:0,5000\n", 9, "gate"),
        ("1 0 4 2:0.5000", 15, "no line end"),
        ("9" * 5000 + " 0 4 2:0.5000\n", 1, "call"),
    ],
)
def test_a_malformed_line_is_named_by_line_and_column(line: str, column: int, complaint: str) -> None:
    rows = trace.read([b"0 0 3 1:0.5000\n", line.encode()])
    assert next(rows) == (0, 0, 3, ((1, 0.5),))
    with pytest.raises(trace.TraceError, match=f"^line 2, column {column}: .*{complaint}"):
        next(rows)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (b"0 0 3 1:1.2500 2:1.2500\n", (0, 0, 3, ((1, 1.25), (2, 1.25)))),
        (b"0 0 3 1:0.0000\n", (0, 0, 3, ((1, 0.0),))),
        (b"7 12 92 895:-0.1250000\n", (7, 12, 92, ((895, -0.125),))),
    ],
)
def test_a_sound_line(line: bytes, row: tuple[int, int, int, trace.Choices]) -> None:
    assert list(trace.read([line])) == [row]


@given(st.lists(st.tuples(st.integers(0, 4095), st.floats(allow_nan=False, width=32)), min_size=1))
def test_what_is_written_is_read_back(choices: list[tuple[int, float]]) -> None:
    finite = [(expert, gate) for expert, gate in choices if math.isfinite(gate)]
    if not finite:
        finite = [(0, 0.0)]
    read = trace.parse_line(trace.line(3, 1, 4, finite), 1)
    assert read[:3] == (3, 1, 4)
    assert [expert for expert, _ in read.choices] == [expert for expert, _ in finite]
    for (_, printed), (_, applied) in zip(read.choices, finite, strict=True):
        assert abs(printed - struct.unpack("<f", struct.pack("<f", applied))[0]) <= 0.00005 + 1e-12

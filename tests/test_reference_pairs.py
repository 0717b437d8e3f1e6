"""The pairs table against tables made by hand and against a count that tries every pair (C)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coli_reference import pairs, trace
from coli_reference.engine import ReferenceEngine
from coli_reference.trace import TraceRow

Lines = list[tuple[int, int, int, tuple[int, ...]]]


def rows(lines: Lines) -> list[TraceRow]:
    return [TraceRow(call, row, layer, tuple((e, 0.5) for e in experts)) for call, row, layer, experts in lines]


def table(lines: Lines) -> str:
    return pairs.render(pairs.coactivations(rows(lines))).decode()


def test_two_layers_of_one_row() -> None:
    assert table([(0, 0, 3, (1, 2)), (1, 0, 4, (5,))]) == "COLIPAIRS 1 2\n3 1 1 5:1\n3 1 2 5:1\n"


def test_two_layers_ahead_by_layer_not_by_call() -> None:
    assert table([(0, 0, 3, (1,)), (4, 0, 5, (6,)), (9, 0, 8, (7,))]) == "COLIPAIRS 1 1\n3 2 1 6:1\n"


def test_one_layer_has_no_partner() -> None:
    assert table([(call, 0, 3, (1, 2)) for call in range(4)]) == "COLIPAIRS 1 0\n"
    assert table([]) == "COLIPAIRS 1 0\n"


def test_a_layer_not_above_the_last_begins_a_new_forward() -> None:
    forward_twice: Lines = [(0, 0, 3, (1,)), (1, 0, 4, (5,)), (2, 0, 3, (1,)), (3, 0, 4, (6,))]
    assert table(forward_twice) == "COLIPAIRS 1 1\n3 1 1 5:1 6:1\n"


def test_rows_are_kept_apart() -> None:
    batch: Lines = [(0, 0, 3, (1,)), (0, 1, 3, (2,)), (1, 0, 4, (5,)), (1, 1, 4, (6,))]
    assert table(batch) == "COLIPAIRS 1 2\n3 1 1 5:1\n3 1 2 6:1\n"


def test_the_sixteen_most_frequent_partners_lower_ids_first() -> None:
    lines: Lines = [(0, 0, 3, (0,)), (1, 0, 4, tuple(range(20, 0, -1))), (2, 0, 3, (0,)), (3, 0, 4, (18, 20))]
    partners = "18:2 20:2 " + " ".join(f"{expert}:1" for expert in range(1, 15))
    assert table(lines) == f"COLIPAIRS 1 1\n3 1 0 {partners}\n"


def test_lines_ascend_as_numbers() -> None:
    lines: Lines = [(0, 0, 2, (10, 9)), (1, 0, 3, (1,)), (2, 0, 4, (1,))]
    heads = [line.split()[:3] for line in table(lines).splitlines()[1:]]
    assert heads == [["2", "1", "9"], ["2", "1", "10"], ["2", "2", "9"], ["2", "2", "10"], ["3", "1", "1"]]


@st.composite
def sound_traces(draw: st.DrawFn) -> Lines:
    lines: Lines = []
    call = 0
    for _ in range(draw(st.integers(0, 5))):
        n_rows = draw(st.integers(1, 3))
        for layer in sorted(draw(st.sets(st.integers(0, 6), max_size=6))):
            for row in range(n_rows):
                experts = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3, unique=True))
                lines.append((call, row, layer, tuple(experts)))
            call += draw(st.integers(1, 3))
    return lines


def counted_by_trying_every_pair(lines: Lines) -> dict[tuple[int, int, int, int], int]:
    forward_of_call: dict[int, int] = {}
    forward = 0
    for position, (call, _, layer, _) in enumerate(lines):
        if call not in forward_of_call:
            if position and layer <= lines[position - 1][2]:
                forward += 1
            forward_of_call[call] = forward
    counted: dict[tuple[int, int, int, int], int] = {}
    for call, row, layer, experts in lines:
        for other_call, other_row, other_layer, others in lines:
            same_position = row == other_row and forward_of_call[call] == forward_of_call[other_call]
            if same_position and other_layer - layer in (1, 2):
                for expert in experts:
                    for other in others:
                        key = (layer, other_layer - layer, expert, other)
                        counted[key] = counted.get(key, 0) + 1
    return counted


@given(sound_traces())
def test_counts_equal_a_brute_force_count(lines: Lines) -> None:
    counted = {
        (*key, partner): count
        for key, partners in pairs.coactivations(rows(lines)).items()
        for partner, count in partners.items()
    }
    assert counted == counted_by_trying_every_pair(lines)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReferenceEngine]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROUTE_TRACE", "trace")
    made = ReferenceEngine()
    made.init("glm_moe_dsa", 5, 8)
    yield made
    made.close()


def test_a_trace_of_ones_own_becomes_a_table(engine: ReferenceEngine) -> None:
    engine.route(3, 0, [(1, 0.5)])
    engine.endcall()
    engine.route(4, 0, [(2, 0.5)])
    engine.endcall()
    engine.pairs("trace", "table")
    assert Path("table").read_text() == "COLIPAIRS 1 1\n3 1 1 2:1\n"


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("5 0 x 1:.5\n", "line 2, column 5"),
        ("1 0 4 2\n", "line 2, column 8"),
        ("1 0 4\n", "line 2, column 6"),
        ("0 0 4 2:0.5000\n", "line 2: call 0"),
        ("1 0 4 2:0.50", "line 2, column 9"),
    ],
)
def test_a_malformed_trace_leaves_the_old_table(engine: ReferenceEngine, line: str, where: str) -> None:
    Path("broken").write_text("0 0 3 1:0.5000\n" + line)
    Path("table").write_text("COLIPAIRS 1 0\n")
    with pytest.raises(trace.TraceError, match=f"broken, {where}"):
        engine.pairs("broken", "table")
    assert Path("table").read_text() == "COLIPAIRS 1 0\n"
    with pytest.raises(FileNotFoundError):
        engine.pairs("missing", "table")

"""What old readers recover from a file, held against what its lines mean; guards, older saves, undefined fields."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coli_spec
from coli_conformance.compat.dense_block import dense_block
from coli_conformance.compat.examined import Examined, examine
from coli_conformance.compat.guards import admitted
from coli_conformance.compat.readers import modelled, outcomes
from coli_conformance.compat.recovery import Difference, Kind, recover
from coli_conformance.compat.sound_reading import credits_something, sound_reading, total
from coli_reference.identity import engine_id
from coli_reference.old_reader import leaves_defined_ground
from coli_spec import iku1
from coli_spec.model import Dimensions

Triple = tuple[int, int, int]

FOUR_FIELDS = b"3 2 5\n-3 7 12 99\n4 1 8\n"
HEADER = b"-1 5 8\n-2 1 3815245270\n"
GLM_5_8 = Dimensions(5, 8)
BIT64 = "64-bit long"
BIT32 = "32-bit long"


def examined(data: bytes, asked: Dimensions | None = GLM_5_8, identity: int | None = None) -> Examined:
    (one,) = examine([data], modelled(), asked, identity)
    return one


def recovered(one: Examined, reader: str = BIT64) -> list[Triple]:
    (records,) = [reading.outcome.records for reading in one.readings if reader in reading.outcome.readers]
    return records


def differences(one: Examined) -> list[tuple[str, Triple, int, int]]:
    """Return the differences of the first group of readers as (kind, record, first line, last line)."""
    found = one.readings[0].recovery.differences
    return [(item.kind.value, item.record, item.first_line, item.last_line) for item in found]


# -- record for record ------------------------------------------------------------------------------------------------


def test_a_fourth_field_invents_a_record_and_loses_one() -> None:
    one = examined(FOUR_FIELDS)
    assert len(one.readings) == 1
    assert recovered(one) == [(3, 2, 5), (-3, 7, 12), (99, 4, 1)]
    assert differences(one) == [("invented", (99, 4, 1), 2, 3), ("lost", (4, 1, 8), 3, 3)]
    assert one.differs


@pytest.mark.parametrize(
    ("data", "expected", "stopped"),
    [
        (b"# v1\n3 2 5\n", [("lost", (3, 2, 5), 2, 2)], 1),
        (b"0 1 10\n# merged-by 00112233\n0 2 5\n", [("lost", (0, 2, 5), 3, 3)], 2),
        (b"-1 5 8\n-2 1 glm\n3 2 5\n", [("lost", (3, 2, 5), 3, 3)], 2),
        (b"0 0 3.5\n0 1 5\n", [("changed", (0, 0, 3), 1, 1), ("lost", (0, 1, 5), 2, 2)], 1),
        (b"0 1 1,000\n0 2 5\n", [("changed", (0, 1, 1), 1, 1), ("lost", (0, 2, 5), 2, 2)], 1),
        (b"\xef\xbb\xbf-1 5 8\n3 2 2\n", [("lost", (3, 2, 2), 2, 2)], 1),
        (b"IKU1 5 8\n3 2 5\n", [("lost", (3, 2, 5), 2, 2)], 1),
        (b"3\n2\n5\n", [("invented", (3, 2, 5), 1, 3)], None),
        (b"3 2 5 4 1 8\n", [("changed", (3, 2, 5), 1, 1), ("invented", (4, 1, 8), 1, 1)], None),
        (b"3 2\n4 1 8\n", [("invented", (3, 2, 4), 1, 2), ("lost", (4, 1, 8), 2, 2)], None),
        (b"3 2 -5\n", [("changed", (3, 2, 4294967291), 1, 1)], None),
        (b"+3 2 5\n", [("changed", (3, 2, 5), 1, 1)], None),
        (b"3 2 0x10\n", [], 1),
        (b"1 1 4\n3 2", [], None),
        (b"-1 5 8 9\n", [], None),
        (b"3 2 5\n-3 7 12\n-4 1\n", [], None),
        (b"3 2 0\n", [], None),
        (b"\n", [], None),
        (b"", [], None),
    ],
)
def test_differences_and_where_reading_ends(
    data: bytes, expected: list[tuple[str, Triple, int, int]], stopped: int | None
) -> None:
    one = examined(data)
    assert differences(one) == expected
    assert one.readings[0].recovery.stopped == stopped
    assert one.differs == bool(expected)


def test_a_fourth_field_in_range_gets_past_both_guards() -> None:
    one = examined(b"3 2 5\n-3 7 12 4\n1 3 8\n4 0 0\n4 6 2\n")
    assert one.shape is not None
    past = {guard: admitted(recovered(one), guard, one.shape) for guard in ("bounds", "rows")}
    assert (4, 1, 3) in past["bounds"]
    assert (4, 1, 3) in past["rows"]


def test_the_total_that_an_invented_record_in_range_makes() -> None:
    one = examined(b"3 2 5\n-3 7 12 4\n1 3 8\n")
    assert one.shape is not None
    assert total(admitted(recovered(one), "bounds", one.shape)) == 8
    assert total(admitted(recovered(one), "rows", one.shape)) == 5


# -- sound files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("separator", "end"), [(b" ", b"\n"), (b"\t  ", b"\r\n"), (b" ", b"\n \t\n")])
def test_sound_files_at_every_boundary_are_recovered_by_everyone(separator: bytes, end: bytes) -> None:
    triples = list(product(*(field.boundaries() for field in coli_spec.load().fields)))
    lines = [separator.join(str(number).encode() for number in triple) for triple in triples]
    for data in (end.join(lines), end.join(lines) + end):
        one = examined(data)
        assert one.meant.records == triples
        assert [reading.outcome.records for reading in one.readings] == [triples]
        assert one.readings[0].recovery.differences == ()
        assert one.undefined == ()
        assert not one.differs


# -- undefined fields -------------------------------------------------------------------------------------------------


def test_a_hash_in_the_second_field_is_told_apart_by_platform_and_not_counted() -> None:
    one = examined(b"-1 5 8\n-2 3815245270 1\n3 2 5\n")
    readers = {reader: reading.outcome.records[1][1] for reading in one.readings for reader in reading.outcome.readers}
    assert readers == {"64-bit long": -479722026, "musl": -479722026, "32-bit long": 2147483647, "Windows": 2147483647}
    assert [(field.record, field.position, field.text) for field in one.undefined] == [(1, 2, "3815245270")]
    assert not one.differs


@pytest.mark.parametrize(
    ("data", "on_64", "on_32"),
    [
        (b"0 0 4294967303\n0 1 5\n", [(0, 0, 7), (0, 1, 5)], [(0, 0, 4294967295), (0, 1, 5)]),
        (b"4294967296 0 7\n0 1 5\n", [(0, 0, 7), (0, 1, 5)], [(0, 1, 5)]),
    ],
)
def test_numbers_beyond_the_types_reach_the_counters_as_each_platform_was_measured(
    data: bytes, on_64: list[Triple], on_32: list[Triple]
) -> None:
    one = examined(data)
    assert one.shape is not None
    assert admitted(recovered(one, BIT64), "bounds", one.shape) == on_64
    assert admitted(recovered(one, BIT32), "bounds", one.shape) == on_32
    assert [item.defined for item in one.readings[0].recovery.differences] == [False]
    assert not one.differs


def test_an_undefined_field_excuses_no_other_record() -> None:
    one = examined(b"0 0 4294967303\n3 2 5 9\n4 1 8\n")
    assert one.differs
    assert Difference(Kind.LOST, (4, 1, 8), 3, 3, defined=True) in one.readings[0].recovery.defined_differences


# -- dimensions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "asked", "expected"),
    [
        (HEADER + b"3 2 5\n", None, Dimensions(5, 8)),
        (HEADER + b"3 2 5\n", Dimensions(78, 256), Dimensions(78, 256)),
        (b"3 2 5\n4 1 8\n", None, Dimensions(4, 3)),
    ],
)
def test_where_the_dimensions_come_from(data: bytes, asked: Dimensions | None, expected: Dimensions) -> None:
    shape = examined(data, asked).shape
    assert shape is not None
    assert shape.dimensions == expected


def test_no_dimensions_are_made_up_for_a_file_without_data() -> None:
    assert examined(b"3\n2\n5\n", None).shape is None


def test_the_guards_let_through_what_lies_inside() -> None:
    records = [(-1, 0, 1), (0, 0, 1), (5, 7, 2), (6, 0, 4), (5, 8, 8), (5, -1, 16), (4, 0, 32)]
    shape = examined(b"0 0 1\n5 7 2\n").shape
    assert shape is not None
    assert admitted(records, "bounds", shape) == [(0, 0, 1), (5, 7, 2), (4, 0, 32)]
    assert admitted(records, "rows", shape) == [(0, 0, 1), (5, 7, 2)]


# -- an older build's save --------------------------------------------------------------------------------------------


def test_a_save_by_an_older_build_erases_unknown_header_records() -> None:
    before_header, with_header = examined(b"%b-3 7 12\n3 2 5\n-4 1 9\n" % HEADER).saved
    assert before_header.data == b"3 2 5\n"
    assert with_header.data == HEADER + b"3 2 5\n"
    assert with_header.erased == ((3, (-3, 7, 12)), (5, (-4, 1, 9)))
    assert with_header.added == ()
    assert before_header.erased == ((1, (-1, 5, 8)), (2, (-2, 1, 3815245270)), *with_header.erased)


def test_a_save_by_an_older_build_of_the_engine_that_was_asked_for() -> None:
    kimi = engine_id("kimi_k3")
    data = examined(b"-3 7 12\n3 2 5\n3 2 9\n9 0 1\n", identity=kimi).saved[1].data
    assert data == b"-1 5 8\n-2 1 1820578806\n3 2 14\n"


def test_without_an_identity_only_the_build_that_needs_none_saves() -> None:
    assert [save.data for save in examined(b"-3 7 12\n3 2 5\n").saved] == [b"3 2 5\n"]


def test_old_counters_wrap() -> None:
    (save,) = examined(b"-3 7 12\n0 0 4294967295\n0 0 1\n0 1 4294967295\n0 1 3\n").saved
    assert save.data == b"0 1 2\n"


def test_a_file_that_means_no_data_is_saved_as_zero_bytes() -> None:
    assert [save.data for save in examined(HEADER + b"-3 7 12\n", None).saved] == [b"", b""]
    assert [save.data for save in examined(b"-3 7 12\n", None).saved] == [b""]


@pytest.mark.parametrize("data", [HEADER + b"3 2 5\n", b"3 2 5\n", b"-3 7 12 99\n3 2 5\n", b""])
def test_nothing_is_said_of_a_save_where_no_unknown_header_record_stands(data: bytes) -> None:
    assert examined(data).saved == ()


# -- IKU1 -------------------------------------------------------------------------------------------------------------


def test_an_iku1_file_is_lost_on_every_old_reader() -> None:
    data = iku1.build(5, 8, {(0, 1): 2, (3, 6): 3})
    block = dense_block(data)
    assert block is not None
    assert (block.counters, block.total, block.broken, block.differs) == (2, 5, None, True)
    assert [outcome.records for outcome in outcomes([data], modelled())[0]] == [[]]


def test_an_iku1_file_without_counts_loses_nothing() -> None:
    block = dense_block(iku1.build(5, 8, {}))
    assert block is not None
    assert not block.differs


@pytest.mark.parametrize("data", [b"IKU1\5\0", b"IKU1" + b"\xff" * 7 + b"\0", b"IKU1\5\0\0\0\x08\0\0\0"])
def test_a_broken_iku1_file_is_said_to_be_broken(data: bytes) -> None:
    block = dense_block(data)
    assert block is not None
    assert block.broken is not None
    assert block.differs


@pytest.mark.parametrize("data", [b"", b"IKU1 5 8\n3 2 5\n", b"3 2 5\n", HEADER])
def test_text_is_no_iku1(data: bytes) -> None:
    assert dense_block(data) is None


# -- whatever the bytes -----------------------------------------------------------------------------------------------

numbers = st.integers(-3, 99).map(str) | st.integers(-(1 << 33), 1 << 33).map(str)
words = numbers | numbers | st.sampled_from(["#", "glm", "0x10", "3.5", "+5", "-", "", "1-2"])
texts = st.lists(st.lists(words, max_size=5).map(" ".join), max_size=8)
files = st.builds(
    lambda lines, end, cut: end.join(lines)[: len(end.join(lines)) - cut].encode(),
    texts,
    st.sampled_from(["\n", "\r\n"]),
    st.integers(0, 2),
)


@given(data=files | st.binary(max_size=40))
def test_meant_less_lost_and_with_what_was_invented_or_changed_is_what_was_recovered(data: bytes) -> None:
    meant = sound_reading(data)
    undefined = [field.record for field in leaves_defined_ground(data)]
    for outcome in outcomes([data], modelled())[0]:
        found = recover(data, meant, outcome.records, undefined).differences
        lost = Counter(item.record for item in found if item.kind is Kind.LOST)
        gained = Counter(item.record for item in found if item.kind is not Kind.LOST)
        assert lost <= Counter(meant.credited)
        assert Counter(meant.credited) - lost + gained == Counter(filter(credits_something, outcome.records))


@given(data=files)
def test_on_defined_ground_every_reader_differs_in_the_same_way(data: bytes) -> None:
    one = examined(data)
    assert len({reading.recovery.defined_differences for reading in one.readings}) == 1

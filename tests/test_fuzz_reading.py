"""The search's own reading of histories, and what the contract says of a load of each."""

from __future__ import annotations

from random import Random

import pytest

from coli_conformance.case import Record
from coli_conformance.corpus.iku1_block import block
from coli_conformance.corpus.meaning import header, render
from coli_conformance.corpus.target import Target
from coli_conformance.fuzzing import lines
from coli_conformance.fuzzing.histories import history as made_history
from coli_conformance.fuzzing.mutations import mutated
from coli_conformance.fuzzing.reading import Kind, Reader, reading
from coli_reference import history, old_reader

GLM = Target("glm_moe_dsa", 5, 8)
INKLING = Target("inkling", 5, 8)
HEADER = render(header(GLM))
NOTHING_DROPPED: frozenset[int] = frozenset()


@pytest.mark.parametrize(
    ("text", "records"),
    [
        (b"", ()),
        (b"\n \t\n\r\n", ()),
        (b"3 2 5\n4 1 8\n", ((3, 2, 5), (4, 1, 8))),
        (b" 3\t 2  5 \r\n\t4 1 8\r", ((3, 2, 5), (4, 1, 8))),
        (
            b"-2147483648 -2147483648 0\n2147483647 2147483647 4294967295\n",
            ((-(2**31),) * 2 + (0,), (2**31 - 1,) * 2 + (2**32 - 1,)),
        ),
    ],
)
def test_sound_text_is_read(text: bytes, records: tuple[Record, ...]) -> None:
    read = lines.read(text)
    assert (read.records, read.sound) == (records, True)


@pytest.mark.parametrize(
    "text",
    [
        *(b"0 1 7\n3 2\n", b"0 1 7\n3 2 5 9\n", b"0 1 7\n+3 2 5\n", b"0 1 7\n3 2 5.0\n", b"0 1 7\n3 2 -5\n"),
        *(
            b"0 1 7\n3 2 4294967296\n",
            b"0 1 7\n2147483648 2 5\n",
            b"0 1 7\n03 2 5\n",
            b"0 1 7\n\r",
            b"0 1 7\n-0 2 5\n",
        ),
        *(b"0 1 7\n3\r2 5\n", b"0 1 7\n3\x002 5\n", b"0 1 7\n# x\n", b"0 1 7\n\xff\n", b"0 1 7\n3\f2\v5\n"),
    ],
)
def test_what_is_not_sound_ends_the_records(text: bytes) -> None:
    read = lines.read(text)
    assert (read.records, read.sound) == (((0, 1, 7),), False)


def test_sound_text_is_sound_to_the_reference_and_to_old_readers() -> None:
    chance = Random(2)
    sound = 0
    for _ in range(3000):
        data = made_history(chance, GLM)
        if chance.random() < 0.5:
            data = mutated(chance, data, made_history(chance, GLM))
        read = lines.read(data)
        if read.sound:
            sound += 1
            assert list(read.records) == history.parse(data) == old_reader.records(data)
    assert sound > 1000


def test_what_a_reader_may_credit_of_a_four_field_record_includes_the_invented_one() -> None:
    most = lines.most_credited(b"3 2 5\n-3 7 12 4\n1 3 8\n", lambda layer, expert: layer <= 5 and expert < 8)
    assert most is not None
    assert most.most[3, 2] == 5
    assert most.most[4, 1] == 3, "the fourth field and two of the next line, as an old reader takes them"
    assert most.most[1, 3] == 8
    assert most.most[0, 0] == 0


def test_a_count_beyond_the_range_may_only_stay_at_the_largest() -> None:
    most = lines.most_credited(b"0 1 4294967301\n0 2 -5\n", lambda *_: True)
    assert most is not None
    assert (0, 1) in most.full
    assert not most.most[0, 1]
    assert not most.most[0, 2]


@pytest.mark.parametrize("text", [b"1_0 2 5 x\n", b"3\x00 2 5 x\n", b"\xd9\xa3 2 5\n", b"9" * 40 + b" 2 5\n"])
def test_text_in_which_numbers_are_not_told_apart_has_no_limit(text: bytes) -> None:
    assert lines.most_credited(text, lambda *_: True) is None


def right_and(*records: Record) -> bytes:
    return (HEADER + render(records)).encode()


@pytest.mark.parametrize(
    ("data", "kind", "clause"),
    [
        (b"", Kind.READ, "R13"),
        (b"3 2 5\n", Kind.READ, "R08"),
        (right_and((3, 2, 5)), Kind.READ, "R16"),
        (right_and((3, 2, 5), (3, 2, 5)), Kind.READ, "R14"),
        (right_and((-3, 7, 12), (3, 2, 5)), Kind.READ, "R02"),
        (right_and((5, 2, 5)), Kind.READ, "R10"),
        (right_and((6, 2, 5)), Kind.READ, "R10"),
        (right_and((2, 2, 5)), Kind.READ, "R11"),
        (right_and((3, 2, 2**31)), Kind.READ, "R15"),
        (right_and((3, 2, 5)).replace(b"\n", b"\r\n"), Kind.READ, "R12"),
        (render((*header(GLM, n_layers=6), (3, 2, 5))).encode(), Kind.REFUSED, "R03"),
        (render((*header(GLM, version=2), (3, 2, 5))).encode(), Kind.REFUSED, "R04"),
        (render((*header(GLM, engine=1), (3, 2, 5))).encode(), Kind.REFUSED, "R05"),
        (render(((3, 2, 5), *header(GLM, n_layers=6))).encode(), Kind.REFUSED, "R20"),
        (render(((3, 2, 5), *header(GLM, version=2))).encode(), Kind.REFUSED, "R20"),
        (render(((3, 2, 5), *header(GLM, engine=1))).encode(), Kind.REFUSED, "R20"),
        (b"0 0 0\n-1 0 0\n", Kind.REFUSED, "R20"),
        (b"0 0 0\n-2 0 0\n", Kind.REFUSED, "R20"),
        (b"99 0 5\n-1 0 0\n", Kind.REFUSED, "R20"),
        (b"0 -1 5\n-2 0 0\n", Kind.REFUSED, "R20"),
        (b"2 0 5\n-1 0 0\n", Kind.REFUSED, "R20"),
        (b"-3 7 12\n-1 0 0\n0 0 0\n", Kind.REFUSED, "R03"),
        (b"-1 0 0\n0 0 0\n-2 0 0\n", Kind.REFUSED, "R03"),
        (render((*header(GLM, engine=1), (3, 2, 5))).encode() + b"x", Kind.REFUSED, "R05"),
        (b"x\n" + render((*header(GLM, engine=1), (3, 2, 5))).encode(), Kind.ANYTHING, "R17"),
        (render((*header(GLM, version=0), (3, 2, 5))).encode(), Kind.EITHER, "R24"),
        (render((header(GLM)[0], (3, 2, 5))).encode(), Kind.EITHER, "R24"),
        (render((header(GLM)[1], (3, 2, 5))).encode(), Kind.EITHER, "R24"),
        (render(((3, 2, 5), *header(GLM))).encode(), Kind.EITHER, "R24"),
        (b"3 2 5 9\n", Kind.ANYTHING, "R17"),
        (block(5, 8, ()), Kind.REFUSED, "I02"),
    ],
)
def test_what_the_contract_says_of_a_load(data: bytes, kind: Kind, clause: str) -> None:
    found = reading(data, Reader(GLM, frozenset({2}), trusted=False))
    assert (found.kind, found.clause) == (kind, clause)


@pytest.mark.parametrize(
    ("records", "clause"),
    [
        ((*header(GLM, engine=1), (3, 2, 5)), "R07"),
        (((3, 2, 0), *header(GLM, engine=1)), "R20"),
        (((3, 2, 5), *header(GLM)), "R20"),
        ((*header(GLM), (3, 2, 5), header(GLM)[1]), "R20"),
        ((*header(GLM), header(GLM)[1], (3, 2, 5)), "R24"),
    ],
)
def test_what_a_refused_file_must_not_credit_is_asked_by_the_place_of_its_header(
    records: tuple[Record, ...], clause: str
) -> None:
    found = reading(render(records).encode(), Reader(GLM, NOTHING_DROPPED, trusted=False))
    assert found.credit_clause == clause


@pytest.mark.parametrize(
    ("target", "trusted", "data", "kind", "clause"),
    [
        (GLM, True, render((*header(GLM, engine=1), (3, 2, 5))).encode(), Kind.READ, "R06"),
        (GLM, True, render((*header(GLM, n_experts=9), (3, 2, 5))).encode(), Kind.REFUSED, "R03"),
        (GLM, True, block(5, 8, ((0, 1, 2),)), Kind.READ, "I04"),
        (INKLING, False, block(5, 8, ((0, 1, 2),)), Kind.READ, "I01"),
        (INKLING, False, block(8, 5, ((0, 1, 2),)), Kind.REFUSED, "I03"),
        (INKLING, False, block(5, 8, ((0, 1, 2),))[:-1], Kind.REFUSED, "I06"),
        (INKLING, False, block(5, 8, ((0, 1, 2),)) + b"\n", Kind.EITHER, "I07"),
    ],
)
def test_trust_and_the_dense_layout(target: Target, trusted: bool, data: bytes, kind: Kind, clause: str) -> None:
    found = reading(data, Reader(target, NOTHING_DROPPED, trusted))
    assert (found.kind, found.clause) == (kind, clause)

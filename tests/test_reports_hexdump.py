"""Binary files as a page shows them: IKU1 word by word with what each word means, anything else in rows."""

from __future__ import annotations

import pytest

from coli_conformance.reports.hexdump import hex_dump, is_binary
from coli_spec import iku1


def test_a_block_is_shown_word_by_word_with_what_each_means() -> None:
    data = iku1.build(2, 3, {(0, 1): 5, (1, 2): 258})
    dump = hex_dump(data, 20)
    assert [(row.offset, row.data, row.meaning) for row in dump.rows] == [
        (0, "49 4b 55 31", "magic: IKU1"),
        (4, "02 00 00 00", "n_layers: 2"),
        (8, "03 00 00 00", "n_experts: 3"),
        (16, "05 00 00 00", "layer 0, expert 1: 5"),
        (32, "02 01 00 00", "layer 1, expert 2: 258"),
    ]
    assert dump.more == "counters of zero are left out"


@pytest.mark.parametrize("cut", range(4, 37))
def test_a_block_that_was_cut_off_anywhere_is_shown(cut: int) -> None:
    data = iku1.build(2, 3, {(1, 2): 258})[:cut]
    meanings = [row.meaning for row in hex_dump(data, 20).rows]
    assert ("cut off within a word" in meanings) == (cut % 4 != 0)


def test_what_no_dimensions_can_hold_is_shown_as_behind_the_block() -> None:
    data = iku1.MAGIC_BYTES + bytes(8) + b"\x07\0\0\0"
    assert hex_dump(data, 20).rows[-1].meaning == "7, behind the block"


def test_other_binary_files_have_sixteen_bytes_a_row() -> None:
    data = b"3 2 5\n\0" + bytes(range(30))
    assert is_binary(data)
    assert not is_binary(b"3 2 5\r\n\xff")
    rows = hex_dump(data, 2)
    assert [row.offset for row in rows.rows] == [0, 16]
    assert rows.rows[0].characters.startswith("3 2 5..")
    assert rows.more == "5 more bytes"

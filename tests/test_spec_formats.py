"""The declared grammars and IKU1 accept what the contract allows and nothing else."""

from __future__ import annotations

import io

import lark
import pytest

from coli_spec import SpecError, grammar, iku1, load


def parses(name: str, text: str, start: str | None = None) -> bool:
    try:
        lark.Lark(grammar(name), parser="lalr", start=start or name).parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


HEADER = "-1 5 8\n-2 1 3815245270\n"


@pytest.mark.parametrize("text", ["", HEADER + "3 2 5\n", HEADER + "0 0 1\n5 7 4294967295\n"])
def test_canonical_histories_parse(text: str) -> None:
    assert parses("history", text)


@pytest.mark.parametrize(
    "text",
    [
        *("\n", HEADER, "3 2 5\n", "# v1\n3 2 5\n", "-1 5 8\n-2 1 glm\n3 2 5\n"),
        *("-1 5 8\n3 2 5\n", "-2 1 3815245270\n-1 5 8\n3 2 5\n", "-1 5 8\n-2 2 3815245270\n3 2 5\n"),
        *(HEADER + line for line in ("3 2 0\n", "3 2 5", "3  2 5\n", "3 2 5\r\n", "3 2 5 6\n", "3 2 +5\n")),
        *(HEADER + line for line in ("3 2 05\n", "-0 2 5\n", "3 2 5 \n", "3 2 5\n\n", "3 2 3.5\n", "3 2 1,000\n")),
        *(HEADER + line for line in ("3 2 0x5\n", "3 2\n", "-3 7 12\n3 2 5\n", "3 2 5\n" + HEADER, "3 2 -5\n")),
        "\ufeff" + HEADER + "3 2 5\n",
    ],
)
def test_other_histories_do_not_parse(text: str) -> None:
    assert not parses("history", text)


def test_the_shape_of_a_further_header_record() -> None:
    assert parses("history", "-15 -3 4\n", start="header_record")
    assert not parses("history", "-1 3 4\n", start="header_record")
    assert not parses("history", "-3 7 12 99\n", start="header_record")


def test_the_grammar_holds_the_declared_version() -> None:
    assert parses("history", f"-1 5 8\n-2 {load().format_version} 0\n0 0 1\n")


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("", True),
        ("0 0 3 1:1.2500 2:1.2500\n", True),
        ("0 0 3 1:0.0000\n1 7 4 2:-0.50000\n", True),
        *((text, False) for text in ("5 0 x 1:.5\n", "0 0 3 :0.5\n", "1 0 4 2\n", "1 0 4\n", "0 0 3 1:0.500\n")),
        *((text, False) for text in ("0 0 3 -1:nan 4:0.5000\n", "0 0 3 1:1.0000e0\n", "0 0 3 1:0,5000\n", "\n")),
        *((text, False) for text in ("0  0 3 1:0.5000\n", "0 0 3 1:0.5000 \n", "0 0 3 1:0.5000", "-1 0 3 1:0.5000\n")),
    ],
)
def test_the_trace_grammar(text: str, sound: bool) -> None:
    assert parses("trace", text) is sound


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("COLIPAIRS 1 0\n", True),
        ("COLIPAIRS 1 2\n3 1 0 5:7 2:6\n3 2 0 1:1\n", True),
        ("COLIPAIRS 1 1\n3 1 0" + " 1:1" * 16 + "\n", True),
        ("COLIPAIRS 1 1\n3 1 0" + " 1:1" * 17 + "\n", False),
        *((text, False) for text in ("", "COLIPAIRS 2 0\n", "COLIPAIRS 1 1\n3 3 0 5:7\n")),
        *((text, False) for text in ("COLIPAIRS 1 1\n3 1 0\n", "COLIPAIRS 1 1\n3 1 0 5:0\n")),
    ],
)
def test_the_pairs_grammar(text: str, sound: bool) -> None:
    assert parses("pairs", text) is sound


def test_an_unknown_grammar_is_a_sentence() -> None:
    with pytest.raises(SpecError, match="history, pairs, trace"):
        grammar("../model")


def test_iku1_bytes_by_hand() -> None:
    by_hand = bytes.fromhex("494b5531 02000000 03000000  00000000 07000000 00000000  00000000 00000000 ffffffff")
    assert iku1.build(2, 3, {(0, 1): 7, (1, 2): 4294967295}) == by_hand
    block = iku1.open_block(io.BytesIO(by_hand), len(by_hand))
    assert list(block.rows()) == [(0, 7, 0), (0, 0, 4294967295)]
    assert block.row(1) == (0, 0, 4294967295)
    assert block.trailing_bytes == 0


def test_iku1_sizes_and_parts() -> None:
    inkling = load().engine("inkling")
    assert inkling is not None
    (size,) = inkling.dimensions
    assert iku1.Header(size.n_layers, size.n_experts).file_bytes == 67596
    assert iku1.HEADER_BYTES == 12
    assert [(part.name, part.offset, part.size) for part in iku1.layout()] == [
        *(("magic", 0, 4), ("n_layers", 4, 4), ("n_experts", 8, 4), ("counts", 12, None)),
    ]


class ReadCounted(io.BytesIO):
    """A stream that adds up how many bytes are asked of it."""

    asked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.asked += 1 << 60 if size is None or size < 0 else size
        return super().read(size)


def test_huge_iku1_dimensions_cost_nothing() -> None:
    data = bytes.fromhex("494b5531 ffffffff ffffffff")
    stream = ReadCounted(data)
    with pytest.raises(iku1.Iku1Error, match="73786976260478468112 bytes"):
        iku1.open_block(stream, len(data))
    assert stream.asked == 12


def test_iku1_rows_are_read_when_asked_for() -> None:
    data = iku1.build(1000, 256, {(999, 255): 1}) + b"after"
    stream = ReadCounted(data)
    block = iku1.open_block(stream, len(data))
    assert block.row(999)[255] == 1
    assert stream.asked == 12 + 256 * 4
    assert block.trailing_bytes == 5
    with pytest.raises(iku1.Iku1Error, match="no row 1000"):
        block.row(1000)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("494b5531 0500", "ends after 6"),
        ("", "ends after 0"),
        ("33203220 350a", "another layout"),
        ("494b5531 00000000 ffffffff", "dimension of zero"),
        ("494b5531 01000000 02000000 00000000 000000", "has 19"),
    ],
)
def test_iku1_that_is_none_is_refused(data: str, complaint: str) -> None:
    content = bytes.fromhex(data)
    with pytest.raises(iku1.Iku1Error, match=complaint):
        iku1.open_block(io.BytesIO(content), len(content))


@pytest.mark.parametrize(
    ("n_layers", "n_experts", "counts"),
    [(0, 8, {}), (5, 1 << 32, {}), (5, 8, {(5, 0): 1}), (5, 8, {(0, 8): 1}), (5, 8, {(0, 0): 1 << 32})],
)
def test_iku1_that_cannot_be_written_is_refused(
    n_layers: int, n_experts: int, counts: dict[tuple[int, int], int]
) -> None:
    with pytest.raises(iku1.Iku1Error):
        iku1.build(n_layers, n_experts, counts)

"""Formulas over dimensions, and the ranges and packed fields made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from coli_spec import Dimensions, SpecError
from coli_spec.field_range import FieldRange, Packing, Part, read_range
from coli_spec.formula import parse
from coli_spec.yaml_source import Source

GLM = {"n_layers": 78, "n_experts": 256}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("4294967295", 4294967295),
        ("n_layers", 78),
        ("(n_layers + 1) * n_experts - 1", 20223),
        ("n_experts - n_layers * 2", 100),
        ("n_experts // n_layers", 3),
        ("n_experts % n_layers", 22),
        ("-n_layers", -78),
        ("2 * (3 - -4)", 14),
    ],
)
def test_a_formula_is_evaluated_as_people_read_it(text: str, value: int) -> None:
    assert parse(text).value(GLM) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "n_layers n_experts",
        "top_k",
        "n_layers ** 9",
        "n_layers / 2",
        "1.5",
        "True",
        "abs(1)",
        "__import__('os')",
        "n_layers.real",
        "[1]",
        "1 if n_layers else 2",
        "n_layers < 3",
        "0 or 1",
        "lambda",
        "n_layers # the layers",
        "99999999999999999999999999",
        "1" * 300,
        "(" * 90 + "1" + ")" * 90 + "+",
    ],
)
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(SpecError, match="formula"):
        parse(text)


def test_a_division_by_zero_is_a_sentence_with_the_values() -> None:
    with pytest.raises(SpecError, match=r"divides by 0 for n_layers = 78, n_experts = 256"):
        parse("1 // (n_layers - 78)").value(GLM)


def test_a_packed_field_has_a_value_for_every_choice_of_its_parts() -> None:
    packing = Packing(
        parse("layer * n_experts + expert", ("n_layers", "n_experts", "layer", "expert")),
        (Part("layer", parse("1"), parse("n_layers")), Part("expert", parse("0"), parse("n_experts - 1"))),
    )
    assert list(packing.every_value(Dimensions(2, 3))) == [3, 4, 5, 6, 7, 8]
    assert list(packing.corners(Dimensions(2, 3))) == [3, 5, 6, 8]
    assert list(packing.corners(Dimensions(93, 896))) == [896, 1791, 83328, 84223]
    assert FieldRange(parse("0"), parse("n_experts"), packing).at(Dimensions(2, 3)) == (0, 3)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("maximum: n_layer", "f.yaml:1: .*unknown name 'n_layer'"),
        ("minimum: 0", "lacks the key 'maximum'"),
        ("maximum: 9\nformula: a", "lacks the key 'parts'"),
        ("maximum: 9\nparts: []\nformula: 1", "1 to 6 parts"),
        ("maximum: 9\nformula: b\nparts:\n  - {name: a, maximum: 3}", "unknown name 'b'"),
        ("maximum: 9\nformula: a\nparts:\n  - {name: n_layers, maximum: 3}", "f.yaml:4: .*not a dimension's"),
        ("maximum: 9\nformula: a\nparts:\n  - {name: a, maximum: 3}\n  - {name: a, maximum: 3}", "name of its own"),
    ],
)
def test_a_range_that_cannot_be_read_is_refused_by_line(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match=complaint):
        read_range(Source(file).root)

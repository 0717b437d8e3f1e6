"""What is declared agrees with the contract, and a declaration that contradicts itself is refused by line."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

import coli_spec
from coli_spec import FieldType, Spec, SpecError, load, load_from
from coli_spec.yaml_source import Source

CLAUSES_PER_AREA = {"W": 25, "R": 24, "I": 8, "T": 12, "P": 3, "C": 3, "G": 7}
SHOULD = {"W16", "W17", "W18", "W19", "W20", "W21", "W24", "R18", "R19", "R20", "R21", "R22", "I06"} | {
    *("T09", "T10", "T11", "T12", "C03")
}
MAY = {"W25", "R23", "R24", "I07"}
PACKAGED = Path(coli_spec.__file__).parent


@pytest.fixture
def spec() -> Spec:
    return load()


def test_every_clause_of_the_contract_is_declared(spec: Spec) -> None:
    expected = [f"{letter}{number:02d}" for letter, count in CLAUSES_PER_AREA.items() for number in range(1, count + 1)]
    assert [clause.id for clause in spec.clauses] == expected


def test_levels_are_those_of_the_contract(spec: Spec) -> None:
    assert {clause.id for clause in spec.clauses if clause.level == "should"} == SHOULD
    assert {clause.id for clause in spec.clauses if clause.level == "may"} == MAY
    assert Counter(clause.level for clause in spec.clauses) == {"must": 60, "should": 18, "may": 4}


def test_an_engine_owes_seven_roles(spec: Spec) -> None:
    assert spec.duties() == ("load", "bounds", "identify", "trusted", "iku1", "save", "trace")


@pytest.mark.parametrize(
    ("clause_id", "roles"),
    [
        ("W09", {"save", "bounds"}),
        ("W13", {"save", "load"}),
        ("T07", {"trace", "save"}),
        ("I04", {"iku1", "trusted"}),
        ("I08", {"iku1", "bounds"}),
        ("R06", {"load", "trusted", "identify"}),
        ("R16", {"load", "identify"}),
        ("R10", {"load", "bounds"}),
        ("R23", {"load"}),
    ],
)
def test_roles_follow_the_protocol(spec: Spec, clause_id: str, roles: set[str]) -> None:
    assert set(spec.clause(clause_id).roles) == roles


def test_may_clauses_name_their_behaviours(spec: Spec) -> None:
    assert set(spec.clause("W25").behaviours) == {"dropped", "preserved"}
    assert set(spec.clause("R23").behaviours) == {"stop", "skip-line", "refuse", "desync", "first-three"}
    assert set(spec.clause("R24").behaviours) == {"read", "refuse", "empty"}
    assert set(spec.clause("I07").behaviours) == {"ignore", "refuse"}


def test_an_unknown_clause_is_a_sentence(spec: Spec) -> None:
    with pytest.raises(SpecError, match=r"no clause 'W99'.*W \(writing a history\)"):
        spec.clause("W99")


def test_records_of_the_registry(spec: Spec) -> None:
    assert spec.format_version == 1
    assert spec.agreed_numbers() == {-1, -2}
    assert [field.name for field in spec.data.fields] == ["layer", "expert", "count"]
    identity = spec.record(-2)
    assert identity is not None
    assert [(field.position, field.name, field.type.name) for field in identity.fields] == [
        (1, "number", "int32"),
        (2, "format_version", "int32"),
        (3, "engine_id", "uint32"),
    ]
    assert spec.record(-3) is None


def test_engines_of_the_registry(spec: Spec) -> None:
    assert {engine.name for engine in spec.engines if engine.history} == {
        *("glm_moe_dsa", "inkling", "olmoe", "kimi_k3", "deepseek_v4", "qwen38", "glm53")
    }
    assert [engine.name for engine in spec.engines if not engine.history] == ["qwen36"]
    deepseek = spec.engine("deepseek_v4")
    assert deepseek is not None
    assert [size.text for size in deepseek.dimensions] == ["43x256", "61x384"]
    assert spec.engine("glm") is None


def test_boundaries_of_the_fields(spec: Spec) -> None:
    first, second, third = spec.fields
    assert first == second
    assert second.boundaries() == (-2147483648, -2147483647, -1, 0, 1, 2147483646, 2147483647)
    assert third.boundaries() == (*(0, 1, 2147483646, 2147483647, 2147483648, 2147483649, 4294967294, 4294967295),)
    assert {-2147483649, 2147483648, 4294967303, 1 << 63, 1 << 64} <= set(second.beyond())
    assert {-1, 4294967296, 4294967303, 1 << 63, 1 << 64} <= set(third.beyond())


@pytest.mark.parametrize("field_type", [FieldType("int32", 32, True), FieldType("uint32", 32, False)])
def test_boundaries_are_inside_and_beyond_is_outside(field_type: FieldType) -> None:
    assert all(field_type.holds(value) for value in field_type.boundaries())
    assert not any(field_type.holds(value) for value in field_type.beyond())


TAMPERED = [
    ("records.yaml", "format_version: 1", "format_version: one", "plain decimal integer"),
    ("records.yaml", "format_version: 1", "format_version: 0", "at least 1"),
    ("records.yaml", "format_version: 1", "format_version: 1\nformat_version: 1", "twice"),
    ("records.yaml", "format_version: 1", "version: 1", "lacks the key 'format_version'"),
    ("records.yaml", "format_version: 1", "format_version: 1\nextra: 1", "unknown key 'extra'"),
    ("records.yaml", "[int32, int32, uint32]", "[int32, int32]", "exactly three fields"),
    ("records.yaml", "[int32, int32, uint32]", "[int32, int32, int64]", "'int64' is not declared"),
    ("records.yaml", "[int32, int32, uint32]", "int32", "must be a list"),
    ("records.yaml", "signed: true", "signed: yes", "true or false"),
    ("records.yaml", "number: -2", "number: 2", "must be negative"),
    ("records.yaml", "number: -2", "number: -1", "declared twice"),
    ("records.yaml", "number: -2", "number: -2147483649", "at least -2147483648"),
    ("records.yaml", "status: agreed", "status: hoped", "one of agreed, withdrawn"),
    ("records.yaml", "data:\n", "data: &anchor\n", "anchors"),
    ("records.yaml", "format_version: 1", "format_version: !!int 1", "tags"),
    ("records.yaml", "types:", "types: [", "valid YAML"),
    ("engines.yaml", "name: olmoe", "name: OLMoE", "a-z, 0-9 and _"),
    ("engines.yaml", "name: olmoe", "name: inkling", "declared twice"),
    ("engines.yaml", "n_layers: 16", "n_layers: 0", "at least 1"),
    ("engines.yaml", "models: OLMoE", 'models: ""', "must not be empty"),
    ("engines.yaml", "models: OLMoE", "models: [OLMoE]", "must be a single value"),
    ("clauses.yaml", "id: W25", "id: W26", "W25 is due"),
    ("clauses.yaml", "id: W02", "id: W03", "declared twice"),
    ("clauses.yaml", "id: W02", "id: X02", "belongs to no area"),
    ("clauses.yaml", "roles: [save, bounds]", "roles: [save, bound]", "the role 'bound'"),
    ("clauses.yaml", "roles: [save, bounds]", "roles: [save, [bounds]]", "must be a text"),
    ("clauses.yaml", "behaviours: [dropped, preserved]", "behaviours: []", "names its behaviours"),
    ("clauses.yaml", "letter: W,", "letter: w,", "one capital letter"),
    ("clauses.yaml", "kind: offer", "kind: wish", "one of duty, extra, offer"),
]


@pytest.mark.parametrize(("file", "old", "new", "complaint"), TAMPERED)
def test_a_tampered_declaration_is_refused(tmp_path: Path, file: str, old: str, new: str, complaint: str) -> None:
    for packaged in PACKAGED.glob("*.yaml"):
        shutil.copy(packaged, tmp_path)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SpecError) as refusal:
        load_from(tmp_path)
    sentence = str(refusal.value)
    assert re.match(rf"{re.escape(file)}:[1-9][0-9]*: ", sentence)
    assert complaint in sentence


def test_the_line_of_a_complaint_is_the_line_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_text("first: 1\nsecond:\n  deep: x\n", encoding="utf-8")
    second = Source(path).root.mapping("second")
    with pytest.raises(SpecError, match=r"^some\.yaml:3: .*'deep' of 'second'"):
        second.integer("deep")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", r"some\.yaml:1: .*no YAML document"),
        (b"a: 1\nb: \xff\n", r"some\.yaml:2: .*not UTF-8"),
        (b"a: 1\nb: \x07\n", r"some\.yaml:2: .*U\+0007"),
        (b"- 1\n", r"some\.yaml:1: .*must be a mapping"),
        (b"a: 1\n---\nb: 1\n", r"some\.yaml:[23]: .*second YAML document"),
        (b"a: " + b"[" * 21 + b"]" * 21, r"some\.yaml:1: .*deeper than 20"),
        (b"a: " + b"[" * 100_000, r"some\.yaml:1: .*(deeper than 20|nesting depth)"),
        (b"a: &x [1]\nb: *x\n", r"some\.yaml:1: .*aliases"),
        (b"? [1]\n: 1\n", r"some\.yaml:1: .*must be a word"),
        (b"#" * (1 << 20) + b"\n", r"some\.yaml: .*above 1048576 bytes"),
    ],
)
def test_a_file_that_is_no_declaration_is_refused(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(data)
    with pytest.raises(SpecError, match=complaint):
        Source(path)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe"])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "some.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(SpecError, match=r"^some\.yaml: "):
        Source(path)


def test_the_pure_python_reader_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = load()
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert load_from(PACKAGED) == packaged

"""Every rule that a proposal is held to has a proposal here that breaks it, and that alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import coli_spec
from coli_conformance.records.breach import Breach
from coli_conformance.records.proposal import Proposal, read
from coli_conformance.records.ranges import known_sizes
from coli_conformance.records.rules import breaches
from coli_spec import SpecError

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
SOUND = (EXAMPLES / "transition-counts.yaml").read_text(encoding="utf-8")
FOURTH_FIELD = "  - {name: gate, type: uint32, meaning: The sum of the gates., maximum: 9}\n\nplacement:"


EMPTY = [
    ("layer, maximum: n_layers - 1}", "layer, minimum: n_layers - 3, maximum: n_layers * 2 - 7}"),
    ("n_experts * n_experts - 1\n", "n_experts * n_experts * 3 - 1\n"),
]
ROOM = [("maximum: n_layers * n_experts * n_experts - 1", "maximum: 2147483647")]


def proposal(folder: Path, text: str, name: str = "proposal.yaml") -> Proposal:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(path)


def changed(*changes: tuple[str, str]) -> str:
    """Return the sound proposal with each first text, which it holds, replaced by the second."""
    text = SOUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def broken(folder: Path, *changes: tuple[str, str]) -> tuple[Breach, ...]:
    return breaches(proposal(folder, changed(*changes)), [], coli_spec.load())


def test_the_first_example_keeps_every_rule(tmp_path: Path) -> None:
    assert broken(tmp_path) == ()


def test_the_second_example_fails_five_rules() -> None:
    found = breaches(read(EXAMPLES / "fails-five-rules.yaml"), [], coli_spec.load())
    assert [(breach.clauses[0], breach.line) for breach in found] == [
        ("G01", 3),
        ("G02", 6),
        ("G04", 7),
        ("G05", 28),
        ("G06", 1),
    ]


@pytest.mark.parametrize(
    ("clauses", "words", "changes"),
    [
        (("G01",), "makes the record data for layer 3", [("number: -3", "number: 3")]),
        (("G01",), "makes the record data for layer 0", [("number: -3", "number: 0")]),
        (("G01",), "taken by the agreed record dimensions", [("number: -3", "number: -1")]),
        (("G01",), "taken by the agreed record identity; -3 is the next free one", [("number: -3", "number: -2")]),
        (("G01", "W03"), "does not fit the first field", [("number: -3", "number: -2147483649")]),
        (("G02", "W02"), "4 fields; .*from the rest \\(gate\\)", [("placement:", FOURTH_FIELD)]),
        (("W03",), "'text' is no type", [("type: uint32", "type: text")]),
        (("W03",), "'float' is no type", [("type: int32", "type: float")]),
        (("W03",), "third field is uint32 and has no sign", [("type: uint32", "type: int32")]),
        (("G04",), "hash uses all 32 bits", [("type: int32", "type: hash")]),
        (("G04",), "uint32 uses all 32 bits", [("type: int32", "type: uint32")]),
        (
            ("G04", "G03"),
            "4294967295 does not fit int32 .*belongs in the third field",
            [("maximum: n_layers * n_experts * n_experts - 1", "maximum: 4294967295")],
        ),
        (
            ("G03", "W03"),
            r"is 2165194751 at 93x896 \(kimi_k3\), which does not fit int32 \(-2147483648..2147483647\)",
            [("n_experts * n_experts - 1", "n_experts * n_experts * 29 - 1")],
        ),
        (
            ("G03", "W03"),
            r"is 8761638912 at 78x256 \(glm_moe_dsa\), which does not fit uint32",
            [("maximum: 4294967295", "maximum: 1714 * n_layers * n_experts * n_experts")],
        ),
        (("G03", "W03"), "smallest value `-1` is -1 .*does not fit uint32", [("minimum: 1", "minimum: -1")]),
        (
            ("G03",),
            r"reaches 5111807 at 78x256 \(glm_moe_dsa\), outside the declared 0..19967",
            [("maximum: n_layers * n_experts * n_experts - 1", "maximum: n_layers * n_experts - 1")],
        ),
        (("G05",), "means? something else, and every old reader", [("_records: false", "_records: true")]),
        (("G05",), "does not say whether", [("changes_data_records: false", "")]),
        (("G06",), "says that it does not", [("builds: true", "builds: false")]),
        (("G06",), "does not say so", [("erased_by_older_builds: true", "")]),
        (("G07",), "'purpose' is not written", [("purpose: >-\n  Lets", "purpose: ...\n# Lets"), ("  layer and", "#")]),
        (("G07",), "'meaning' is not written", [("meaning: How often", "meaning: ...\n    # How often")]),
        (("G07",), "'writers' names nobody", [("  - An engine that counts", "  - ...\n# An engine that counts")]),
        (("G07",), "stands in the ids of cases", [("name: transition", "name: Transition counts")]),
        (("G07",), "that of a declared record type", [("name: transition", "name: data")]),
        (("G07",), "field name 'the step' is no name", [("name: step", "name: the step")]),
        (("G07",), "'most' is missing", [("most: n_layers * n_experts * 8", "")]),
        (("G07",), r"'most' is -?\d+ at 78x256", [("most: n_layers * n_experts * 8", "most: n_layers - n_experts")]),
        (("G07",), "smallest value 4294967296 is above", [("minimum: 1", "minimum: 4294967296")]),
        (
            ("G07",),
            r"smallest value 0 is above its largest -14 at 5x8 \(the model of the cases\)",
            [("maximum: 4294967295", "maximum: n_layers * 2 - 24"), ("minimum: 1", "minimum: 0")],
        ),
        (
            ("G07",),
            "its parts have no value at 3x4",
            EMPTY,
        ),
        (("G03",), "divides by 0 for n_layers = 78", [("minimum: 1", "minimum: 1 // (n_layers - 78)")]),
        (
            ("G07",),
            "too many to try",
            [("{name: earlier, maximum: n_experts - 1}", "{name: earlier, maximum: 99999}"), *ROOM],
        ),
        (
            ("G07",),
            "for more than one choice of parts at 3x4; a reader cannot unpack it",
            [("(layer * n_experts + earlier) * n_experts + later", "layer * n_experts + earlier + later")],
        ),
    ],
)
def test_a_broken_rule_is_named_with_its_reason(
    clauses: tuple[str, ...], words: str, changes: list[tuple[str, str]], tmp_path: Path
) -> None:
    (breach,) = broken(tmp_path, *changes)
    assert breach.clauses == clauses
    assert re.search(words, breach.sentence), breach.sentence


def test_a_field_too_few_is_as_wrong_as_one_too_many(tmp_path: Path) -> None:
    start, end = SOUND.index("  - name: count"), SOUND.index("placement:")
    found = breaches(proposal(tmp_path, SOUND[:start] + SOUND[end:]), [], coli_spec.load())
    assert [breach.clauses for breach in found] == [("G02", "W02")]
    assert "the record has 2 fields; old readers fill it up from the next line" in found[0].sentence


def test_a_range_left_out_is_asked_for(tmp_path: Path) -> None:
    found = broken(tmp_path, ("    minimum: 1\n    maximum: 4294967295\n", ""))
    assert [(breach.clauses, breach.line) for breach in found] == [(("G07",), 20)]
    assert "field 3, count: its range is missing" in found[0].sentence


def test_a_hash_in_the_third_field_needs_no_range(tmp_path: Path) -> None:
    assert broken(tmp_path, ("type: uint32", "type: hash"), ("    minimum: 1\n    maximum: 4294967295\n", "")) == ()


def test_two_proposals_on_one_number_both_break_the_rule(tmp_path: Path) -> None:
    one, other = proposal(tmp_path, SOUND, "one.yaml"), proposal(tmp_path, SOUND, "other.yaml")
    for mine, named in ((one, "other.yaml"), (other, "one.yaml")):
        (breach,) = breaches(mine, [one, other], coli_spec.load())
        assert breach.clauses == ("G01",)
        assert f"proposed in {tmp_path / named} as well" in breach.sentence


def test_a_withdrawn_number_stays_unused(tmp_path: Path) -> None:
    declared = Path(coli_spec.__file__).parent
    for file in declared.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    registry = tmp_path / "records.yaml"
    text = registry.read_text(encoding="utf-8")
    entry = text[text.index("  - number: -2") :].replace("-2", "-3").replace("identity", "probe")
    registry.write_text(text + entry.replace("status: agreed", "status: withdrawn"), encoding="utf-8")
    spec = coli_spec.load_from(tmp_path)
    (breach,) = breaches(proposal(tmp_path, SOUND), [], spec)
    assert breach.clauses == ("G01",)
    assert "-3 was that of probe, now withdrawn, and stays unused; -4 is the next free one" in breach.sentence


def test_ranges_are_tried_at_the_dimensions_of_every_registered_engine() -> None:
    sizes = {(size.engine, size.dimensions.text) for size in known_sizes(coli_spec.load())}
    assert {("glm_moe_dsa", "78x256"), ("kimi_k3", "93x896"), ("deepseek_v4", "61x384")} <= sizes
    assert coli_spec.load().largest_dimensions().text == "93x896"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("number: -3", "number: minus three"), r"p.yaml:4: 'number' of the file must be a plain decimal integer"),
        (("number: -3", ""), "lacks the key 'number'"),
        (("most:", "colour: red\nmost:"), "unknown key 'colour'"),
        (("maximum: n_layers - 1}", "maximum: layers - 1}"), r"p.yaml:\d+: .*unknown name 'layers'"),
        (("builds: true", "builds: maybe"), "must be true or false"),
        (("fields:", "fields: ["), "not valid YAML"),
    ],
)
def test_what_is_no_proposal_is_refused_by_line(change: tuple[str, str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=complaint):
        proposal(tmp_path, changed(change), "p.yaml")


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        read(tmp_path / "absent.yaml")

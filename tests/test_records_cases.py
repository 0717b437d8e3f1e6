"""What an agreed record brings without a line written for it: cases, its registry entry, the C engine's table."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import coli_spec
from coli_conformance.case import Case
from coli_conformance.corpus.agreed_records import boundary_records, reading_cases, writing_cases
from coli_conformance.corpus.target import Target
from coli_conformance.records import c_table, registry_entry
from coli_conformance.records.proposal import read
from coli_spec import RecordType
from coli_spec.formula import parse

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "examples" / "transition-counts.yaml"
PLACES = {"first", "after-dimensions", "after-identity", "among-data", "last", "legacy-first", "legacy-among-data"}


@pytest.fixture
def transition() -> RecordType:
    return read(EXAMPLE).record_type(coli_spec.load(), since=2)


def by_id(cases: list[Case]) -> dict[str, Case]:
    assert len({case.id for case in cases}) == len(cases)
    return {case.id: case for case in cases}


def test_fields_are_tried_at_the_boundaries_of_their_ranges(transition: RecordType) -> None:
    records = boundary_records(transition, Target("glm_moe_dsa", 5, 8))
    assert records[0] == (-3, 0, 1)
    assert records[-1] == (-3, 5 * 8 * 8 - 1, 4294967295)
    assert {second for _, second, _ in records} == {0, 1, 318, 319}
    assert {1, 2147483647, 2147483648, 4294967295} <= {third for _, _, third in records}


def test_writing_it_is_asked_for_at_every_boundary_and_expected_in_the_file(transition: RecordType) -> None:
    cases = by_id(list(writing_cases(transition, Target())))
    largest = cases["W14-transition-319-4294967295"]
    assert largest.steps[-2:] == ("record -3 319 4294967295", "save .coli_usage")
    assert (largest.since, largest.level, largest.roles) == (2, "must", ("save", "records"))
    (expected,) = largest.outcomes[0].files
    assert expected.history is not None
    assert expected.history.canonical_bytes == b"-1 5 8\n-2 1 3815245270\n-3 319 4294967295\n3 2 5\n4 1 8\n"


def test_it_is_written_at_the_dimensions_of_every_registered_model(transition: RecordType) -> None:
    cases = by_id(list(writing_cases(transition, Target())))
    assert "record -3 74661887 4294967295" in cases["W14-transition-93x896"].steps
    assert "record -3 5111807 4294967295" in cases["W14-transition-78x256"].steps


def test_an_empty_history_stays_empty(transition: RecordType) -> None:
    case = by_id(list(writing_cases(transition, Target())))["W08-transition-no-counts"]
    (expected,) = case.outcomes[0].files
    assert expected.history is not None
    assert expected.history.canonical_bytes == b""


def test_reading_past_it_is_tried_at_every_place_with_both_ends_of_the_fields(transition: RecordType) -> None:
    cases = by_id(list(reading_cases(transition, Target())))
    for values in ("0-1", "319-4294967295"):
        places = {case_id.removeprefix("R02-").removesuffix(f"-transition-{values}") for case_id in cases}
        assert places >= PLACES
    among = cases["R02-among-data-transition-319-4294967295"]
    assert among.setup[0].data == b"-1 5 8\n-2 1 3815245270\n3 2 5\n-3 319 4294967295\n4 1 8\n"
    assert among.outcomes[0].answers == ("ok", "ok 13", "3 2 5\n4 1 8\nok")


def test_several_stand_in_a_history_only_where_that_is_agreed(transition: RecordType) -> None:
    def several(record: RecordType) -> set[str]:
        cases = [*writing_cases(record, Target()), *reading_cases(record, Target())]
        return {case.id for case in cases if "-x" in case.id}

    count = len(boundary_records(transition, Target()))
    assert f"W14-transition-x{count}" in several(transition)
    assert f"R02-among-data-transition-x{count}" in several(transition)
    assert several(replace(transition, most=parse("1"))) == set()
    assert "W14-transition-x2" in several(replace(transition, most=parse("n_experts // 4")))


def test_a_model_too_small_to_have_the_record_has_no_cases_for_it(transition: RecordType) -> None:
    first, second, third = transition.fields
    assert second.declared is not None
    narrow = replace(second, declared=replace(second.declared, maximum=parse("n_layers - 2")))
    record = replace(transition, fields=(first, narrow, third))
    assert list(writing_cases(record, Target("olmoe", 1, 1))) == []
    assert list(reading_cases(record, Target("olmoe", 1, 1))) == []
    assert boundary_records(record, Target("olmoe", 2, 1))[-1] == (-3, 0, 4294967295)


def test_the_registry_of_today_brings_no_case() -> None:
    spec = coli_spec.load()
    if spec.agreed_later():
        pytest.skip("records have been agreed since this test was written; their own cases take its place")
    assert c_table.text(spec).count("{") == 0


def test_the_table_of_the_c_engine_is_what_is_generated() -> None:
    assert (ROOT / c_table.PATH).read_text(encoding="utf-8") == c_table.text(coli_spec.load())


def test_an_agreed_record_is_a_row_of_that_table(transition: RecordType) -> None:
    spec = coli_spec.load()
    text = c_table.text(replace(spec, records=(*spec.records, transition)))
    assert text.endswith('*/\n{-3, true, "transition"},\n')


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "- a list, a mapping: and # a comment",
        "'quotes' and \"more\" of them",
        "{braces} [brackets] | > & * ! % @ `",
        "null",
        "1",
        "a\u2014b \u00e9 \u65e5\u672c",
        "word " * 60 + "end",
        "x" * 300,
    ],
)
def test_an_entry_reads_back_as_the_record_type_it_was_made_from(
    text: str, transition: RecordType, tmp_path: Path
) -> None:
    first, second, third = transition.fields
    record = replace(
        transition,
        fields=(first, replace(second, meaning=text), third),
        placement=text,
        purpose=text,
        erased=text,
        readers=(text, text),
    )
    for file in Path(coli_spec.__file__).parent.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    with (tmp_path / "records.yaml").open("a", encoding="utf-8") as stream:
        stream.write(registry_entry.text(record))
    assert coli_spec.load_from(tmp_path).record(-3) == record

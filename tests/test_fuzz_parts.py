"""The parts of the search: what it expects of entries, the texts of the grammar, shrinking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest
from lark import Lark

import coli_spec
from coli_conformance.corpus.iku1_block import block
from coli_conformance.corpus.meaning import header, render
from coli_conformance.corpus.target import Target
from coli_conformance.corpus.vectors import committed
from coli_conformance.fuzzing import simplifications, smaller
from coli_conformance.fuzzing.course import NotMeantError
from coli_conformance.fuzzing.entry import Entry, entry_of
from coli_conformance.fuzzing.grammar_texts import grammar_texts
from coli_conformance.fuzzing.meant import meant
from coli_conformance.fuzzing.shrinking import fewest
from coli_conformance.fuzzing.verdict import judged, key_of
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Finding, Result, Status

GLM = Target("glm_moe_dsa", 5, 8)
HEADER = render(header(GLM))


# -- what is expected of an entry -------------------------------------------------------------------------------------


def of_file(data: bytes, *steps: str) -> Entry:
    return Entry(GLM, ((".coli_usage", data),), steps or ("load .coli_usage", "counts"))


def test_an_odd_header_leaves_two_courses_open() -> None:
    case = meant(of_file(render((header(GLM)[0], (3, 2, 5))).encode())).case
    assert [outcome.answers for outcome in case.outcomes] == [
        ("ok", "refused", "ok"),
        ("ok", "ok 5", "3 2 5\nok"),
    ]


@pytest.mark.parametrize(
    ("data", "answers", "clause"),
    [
        (b"0 4294967296 1\n", b"ok\nok 1\n0 0 1\nok\n", "R21"),
        (b"4294967296 0 1\n", b"ok\nok 1\n0 0 1\nok\n", "R21"),
        (b"0 0 4294967301\n", b"ok\nok 5\n0 0 5\nok\n", "R21"),
        (b"0 0 -5\n", b"ok\nok 4294967291\n0 0 4294967291\nok\n", "R21"),
        (b"0 0 5 6\nx\n", b"ok\nok 7\n0 0 7\nok\n", "R23"),
        (b"0 0 5\nx\n", b"ok\nok 9\n0 0 5\nok\n", "R09"),
        (b"0 0 5\nx\n", b"ok\nok 5\n9 0 5\nok\n", "R17"),
    ],
)
def test_what_no_reading_of_malformed_input_can_give_is_told(data: bytes, answers: bytes, clause: str) -> None:
    result = judged(meant(of_file(data)), Observation(answers))
    assert result.status is Status.FAIL
    assert key_of(result)[1] == clause


@pytest.mark.parametrize(
    "answers",
    [
        *(b"ok\nok 5\n3 2 5\nok\n", b"ok\nok 13\n3 2 5\n4 1 8\nok\n", b"ok\nrefused\nok\n"),
        *(b"ok\nrefused\n3 2 5\nok\n", b"ok\nok 8\n3 2 5\n4 4 1\n1 2 2\nok\n"),
    ],
)
def test_every_legal_reading_of_a_malformed_line_passes(answers: bytes) -> None:
    data = b"3 2 5\n-3 7 12 4\n4 1 8\n"
    if b"4 4 1" in answers:
        data = b"3 2 5\n-3 7 12 4\n4 1 1 2 2\n"
    assert judged(meant(of_file(data)), Observation(answers)).status is Status.PASS


@pytest.mark.parametrize(
    "step", ["add 9 0 1", "add 0 0 0", "route 0 0", "route 0 0 1:900.0", "drop 7", "pin auto", "add x 0 1"]
)
def test_what_the_contract_leaves_open_is_not_asked(step: str) -> None:
    with pytest.raises(NotMeantError):
        meant(of_file(b"", step))


SOUND_READS = {"R01", "R02", "R03", "R04", "R05", "R06", "R08", "R10", "R11", "R12", "R14", "R15", "R16"}


def test_what_follows_from_the_input_of_a_committed_case_is_what_the_case_says() -> None:
    compared = 0
    for case in committed()[0]:
        entry = entry_of(case)
        if entry is not None and case.clauses[0] in SOUND_READS:
            expected = meant(entry).case
            compared += 1
            assert expected.outcomes[0].answers == case.outcomes[0].answers, case.id
    assert compared > 200


def test_a_finding_about_a_must_names_the_difference_before_one_about_a_should() -> None:
    findings = tuple(Finding(clause, "") for clause in ("R21", "W13", "W04", "R01"))
    assert key_of(Result("x", Status.FAIL, findings=findings)) == (Status.FAIL, "W04")
    assert key_of(Result("x", Status.FAIL, findings=findings[:2])) == (Status.FAIL, "W13")
    assert key_of(Result("x", Status.FAIL, findings=findings[:1])) == (Status.FAIL, "R21")


@pytest.mark.parametrize("between", [("save s",), ("add 1 1 4",), ("load good",), ("save s", "add 1 1 4", "load good")])
def test_counters_that_a_late_header_condemns_are_looked_at_for_that_even_after_other_commands(
    between: tuple[str, ...],
) -> None:
    files = ((".coli_usage", b"3 2 5\n-1 0 0\n"), ("good", b"1 1 4\n"))
    steps = ("load .coli_usage", *between, "counts", "add 1 1 4", "counts")
    case = meant(Entry(GLM, files, steps)).case
    first, last = (at for at, step in enumerate(case.steps) if step == "counts")
    assert (case.about[first], case.about[last]) == ("R20", "W11")


@pytest.mark.parametrize(("clauses", "named"), [(("R20", "R20", "R02", "W13"), "R20"), (("R02", "R20"), "R02")])
def test_what_follows_on_a_late_header_that_was_read_past_is_no_must(clauses: tuple[str, ...], named: str) -> None:
    findings = tuple(Finding(clause, "") for clause in clauses)
    assert key_of(Result("x", Status.FAIL, findings=findings)) == (Status.FAIL, named)


# -- making and shrinking entries -------------------------------------------------------------------------------------


def test_texts_of_the_grammar_are_derived_from_it() -> None:
    starts = ["history", "header_record", "data_record", "dimensions_record", "identity_record"]
    grammar = Lark(coli_spec.grammar("history"), parser="lalr", start=starts)
    texts = grammar_texts(1, GLM)
    assert texts == grammar_texts(1, GLM)
    histories = [text for text in texts if text.startswith(HEADER)]
    assert len(histories) > 5
    for text in histories[:20]:
        grammar.parse(text, start="history")


@pytest.mark.parametrize("needed", [(), (3,), (0, 9), (4, 5, 6), tuple(range(10))])
def test_fewest_leaves_out_everything_that_is_not_needed(needed: tuple[int, ...]) -> None:
    def holds(items: Sequence[int]) -> bool:
        return set(needed) <= set(items)

    assert tuple(fewest(range(10), holds)) == needed


def test_fewest_leaves_out_pairs_that_go_together() -> None:
    def holds(items: Sequence[int]) -> bool:
        return 7 in items and (1 in items) == (2 in items)

    assert list(fewest([0, 1, 2, 7], holds)) == [7]


@pytest.mark.parametrize(
    ("value", "least"),
    [(2**32 - 1, 2**31), (10**6, 999_983), (17, 4), (1, 1), (2**64, 2**32), (-57, -3), (-(2**31), -1000), (-2, -2)],
)
def test_a_number_becomes_the_smallest_that_shows_the_difference_in_few_tries(value: int, least: int) -> None:
    tried: list[int] = []

    def holds(text: bytes) -> bool:
        tried.append(int(text))
        return int(text) >= least if value > 0 else int(text) <= least

    assert smaller.least(b"%d" % value, holds) == b"%d" % least
    assert len(tried) <= 10 + abs(value).bit_length()
    assert value not in tried


def test_there_is_nothing_below_zero() -> None:
    assert smaller.least(b"0", lambda _: pytest.fail("it was tried")) == b"0"


def test_digits_of_a_long_number_are_left_out_by_halves() -> None:
    assert smaller.least(b"9" * 5000, lambda text: len(text) >= 1000) == b"9" * 1250


def test_a_model_is_made_smaller_one_way_after_the_other() -> None:
    models = list(smaller.models(Target("glm_moe_dsa", 60, 300)))
    assert models[0] == Target("glm_moe_dsa", 1, 1)
    assert {(4, 300), (30, 300), (59, 300), (60, 4), (60, 150), (60, 299)} <= {
        (model.n_layers, model.n_experts) for model in models
    }
    assert len(models) <= 13


def test_a_smaller_model_takes_its_header_with_it() -> None:
    entry = of_file(render((*header(GLM), (0, 0, 5))).encode())
    resized = smaller.with_model(entry, Target("kimi_k3", 1, 1))
    assert dict(resized.files)[".coli_usage"] == render((*header(Target("kimi_k3", 1, 1)), (0, 0, 5))).encode()
    dense = smaller.with_model(of_file(block(5, 8, ((0, 0, 7),))), Target("glm_moe_dsa", 2, 1))
    assert dict(dense.files)[".coli_usage"] == block(2, 1, ((0, 0, 7),))


def test_each_simplification_takes_something_out() -> None:
    data = render(((-7, 1, 1), *header(GLM), (5, 0, 99), (1, 1, 4), (1, 1, 4), (1, 99, 3))).replace(" ", "\t").encode()
    entry = Entry(
        GLM, (("a", b"x"), ("b", data)), ("drop 0", "add 1 0 1", "load a", "trust b", "counts", "save c"), tracing=True
    )
    for simpler in simplifications.ALL:
        before = entry
        for candidate in islice(simpler(entry), 5):
            if dict(candidate.files).get("b"):
                entry = candidate
        assert entry != before, simpler
    assert entry.steps == ("load b", "counts")
    (_, left) = entry.files[-1]
    assert left == render((*header(entry.target), (0, 0, 9), (1, 1, 4))).encode()

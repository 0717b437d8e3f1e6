"""`records`: what is listed and shown, the template, and the evidence that `records check` gathers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import coli_spec
from coli_conformance.cli import main
from coli_conformance.records.proposal import read
from coli_conformance.records.rules import breaches
from coli_conformance.records.stamp import Stamp, evidence_path, read_stamp, suite_digest

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "transition-counts.yaml"
    path.write_bytes((EXAMPLES / path.name).read_bytes())
    return path


def test_the_list_names_every_record_type_and_the_next_free_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "list"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"-1 +dimensions +agreed +number n_layers n_experts", said)
    assert re.search(r"-2 +identity +agreed +number format_version engine_id", said)
    assert f"next free number is {coli_spec.load().free_number()}" in said


@pytest.mark.parametrize("name", ["-2", "identity"])
def test_a_record_type_is_shown_by_number_and_by_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "show", name]) == 0
    said = capsys.readouterr().out
    assert said.startswith("-2 identity  agreed\n")
    assert "field 3  engine_id  uint32" in said


def test_an_unknown_record_type_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "show", "-77"]) == 2
    assert "there is no record type '-77'; there are data, dimensions" in capsys.readouterr().err


def test_the_template_is_a_proposal_with_nothing_but_its_texts_to_be_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    assert main(["records", "new", str(path)]) == 0
    proposal = read(path)
    assert proposal.number == coli_spec.load().free_number()
    found = breaches(proposal, [proposal], coli_spec.load())
    assert {breach.clauses for breach in found} == {("G07",)}
    assert all("not written" in breach.sentence or "names nobody" in breach.sentence for breach in found)
    written = re.sub(r"(?m)(: |  - )\.\.\.$", r"\1something", path.read_text(encoding="utf-8"))
    path.write_text(written, encoding="utf-8")
    assert breaches(read(path), [], coli_spec.load()) == ()


def test_the_template_never_overwrites(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = example.read_bytes()
    assert main(["records", "new", str(example)]) == 2
    assert "there is something of that name already" in capsys.readouterr().err
    assert example.read_bytes() == before


def test_a_proposal_that_breaks_rules_is_told_so_by_line_and_has_no_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes((EXAMPLES / "fails-five-rules.yaml").read_bytes())
    assert main(["records", "check", str(path)]) == 1
    said = capsys.readouterr().out
    assert f"{path}:7: G04: field 2, weights: hash uses all 32 bits" in said
    assert f"{path}: 5 rules broken: G01, G02, G04, G05, G06." in said
    assert not evidence_path(path).exists()


def test_the_page_on_agreeing_a_record_quotes_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert main(["records", "check", "fails-five-rules.yaml"]) == 1
    page = (EXAMPLES.parent / "agreeing-a-record.md").read_text(encoding="utf-8")
    assert " ".join(capsys.readouterr().out.split()) in " ".join(page.split())


def test_what_is_no_proposal_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("- 1\n", encoding="utf-8")
    assert main(["records", "check", str(path)]) == 2
    assert "list.yaml:1: the file must be a mapping" in capsys.readouterr().err


def test_evidence_is_gathered_beside_the_proposal(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "check", str(example)]) == 0
    said = capsys.readouterr().out
    page = evidence_path(example).read_text(encoding="utf-8")
    assert f"every rule is kept; the evidence {'holds' if 'not asked' not in said else 'incomplete'}" in said
    for reader in ("64-bit long", "32-bit long", "musl", "Windows"):
        assert re.search(rf"\| {reader} \| \d\d \| 0 \|", page), reader
    assert re.search(r"\| the Python engine \| \d\d \| 0 \| 0 \|", page)
    assert "| kimi\\_k3 | 93x896 | 0..74661887 | 1..4294967295 |" in page
    assert "| kimi\\_k3 | 93x896 | 666,624 | 23 | 15,332,352 |" in page
    assert "- a build that writes records -1 and -2 alone: `-3 319 4294967295` (line 3)" in page
    stamp = read_stamp(page)
    assert stamp is not None
    assert (stamp.proposal, stamp.suite) == (read(example).digest, suite_digest())


def test_evidence_is_the_same_bytes_when_it_is_gathered_again(example: Path) -> None:
    pages = []
    for _ in range(2):
        assert main(["records", "check", str(example)]) == 0
        pages.append(evidence_path(example).read_bytes())
    assert pages[0] == pages[1]


def test_an_engine_that_cannot_read_past_the_record_makes_the_evidence_fail(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["records", "check", str(example), "--engine", "fault:stop-at-minus3"]) == 1
    said = capsys.readouterr().out
    assert "fault:stop-at-minus3: R02-first-transition-0-1: fail." in said
    page = evidence_path(example).read_text(encoding="utf-8")
    assert "what readers or engines did with the record does not hold:" in page
    stamp = read_stamp(page)
    assert stamp is not None
    assert stamp.verdict == "fails"


def test_texts_of_a_proposal_mean_nothing_in_the_page(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    hostile = "<img src=x> | [a](b) `c` *d*"
    example.write_text(text.replace("  - An engine that counts transitions while it routes.", f'  - "{hostile}"'))
    assert main(["records", "check", str(example)]) == 0
    page = evidence_path(example).read_text(encoding="utf-8")
    assert r"**Written by:** \<img src=x\> \| \[a\](b) \`c\` \*d\*" in page


def test_a_stamp_is_the_last_line_of_a_page_or_there_is_none() -> None:
    stamp = Stamp("0" * 64, "f" * 64, "holds")
    assert read_stamp(f"# Page\n\n{stamp.text}\n") == stamp
    assert read_stamp(f"{stamp.text}\nmore\n") is None
    assert read_stamp(f"{stamp.text.replace('holds', 'shines')}\n") is None
    assert read_stamp("") is None

"""SPEC.md, the clause pages and the diagrams are what is declared, whole, linked, and readable as Markdown."""

from __future__ import annotations

import re
import shutil
import struct
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import lark
import pytest

import coli_spec
from coli_conformance import specpages
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.specpages import diagrams, grammar_rules, hexdump, markdown, wording
from coli_conformance.specpages.area_pages import area_pages
from coli_conformance.specpages.card import card, cards
from coli_conformance.specpages.specification import specification
from coli_spec import SpecError, iku1

ROOT = Path(__file__).parent.parent
SPEC = (ROOT / specpages.SPECIFICATION).read_text(encoding="utf-8")
PAGES = [ROOT / specpages.SPECIFICATION, *sorted((ROOT / specpages.CLAUSE_PAGES).glob("*.md"))]
CLAUSES = coli_spec.load().clauses
Captured = pytest.CaptureFixture[str]


def section(title: str) -> str:
    """Return the part of SPEC.md under the heading that ends in `title`."""
    return next(part for part in re.split(r"^## ", SPEC, flags=re.MULTILINE) if part.split("\n")[0].endswith(title))


def blocks(text: str) -> list[str]:
    """Return the contents of the fenced blocks."""
    return re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def html(text: str) -> str:
    markdown_it = pytest.importorskip("markdown_it", reason="a Markdown parser is needed: pip install markdown-it-py")
    return str(markdown_it.MarkdownIt("commonmark").enable("table").render(text))


def shown(text: str) -> str:
    """Return what a reader of the rendered page sees, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html(text))).split())


def anchors(page: Path) -> list[str]:
    """Return every fragment that a link to the page may have: explicit ones and those of its headings."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return slugs + re.findall(r'<a id="([^"]+)">', text)


# -- generated is committed -------------------------------------------------------------------------------------------


def test_the_committed_pages_are_what_is_generated() -> None:
    assert specpages.check_all(ROOT) == []


def test_pages_are_written_where_they_differ_and_removed_where_nothing_generates_them(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "vectors", tmp_path / "vectors")
    (tmp_path / "spec").mkdir()
    written = specpages.write_all(tmp_path)
    assert tmp_path / "spec" / "SPEC.md" in written
    assert specpages.write_all(tmp_path) == []
    for path in written:
        assert path.read_bytes() == (ROOT / path.relative_to(tmp_path)).read_bytes()

    specification_path, stale = tmp_path / "spec" / "SPEC.md", tmp_path / "docs" / "clauses" / "Z.md"
    specification_path.write_text(SPEC.replace("## 2. Words", "## 2. Other words", 1), encoding="utf-8")
    stale.write_text("# Z\n")
    (tmp_path / "docs" / "diagrams" / "trace.svg").unlink()
    line = 1 + SPEC[: SPEC.index("## 2. Words")].count("\n")
    assert specpages.check_all(tmp_path) == [
        f"spec/SPEC.md: line {line} is not what is generated",
        "docs/diagrams/trace.svg: there is no such page",
        "docs/clauses/Z.md: nothing generates this page any more",
    ]
    assert stale in specpages.write_all(tmp_path)
    assert specpages.check_all(tmp_path) == []


# -- whole and linked -------------------------------------------------------------------------------------------------


def test_every_clause_is_in_the_specification_and_on_the_page_of_its_area() -> None:
    specification_text = shown(SPEC)
    for area in coli_spec.load().areas:
        page = ROOT / specpages.CLAUSE_PAGES / f"{area.letter}.md"
        text = page.read_text(encoding="utf-8")
        sections = {part.split("\n")[0]: shown(part) for part in text.split("\n## ")[1:]}
        assert list(sections) == [clause.id for clause in CLAUSES if clause.area == area]
        for clause in (clause for clause in CLAUSES if clause.area == area):
            for declared in (clause.rule, clause.why, *clause.settled):
                assert declared in specification_text
                assert declared in sections[clause.id]


def test_a_clause_that_the_text_does_not_place_is_a_sentence() -> None:
    spec = coli_spec.load()
    grammars = [grammar_rules.read(name) for name in ("history", "trace", "pairs")]
    more = replace(spec, clauses=(*spec.clauses, replace(spec.clause("W01"), id="W99")))
    with pytest.raises(SpecError, match=r"places clause W99 0 times; put it once"):
        specification(more, grammars)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_anchors_are_unique(page: Path) -> None:
    assert [name for name, count in Counter(anchors(page)).items() if count > 1] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r'(?:href|src)="([^"]+)"', html(page.read_text(encoding="utf-8")))
    assert len(targets) > 10
    for target in targets:
        name, _, fragment = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if fragment:
            assert fragment in anchors(file), target


def test_a_clause_page_lists_every_case_and_every_fault() -> None:
    from coli_conformance import faults

    text = "".join(page.read_text(encoding="utf-8") for page in PAGES[1:])
    listed = Counter(re.findall(r"^- `([^`]+)`: ", text, flags=re.MULTILINE))
    cases, _ = vectors.committed()
    assert listed == Counter([*(case.id for case in cases), *faults.all_faults()])


# -- what SPEC.md shows -----------------------------------------------------------------------------------------------


def test_the_annotated_dump_is_the_file() -> None:
    dump = blocks(section("IKU1"))[0]
    rows = re.findall(r"^([0-9a-f]{8})  ((?:[0-9a-f]{2} ){3}[0-9a-f]{2})  .{4}  +(\S+)  (.+)$", dump, re.MULTILINE)
    data = bytes.fromhex("".join(row[1] for row in rows))
    n_layers, n_experts = hexdump.SMALL
    dense = [hexdump.SMALL_COUNTS.get((layer, e), 0) for layer in range(n_layers) for e in range(n_experts)]
    assert data == b"IKU1" + struct.pack(f"<{2 + len(dense)}I", n_layers, n_experts, *dense)
    assert data == iku1.build(n_layers, n_experts, hexdump.SMALL_COUNTS)
    assert [int(row[0], 16) for row in rows] == list(range(0, len(data), 4))
    assert [int(row[2], 0) for row in rows] == list(struct.unpack(f"<{len(rows)}I", data))
    assert rows[-1][3] == "counts[1][2]: layer 1, expert 2"


def test_the_engine_table_has_the_ids() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d+) \|", section("the header"), re.MULTILINE))
    expected = {"glm_moe_dsa": 3815245270, "inkling": 2050583463, "olmoe": 3841822045, "kimi_k3": 1820578806}
    expected |= {"deepseek_v4": 1277378958, "qwen38": 2546085765, "glm53": 2402853253}
    assert {name: int(rows[name]) for name in expected} == expected
    assert rows.keys() == {engine.name for engine in coli_spec.load().engines}


def test_the_old_reader_invents_a_record_from_the_fourth_field() -> None:
    text = section("Readers that cannot be corrected")
    numbers = blocks(text)[1].split()
    taken = [" ".join(numbers[at : at + 3]) for at in range(0, len(numbers) - 2, 3)]
    assert re.findall(r"^\| `([^`]+)` \| ", text, re.MULTILINE) == taken
    assert f"| `{taken[-1]}` | **credits layer" in text


@pytest.mark.parametrize(
    ("title", "name"), [("The history", "history"), ("The trace", "trace"), ("The table of pairs", "pairs")]
)
def test_examples_fit_the_grammar_beside_them(title: str, name: str) -> None:
    example, rules = blocks(section(title))
    lark.Lark(coli_spec.grammar(name), parser="lalr", start=name).parse(example)
    lark.Lark(rules, parser="lalr", start=name).parse(example)


def test_the_table_of_pairs_is_a_plain_count_over_the_trace() -> None:
    chosen = [
        (layer, row, {pair.split(":")[0] for pair in choices})
        for _, row, layer, *choices in (line.split() for line in blocks(section("The trace"))[0].splitlines())
    ]
    # The example has layers 3 and 4 alone, so a forward begins at each first line of layer 3 after one of layer 4.
    forward, before, positions = 0, "3", {}
    for layer, row, experts in chosen:
        forward += (before, layer) == ("4", "3")
        positions[forward, row, layer] = experts
        before = layer
    counts = Counter(
        (one, other)
        for (number, row, layer), experts in positions.items()
        if layer == "3"
        for one in experts
        for other in positions.get((number, row, "4"), ())
    )
    head, *lines = blocks(section("The table of pairs"))[0].splitlines()
    assert head == f"COLIPAIRS 1 {len(lines)}"
    fields = [line.split() for line in lines]
    assert all(line[:2] == ["3", "1"] for line in fields)
    shown_counts = {(line[2], pair.split(":")[0]): int(pair.split(":")[1]) for line in fields for pair in line[3:]}
    assert shown_counts == counts


# -- diagrams ---------------------------------------------------------------------------------------------------------


def texts_of(svg: str) -> list[str]:
    return [str(element.text) for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("path", sorted((ROOT / specpages.DIAGRAMS).glob("*.svg")), ids=lambda path: path.name)
def test_diagrams_are_sound_xml_with_a_size(path: Path) -> None:
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(root.attrib["width"]) > 0 < float(root.attrib["height"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("history.svg", ["dimensions_record", "identity_record", "data_record"]),
        ("history-identity_record.svg", ["-2", "␣", "1", "␣", "ENGINE_ID", "LF"]),
        ("history-data_record.svg", ["LAYER", "␣", "EXPERT", "␣", "COUNT", "LF"]),
        ("trace-line.svg", ["CALL", "␣", "ROW", "␣", "LAYER", "␣", "choice", "LF"]),
        ("pairs-line.svg", ["LAYER", "␣", "AHEAD", "␣", "EXPERT", "␣", "partner", "at most 16", "LF"]),
    ],
)
def test_diagrams_show_the_rule_from_left_to_right(name: str, expected: list[str]) -> None:
    assert texts_of((ROOT / specpages.DIAGRAMS / name).read_text(encoding="utf-8")) == expected


def test_a_construct_without_a_shape_is_a_sentence() -> None:
    grammar = grammar_rules.Grammar("odd", {"odd": lark.Tree("maybe", [])}, {})
    with pytest.raises(SpecError, match=r"odd\.lark uses 'maybe', for which no diagram is drawn"):
        diagrams.diagrams(grammar)


# -- Markdown ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["1.", "2)", "-", "+", "*", "#", ">"])
def test_no_line_of_a_paragraph_begins_like_a_list(mark: str) -> None:
    for length in range(markdown.WIDTH - 6, markdown.WIDTH + 2):
        text = f"{'x' * length} {mark} and so on"
        assert markdown.wrapped(text).replace("\n", " ") == text
        assert not any(line.startswith(mark) for line in markdown.wrapped(text).splitlines())


def test_a_text_is_shown_as_it_is_declared() -> None:
    spec = coli_spec.load()
    text = "PIN=<path> and <b>n_layers</b>, 2*3*4, [W06] or W06, a|b, `-1`, %d."
    markup = markdown.prose(text, spec, lambda clause: f"#{clause.id}")
    assert shown(markup) == text.replace("`", "")
    assert html(markup).count("<code>") == 3
    assert html(markup).count('<a href="#W06">') == 2


# -- wordings ---------------------------------------------------------------------------------------------------------


def test_the_hash_stands_for_the_words_alone() -> None:
    assert wording.wording("A history is sparse.") == "e068f586"
    assert wording.wording("A  history\n is sparse. ") == wording.wording("A history is sparse.")
    assert wording.wording("A history is dense.") != wording.wording("A history is sparse.")


def changed(clause_id: str) -> coli_spec.Spec:
    """Return the declaration with one word added to the rule of a clause."""
    spec = coli_spec.load()
    clauses = [
        replace(clause, rule=f"{clause.rule} Always.") if clause.id == clause_id else clause for clause in CLAUSES
    ]
    return replace(spec, clauses=tuple(clauses))


def test_no_committed_case_was_written_against_another_wording() -> None:
    cases, _ = vectors.committed()
    table = wording.committed()
    assert table.keys() == {case.id for case in cases}
    assert wording.earlier(cases, table, coli_spec.load()) == {}


def test_a_changed_clause_shows_the_cases_written_against_the_old_words() -> None:
    cases, _ = vectors.committed()
    table, spec = wording.committed(), changed("W06")
    about = [case.id for case in cases if case.clauses[0] == "W06"]
    assert about
    assert wording.earlier(cases, table, spec) == dict.fromkeys(
        about, wording.wording(coli_spec.load().clause("W06").rule)
    )
    page = area_pages(cards(cases, table, spec), spec)["W.md"]
    of_w06 = page.split("\n## W06\n")[1].split("\n## ")[0]
    assert "**Written against an earlier wording**" in of_w06
    assert page.count("**Written against an earlier wording**") == 1
    assert all(f"  - `{case_id}` (`{table[case_id]}`)" in of_w06 for case_id in about)


def test_generating_keeps_known_wordings_adds_new_cases_and_drops_gone_ones() -> None:
    cases, _ = vectors.committed()
    cases = tuple(case for case in cases if case.clauses[0] in {"W06", "W07"})
    first, second, *_ = (case.id for case in cases if case.clauses[0] == "W06")
    spec = coli_spec.load()
    today = {clause.id: wording.wording(clause.rule) for clause in spec.clauses}
    known = {first: "00000000", second: "11111111", "W06-gone": "22222222"}
    kept = wording.renewed(cases, known, (), spec)
    assert (kept[first], kept[second]) == ("00000000", "11111111")
    assert kept.keys() == {case.id for case in cases}
    assert all(kept[case.id] == today[case.clauses[0]] for case in cases if case.id not in known)
    assert wording.renewed(cases, known, (first,), spec)[first] == today["W06"]
    assert wording.renewed(cases, known, (first,), spec)[second] == "11111111"
    assert wording.renewed(cases, known, ("W06",), spec)[second] == today["W06"]
    assert wording.parse(wording.text(kept)) == kept


def test_wordings_are_kept_and_confirmed_on_the_command_line(tmp_path: Path, capsys: Captured) -> None:
    generate = ["vectors", "generate", "--output", str(tmp_path)]
    assert main(generate) == 0
    table = wording.committed(tmp_path)
    path = tmp_path / wording.FILE
    path.write_text(wording.text({**table, "W06-glm_moe_dsa": "00000000"}), encoding="ascii")
    assert main(generate) == 0
    assert wording.committed(tmp_path)["W06-glm_moe_dsa"] == "00000000"
    assert main([*generate, "--confirm-wording", "W06-glm_moe_dsa"]) == 0
    assert wording.committed(tmp_path) == table

    del table["W06-glm_moe_dsa"]
    path.write_text(wording.text(table), encoding="ascii")
    capsys.readouterr()
    assert main([*generate, "--check"]) == 1
    assert "wordings.json: W06-glm_moe_dsa is generated and not in the table" in capsys.readouterr().out
    path.write_text('{"format": 1, "wordings": {"W06-glm_moe_dsa": 7}}', encoding="ascii")
    assert main(generate) == 4
    assert "the wording of W06-glm_moe_dsa is 7, not 8 hex digits" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--confirm-wording", "W06-glm_moe"], "'W06-glm_moe' is no case and no clause that has cases"),
        (["--check", "--confirm-wording", "W06"], "--confirm-wording writes and --check does not"),
    ],
)
def test_what_cannot_be_confirmed_is_wrong_usage(
    arguments: list[str], said: str, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["vectors", "generate", "--output", str(tmp_path), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# -- explain ----------------------------------------------------------------------------------------------------------


def test_a_clause_is_explained_as_on_its_page(capsys: Captured) -> None:
    spec = coli_spec.load()
    one = card(spec.clause("W03"), vectors.committed()[0], wording.committed(), spec)
    assert main(["explain", "W03"]) == 0
    text = capsys.readouterr().out
    flat = " ".join(text.split())
    assert f"wording {wording.wording(spec.clause('W03').rule)}" in flat
    assert one.faults
    assert one.also_breaking
    assert all(f"{fault.name}: {fault.wrong}" in flat for fault in one.faults)
    assert all(fault.name in flat for fault in one.also_breaking)


def test_a_clause_without_cases_says_why(capsys: Captured) -> None:
    assert main(["explain", "W24"]) == 0
    assert "cases none: it takes two engines saving at once" in " ".join(capsys.readouterr().out.split())

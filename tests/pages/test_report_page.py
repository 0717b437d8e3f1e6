"""The HTML report in a real browser: overview, filter, a failure with its bytes, keys, and nothing that runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from coli_conformance.cli import main

from .browser import ENTER, TAB, Browser
from .hostile_text import BREAKOUT, SCRIPT

DRIVER = f"""
import sys

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "hello":
        print("ok save load bounds iku1 identify")
    elif verb == "load":
        print({f"{SCRIPT} {BREAKOUT} " + chr(27) + "[31m"!r})
        print("ok 12345")
        sys.stderr.write({f"said {SCRIPT}"!r} + chr(10))
    elif verb == "counts" and crashes:
        sys.exit(3)
    elif verb == "init":
        crashes = words[0] == "glm_moe_dsa"
        print("ok")
    elif verb == "save":
        open(words[0], "w").write({f"-1 5 8{chr(10)}-2 3815245270 1{chr(10)}{SCRIPT}  {chr(10)}{BREAKOUT}"!r})
        print("ok")
    else:
        print("ok")
"""
CHOSEN = ["--clause", "W06", "--clause", "R13", "--case", "W06-glm*", "--case", "R13-*", "--case", "I01-*"]
CHOSEN += ["--clause", "I01"]
CASE = ".case[data-text^='w06-glm_moe_dsa']"
BLOCK = ".case[data-text^='i01-']"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "driver.py").write_text(DRIVER)
    path = folder / "report.html"
    assert main(["run", *CHOSEN, "--report", f"html={path}", "--", sys.executable, str(folder / "driver.py")]) == 1
    return path


def seen(window: Browser, selector: str) -> int:
    """Return how many elements of that kind a person can see."""
    return int(
        window.evaluate(
            f"[...document.querySelectorAll({selector!r})].filter(e => e.checkVisibility() && !e.hidden).length"
        )
    )


def write(window: Browser, selector: str, value: str) -> None:
    window.evaluate(
        f"(e => {{ e.value = {value!r}; e.dispatchEvent(new Event('input')); }})(document.querySelector({selector!r}))"
    )


def test_the_page_needs_no_other_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"<(link|img|iframe|object|script\s+src)\b", text.replace(SCRIPT, ""))


def test_the_overview_links_each_broken_clause_to_its_failures(shown: Browser) -> None:
    assert seen(shown, ".area") == 3
    assert shown.text("header .verdict") == "nonconformant"
    assert "of the musts not verified" in shown.text(".facts") or "every must was verified" in shown.text(".facts")
    shown.click(".chips a[href='#W06']")
    assert shown.evaluate("location.hash") == "#W06"
    assert "engine id in its third" in shown.text("#W06 .rule")


def test_a_failure_opens_its_bytes_its_session_and_its_command(shown: Browser) -> None:
    assert not seen(shown, f"{CASE} .body")
    shown.click(f"{CASE} summary")
    body = shown.text(f"{CASE} .body")
    assert "expected" in body
    assert "-2 1 3815245270" in body
    assert f"{SCRIPT}··" in body, "blanks at the end of a line are made visible"
    assert "save .coli_usage" in shown.text(f"{CASE} .steps")
    assert "coli-conformance run --case W06-glm_moe_dsa -- " in shown.text(f"{CASE} .again")


def test_a_binary_input_is_shown_in_hex_with_its_meaning(shown: Browser) -> None:
    shown.click(f"{BLOCK} summary")
    dump = shown.text(f"{BLOCK} .hex")
    assert re.search(r"00000000\s+49 4b 55 31\s+IKU1\s+magic: IKU1", dump)
    assert re.search(r"layer \d+, expert \d+: [1-9]", dump)
    assert shown.evaluate(f"document.querySelectorAll({f'{BLOCK} .steps .wrong'!r}).length") >= 1
    assert "said <script>" in shown.text(f"{BLOCK} .body")


def test_the_filter_leaves_what_matches_and_says_how_many(shown: Browser) -> None:
    every = seen(shown, ".case")
    write(shown, "#text", "W06 glm_moe")
    assert seen(shown, ".case") == seen(shown, ".case[data-text*='w06'][data-text*='glm_moe']") < every
    assert seen(shown, ".clause") == 1
    assert shown.text("#found").startswith("1 of ")
    shown.click("#filter button")
    assert (
        shown.evaluate("new Promise(done => setTimeout(() => done(document.querySelector('#text').value), 50))") == ""
    )
    assert seen(shown, ".case") == every
    write(shown, "#status", "crash")
    assert seen(shown, ".case") == seen(shown, ".case[data-status='crash']")
    assert 0 < seen(shown, ".case") < every


def test_a_link_to_a_clause_shows_it_though_the_filter_had_hidden_it(shown: Browser) -> None:
    write(shown, "#text", "no such word")
    assert seen(shown, ".clause") == 0
    shown.click(".chips a[href='#W06']")
    assert (
        shown.evaluate("new Promise(done => setTimeout(() => done(document.querySelector('#W06').hidden), 100))")
        is False
    )


def test_the_page_can_be_used_from_the_keyboard(shown: Browser) -> None:
    shown.press(TAB)
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.press(ENTER)
    assert shown.evaluate("document.activeElement.id") == "failures"
    shown.press(TAB, "i", "0", "1")
    assert shown.evaluate("document.activeElement.id") == "text"
    shown.press(TAB, TAB, TAB, TAB, ENTER)
    assert shown.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert shown.evaluate("document.activeElement.parentElement.open") is True


def test_a_screen_reader_has_a_name_for_every_field_and_region(shown: Browser) -> None:
    unnamed = "[...document.querySelectorAll('input, select')].filter(e => !e.labels.length).length"
    assert shown.evaluate(unnamed) == 0
    assert shown.evaluate("[...document.querySelectorAll('[role=region]')].filter(e => !e.ariaLabel).length") == 0
    assert shown.evaluate("document.querySelector('#found').ariaLive") == "polite"
    assert shown.evaluate("document.documentElement.lang") == "en"
    ids = "[...document.querySelectorAll('[id]')].map(e => e.id)"
    assert shown.evaluate(f"new Set({ids}).size === {ids}.length") is True


def test_nothing_that_an_engine_said_is_more_than_text(shown: Browser) -> None:
    assert shown.evaluate("document.querySelectorAll('body script').length") == 1
    assert shown.evaluate("document.querySelectorAll('img, svg, iframe, [onerror], [onload]').length") == 0
    assert shown.evaluate("document.title") != "ran"
    assert "\x1b" not in shown.evaluate("document.documentElement.textContent")


def test_what_could_still_get_in_would_not_be_run(shown: Browser) -> None:
    # The page's own policy is the second wall: a script that is put in afterwards does not run either.
    shown.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'document.title=1'}))")
    shown.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=2\">')")
    title = shown.evaluate("new Promise(done => setTimeout(() => done(document.title), 300))")
    assert title.startswith("Conformance of ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_window_with_every_failure_open(shown: Browser, width: int, scheme: str) -> None:
    shown.show_as(width, 800, scheme)
    shown.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert shown.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(shown: Browser, scheme: str) -> None:
    shown.show_as(1280, 800, scheme)
    for selector in (".verdict", ".chips a", ".case .sentence", ".rule", "#found", ".steps .wrong td"):
        assert contrast(shown, selector) >= 4.5, selector


def contrast(window: Browser, selector: str) -> float:
    """Return the contrast of an element's text with the nearest ground behind it, as WCAG 2 counts it."""
    script = f"""(e => {{
        const ink = getComputedStyle(e).color;
        while (e && /rgba\\(.*, 0\\)/.test(getComputedStyle(e).backgroundColor)) e = e.parentElement;
        return [ink, getComputedStyle(e).backgroundColor].map(c => c.match(/[0-9.]+/g).slice(0, 3).map(Number));
    }})(document.querySelector({selector!r}))"""
    ink, ground = (luminance(*colour) for colour in window.evaluate(script))
    return (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05)


def luminance(*channels: float) -> float:
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

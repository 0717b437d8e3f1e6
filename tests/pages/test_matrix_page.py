"""The page of the matrix in a real browser: the picture is there, a cell opens its reason, nothing hostile runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coli_conformance.cli import main

from .browser import ENTER, TAB, Browser
from .hostile_text import BREAKOUT, SCRIPT

IMAGE = "<img src=x onerror=\"document.title='ran'\">"
HOSTILE_DRIVER = f"""
import sys

for line in sys.stdin:
    verb, *words = line.split()
    if verb == "hello":
        print("ok save load bounds")
    elif verb == "load":
        print({f"refused {SCRIPT} {IMAGE} {BREAKOUT} " + chr(27) + "[31m"!r})
    elif verb == "save":
        open(words[0], "w").write({f"-1 5 8{chr(10)}{SCRIPT}{chr(10)}{BREAKOUT}"!r})
        print("ok")
    else:
        print("ok")
"""
ENGINES = f"""
engines:
  - name: {IMAGE}
    command: ["{sys.executable}", hostile.py]
    family: {SCRIPT}
    version: "{SCRIPT}"
  - name: sound
    python: "coli_reference.engine:ReferenceEngine"
    family: {SCRIPT}
    version: "2"
  - name: old 64
    old-reader: glibc64
"""
REFUSED = "#matrix tbody tr:nth-of-type(2) td:nth-of-type(1)"
"""The cell of the sound writer and the hostile reader."""
BROKEN_FILE = "#matrix tbody tr:nth-of-type(1) td:nth-of-type(3)"
"""The cell of the hostile writer and the old reader."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "hostile.py").write_text(HOSTILE_DRIVER)
    (folder / "engines.yaml").write_text(ENGINES)
    path = folder / "matrix.html"
    assert main(["matrix", str(folder / "engines.yaml"), "--jobs", "2", "--report", f"html={path}"]) == 1
    return path


def is_seen(window: Browser, selector: str) -> bool:
    return bool(window.evaluate(f"document.querySelector({selector!r}).checkVisibility()"))


def test_the_picture_is_there(shown: Browser) -> None:
    assert shown.evaluate("document.querySelectorAll('#matrix tbody tr').length") == 2 + 5
    assert shown.evaluate("document.querySelectorAll('#matrix thead th').length") == 3
    assert shown.evaluate("document.querySelectorAll('#matrix td.cell').length") == 7 * 3
    assert shown.text("#matrix tbody tr:nth-of-type(2) th") == "sound"
    assert shown.text("#matrix tbody tr:nth-of-type(2) td:nth-of-type(2) .number") == "12"
    assert shown.evaluate(f"document.querySelector({REFUSED!r}).classList.contains('fail')")


def test_a_failing_cell_opens_its_reason_and_closes_it_again(shown: Browser) -> None:
    panel = f"{REFUSED} .panel"
    assert not is_seen(shown, panel)
    shown.click(f"{REFUSED} summary")
    assert is_seen(shown, panel)
    assert "refused the file: <script>document.title='ran'</script>" in shown.text(panel)
    shown.click(f"{REFUSED} summary")
    assert not is_seen(shown, panel)


def test_one_cell_is_open_at_a_time(shown: Browser) -> None:
    shown.click(f"{REFUSED} summary")
    shown.click("#matrix tbody tr:nth-of-type(1) td:nth-of-type(2) summary")
    assert shown.evaluate("document.querySelectorAll('details[open]').length") == 1


def test_a_cell_opens_from_the_keyboard(shown: Browser) -> None:
    shown.press(TAB, TAB, TAB, TAB, ENTER)
    assert shown.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert is_seen(shown, f"{REFUSED} .panel")


def test_nothing_that_an_engine_said_is_more_than_text(shown: Browser) -> None:
    markup = "script, img, svg, iframe, link, a, [onerror], [onload]"
    assert shown.evaluate(f"document.querySelectorAll('{markup}').length") == 0
    assert shown.evaluate("document.title") == "Interop matrix"
    assert IMAGE in shown.text("#matrix thead")
    assert SCRIPT in shown.text(".versions")
    shown.click(f"{BROKEN_FILE} summary")
    assert BREAKOUT in shown.text(f"{BROKEN_FILE} pre")
    shown.click(f"{REFUSED} summary")
    reason = shown.text(f"{REFUSED} .panel")
    assert f"{SCRIPT} {IMAGE} {BREAKOUT} \\x1b[31m" in reason
    assert "\x1b" not in shown.evaluate("document.documentElement.textContent")


def test_what_could_still_get_in_would_not_be_run(shown: Browser) -> None:
    # The page's own policy is the second wall: markup that is put in afterwards does not run either.
    shown.evaluate(f"document.body.insertAdjacentHTML('beforeend', `{IMAGE}`)")
    assert shown.evaluate("document.querySelectorAll('img').length") == 1
    assert shown.evaluate("new Promise(done => setTimeout(() => done(document.title), 300))") == "Interop matrix"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_its_window_with_a_cell_open(shown: Browser, width: int, scheme: str) -> None:
    shown.show_as(width, 844, scheme)
    shown.click(f"{BROKEN_FILE} summary")
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    assert is_seen(shown, f"{BROKEN_FILE} .panel pre")


def test_a_dark_scheme_has_a_dark_ground(shown: Browser) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        shown.show_as(1280, 900, scheme)
        ground = shown.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)")
        grounds.append(sum(ground))
    assert grounds[0] > 3 * 200
    assert grounds[1] < 3 * 50

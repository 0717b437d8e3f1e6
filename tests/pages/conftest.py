"""What the tests of each page share: one window for a module, with the module's own `page` in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .browser import CHROMEDRIVER, CHROMIUM, Browser, browser


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None or CHROMEDRIVER is None:
        pytest.skip("looking at the page needs `chromium` and `chromedriver`")
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def shown(window: Browser, page: Path) -> Browser:
    window.show_as(1280, 900, "light")
    window.open(page)
    return window

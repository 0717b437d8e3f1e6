"""A real browser for tests of pages: headless Chromium, driven through chromedriver's own HTTP interface."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
ENTER, TAB = "\ue007", "\ue004"
"""Keys, as `Browser.press` takes them."""
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
)


class Browser:
    """One window of a browser."""

    def __init__(self, session: str) -> None:
        self._session = session

    def open(self, page: Path) -> None:
        self.ask("url", {"url": page.as_uri()})

    def click(self, selector: str) -> None:
        """Click as a person does: what is covered or outside the window cannot be clicked."""
        self.ask(f"element/{self._find(selector)}/click", {})

    def press(self, *keys: str) -> None:
        """Press and release each key, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def evaluate(self, expression: str) -> Any:
        return self.ask("execute/sync", {"script": f"return {expression}", "args": []})

    def text(self, selector: str) -> str:
        """Return what a person sees of an element; nothing of what is hidden."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))

    def show_as(self, width: int, height: int, scheme: str) -> None:
        """Make the page `width` by `height` pixels, for somebody who likes it `light` or `dark`."""
        self._protocol(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        self._protocol("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, path: str, body: object) -> Any:
        return _post(f"{self._session}/{path}", body)

    def _protocol(self, command: str, **parameters: object) -> None:
        self.ask("goog/cdp/execute", {"cmd": command, "params": parameters})

    def _find(self, selector: str) -> str:
        return str(self.ask("element", {"using": "css selector", "value": selector})[_ELEMENT])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with its files in `profile`, and end it."""
    assert CHROMIUM is not None
    assert CHROMEDRIVER is not None
    driver = subprocess.Popen([CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        server = f"http://127.0.0.1:{_port(driver)}/session"
        options = {"binary": CHROMIUM, "args": [*_ARGUMENTS, f"--user-data-dir={profile}"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        session = f"{server}/{_post(server, wanted)['sessionId']}"
        try:
            yield Browser(session)
        finally:
            _request(session, "DELETE", None)
    finally:
        driver.terminate()
        driver.communicate(timeout=20)


def _port(driver: subprocess.Popen[str]) -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        found = re.search(r"started successfully on port (\d+)", line)
        if found:
            return int(found[1])
    raise AssertionError("chromedriver ended before it listened")


def _post(url: str, body: object) -> Any:
    return _request(url, "POST", json.dumps(body).encode())


def _request(url: str, method: str, body: bytes | None) -> Any:
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method=method)
    # No proxy: the driver is on this machine.
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=60) as answer:
        return json.load(answer)["value"]

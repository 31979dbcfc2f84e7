"""A lab, a browser, and pages that complain about whatever no page should do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts import build_lab

#: Searches for comparators take seconds, and the machine may be busy.
PATIENCE = 40_000


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where a lab listens."""
    words = [sys.executable, "-m", "thresher", "lab", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as lab:
        assert lab.stdout is not None
        try:
            yield lab.stdout.readline().strip()
        finally:
            lab.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's chromium; nothing is downloaded."""
    path = shutil.which("chromium")
    assert path is not None, "there is no chromium; scripts/have_browser says how to get it"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        running.close()


class Watched:
    """A page, and what it did that it should not have done."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.faults: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        # That a question was refused is what some tests are about; the page shows it.
        if message.type in ("error", "warning") and "status of 400" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"outside: {request.url}")

    def show(self, screen: str) -> Page:
        """Open a screen, and wait until nothing is on its way."""
        self.page.goto("about:blank")
        self.page.goto(self.address + screen)
        expect(self.page.locator("#lab > *").first).to_be_attached()
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until nothing turns any more."""
        expect(self.page.locator("main")).to_be_visible()
        expect(self.page.locator(".dots")).to_have_count(0, timeout=PATIENCE)

    def field(self, name: str) -> str:
        """The text of a figure that the page marks by name."""
        text: str = self.page.locator(f"[data-field={name}]").first.inner_text()
        return text


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Callable[..., Watched]]:
    """Open a page of any size and theme; in the end it must have done nothing wrong."""
    made: list[Watched] = []

    def open_(width: int = 1440, height: int = 900, theme: Any = "light") -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, accept_downloads=True
        )
        made.append(Watched(context.new_page(), address))
        return made[-1]

    yield open_
    faults = [fault for one in made for fault in one.faults]
    for one in made:
        one.page.context.close()
    assert faults == []


@pytest.fixture
def lab(opened: Callable[..., Watched]) -> Watched:
    """A page of usual size."""
    return opened()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, fetched with what builds the page."""
    build_lab.install()
    return (build_lab.PLACE / "node_modules/axe-core/axe.min.js").read_text("utf-8")

"""The site of the documentation, opened from disk as `make docs` leaves it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from thresher.theory.listing import families

THEOREMS = [theorem.name for theorems in families().values() for theorem in theorems]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    source, built = folder / "source", folder / "site"
    subprocess.run([sys.executable, "-m", "scripts.write_site", str(source)], check=True)
    words = ["--quiet", "--fail-on-warning", "--keep-going", str(source), str(built)]
    subprocess.run([sys.executable, "-m", "sphinx", *words], check=True)
    return built


def look(opened: Callable[..., Watched], site: Path, page: str, **size: object) -> Watched:
    """A page of the site in a window of its own."""
    window = opened(**size)
    window.address = site.as_uri()
    window.page.goto(f"{site.as_uri()}/{page}")
    return window


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert len(pages) > 150
    lost = []
    for path, text in pages.items():
        if {"lab-views", "_static"} & set(path.parts):
            continue
        for found in re.findall(r'(?:href|src)="([^"]+)"', text):
            target, _, anchor = unescape(found).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            place = (path.parent / unquote(target.partition("?")[0])).resolve() if target else path
            known = pages.get(place)
            if not place.exists() or (anchor and known and f'id="{anchor}"' not in known):
                lost.append(f"{path.relative_to(site)} -> {found}")
    assert lost == []


def test_every_theorem_is_drawn_without_a_fault(opened: Callable[..., Watched], site: Path) -> None:
    window = look(opened, site, "theorems/index.html")
    for name in THEOREMS:
        window.page.goto(f"{site.as_uri()}/theorems/{name}.html")
        expect(window.page.locator(".katex").first).to_be_attached()
        assert window.page.locator(".katex-error").count() == 0, name
        assert "\\(" not in window.page.locator("article").inner_text(), name


def test_a_formula_that_is_none_would_be_noticed(
    opened: Callable[..., Watched], site: Path, tmp_path: Path
) -> None:
    page = site / "theorems" / "Novikoff.html"
    wrong = page.with_name("Wrong.html")
    wrong.write_text(page.read_text("utf-8").replace("^{2}", "^{2}^{2}"), encoding="utf-8")
    window = look(opened, site, "theorems/Wrong.html")
    expect(window.page.locator(".katex-error").first).to_be_attached()
    wrong.unlink()


def test_the_search_finds_a_theorem_from_disk(opened: Callable[..., Watched], site: Path) -> None:
    window = look(opened, site, "search.html?q=disjunction")
    results = window.page.locator("#search-results li a")
    expect(results.first).to_be_visible(timeout=PATIENCE)
    assert any("WinnowDisjunction" in text for text in results.all_inner_texts())


def test_a_view_of_the_lab_steps_within_its_page(
    opened: Callable[..., Watched], site: Path
) -> None:
    window = look(opened, site, "tutorial-lecture.html")
    frame = window.page.frame_locator("iframe.lab >> nth=0")
    expect(frame.locator("main")).to_be_visible(timeout=PATIENCE)
    before = frame.locator("main").inner_text()
    frame.locator("body").press("m")
    expect(frame.locator("main")).not_to_have_text(before)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "page", ["index", "start", "theorems/Novikoff", "commands/train", "api/models", "accuracy"]
)
def test_pages_can_be_read_by_all(
    opened: Callable[..., Watched], site: Path, axe: str, page: str, theme: str
) -> None:
    window = look(opened, site, f"{page}.html", theme=theme)
    expect(window.page.locator("article h1")).to_be_visible()
    assert violations(window.page, axe) == []

"""The site of the documentation, opened from disk as `make docs` leaves it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from scripts.check_site import (
    far_pages,
    fetched_from_outside,
    lost_links,
    not_found_by_search,
    pages,
)
from thresher.theory.listing import families

THEOREMS = [theorem.name for theorems in families().values() for theorem in theorems]

#: How far the page, or a line of it that cannot be scrolled, goes beyond the right edge.
BEYOND = """() => {
  const edge = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > edge ? ["page"] : [];
  for (const one of document.querySelectorAll("article h1, article h2, article h3, article p")) {
    if (one.scrollWidth > one.clientWidth + 1) found.push(one.textContent.slice(0, 40));
  }
  return found.join("; ");
}"""

#: Blocks with lines that go beyond their frames.
CUT = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"


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
    # Whatever a page would ask of others fails, and the page must do without.
    window.page.context.route(re.compile("^(https?|wss?):"), lambda route: route.abort())
    window.page.goto(f"{site.as_uri()}/{page}")
    return window


def test_links_lead_somewhere_and_every_page_is_near_and_in_the_search(site: Path) -> None:
    assert len(pages(site)) > 200
    for check in (lost_links, fetched_from_outside, far_pages, not_found_by_search):
        assert list(check(site)) == []


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


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("spam", "Spam, one message at a time"),
        ("certificate", "Certificates"),
        ("csv", "JSON lines, CSV, Parquet and Arrow"),
        ("mistake bound", "The mistake-bound model"),
        ("resume training", "Questions"),
        ("disjunction", "WinnowDisjunction"),
        ("empty file", "Questions"),
        ("install", "Install it, and try a file"),
        ("multiclass", "Several classes (multiclass)"),
        ("feature importance", "Explanations"),
        ("missing values", "JSON lines, CSV, Parquet and Arrow"),
        ("label column", "JSON lines, CSV, Parquet and Arrow"),
        ("class weight", "Learners"),
        ("authentication", "The learning service"),
        ("imbalanced", "Questions"),
        ("kafka", "Questions"),
        ("gpu", "Questions"),
        ("license", "Questions"),
    ],
)
def test_what_a_newcomer_asks_is_found_from_disk(
    opened: Callable[..., Watched], site: Path, asked: str, wanted: str
) -> None:
    window = look(opened, site, f"search.html?q={quote(asked)}")
    results = window.page.locator("#search-results li a")
    expect(window.page.locator(".search-summary")).to_contain_text("found", timeout=PATIENCE)
    first = results.all_inner_texts()[:6]
    assert any(wanted in text for text in first), first


def test_no_page_is_wider_than_a_phone_and_none_asks_for_anything(
    opened: Callable[..., Watched], site: Path
) -> None:
    window = look(opened, site, "index.html", width=390, height=844)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    wide = []
    for path in pages(site):
        window.page.goto(path.as_uri())
        if beyond := window.page.evaluate(BEYOND):
            wide.append(f"{path.relative_to(site)}: {beyond}")
    assert wide == []
    assert len(asked) > len(pages(site))
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_phone_has_the_search_at_hand(opened: Callable[..., Watched], site: Path) -> None:
    window = look(opened, site, "index.html", width=390, height=844)
    button = window.page.locator(".navbar-persistent--mobile .search-button__button")
    button.click()
    expect(window.page.locator("dialog input[type=search]")).to_be_focused()


@pytest.mark.parametrize("page", ["index", "start", "how-to", "theorems/Novikoff"])
def test_first_examples_are_whole_on_a_desktop(
    opened: Callable[..., Watched], site: Path, page: str
) -> None:
    window = look(opened, site, f"{page}.html", width=1280, height=900)
    expect(window.page.locator("article h1")).to_be_visible()
    cut = window.page.locator("article pre").evaluate_all(CUT)
    assert cut == []


def test_on_paper_a_page_has_no_bars_and_whole_lines(
    opened: Callable[..., Watched], site: Path
) -> None:
    window = look(opened, site, "first-model.html", width=800, height=1100)
    window.page.emulate_media(media="print")
    for bar in (".bd-header", ".bd-sidebar-primary", ".bd-sidebar-secondary"):
        expect(window.page.locator(bar).first).to_be_hidden()
    cut = window.page.locator("article pre").evaluate_all(CUT)
    assert cut == []


def test_a_view_of_the_lab_steps_within_its_page(
    opened: Callable[..., Watched], site: Path
) -> None:
    window = look(opened, site, "tutorial-lecture.html")
    # What is out of sight stands still in a browser.
    window.page.locator("iframe.lab").first.scroll_into_view_if_needed()
    frame = window.page.frame_locator("iframe.lab >> nth=0")
    main = frame.locator("main")
    expect(main).to_be_visible(timeout=PATIENCE)
    expect(main).not_to_contain_text("mistake 9 of 39")
    # Keys are those of the page until the view has been clicked.
    frame.get_by_role("button", name="next mistake").click()
    expect(main).to_contain_text("mistake 9 of 39")
    window.page.keyboard.press("m")
    expect(main).to_contain_text("mistake 10 of 39")
    window.page.keyboard.press("ArrowLeft")
    expect(main).not_to_contain_text("mistake 10 of 39")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "page",
    [
        "index",
        "start",
        "tutorial-spam",
        "questions",
        "errors",
        "learners/Winnow",
        "theorems/index",
        "theorems/Novikoff",
        "commands/train",
        "api/models",
        "accuracy",
        "performance",
        "errata",
        "decisions/index",
    ],
)
def test_pages_can_be_read_by_all(
    opened: Callable[..., Watched], site: Path, axe: str, page: str, theme: str
) -> None:
    window = look(opened, site, f"{page}.html", theme=theme)
    expect(window.page.locator("article h1")).to_be_visible()
    # From disk a page may not speak with a view of the lab in it, which has tests of its own.
    assert violations(window.page, axe, frames=False) == []

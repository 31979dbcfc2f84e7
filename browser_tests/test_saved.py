"""Pages that are kept: they open from disk, ask nobody, and can be seen by all, as reports can."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import thresher as th
from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from browser_tests.test_data import COLOURS, MAIL, check_figures, give
from tests.cli.running import run
from thresher.lab.files import read_file
from thresher.lab.quality import explained
from thresher.lab.shelf import Shelf

GAMES = {
    "adversary": "#game?margin=1/2&moves=0m.1p.2m",
    "learner": "#game?play=learner&kind=binary-search&setting=8/1&moves=p.m",
    "halving": "#game?play=halving&moves=m.p",
    "experts": "#game?play=experts&setting=4&moves=7.1",
}


def saved(lab: Watched, opened: Callable[..., Watched], path: Path, **size: object) -> Watched:
    """The page that the lab saves, opened from disk in a window of its own."""
    with lab.page.expect_download(timeout=PATIENCE) as download:
        lab.page.get_by_role("link", name="Save as HTML").click()
    download.value.save_as(path)
    other = opened(**size)
    other.address = path.as_uri()
    other.show("")
    return other


@pytest.mark.parametrize("content", [MAIL, COLOURS], ids=["two", "several"])
def test_your_data_can_be_saved_whole(
    lab: Watched, opened: Callable[..., Watched], tmp_path: Path, axe: str, content: str
) -> None:
    file = tmp_path / ("mail.tsv" if content is MAIL else "colours.svm")
    file.write_text(content)
    page = lab.show("#data")
    give(page, file)
    page.get_by_role("button", name="perceptron", exact=True).click()
    expect(page.get_by_text("What weighs most")).to_be_visible(timeout=PATIENCE)
    page.locator(".row-number input").fill("7")
    page.keyboard.press("Enter")
    shelf = Shelf()
    shelf.keep("k", read_file(str(file), file.name, {}, "k"))
    told = explained(shelf.run("file:k", "perceptron"), 7)
    why = f"It said {told['said']}; it was {told['label']}."
    expect(page.locator(".said").last).to_have_text(why)
    lab.settle()
    for width, theme in ((1440, "dark"), (390, "light")):
        other = saved(lab, opened, tmp_path / "data.html", width=width, theme=theme)
        check_figures(other, file, {}, "perceptron")
        expect(other.page.locator(".said").last).to_have_text(why)
        expect(other.page.locator(".curve").first).to_be_visible()
        # What would need the lab is not there.
        expect(other.page.locator("input, nav, a, .top-part:enabled")).to_have_count(0)
        assert violations(other.page, axe) == []
        assert other.page.evaluate("document.documentElement.scrollWidth") <= width
    if content is COLOURS:
        other.page.locator("select").select_option(index=1)
        expect(other.page.locator(".two-lists h3").first).to_contain_text("for ")


@pytest.mark.parametrize("screen", GAMES.values(), ids=GAMES)
def test_a_game_can_be_saved_and_gone_through(
    lab: Watched, opened: Callable[..., Watched], tmp_path: Path, axe: str, screen: str
) -> None:
    page = lab.show(screen)
    made = page.locator("[data-field=made]").inner_text()
    other = saved(lab, opened, tmp_path / "game.html", width=390, theme="dark")
    shown = other.page.locator("[data-field=made]")
    expect(shown).to_have_text(made)
    expect(other.page.locator("select, input, nav, .answer:enabled")).to_have_count(0)
    assert violations(other.page, axe) == []
    back = other.page.get_by_role("button", name="Take back")
    while back.is_enabled():
        back.click()
        other.page.wait_for_timeout(50)
    expect(shown).to_have_text("0")
    forward = other.page.get_by_role("button", name="Next move")
    while forward.is_enabled():
        forward.click()
        other.page.wait_for_timeout(50)
    expect(shown).to_have_text(made)


@pytest.mark.parametrize("screen", ["#step?t=346&learner=winnow", "#race"], ids=["step", "race"])
def test_saved_runs_and_races_can_be_seen_by_all(
    lab: Watched, opened: Callable[..., Watched], tmp_path: Path, axe: str, screen: str
) -> None:
    lab.show(screen)
    for width, theme in ((1440, "light"), (390, "dark")):
        other = saved(lab, opened, tmp_path / "saved.html", width=width, theme=theme)
        assert violations(other.page, axe) == []
        assert other.page.evaluate("document.documentElement.scrollWidth") <= width


# ---- reports -------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["winnow", "perceptron", "committee"])
@pytest.mark.parametrize("content", [MAIL, COLOURS], ids=["two", "several"])
def test_a_report_can_be_seen_by_all(
    opened: Callable[..., Watched], tmp_path: Path, axe: str, learner: str, content: str
) -> None:
    file = tmp_path / ("mail.tsv" if content is MAIL else "colours.svm")
    file.write_text(content)
    model = th.train(file, learner)
    th.Report.of(model, file).save(tmp_path / "report.html")
    check_report(opened, tmp_path / "report.html", axe)


def test_the_page_of_a_race_can_be_seen_by_all(
    opened: Callable[..., Watched], tmp_path: Path, axe: str
) -> None:
    (tmp_path / "mail.tsv").write_text(MAIL)
    page = tmp_path / "race.html"
    assert run("race", str(tmp_path / "mail.tsv"), "-o", str(page), "-q").exit_code == 0
    check_report(opened, page, axe)


def check_report(opened: Callable[..., Watched], path: Path, axe: str) -> None:
    for width, theme in ((1280, "light"), (1280, "dark"), (390, "dark")):
        other = opened(width=width, theme=theme)
        other.address = path.as_uri()
        other.page.goto(path.as_uri())
        assert other.page.locator(".card").count() >= 2
        assert other.page.evaluate("document.documentElement.scrollWidth") <= width
        # Its policy lets no script in, not even this one: it is read in a page without one.
        page = opened(width=width, theme=theme)
        page.address = "about:"
        page.page.set_content(_without_policy(path.read_text("utf-8")))
        assert violations(page.page, axe) == []


def _without_policy(html: str) -> str:
    before, _, rest = html.partition('<meta http-equiv="Content-Security-Policy"')
    assert rest
    return before + rest.partition(">")[2]


def test_low_contrast_in_a_report_would_be_noticed(
    opened: Callable[..., Watched], tmp_path: Path, axe: str
) -> None:
    file = tmp_path / "mail.tsv"
    file.write_text(MAIL)
    html = th.Report.of(th.train(file, "winnow"), file).html()
    page = opened()
    page.address = "about:"
    page.page.set_content(_without_policy(html).replace("#5b6570", "#b5bcc6"))
    assert any(one.startswith("color-contrast") for one in violations(page.page, axe))

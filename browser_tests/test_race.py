"""Race shows the standings of the library, live, and starts anew when a slider moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browser_tests.conftest import PATIENCE, Watched
from thresher.lab.race import RaceFrame, race

DENSE = "disjunctions:n_features=200,r={r},active=5,rows=4000,seed=1"


def expected(stream: str, learners: list[str]) -> RaceFrame:
    *_, last = race(stream, learners, {})
    return last


def check_standings(lab: Watched, frame: RaceFrame) -> None:
    page = lab.page
    expect(page.locator(".state")).to_have_text("finished", timeout=PATIENCE)
    for line in frame.lines:
        name = page.get_by_role("rowheader", name=line.learner.replace("_", " "), exact=True)
        row = page.locator("tbody tr").filter(has=name)
        expect(row.locator("[data-field=made]")).to_have_text(f"{int(line.made):,}")
        if line.allowed is not None:
            expect(row.locator("[data-field=allowed]")).to_have_text(f"{line.allowed:,}")


def test_the_standings_are_those_of_the_library(lab: Watched) -> None:
    lab.show("#race")
    check_standings(lab, expected(DENSE.format(r=10), ["perceptron", "winnow"]))


def test_one_slider_shows_the_crossover(lab: Watched) -> None:
    page = lab.show("#race")
    winners = []
    for r in (10, 50):
        slider = page.get_by_label("r", exact=True)
        slider.fill(str(r))
        check_standings(lab, expected(DENSE.format(r=r), ["perceptron", "winnow"]))
        winners.append(page.locator("tbody tr th").first.inner_text().strip())
    assert winners == ["winnow", "perceptron"]


def test_a_moved_slider_gives_up_a_race_of_ten_million_rounds(lab: Watched) -> None:
    page = lab.show("#race?stream=disjunctions:rows=10000000,seed=1&learner=winnow")
    expect(page.locator(".state")).to_have_text("running")
    expect(page.locator(".curve")).to_have_count(1)
    slider = page.get_by_label("rows", exact=True)
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "100")
    check_standings(lab, expected("disjunctions:rows=100,seed=1", ["winnow"]))


def test_presets_and_learners_can_be_changed(lab: Watched) -> None:
    page = lab.show("#race")
    page.get_by_role("button", name="Worst for Winnow").click()
    check_standings(lab, expected("greedy-winnow:n_features=64,r=1", ["winnow", "perceptron"]))
    page.get_by_role("button", name="Take perceptron away").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".curve")).to_have_count(1)


def test_a_click_on_a_curve_opens_that_round(lab: Watched) -> None:
    page = lab.show("#race")
    check_standings(lab, expected(DENSE.format(r=10), ["perceptron", "winnow"]))
    box = page.locator(".openable .curve").nth(1).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"])
    expect(page.get_by_role("heading", level=1)).to_have_text("Disjunctions")
    expect(page.get_by_role("button", name="Winnow", pressed=True)).to_be_visible()
    lab.settle()
    t = int(page.locator("[data-field=round]").inner_text().replace(",", ""))
    assert 1800 < t < 2200


def test_what_cannot_be_is_said_and_can_be_left(lab: Watched) -> None:
    page = lab.show("#race?stream=disjunctions:r=7,active=3,n_features=4&learner=winnow")
    expect(page.get_by_role("alert")).to_contain_text("must be")
    page.get_by_role("button", name="Sparse or dense?").click()
    check_standings(lab, expected(DENSE.format(r=10), ["perceptron", "winnow"]))


def test_a_saved_race_opens_from_disk(
    lab: Watched, opened: Callable[..., Watched], tmp_path: Path
) -> None:
    stream, learners = "disjunctions:rows=400,seed=3", ["winnow", "perceptron"]
    page = lab.show(f"#race?stream={stream}&learner=winnow&learner=perceptron&scale=log")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as HTML").click()
    download.value.save_as(tmp_path / "race.html")
    other = opened()
    other.address = (tmp_path / "race.html").as_uri()
    other.show("")
    check_standings(other, expected(stream, learners))
    expect(other.page.locator(".curve")).to_have_count(2)
    fills = "all => all.map(one => getComputedStyle(one).fill)"
    # A curve is a line; none is filled with black.
    assert {*other.page.locator(".card svg path").evaluate_all(fills)} == {"none"}
    other.page.get_by_role("button", name="linear").click()
    # What would need the lab is not there.
    expect(other.page.get_by_role("button", name="winnow")).to_have_count(0)
    expect(other.page.locator("select, input, nav, .openable")).to_have_count(0)

"""Every screen: no error, nothing from outside, WCAG 2.2 AA, both themes, desktop and phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser_tests.accessibility import violations
from browser_tests.conftest import Watched

SCREENS = {
    "step": "#step?t=346",
    "race": "#race",
    "race of many seeds": "#race?stream=disjunctions:rows=400&learner=winnow&seeds=20",
    "data": "#data",
    "adversary": "#game?moves=0m.1p",
    "learner": "#game?play=learner&moves=p.m",
    "halving": "#game?play=halving&moves=m",
    "experts": "#game?play=experts&moves=3",
}


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_a_screen_is_sound(
    opened: Callable[..., Watched], axe: str, screen: str, width: int, theme: str
) -> None:
    page = opened(width=width, theme=theme).show(screen)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_theme_can_be_turned_and_stays(lab: Watched) -> None:
    page = lab.show("#race")
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    lab.show("#game")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("screen", ["#step?t=346", "#race", "#game?play=halving&moves=m"])
def test_behind_every_chart_there_is_a_table(lab: Watched, screen: str) -> None:
    page = lab.show(screen)
    expect(page.locator(".plot:visible, .tree:visible").first).to_be_visible()
    charts = page.locator(".plot:visible, .tree:visible").count()
    buttons = page.locator(".table-button")
    assert buttons.count() >= charts > 0
    for k in range(buttons.count()):
        buttons.nth(k).click()
    assert page.locator("main table tbody tr").count() >= charts
    assert page.locator(".plot:visible, .tree:visible").count() == 0


def test_the_tabs_lead_everywhere_and_back(lab: Watched) -> None:
    page = lab.show("#step")
    for name, heading in (("Race", "Race"), ("Your data", "Your data"), ("Game", "Game")):
        page.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your data")
    lab.settle()


# ---- planted faults: the tests above would notice --------------------------------------------


def test_low_contrast_would_be_noticed(lab: Watched, axe: str) -> None:
    page = lab.show("#step?t=346")
    page.evaluate("document.documentElement.style.setProperty('--muted', '#b5bcc6')")
    assert any(one.startswith("color-contrast") for one in violations(page, axe))


def test_an_outside_request_would_be_noticed_and_is_stopped(lab: Watched) -> None:
    page = lab.show("#game")
    page.evaluate("fetch('https://example.org/').catch(() => 0)")
    page.evaluate("const i = new Image(); i.src = 'https://example.org/i.png'; 0")
    page.wait_for_timeout(100)
    assert any("Content Security Policy" in fault for fault in lab.faults)
    lab.faults.clear()

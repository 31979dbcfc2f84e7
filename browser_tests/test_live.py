"""Live shows a served model as it learns: figures of the service, alarms, and its return."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from scripts.live_example import furnish, learn, mail, serving
from thresher.client import Client


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("live") / "s") as (_, address):
        furnish(address)
        yield address


@pytest.fixture(scope="module")
def watching(service: str) -> Iterator[str]:
    with lab_for(service) as address:
        yield address


@contextmanager
def lab_for(service: str) -> Iterator[str]:
    """Where a lab listens that watches a service."""
    words = [sys.executable, "-m", "thresher", "lab", "--no-browser", "--live", service]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as lab:
        assert lab.stdout is not None
        try:
            yield lab.stdout.readline().strip().partition("#")[0]
        finally:
            lab.terminate()


def looking(watched: Watched, address: str, model: str) -> Watched:
    watched.address = address
    watched.show(f"#live?model={model}")
    expect(watched.page.locator(".state")).to_have_text("connected", timeout=PATIENCE)
    return watched


def told(service: str, model: str) -> dict[str, Any]:
    found: dict[str, Any] = json.load(urllib.request.urlopen(f"{service}/v1/models/{model}"))
    return found


def test_the_figures_are_those_of_the_service_while_it_learns(
    lab: Watched, watching: str, service: str
) -> None:
    looking(lab, watching, "mail")
    with Client(service) as client:
        for k in range(3):
            learn(client, "mail", mail(200, seed=40 + k))
            after = told(service, "mail")
            sequence = lab.page.locator("[data-field=sequence]")
            expect(sequence).to_have_text(f"{after['sequence']:,}", timeout=PATIENCE)
            assert lab.field("mistakes") == f"{after['mistakes']:,}"
            assert lab.field("recent") == f"{100 * after['recent_error']:.1f} %"
            assert lab.field("shadow-mistakes") == f"{after['shadow']['mistakes']:,}"
    rows = lab.page.get_by_role("region", name="Recent rounds").locator("tbody tr")
    expect(rows).to_have_count(20)
    assert rows.first.locator("td").first.inner_text() == f"{after['sequence']:,}"
    assert lab.page.locator("path.curve").count() == 4


def test_a_refuted_claim_and_drift_are_seen(lab: Watched, watching: str, service: str) -> None:
    looking(lab, watching, "mushrooms")
    after = told(service, "mushrooms")
    expect(lab.page.locator("[data-field=refuted]")).to_contain_text(f"{after['refuted_at']:,}")
    expect(lab.page.locator(".bound")).to_have_count(1)
    happened = lab.page.locator(".happened")
    expect(happened).to_contain_text("Errors became more")
    expect(happened).to_contain_text("is refuted")
    # What people hear who do not see the page.
    expect(lab.page.get_by_role("status")).to_contain_text("refuted")


def test_models_are_chosen_and_the_view_can_be_held_by_a_key(
    lab: Watched, watching: str, service: str
) -> None:
    page = looking(lab, watching, "mushrooms").page
    page.get_by_label("Model").select_option("mail")
    expect(page.locator(".facts")).to_contain_text("arow")
    expect(page).to_have_url(f"{watching}#live?model=mail")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Hold")).to_have_attribute("aria-pressed", "true")
    before = lab.field("sequence")
    with Client(service) as client:
        learn(client, "mail", mail(100, seed=77))
    page.wait_for_timeout(1500)
    assert lab.field("sequence") == before
    page.keyboard.press("Space")
    after = f"{told(service, 'mail')['sequence']:,}"
    expect(page.locator("[data-field=sequence]")).to_have_text(after, timeout=PATIENCE)


def test_a_service_that_restarts_is_found_again(lab: Watched, tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (process, service), Client(service) as client:
        client.create("m", learner="perceptron", n_features=64)
        learn(client, "m", mail(300))
        with lab_for(service) as address:
            page = looking(lab, address, "m").page
            process.terminate()
            process.wait(30)
            expect(page.locator(".state")).to_have_text("waiting for the service", timeout=PATIENCE)
            expect(page.locator(".away-note")).to_contain_text("does not answer")
            assert lab.field("sequence") == "300"
            with serving(tmp_path / "s", int(service.rpartition(":")[2])):
                expect(page.locator(".state")).to_have_text("connected", timeout=PATIENCE)
                learn(client, "m", mail(100, seed=2))
                expect(page.locator("[data-field=sequence]")).to_have_text("400", timeout=PATIENCE)


@pytest.mark.parametrize("model", ["mail", "mushrooms"])
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1440, "dark"), (390, "dark")])
def test_the_screen_is_sound(
    opened: Callable[..., Watched], axe: str, watching: str, model: str, width: int, theme: str
) -> None:
    page = looking(opened(width=width, theme=theme), watching, model).page
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    buttons = page.locator(".table-button")
    assert buttons.count() == page.locator(".plot:visible").count() == 2
    for k in range(2):
        buttons.nth(k).click()
    assert page.locator("main table tbody tr").count() > 20
    assert violations(page, axe) == []


def test_a_hundred_thousand_events_keep_the_page_light(
    lab: Watched, watching: str, service: str
) -> None:
    with Client(service, seconds=60) as client:
        client.create("long", learner="perceptron", n_features=256)
        page = looking(lab, watching, "long").page
        rows = mail(5000)
        for _ in range(20):
            client.learn_many("long", rows)
    expect(page.locator("[data-field=sequence]")).to_have_text("100,000", timeout=PATIENCE)
    lengths = page.locator("path.curve").evaluate_all(
        "all => all.map(one => one.getAttribute('d').match(/[MLHV]/g).length)"
    )
    assert max(lengths) <= 1024


def test_a_saved_view_opens_from_disk(
    lab: Watched, opened: Callable[..., Watched], watching: str, service: str, tmp_path: Path
) -> None:
    page = looking(lab, watching, "mushrooms").page
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as HTML").click()
    download.value.save_as(tmp_path / "live.html")
    other = opened()
    other.address = (tmp_path / "live.html").as_uri()
    other.show("")
    expect(other.page.locator(".state")).to_have_text("recorded")
    assert other.field("mistakes") == f"{told(service, 'mushrooms')['mistakes']:,}"
    expect(other.page.locator("select, nav")).to_have_count(0)


def test_a_lab_without_a_service_has_no_tab_and_says_how(lab: Watched) -> None:
    page = lab.show("#step")
    expect(page.get_by_role("link", name="Live")).to_have_count(0)
    page = lab.show("#live")
    expect(page.locator("main")).to_contain_text("thresher lab --live")

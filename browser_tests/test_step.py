"""Step draws what the library computes, and is driven by keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import thresher as th
from browser_tests.conftest import Watched
from thresher.reports.lecture_table import number_text, trace
from thresher.streams import Batch, load_mushrooms


@pytest.fixture(scope="module")
def mushrooms() -> Batch:
    return load_mushrooms(1)[0]


def check_round(lab: Watched, batch: Batch, t: int) -> None:
    """The figures of Winnow's round on the page, against those of the library."""
    winnow = th.Winnow(98)
    winnow.learn(batch[: t - 1])
    before = winnow.mistakes
    (round_,) = trace(winnow, batch[t - 1 : t])
    page = lab.page
    expect(page.locator("[data-field=round]")).to_have_text(f"{t:,}")
    assert page.locator("[data-field=score]").get_attribute("data-exact") == number_text(
        round_.score
    )
    assert lab.field("threshold") == f"{winnow.threshold:g}"
    badge = page.locator(".badge").inner_text()
    assert badge.startswith("✕" if round_.mistaken else "✓")
    if round_.mistaken:
        assert lab.field("mistakes") == str(before + 1)
    largest = np.sort(winnow.weights)[::-1][:10]
    shown = [text.split()[-1] for text in page.locator(".weight .number").all_inner_texts()]
    assert [float(Fraction(one)) for one in shown] == largest.tolist()


@pytest.mark.parametrize("t", [1, 346, 5644])
def test_a_round_shows_the_figures_of_the_library(lab: Watched, mushrooms: Batch, t: int) -> None:
    lab.show(f"#step?t={t}")
    check_round(lab, mushrooms, t)


def test_evidence_and_curves_are_those_of_the_library(lab: Watched, mushrooms: Batch) -> None:
    winnow = th.Winnow(98)
    made = winnow.learn(mushrooms).mistakes
    certificate = th.certify(winnow, mushrooms)
    page = lab.show("#step?t=1")
    assert (lab.field("made"), lab.field("allowed")) == (str(made), str(certificate.allowed))
    labels = page.locator(".plot .label").all_text_contents()
    assert f"Winnow: {made} made" in labels
    assert f"Winnow: at most {certificate.allowed}in hindsight" in labels
    assert page.locator(".tick-mark").count() == made
    # A step of the curve for every mistake.
    assert (page.locator(".curve.strong").first.get_attribute("d") or "").count("V") == made


def test_keys_drive_it(lab: Watched, mushrooms: Batch) -> None:
    wrong = np.flatnonzero(th.Winnow(98).learn(mushrooms).mistaken) + 1
    page = lab.show("#step?t=100")
    shown = page.locator("[data-field=round]")
    for key, t in (
        ("ArrowRight", 101),
        ("ArrowLeft", 100),
        ("Shift+ArrowRight", 110),
        ("m", int(wrong[wrong > 110][0])),
        ("m", int(wrong[wrong > 110][1])),
        ("Shift+M", int(wrong[wrong > 110][0])),
        ("End", 5644),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        expect(shown).to_have_text(f"{t:,}")
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Elimination", pressed=True)).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(shown).not_to_have_text("1")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_address_shows_the_same_again(lab: Watched, mushrooms: Batch) -> None:
    page = lab.show("#step?t=340")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="linear", pressed=True)).to_be_visible()
    page.wait_for_timeout(300)
    page.reload()
    lab.settle()
    check_round(lab, mushrooms, 346)
    expect(page.get_by_role("button", name="linear", pressed=True)).to_be_visible()


def test_the_live_region_tells_the_round(lab: Watched) -> None:
    page = lab.show("#step?t=345")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_contain_text("Round 346: Winnow said poisonous")


def test_a_weight_tells_its_history(lab: Watched) -> None:
    page = lab.show("#step?t=346")
    page.get_by_role("button", name="odor foul").click()
    expect(page.get_by_text("the journal, played again, ends there")).to_be_visible()
    page.locator(".blame button").first.click()
    expect(page.locator("[data-field=round]")).not_to_have_text("346")


def test_another_stream_and_learner_can_be_chosen(lab: Watched) -> None:
    page = lab.show("#step")
    page.get_by_role("button", name="Change stream").click()
    page.locator(".sheet select").select_option("winnow-loop")
    page.get_by_role("button", name="Show this stream").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Winnow loop")
    lab.settle()
    page.get_by_role("button", name="Other learners").click()
    page.locator(".sheet select").select_option("winnow")
    page.get_by_placeholder("beta=1/2").fill("threshold=4")
    page.get_by_role("button", name="Add it").click()
    lab.settle()
    expect(page.get_by_text("Winnow (threshold=4): 51 made")).to_be_visible()


def test_a_saved_page_opens_from_disk(
    lab: Watched, opened: Callable[..., Watched], mushrooms: Batch, tmp_path: Path
) -> None:
    page = lab.show("#step?t=346&learner=winnow&learner=elimination&on=1")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as HTML").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    other = opened()
    other.address = path.as_uri()
    other.show("")
    check_round(other, mushrooms, 346)
    assert (other.field("made"), other.field("allowed")) == ("61", "92")
    other.page.keyboard.press("m")
    check_round(other, mushrooms, 368)


def test_on_a_phone_everything_is_there(opened: Callable[..., Watched], mushrooms: Batch) -> None:
    lab = opened(width=390, height=800)
    page = lab.show("#step?t=346")
    check_round(lab, mushrooms, 346)
    page.get_by_role("button", name="Copy as…").click()
    expect(page.get_by_role("link", name="Save as HTML")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="One round forward").click()
    expect(page.locator("[data-field=round]")).to_have_text("347")
    page.get_by_role("button", name="Next mistake").click()
    expect(page.locator("[data-field=round]")).to_have_text("368")


def test_a_stream_of_many_rounds_stays_within_bounds(lab: Watched) -> None:
    page = lab.show("#step?stream=disjunctions:rows=60000,noise=1/4,seed=1&learner=perceptron&t=9")
    points = page.locator(".curve.strong").first.get_attribute("d") or ""
    assert points.count("L") <= 1024
    assert page.locator(".tick-mark").count() <= 1024
    page.keyboard.press("m")
    expect(page.locator("[data-field=round]")).not_to_have_text("9")
    page.keyboard.press("End")
    expect(page.locator("[data-field=round]")).to_have_text("60,000")


def test_a_wrong_threshold_would_be_noticed(lab: Watched, mushrooms: Batch) -> None:
    def lie(page: Page) -> None:
        def forged(route: object) -> None:
            answer = route.fetch()  # type: ignore[attr-defined]
            frames = json.loads(answer.text())
            for frame in frames:
                frame["threshold"] += 1
            route.fulfill(response=answer, json=frames)  # type: ignore[attr-defined]

        page.route("**/api/step/rounds*", forged)

    lie(lab.page)
    lab.show("#step?t=346")
    with pytest.raises(AssertionError):
        check_round(lab, mushrooms, 346)

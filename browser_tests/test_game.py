"""Games are played by clicks, and answered by the theorems."""

from __future__ import annotations

from playwright.sync_api import expect

from browser_tests.conftest import Watched


def test_the_adversary_forces_all_and_is_refused_what_cannot_be(lab: Watched) -> None:
    page = lab.show("#game?margin=1/2")
    made = page.locator("[data-field=made]")
    for k in range(4):
        expect(made).to_have_text(str(k))
        page.get_by_role("button", name="a mistake").click()
    expect(made).to_have_text("4")
    expect(page.get_by_text("You forced 4 mistakes")).to_be_visible()
    expect(page.locator(".formula")).to_contain_text("1/2 x3")
    page.get_by_role("button", name="x0", exact=False).first.click()
    page.get_by_role("button", name="impossible").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing labels it both ways")
    page.get_by_role("button", name="new").click()
    expect(page.get_by_role("alert")).to_contain_text("squared length 5/4")
    assert lab.field("used") == "1"
    page.get_by_role("button", name="Take back").click()
    expect(made).to_have_text("3")


def test_the_learner_errs_in_every_round(lab: Watched) -> None:
    page = lab.show("#game?play=learner&kind=binary-search&setting=8/1")
    for k in range(3):
        expect(page.locator("[data-field=made]")).to_have_text(str(k))
        page.get_by_role("button", name="yes").click()
    expect(page.get_by_text("You made 3 mistakes in 3 rounds")).to_be_visible()
    assert lab.field("bound") == "3"


def test_the_tree_loses_half_its_leaves(lab: Watched) -> None:
    page = lab.show("#game?play=halving")
    left = page.locator("[data-field=left]")
    for size in (8, 4, 2):
        expect(left).to_have_text(str(size))
        expect(page.locator(".leaf:not(.lost)")).to_have_count(size)
        page.get_by_role("button", name="a mistake").click()
    expect(left).to_have_text("1")
    expect(page.locator(".leaf:not(.lost)")).to_have_text("never")
    assert (lab.field("made"), lab.field("bound")) == ("3", "3")


def test_experts_lose_weight_when_they_err(lab: Watched) -> None:
    page = lab.show("#game?play=experts&setting=4")
    for _ in range(2):
        for k in (1, 2, 3):
            page.get_by_role("button", name=f"expert {k}").click()
        page.get_by_role("button", name="Play the round").click()
        expect(page.locator(".expert.errs")).to_have_count(0)
    expect(page.locator(".expert strong")).to_have_text(["1/4", "1/4", "1/4", "1"])
    assert (lab.field("best"), lab.field("total")) == ("0", "7/4")
    assert lab.field("made") == "2"

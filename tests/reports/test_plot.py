from __future__ import annotations

import pytest

from thresher.reports.plot import Canvas, levels, plot, speaks_braille

STRAIGHT = [(0, 0), (100, 10)]
EARLY = [(0, 0), (10, 4), (100, 4)]
SHORT = [(0, 0), (50, 10)]


def test_braille_draws_eight_dots_to_a_character() -> None:
    assert plot([STRAIGHT], Canvas(width=4, height=2)).splitlines() == [
        "10 |  ⡠⠊ a",
        " 0 |⡠⠊",
        "   +----",
        "    0100",
    ]


def test_letters_serve_where_there_is_no_braille() -> None:
    assert plot([STRAIGHT, EARLY], Canvas(10, 4, braille=False)).splitlines() == [
        "10 |        aa a",
        "   |     aaa",
        "   | baaabbbbb b",
        " 0 |aa",
        "   +----------",
        "    0      100",
    ]


@pytest.mark.parametrize("braille", [True, False])
@pytest.mark.parametrize("width", [10, 30, 70])
def test_no_line_is_wider_than_it_may_be(width: int, braille: bool) -> None:
    lines = plot([STRAIGHT, EARLY, SHORT], Canvas(width, 8, braille=braille)).splitlines()
    assert len(lines) == 10
    # The label and the bar to the left, the letters to the right.
    assert max(map(len, lines)) <= 4 + width + 4


def test_a_curve_ends_where_its_learner_left_the_race() -> None:
    assert levels(SHORT, 100, 10, (5, 11)) == [0, 5, 10, None, None]
    assert (
        plot([STRAIGHT, SHORT], Canvas(9, 3, braille=False)).splitlines()[0] == "10 |   bb aaa ab"
    )


def test_without_mistakes_the_curve_lies_on_the_ground() -> None:
    assert plot([[(0, 0), (5, 0)]], Canvas(6, 2, braille=False)).splitlines() == [
        "  |",
        "0 |aaaaaa a",
        "  +------",
        "   0    5",
    ]


def test_each_curve_is_painted_in_its_own_colour() -> None:
    shown = plot([EARLY, STRAIGHT], Canvas(3, 2, braille=False), lambda text, n: f"<{n}{text}>")
    assert "<0a>" in shown
    assert "<1b>" in shown


def test_an_empty_race_is_an_empty_picture() -> None:
    assert plot([[(0, 0)]], Canvas(4, 2, braille=False)).splitlines()[-1] == "   0  0"


@pytest.mark.parametrize(
    ("encoding", "can"),
    [("utf-8", True), ("UTF-16", True), ("latin-1", False), ("no such encoding", False)],
)
def test_the_encoding_decides_about_braille(encoding: str, can: bool) -> None:
    assert speaks_braille(encoding) is can


def test_a_curve_that_rises_too_high_leaves_the_picture_at_the_top() -> None:
    steep = [(0, 0), (100, 1000)]
    assert plot([STRAIGHT, steep], Canvas(10, 3, braille=False), top=10).splitlines()[0] == (
        "10 |       aaa ab"
    )
    assert levels(steep, 100, 10, (101, 11))[:3] == [0, 10, None]

"""Pictures: bounded, escaped, where the numbers say, and free of everything that runs."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.pictures import MOST_POINTS, Bar, Chart, Line, Svg, bars, display, shown, thinned
from thresher.pictures.chart import LINE_HEIGHT, apart, path_of
from thresher.pictures.scale import Scale

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text></svg><script>alert(1)</script>\"'&\x00\x1b\u202e\ud800]]>"

Curves = st.lists(st.integers(-50, 50), min_size=1, max_size=400).map(
    lambda ys: [(float(t), float(y)) for t, y in enumerate(ys)]
)


def height_of(points: list[tuple[float, float]], t: float, *, steps: bool) -> float:
    """How high a curve is, by its definition."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= t < x1:
            return y0 if steps else y0 + (y1 - y0) * (t - x0) / (x1 - x0)
    return points[-1][1]


@given(Curves, st.booleans())
def test_points_that_change_nothing_go_and_the_curve_stays(
    points: list[tuple[float, float]], steps: bool
) -> None:
    few = thinned(points, steps=steps)
    assert set(few) <= set(points)
    for t, _ in points:
        assert height_of(few, t, steps=steps) == pytest.approx(height_of(points, t, steps=steps))


@given(Curves, st.integers(4, 40), st.booleans())
def test_ends_and_extremes_stay_however_few_points_there_may_be(
    points: list[tuple[float, float]], most: int, steps: bool
) -> None:
    few = thinned(points, most, steps=steps)
    assert len(few) <= most
    assert (few[0], few[-1]) == (points[0], points[-1])
    assert few == sorted(few)
    assert max(y for _, y in few) == max(y for _, y in points)
    assert min(y for _, y in few) == min(y for _, y in points)


def test_a_million_points_are_drawn_as_few() -> None:
    wild = [(float(t), float(t * t % 1013)) for t in range(1_000_000)]
    assert len(thinned(wild)) <= MOST_POINTS
    assert len(str(Chart(lines=[Line(points=wild)], title="wild").svg())) < 20_000


def test_a_chart_is_where_its_numbers_are() -> None:
    lines = [
        Line(points=[(0, 0), (50, 10), (100, 40)], label="made", steps=True),
        Line(points=[(0, 80), (100, 80)], label="allowed", dashed=True),
    ]
    picture = ElementTree.fromstring(str(Chart(lines=lines, title="t", room=(0, 1)).svg()))
    made, allowed = (
        path for path in picture.iter(f"{SVG}path") if path.get("stroke-linejoin") == "round"
    )
    assert allowed.get("stroke-dasharray")
    # M left top L right top; and M left bottom, to the right until the step, up, and so on.
    left, top, right, level = map(float, re.findall(r"[\d.]+", str(allowed.get("d"))))
    begun, bottom, half, low, end, high = map(float, re.findall(r"[\d.]+", str(made.get("d"))))
    assert (left, top, right) == (begun, level, end)
    assert half == pytest.approx((left + right) / 2, abs=0.1)
    assert low == pytest.approx(bottom - (bottom - top) / 8, abs=0.1)
    assert high == pytest.approx(bottom - (bottom - top) / 2, abs=0.1)
    said = [text.text for text in picture.iter(f"{SVG}text")]
    assert said[-2:] == ["made", "allowed"]


def test_equal_ratios_take_equal_room_on_a_logarithmic_scale() -> None:
    scale = Scale(1, 10_000, 0, 400, log=True)
    assert [scale(t) for t in (1, 10, 100, 10_000)] == pytest.approx([0, 100, 200, 400])
    assert scale(0) == 0
    assert scale(float("inf")) == 400


@given(st.lists(st.floats(0, 300), max_size=12))
def test_no_name_at_the_end_of_a_line_covers_another(wanted: list[float]) -> None:
    found = sorted(apart(wanted, 0, 300))
    assert all(b - a >= LINE_HEIGHT - 1e-9 for a, b in pairwise(found))
    if LINE_HEIGHT * len(wanted) <= 300:
        assert all(-1e-9 <= y <= 300 + 1e-9 for y in found)


def test_names_of_others_are_text_whatever_is_in_them() -> None:
    pictures = [
        Chart(lines=[Line(points=[(0, 0), (1, 1)], label=HOSTILE)], title=HOSTILE).svg(),
        bars([Bar(HOSTILE, 1.0), Bar(HOSTILE, -2.0)], HOSTILE),
        Svg(1, 1, [], HOSTILE),
    ]
    for picture in pictures:
        for text in (str(picture), picture.inline(), picture._repr_html_()):
            text.encode()
            assert "<script" not in text
            assert not {"\x00", "\x1b", "\u202e"} & set(text)
            ElementTree.fromstring(text)
    page = display(HOSTILE, [(HOSTILE, HOSTILE)])
    assert "<script" not in page
    ElementTree.fromstring(page)


def test_a_name_that_is_too_long_is_cut_and_its_length_said() -> None:
    assert shown("x" * 100_000) == "x" * 80 + "… (100,000 characters)"
    # Marks are written out before they are cut, so that no half of one is left over.
    assert shown("\u202e" * 100_000, 2) == r"\u202e\u202e… (100,000 characters)"


def test_numbers_that_are_none_do_not_break_a_picture() -> None:
    line = Line(points=[(0, 0), (1, float("inf")), (2, 3)])
    assert "nan" not in str(Chart(lines=[line], title="t", top=4).svg())
    assert "nan" not in str(Chart(lines=[], title="empty").svg())
    assert "nan" not in str(Chart(lines=[Line(points=[(0, 0)])], title="one").svg())
    assert path_of([], Scale(0, 1, 0, 1), Scale(0, 1, 0, 1)) == ""


def test_a_picture_is_saved_as_a_document(tmp_path: Path) -> None:
    picture = bars([Bar("odor", 2.0)], "weights")
    picture.save(tmp_path / "w.svg")
    assert ElementTree.parse(tmp_path / "w.svg").getroot().tag == f"{SVG}svg"
    assert (tmp_path / "w.svg").read_text("utf-8") == str(picture) == picture._repr_svg_()


def test_pictures_import_nothing_of_the_house() -> None:
    code = "import sys, thresher.pictures; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith(("thresher.", "numpy"))}
    assert {name for name in loaded if not name.startswith("thresher.pictures")} == set()

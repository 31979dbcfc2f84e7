"""Pictures in pixels: where the SVG says, with words, and refused by name where that cannot be."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from scripts.png import pixels
from tests.cli.running import run
from thresher.errors import MissingPackageError, RequestError
from thresher.pictures import Svg
from thresher.reports.png import painter, png

BLUE = '<rect x="4" y="2" width="10" height="6" fill="#0072b2"/>'


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    painter.cache_clear()
    yield
    painter.cache_clear()


def test_a_shape_is_where_the_svg_says_on_white_twice_as_large() -> None:
    drawn = pixels(png(Svg(20, 10, [BLUE], "a box")))
    expected = np.full((20, 40, 3), 255)
    expected[4:16, 8:28] = (0x00, 0x72, 0xB2)
    assert np.array_equal(drawn, expected)


def test_words_are_written() -> None:
    without = png(Svg(60, 20, [], "nothing"))
    assert png(Svg(60, 20, ['<text x="2" y="15">made</text>'], "nothing")) != without


def test_a_picture_is_saved_as_its_name_ends(tmp_path: Path) -> None:
    picture = Svg(20, 10, [BLUE], "a box")
    for name in ("box.png", "box.PNG", "box.svg"):
        picture.save(tmp_path / name)
    assert (tmp_path / "box.png").read_bytes() == (tmp_path / "box.PNG").read_bytes()
    assert (tmp_path / "box.png").read_bytes() == png(picture)
    assert (tmp_path / "box.svg").read_text("utf-8") == str(picture)


def test_a_race_is_written_as_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text("+1 1:1\n-1 2:1\n" * 20)
    assert run("race", "a.svm", "-o", "race.png", "-q").exit_code == 0
    written = Path("race.png").read_bytes()
    assert written[:8] == b"\x89PNG\r\n\x1a\n"
    assert run("race", "a.svm", "-o", "race.svg", "-q").exit_code == 0
    size = struct.unpack(">II", written[16:24])
    head = Path("race.svg").read_text("utf-8")[:300]
    assert f'width="{size[0] // 2}" height="{size[1] // 2}"' in head


def test_without_the_package_the_extra_is_named_before_the_race(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run("race", "no-such-file.svm", "-o", "race.png")
    assert result.exit_code == 2
    assert "needs the package resvg-py" in result.stderr
    assert "pip install 'thresher[png]'" in result.stderr
    assert not Path("race.png").exists()
    with pytest.raises(MissingPackageError):
        png(Svg(20, 10, []))


def test_a_machine_without_fonts_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    mute = SimpleNamespace(svg_to_bytes=lambda **_: b"the same, with letters or without")
    monkeypatch.setitem(sys.modules, "resvg_py", mute)
    with pytest.raises(RequestError, match="no font"):
        png(Svg(20, 10, []))

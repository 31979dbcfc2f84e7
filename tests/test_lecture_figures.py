"""The figures of the lecture are drawn, and say what the lecture says."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from scripts.lecture_figures import write


def test_every_figure_is_a_picture_that_names_itself(tmp_path: Path) -> None:
    written = write(tmp_path / "figures")
    assert len({path.name for path in written}) == len(written) == 11
    for path in written:
        title = ElementTree.parse(path).find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.text
    text = (tmp_path / "figures" / "perceptron-worst-case.svg").read_text("utf-8")
    assert "20 mistakes in 20 rounds" in text

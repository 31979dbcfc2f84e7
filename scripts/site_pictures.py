"""Pictures of the site that are drawn from tables of its pages, so that the two cannot differ."""

from __future__ import annotations

import re
from pathlib import Path

from thresher.pictures.bars import Bar, bars
from thresher.pictures.svg import Svg

ACCURACY = Path(__file__).parents[1] / "docs" / "accuracy.md"


def write(folder: Path) -> None:
    """Write the pictures into a folder."""
    folder.mkdir()
    ratios().save(folder / "accuracy.svg")


def ratios() -> Svg:
    """The Committee's error over that of the best peer, on every real file."""
    table = ACCURACY.read_text("utf-8").partition("<!-- real files -->")[2].partition("<!--")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[1:]]
    found = [
        Bar(f"{row[0]}, next to {row[5]}", float(row[7]))
        for row in rows
        if len(row) == 8 and re.fullmatch(r"\d\.\d+", row[7])
    ]
    return bars(found, "error of the Committee over that of the best peer", width=640)

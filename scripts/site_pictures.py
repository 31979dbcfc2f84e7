"""Pictures of the site that are drawn from tables of its pages, so that the two cannot differ."""

from __future__ import annotations

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
    block = ACCURACY.read_text("utf-8").partition("<!-- real files -->")[2]
    # The first table; below it, the same sets are next to every learner.
    head, _, *lines = block.strip().partition("\n\n")[0].splitlines()
    rows = [dict(zip(_cells(head), _cells(line), strict=True)) for line in lines]
    found = [Bar(f"{row['set']}: {row['best peer']}", float(row["ratio"])) for row in rows]
    return bars(found, "error of the Committee over that of the best peer", width=640)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]

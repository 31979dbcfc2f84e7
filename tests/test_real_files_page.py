"""The figures of `docs/real-files.md` agree with one another."""

from __future__ import annotations

import re
from math import exp, log
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs/real-files.md").read_text("utf-8")
LINES = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]


def percent(cell: str) -> float:
    return float(cell.removesuffix("%"))


@pytest.mark.parametrize(("whom", "last"), [("without an option", 7), ("at its best", 11)])
def test_the_words_say_what_the_table_says(whom: str, last: int) -> None:
    ratios = {}
    for name, _, _, ours, *cells in LINES:
        theirs = [percent(cell) for cell in [cells[2], *cells[5:]][: last - 6] if cell != "-"]
        ratios[name] = percent(ours) / min(theirs)
    said = re.search(
        rf"next to Vowpal Wabbit {whom}: at or below on (\d+) of (\d+) files; ratio ([\d.]+) on "
        r"average, ([\d.]+) at worst \((.*)\)",
        PAGE,
    )
    assert said is not None
    assert int(said[1]) == sum(ratio <= 1.0 for ratio in ratios.values())
    assert int(said[2]) == len(ratios)
    # Errors are printed to 0.01 percent, and some are 0.2.
    assert float(said[3]) == pytest.approx(
        exp(sum(map(log, ratios.values())) / len(ratios)), rel=0.01
    )
    assert float(said[4]) == pytest.approx(max(ratios.values()), rel=0.01)
    assert ratios[said[5]] == max(ratios.values())


def test_files_that_stopped_are_listed_with_their_option() -> None:
    stopped = re.findall(r"^\* (`.*?`)[:,]", PAGE.partition("these stopped:")[2], flags=re.M)
    with_option = [line[0] for line in LINES if " with `" in line[0] or line[3] == "-"]
    assert [name.split("`")[1] for name in with_option] == [name.strip("`") for name in stopped]

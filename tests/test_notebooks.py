"""The notebooks of the lectures are those of the tutorial, and run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.write_notebooks import LECTURES, written

NOTEBOOKS = written()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_what_the_tutorial_says(path: Path) -> None:
    assert path.read_text("utf-8") == NOTEBOOKS[path], "run: python -m scripts.write_notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_run(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))
    codes = [cell["source"] for cell in document["cells"] if cell["cell_type"] == "code"]
    assert len(codes) >= 2
    known: dict[str, Any] = {}
    for code in codes:
        exec(compile(code, path.name, "exec"), known)
    assert "th" in known


def test_every_numbered_section_is_in_some_lecture() -> None:
    assert {number for sections in LECTURES.values() for number in sections} == set(range(1, 10))

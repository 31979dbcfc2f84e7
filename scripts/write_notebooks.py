"""Write docs/notebooks: a notebook for each lecture, from the sections of the tutorial.

The tutorial's examples are tests, so what the cells say is so; a test runs the cells as well.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "notebooks"
#: The notebooks, and the sections of docs/tutorial-lecture.md that each has.
LECTURES = {
    "perceptron": (1, 5),
    "winnow": (1, 3, 4),
    "experts": (2, 6),
    "adversaries": (1, 7),
    "noise": (8, 9),
}
_EXAMPLE = re.compile(r"```python\n(.*?)```\n", re.S)


def notebook(title: str, sections: tuple[int, ...]) -> dict[str, Any]:
    """The notebook in nbformat 4, without outputs."""
    head, *parts = re.split(r"^## ", (DOCS / "tutorial-lecture.md").read_text("utf-8"), flags=re.M)
    chosen = [part for part in parts if part[0].isdigit() and int(part[0]) in sections]
    cells = [_text(f"# {title.capitalize()}"), *_cells(head.partition("\n\n")[2])[1:]]
    for part in chosen:
        cells += _cells(re.sub(r"^\d+\. ", "## ", part))
    for number, cell in enumerate(cells):
        cell["id"] = f"{title}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _cells(text: str) -> list[dict[str, Any]]:
    """Prose and examples by turns; frames of the lab are left to the site."""
    found = []
    for place, piece in enumerate(_EXAMPLE.split(re.sub(r"<iframe.*?</iframe>\n", "", text))):
        if place % 2:
            lines = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", piece, re.M)
            code: dict[str, Any] = {
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
            }
            found.append(code | {"source": "\n".join(lines)})
        elif piece.strip():
            found.append(_text(piece.strip()))
    return found


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def written() -> dict[Path, str]:
    """Every notebook and its text."""
    return {
        FOLDER / f"{title}.ipynb": json.dumps(notebook(title, sections), indent=1) + "\n"
        for title, sections in LECTURES.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")

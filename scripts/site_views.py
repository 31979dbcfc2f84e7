"""Views of the lab for the pages of the site: recorded runs, each in one file that asks nobody."""

from __future__ import annotations

from pathlib import Path

from thresher.lab import step
from thresher.lab.saved_page import saved_page
from thresher.lab.shelf import Shelf

#: The name of the file, the stream, the learners, and the round that is shown first.
VIEWS = {
    "mushrooms": ("mushrooms", ("winnow", "perceptron", "elimination"), 346),
    "disjunction": (
        "disjunctions:n_features=100,r=3,active=30,rows=400",
        ("winnow", "perceptron", "elimination"),
        20,
    ),
    "circle": ("circle:inverse_margin_squared=20.5", ("perceptron",), 10),
}


def write(folder: Path) -> None:
    """Write a file for each view."""
    folder.mkdir(parents=True)
    shelf = Shelf()
    for name, (stream, learners, at) in VIEWS.items():
        runs = [shelf.run(stream, learner) for learner in learners]
        overview = step.overview(runs[0].stream, runs)
        data = {"overview": overview, "view": f"t={at}", **step.saved(runs, at)}
        page = saved_page(runs[0].stream.title, data)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")

"""Views of the lab for the pages of the site: recorded runs, each in one file that asks nobody."""

from __future__ import annotations

import json
import shutil
from doctest import DocTestParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.site_lab import RUNS
from thresher.lab import step
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.saved_page import saved_page
from thresher.lab.shelf import Shelf
from thresher.lab.your_data import given

DOCS = Path(__file__).parents[1] / "docs"

#: The stream, the learners, and the round that is shown first, by the name of the file.
VIEWS = {
    "mushrooms": ("mushrooms", ("winnow", "perceptron", "elimination"), 346),
    "disjunction": (
        "disjunctions:n_features=100,r=3,active=30,rows=400",
        ("winnow", "perceptron", "elimination"),
        20,
    ),
    "circle": ("circle:inverse_margin_squared=20.5", ("perceptron",), 10),
}


#: The files of two tutorials, each with what has to be said of it.
FILES = {
    "messages.jsonl": ({"positive": "spam"}, ("winnow", "perceptron", "arow"), 30),
    "applicants.csv": ({"label_field": "risk", "positive": "bad"}, ("arow", "perceptron"), 40),
}
#: Messages of the tutorial that are shown.
MESSAGES = 400


def write(folder: Path) -> None:
    """Write a file for each view, and one for each theorem that the lab can show."""
    folder.mkdir(parents=True)
    shelf = Shelf()
    for name, (stream, learners, at) in VIEWS.items():
        _write(folder / f"{name}.html", [shelf.run(stream, one) for one in learners], at)
    for name, (stream, learner) in RUNS.items():
        run = shelf.run(stream, learner)
        _write(folder / f"{name}.html", [run], step.next_mistake(run, 0, 1))
    with TemporaryDirectory() as made:
        shutil.copy(DOCS / "first-model" / "applicants.csv", made)
        Path(made, "messages.jsonl").write_text(_messages(), encoding="utf-8")
        for name, (said, learners, at) in FILES.items():
            key = Path(name).stem
            given(shelf, str(Path(made, name)), name, said, key)
            _write(folder / f"{key}.html", [shelf.run(f"file:{key}", one) for one in learners], at)


def _write(path: Path, runs: list[RecordedRun], at: int) -> None:
    overview = step.overview(runs[0].stream, runs)
    # As an address of the page has it; the first learner is the one that is looked at.
    data = {"overview": overview, "view": f"#step?t={at}&on=1", **step.saved(runs, at)}
    path.write_text(saved_page(runs[0].stream.title, data), encoding="utf-8")


def _messages() -> str:
    """The stream of the tutorial about spam, made by the tutorial's own examples."""
    known: dict[str, Any] = {}
    for example in DocTestParser().get_examples((DOCS / "tutorial-spam.md").read_text("utf-8")):
        exec(example.source, known)
        if "stream" in known:
            break
    rows = ({"label": label, **words} for words, label in known["stream"][:MESSAGES])
    return "".join(json.dumps(row) + "\n" for row in rows)

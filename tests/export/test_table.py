"""The table of exports in docs/exports.md is true, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher.errors import ExportError
from thresher.export import FORMS, exported
from thresher.learners.base.learner import Learner
from thresher.models.model import Model
from thresher.streams.recipe import Recipe

PAGE = Path(__file__).parents[2] / "docs" / "exports.md"
KINDS: dict[str, Learner] = {
    "linear, two classes": th.Winnow(4, threshold=2),
    "linear, several": th.OneVersusRest(th.AROW(4)),
    "Committee": th.Committee(4),
    "Committees, several": th.OneVersusRest(th.Committee(4)),
    "rows scaled by length": th.AROW(4, bias=True, scaling="l2"),
    "online scaling": th.AROW(4, bias=True, scaling="online"),
    "pairs of features": th.Winnow(4, threshold=2, names=th.Vocabulary()),
    "probabilities": th.Calibrated(th.Winnow(4, threshold=2)),
}
#: Which file of the tests has who runs a form.
RUN_BY = {
    "Python, read back": "test_forms.py",
    "Python, by the formulas below": "runners.py",
    "GCC, as C99 without a warning": "runners.py",
    "QuickJS": "runners.py",
    "ONNX Runtime": "test_onnx.py",
    "SQLite, PostgreSQL and DuckDB, the same text": "databases.py",
    "Python, and SQLite with `--reach`": "test_rules.py",
}


def table() -> list[dict[str, str]]:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    first = next(k for k, line in enumerate(lines) if line.startswith("| form |"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first:]]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2 : 2 + len(FORMS)]]


def test_every_form_has_its_line() -> None:
    assert [row["form"].strip("`") for row in table()] == list(FORMS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("row", table(), ids=lambda row: row["form"])
def test_what_is_said_to_be_exported_is_and_the_rest_refused(
    row: dict[str, str], kind: str
) -> None:
    learner = KINDS[kind].copy()
    table, labels = np.eye(4), [-1, 1, -1, -1]
    learner.learn(table, [f"class {y}" for y in labels] if learner.several else labels)
    model, form = Model(learner=learner), row["form"].strip("`")
    if kind == "pairs of features":
        model.recipe = Recipe(pairs=("all",))
    if kind == "probabilities":
        # Who cannot say how probable a label is exports the rest.
        assert row[kind] == ("yes" if b"probab" in exported(model, form).content else "no")
    elif row[kind] == "yes":
        assert exported(model, form).content
    else:
        assert row[kind] == "no"
        with pytest.raises(ExportError):
            exported(model, form)


@pytest.mark.parametrize("row", table(), ids=lambda row: row["form"])
def test_who_runs_a_form_is_in_the_tests(row: dict[str, str]) -> None:
    text = (Path(__file__).parent / RUN_BY[row["run in the tests by"]]).read_text("utf-8")
    words = {
        "text": "to_text", "json": "InJson", "c": '"gcc", *STRICT', "js": "quickjs",
        "onnx": "onnxruntime", "sql": "import duckdb", "rule": "rule_to_sql",
    }  # fmt: skip
    assert words[row["form"].strip("`")] in text

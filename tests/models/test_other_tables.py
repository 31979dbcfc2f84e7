"""A model of a table, and tables with other columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

ROWS = [(k % 2, k % 5, "pqr"[k % 3]) for k in range(60)]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "old.csv").write_text(
        "label,x,kind\n" + "".join(f"{y},{x},{kind}\n" for y, x, kind in ROWS)
    )
    assert run("train", tmp_path / "old.csv", "-o", tmp_path / "m.thr").exit_code == 0
    return tmp_path / "m.thr"


@pytest.mark.parametrize("format_", ["csv", "tsv"])
def test_columns_that_the_model_has_not_seen_change_nothing(model: Path, format_: str) -> None:
    """A number of an order, say, or the label under another name."""
    mark = "," if format_ == "csv" else "\t"
    new = model.with_name(f"new.{format_}")
    lines = [("id", "kind", "x", "answer"), *((1e6 + x, kind, x, y) for y, x, kind in ROWS)]
    new.write_text("".join(mark.join(map(str, line)) + "\n" for line in lines))
    found = run("predict", model, new, "--scores")
    assert found.stdout == run("predict", model, model.with_name("old.csv"), "--scores").stdout
    assert "has not learned from columns 'id' and 'answer', and they are not read" in found.stderr


def test_the_label_may_have_another_name_in_a_test(model: Path) -> None:
    old = model.with_name("old.csv")
    new = model.with_name("new.csv")
    new.write_text(old.read_text().replace("label", "answer", 1))
    found = run("test", model, new, "--label-field", "answer")
    assert found.exit_code == 0
    assert found.stdout == run("test", model, old).stdout
    assert "not read" not in found.stderr


def test_a_column_that_is_missing_is_an_error(model: Path) -> None:
    new = model.with_name("new.csv")
    new.write_text("kind\np\n")
    assert "no column 'x'" in run("predict", model, new).stderr


def test_going_on_takes_columns_that_are_new(model: Path) -> None:
    new = model.with_name("new.csv")
    new.write_text("label,x,kind,more\n" + "".join(f"{y},{x},{kind},1\n" for y, x, kind in ROWS))
    done = run("train", new, "--resume", model, "-o", model.with_name("n.thr"))
    assert done.exit_code == 0
    assert "not read" not in done.stderr

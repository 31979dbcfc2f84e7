"""A model of a table, and tables with other columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
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


def write_objects(path: Path, objects: list[dict[str, Any]]) -> None:
    """Objects as lines of JSON, or as a table."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(one) + "\n" for one in objects))
        return
    table = pyarrow.Table.from_pylist(objects)
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        with pyarrow.ipc.new_file(path, table.schema) as file:
            file.write_table(table)


OLD: list[dict[str, Any]] = [
    {"label": y, "x": x, "kind": kind, "a=b": x + 1, "tags": ["p.q", kind], "on": x > 2}
    for y, x, kind in ROWS
]


@pytest.fixture(params=["jsonl", "parquet", "arrow"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    write_objects(tmp_path / f"old.{request.param}", OLD)
    return tmp_path / f"old.{request.param}"


def changed(objects: list[dict[str, Any]], late: int = 0) -> list[dict[str, Any]]:
    """The objects with a number of an order, and the label under another name."""
    found: list[dict[str, Any]] = []
    for k, one in enumerate(objects):
        rest = {name: one[name] for name in one if name != "label"}
        found.append({"id": 1e6 + k, **rest, "answer": one["label"]} if k >= late else rest)
    return found


@pytest.mark.parametrize("late", [0, 50])
def test_fields_that_the_model_has_not_seen_change_nothing(old: Path, late: int) -> None:
    model, new = old.with_name("m.thr"), old.with_name(f"new{old.suffix}")
    assert run("train", old, "-o", model).exit_code == 0
    write_objects(new, changed(OLD, late if old.suffix == ".jsonl" else 0))
    expected = run("predict", model, old, "--scores").stdout
    for size in (10**6, 300):
        found = run("predict", model, new, "--scores", "--chunk-bytes", size)
        assert found.stdout == expected
    tested = run("test", model, new, "--label-field", "answer")
    if late == 0:
        said = "has not learned from columns 'answer' and 'id'"
        assert said in found.stderr.replace("'id' and 'answer'", "'answer' and 'id'")
        assert tested.exit_code == 0
        assert tested.stdout == run("test", model, old).stdout


def test_with_several_classes_too(old: Path) -> None:
    model, new = old.with_name("m.thr"), old.with_name(f"new{old.suffix}")
    objects = [one | {"label": "abc"[k % 3]} for k, one in enumerate(OLD)]
    write_objects(old, objects)
    assert run("train", old, "-o", model).exit_code == 0
    write_objects(new, changed(objects))
    expected = run("predict", model, old, "--scores").stdout
    assert run("predict", model, new, "--scores").stdout == expected


def test_a_model_that_is_asked_to_go_on_takes_fields_that_are_new(old: Path) -> None:
    model, again = old.with_name("m.thr"), old.with_name("n.thr")
    assert run("train", old, "-o", model).exit_code == 0
    new = old.with_name(f"new{old.suffix}")
    write_objects(new, [one | {"more": one["x"] + 1.0} for one in OLD])
    assert run("train", new, "--resume", model, "-o", again).exit_code == 0
    assert "more" in run("inspect", again).stdout
    # From here on it is a field like others.
    scores = [run("predict", again, path, "--scores").stdout for path in (old, new)]
    assert scores[0] != scores[1]


def test_features_apart_are_read_whatever_their_names_are(tmp_path: Path) -> None:
    """Words, say: a text is as long as all its words are."""
    old, model, new = (tmp_path / name for name in ("old.jsonl", "m.thr", "new.jsonl"))
    rows: list[dict[str, Any]] = [
        {"label": y, "features": {f"w{x}": 1, kind: 1}} for y, x, kind in ROWS
    ]
    write_objects(old, rows)
    assert run("train", old, "-o", model).exit_code == 0
    write_objects(new, [one | {"features": {**one["features"], "new": 1}} for one in rows])
    scores = [run("predict", model, path, "--scores") for path in (old, new)]
    assert scores[0].stdout != scores[1].stdout
    assert "not read" not in scores[1].stderr


def test_a_model_of_a_table_reads_objects_with_its_columns(model: Path) -> None:
    new = model.with_name("new.jsonl")
    write_objects(new, [{"label": y, "id": 7, "x": x, "kind": kind} for y, x, kind in ROWS])
    found = run("predict", model, new, "--scores")
    assert found.stdout == run("predict", model, model.with_name("old.csv"), "--scores").stdout

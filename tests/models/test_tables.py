"""A frame gives a model the rows that a file with the same table gives it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import thresher as th
from thresher.errors import UnsoundBatchError


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    size, zip_code = rng.normal(size=80).round(3), rng.integers(53111, 53115, 80)
    frame = pd.DataFrame({"number": np.arange(80), "size": size, "zip": zip_code})
    frame["colour"] = rng.choice(["red", "blue", ""], 80)
    frame["seen"] = rng.choice([1.0, 0.0, np.nan], 80)
    frame["label"] = np.where((size > 0) ^ (zip_code == 53112), "yes", "no")
    frame.to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


def answers(model: th.Model, data: Any) -> list[float]:
    scores: list[float] = model.predict_proba(data)[:, 1].tolist()
    return scores


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_frame_is_answered_as_the_file_is(table: Path, ending: str) -> None:
    plain = pd.read_csv(table)
    path = table.with_suffix(f".{ending}")
    if ending == "parquet":
        plain.to_parquet(path)
    if ending == "jsonl":
        plain.to_json(path, orient="records", lines=True)
    texts: Any = {"ignored": ["number"], "categorical": ["zip"]} if ending == "csv" else {}
    model = th.train(path, **texts)
    said = answers(model, path)
    assert len({*said}) > 40
    assert answers(model, plain) == said
    assert answers(model, pl.DataFrame(plain)) == said
    assert answers(model, plain[plain.columns[::-1]].assign(other=7.5)) == said
    assert model.test(plain, plain["label"]).mistakes == model.test(path).mistakes


def test_pairs_of_columns_are_made_of_a_frame(table: Path) -> None:
    model = th.train(table, pairs=["size,colour"])
    assert answers(model, pd.read_csv(table)) == answers(model, table)


def test_a_table_without_names_or_without_a_column_is_refused(table: Path) -> None:
    plain = pd.read_csv(table)
    model = th.train(table)
    with pytest.raises(UnsoundBatchError, match=r"have no names, and the model knows .* by name"):
        model.predict(np.ones((2, 5)))
    with pytest.raises(UnsoundBatchError, match="without the column 'size'"):
        model.predict(plain.drop(columns="size"))
    with pytest.raises(UnsoundBatchError, match="column 'size' holds other things than numbers"):
        model.predict(plain.assign(size="large"))


def test_columns_by_number_stay_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 0:1\n-1 1:1\n" * 20)
    (tmp_path / "a.csv").write_text("label,0,1\n1,1,0\n-1,0,1\n" * 20)
    for name in ("a.svm", "a.csv"):
        model = th.train(tmp_path / name, "perceptron")
        assert model.predict(np.eye(2)).tolist() == ["1", "-1"]
        frame = pd.DataFrame(np.eye(2), columns=["0", "1"])
        assert model.predict(frame).tolist() == ["1", "-1"]


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_a_column_by_number_is_read_beside_columns_by_name(tmp_path: Path, ending: str) -> None:
    plain = pd.DataFrame({"label": ["yes", "no"] * 20, "size": [1.5, -1.5, 0.5, 1.0] * 10})
    plain["7"] = [0.25, 1.25, 2.0, 0.0] * 10
    path = tmp_path / f"table.{ending}"
    if ending == "parquet":
        plain.to_parquet(path)
    else:
        plain.to_json(path, orient="records", lines=True)
    model = th.train(path)
    assert 7 in model.rows(plain[:1])[0]
    assert answers(model, plain) == answers(model, path)


def test_what_is_missing_is_missing_whatever_the_column_is_made_of(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    plain = pd.DataFrame({"label": ["yes", "no"] * 20, "size": [1.5, -1.5, 0.5, 1.0] * 10})
    plain["member"] = pd.array([True, False, None, False] * 10, "boolean")
    plain["zip"] = pd.array([53111, None, 53112, 53113] * 10, "Int64")
    plain.to_csv(path, index=False)
    model = th.train(path, categorical=["zip"])
    said = answers(model, path)
    assert answers(model, plain) == said
    assert answers(model, plain.astype(object)) == said
    unknown = pd.DataFrame([{"size": None, "member": None, "zip": None}])
    assert model.rows(unknown)[0] == {}
    assert len(model.predict(unknown[:0])) == 0

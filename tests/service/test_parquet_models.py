"""A model of Parquet is served rows in JSON that make the rows of its files, to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.running import run
from tests.service.conftest import service_on
from tests.service.kinds import tables
from thresher.models.file import load_model


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A table with numbers, texts, truth values and lists; some are missing."""
    flat = [row["features"] | {"income": row["label"]} for row in rows]
    pq.write_table(pa.Table.from_pylist(flat), path)
    return path


def rows_of(count: int, seed: int) -> list[dict[str, Any]]:
    rows = tables(count, seed)
    for k, row in enumerate(rows):
        row["features"] |= {"age": float(k % 7), "old": k % 2 == 0, "zip": 1000 + k % 3}
        row["features"]["tags"] = [None, ["a"], ["a", "b"]][k % 3]
    return rows


@pytest.mark.parametrize("names", [("--bits", "10"), ("--vocabulary",)], ids=["hashed", "kept"])
@pytest.mark.parametrize("columns", [(), ("--categorical", "zip", "--ignore", "size")],
                         ids=["plain", "told"])  # fmt: skip
def test_rows_in_json_are_those_of_parquet(
    tmp_path: Path, names: tuple[str, ...], columns: tuple[str, ...]
) -> None:
    file, other = tmp_path / "m.thr", rows_of(30, 3)
    data = [written(tmp_path / f"{k}.parquet", rows_of(60, k)) for k in (1, 2)]
    words = ("--label-field", "income", *columns, *names)
    made = run("train", data[0], "-o", file, "-q", *words)
    assert made.exit_code == 0, made.output
    with service_on(tmp_path / "store") as service:
        headers = {"content-type": "application/octet-stream"}
        put = service.put("/v1/models/m", content=file.read_bytes(), headers=headers)
        assert put.status_code == 201, put.text
        asked = [{"features": row["features"]} for row in other]
        found = service.post("/v1/models/m/predict", json=asked).json()
        done = run("predict", file, written(tmp_path / "o.parquet", other), "--json", "-q")
        wanted = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["score"] for one in found] == [one["score"] for one in wanted]
        answer = service.post("/v1/models/m/learn", json=rows_of(60, 2))
        assert answer.status_code == 200, answer.text
        resumed = run("train", data[1], "-o", tmp_path / "b.thr", "-q", "--resume", file)
        assert resumed.exit_code == 0, resumed.output
        assert (
            service.models["m"].live.champion.model.learner
            == load_model(tmp_path / "b.thr").learner
        )
        shadow = service.put("/v1/models/m/shadow", json={"learner": "arow", "bits": 8})
        assert shadow.status_code == (422 if columns else 201), shadow.text
        csv = service.post("/v1/models/m/predict", content=b"age\n1\n",
                           headers={"content-type": "text/csv"})  # fmt: skip
        assert csv.status_code == 415

"""Damaged Parquet: told by its checksums, in our words, with the row group; never other rows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher as th
from thresher.errors import FormatError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

N_ROWS = 3000


def _objects(n_rows: int = N_ROWS) -> list[dict[str, Any]]:
    made = random.Random(1)
    return [
        {
            "label": made.choice(["spam", "ham"]),
            "age": made.randrange(90),
            "size": made.choice([None, made.random(), -1e-300, 5e99]),
            "colour": made.choice(["red", "blue", "", None, "grün"]),
            "new": made.choice([True, False, None]),
        }
        for _ in range(n_rows)
    ]


def _rows(path: Path) -> list[Any]:
    stream = read_stream(
        path, names=NameTable(2**20, True), recipe=Recipe(format="parquet"), scheme=None
    )
    found: list[Any] = []
    for chunk in stream.chunks():
        label = [stream.label_names[k] if k >= 0 else None for k in chunk.label.tolist()]
        found.append((label, chunk.rows.column.tolist(), chunk.rows.value.tolist()))
    return found


def _written(path: Path, by: str) -> None:
    table = pa.Table.from_pylist(_objects())
    if by == "pyarrow":
        pq.write_table(table, path, row_group_size=700, write_page_checksum=True)
    else:
        plain = path.with_suffix(".plain.parquet")
        pq.write_table(table, plain)
        th.convert(plain, path)


@pytest.mark.parametrize("by", ["pyarrow", "thresher"])
def test_a_flipped_bit_is_never_read_as_other_rows(by: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    _written(path, by)
    good, data = _rows(path), path.read_bytes()
    flips = random.Random(by)
    outcomes = {"error": 0, "same": 0}
    told: set[str] = set()
    for _ in range(400):
        flipped = bytearray(data)
        flipped[flips.randrange(len(data))] ^= 1 << flips.randrange(8)
        path.write_bytes(flipped)
        try:
            assert _rows(path) == good
            outcomes["same"] += 1
        except ThresherError as error:
            told.add(str(error))
            outcomes["error"] += 1
    assert outcomes["error"] > 300
    assert [text for text in told if "rows.parquet" not in text or "\n" in text] == []


def test_a_damaged_page_is_told_with_its_row_group(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(
        pa.Table.from_pylist(_objects()), path, row_group_size=700, write_page_checksum=True
    )
    groups = pq.ParquetFile(path).metadata
    data = bytearray(path.read_bytes())
    chunk = groups.row_group(2).column(1)
    data[chunk.data_page_offset + chunk.total_compressed_size // 2] ^= 4
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"damaged, .*in row group 2: .*CRC") as told:
        _rows(path)
    assert str(told.value).endswith("1400 rows came before.")


def test_names_that_are_no_text_are_told_and_not_traced_back(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    table = pa.table({"label": ["a", "b"], "NAME": [1, 2]})
    pq.write_table(table, path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"NAME", b"\xff\xfeME"))
    with pytest.raises(FormatError, match=r"rows.parquet: damaged, or not parquet"):
        _rows(path)


def test_a_column_that_changed_its_name_in_one_place_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"label": ["a", "b"], "name": [1, 2]}), path)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"name", b"nama", 1) if data.count(b"name") else data)
    with pytest.raises(FormatError, match="called one thing in one place"):
        _rows(path)


@pytest.mark.parametrize("cut", [0, 3, 8, 100, 1000, -1, -7, -500])
def test_half_a_file_is_refused(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    _written(path, "pyarrow")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ThresherError, match=r"rows.parquet"):
        _rows(path)


def test_what_is_read_is_what_polars_reads(tmp_path: Path) -> None:
    # Another implementation of Parquet, for both directions.
    objects = _objects(500)
    theirs, ours = tmp_path / "theirs.parquet", tmp_path / "ours.parquet"
    polars.DataFrame(objects, infer_schema_length=None).write_parquet(theirs, row_group_size=90)
    by_arrow = tmp_path / "arrow.parquet"
    pq.write_table(pa.Table.from_pylist(objects), by_arrow)
    assert _rows(theirs)[0][0][:5] == [row["label"] for row in objects[:5]]
    assert _joined(_rows(theirs)) == _joined(_rows(by_arrow))
    th.convert(by_arrow, ours)
    read = polars.read_parquet(ours)
    assert read["label"].to_list() == [row["label"] for row in objects]
    for said, row in zip(read["features"].to_list(), objects, strict=True):
        expected: dict[str, float] = {}
        for name in ("age", "size", "new"):
            if row[name] not in (None, 0, False):
                expected[name] = float(row[name])
        if row["colour"]:
            expected[f"colour={row['colour']}"] = 1.0
        assert said == expected


def _joined(parts: list[Any]) -> tuple[list[Any], list[int], list[float]]:
    label, column, value = zip(*parts, strict=True)
    return (
        [name for part in label for name in part],
        list(np.concatenate(column)),
        list(np.concatenate(value)),
    )

"""Parquet and Arrow tables: a row is an object, as a line of JSON is."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st

from tests.streams.examples import read_examples
from thresher.errors import FormatError, MissingPackageError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.formats import arrow
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

NAMES = NameTable(2**18, True)
ROWS: list[dict[str, Any]] = [
    {"label": "spam", "age": 31, "size": 0.5, "colour": "red", "new": True, "tags": ["a", "b"]},
    {"label": "ham", "age": 0, "size": None, "colour": "", "new": False, "tags": []},
    {"label": None, "age": None, "size": 1e-300, "colour": None, "new": None, "tags": None},
]


def written(folder: Path, table: Any, kind: str) -> Path:
    path = folder / f"some.{kind}"
    if kind == "parquet":
        pa.parquet.write_table(table, path, row_group_size=2)
    elif kind == "arrow":
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=2)
    else:
        with pa.ipc.new_stream(path, table.schema) as file:
            file.write_table(table, max_chunksize=2)
    return path


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_a_table_is_read_as_the_same_objects_in_json(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "BATCH_ROWS", 2)
    path = written(tmp_path, pa.Table.from_pylist(ROWS), kind)
    lines = tmp_path / "some.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    stream, *found = read_examples(path)
    assert found == list(read_examples(lines)[1:])
    (record,) = stream.sources
    assert record.digest == f"blake3:{blake3(path.read_bytes()).hexdigest()}"
    assert record.n_bytes == path.stat().st_size


def test_types_that_json_lacks(tmp_path: Path) -> None:
    table = pa.table(
        {
            "label": pa.array([1, 0], "int8"),
            "word": pa.array(["free", "cash"]).dictionary_encode(),
            "price": pa.array([1, 2], pa.decimal128(5, 2)),
            "gap": pa.array([float("nan"), 2.5]),
            "7": pa.array([3, 4], "uint64"),
            "more": pa.array([[("x", 1.5)], []], pa.map_(pa.string(), pa.float64())),
            "inner": pa.array([{"p": 1}, None], pa.struct([("p", pa.int32())])),
            "void": pa.nulls(2),
        }
    )
    _, rows, labels, _ = read_examples(written(tmp_path, table, "parquet"))
    assert rows == [
        row({"word=free": 1, "price": 1, "more.x": 1.5, "inner.p": 1}, {7: 3.0}),
        row({"word=cash": 1, "price": 2, "gap": 2.5}, {7: 4.0}),
    ]
    assert labels == ["1", "0"]


def row(named: dict[str, float], plain: dict[int, float]) -> dict[int, float]:
    columns = {int(NAMES.column_of(name) or 0): float(value) for name, value in named.items()}
    return dict(sorted((columns | plain).items()))


def test_the_recipe_says_what_a_column_is(tmp_path: Path) -> None:
    table = pa.table({"label": [1], "zip": [89073], "size": ["4.5"], "when": [b"\x00"]})
    recipe: dict[str, Any] = {"categorical": ("zip",), "numeric": ("size",), "ignored": ("when",)}
    path = written(tmp_path, table, "parquet")
    assert read_examples(path, **recipe)[1] == [row({"zip=89073": 1, "size": 4.5}, {})]
    with pytest.raises(FormatError, match="the column 'when' holds binary, which is no feature"):
        read_examples(path)


def test_an_infinite_value_is_a_bad_line(tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"label": [1, 1], "a": [1.0, float("inf")]}), "parquet")
    policy = BadLinePolicy("skip")
    rows = [len(c.rows) for c in read_stream(path, names=NAMES, bad=policy).chunks()]
    assert sum(rows) == 1
    assert str(policy.first) == f"{path}:2: found inf at $.a, expected a finite number"


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_a_damaged_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, pa.Table.from_pylist(ROWS), kind)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FormatError, match="damaged, or not"):
        read_examples(path)


def test_parquet_cannot_come_from_a_pipe(tmp_path: Path) -> None:
    path = written(tmp_path, pa.Table.from_pylist(ROWS), "parquet")
    stream = read_stream(path, names=NAMES)
    assert stream._waiting is not None
    stream._waiting.size = None
    with pytest.raises(FormatError, match="cannot be read from a pipe"):
        list(stream.chunks())


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_standard_input_may_be_a_file_of_tables(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, pa.Table.from_pylist(ROWS), kind)
    convert = [sys.executable, "-m", "thresher", "convert", "--to", "json", "-q", "-o", "-"]
    there = subprocess.run([*convert, str(path)], capture_output=True, check=True)
    with path.open("rb") as file:
        here = subprocess.run([*convert, "-"], stdin=file, capture_output=True, check=True)
    assert here.stdout == there.stdout != b""
    piped = subprocess.run([*convert, "-"], input=path.read_bytes(), capture_output=True)
    if kind == "arrows":
        assert piped.stdout == there.stdout
    else:
        assert piped.returncode == 2
        assert b"cannot be read from a pipe, for it begins at its end" in piped.stderr


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'thresher\[parquet\]'"):
        arrow.Arrow(Recipe(), NAMES)


cells = {
    "string": st.sampled_from(["red", "", "blue", "ä", None]),
    "int64": st.sampled_from([0, 1, -7, 2**60 + 1, None]),
    "uint64": st.sampled_from([0, 2**64 - 1, None]),
    "float64": st.sampled_from([0.0, -0.0, 0.1, float("nan"), float("inf"), None]),
    "float32": st.sampled_from([0.5, 0.10000000149011612, None]),
    "bool": st.sampled_from([True, False, None]),
    "null": st.none(),
    "large_string": st.sampled_from(["x", None]),
}
names = st.sampled_from(["label", "a", "7", "a=x", "weight", "features", "30"])


@given(st.data())
def test_columns_are_read_as_the_same_objects_row_by_row(data: st.DataObject) -> None:
    """The fast way and the slow way, on any table of scalars."""
    n_rows = data.draw(st.integers(0, 6))
    columns = {}
    for name in data.draw(st.lists(names, unique=True, max_size=5)):
        kind = data.draw(st.sampled_from(sorted(cells)))
        drawn = data.draw(st.lists(cells[kind], min_size=n_rows, max_size=n_rows))
        columns[name] = pa.array(drawn, getattr(pa, "bool_" if kind == "bool" else kind)())
    strongest = data.draw(st.booleans())
    _compare(pa.record_batch(columns) if columns else pa.record_batch({"a": []}), strongest)


@given(
    st.lists(
        st.tuples(
            st.lists(st.tuples(st.sampled_from(["a", "b", "7", "30"]), st.floats(width=32))),
            st.sampled_from([1.0, 2.5, -1.0, None]),
            st.sampled_from(["spam", "", None]),
        ),
        max_size=5,
    )
)
def test_maps_are_read_as_the_same_objects_row_by_row(rows: list[Any]) -> None:
    features, weights, labels = ([row[k] for row in rows] for k in range(3))
    batch = pa.record_batch(
        {
            "features": pa.array(features, pa.map_(pa.string(), pa.float64())),
            "weight": pa.array(weights, pa.float64()),
            "label": pa.array(labels, pa.string()),
        }
    )
    _compare(batch, strongest=False)
    _compare(batch.slice(1), strongest=False)


def _compare(batch: Any, strongest: bool) -> None:
    table = NameTable(16, True, 0, strongest)
    reader = arrow.Arrow(Recipe(), table)
    typed = reader._typed("some.arrow", batch)
    fast = reader._columns
    assert fast is not None
    found = fast.read(typed)
    reader._columns = None
    slow = reader._rows("some.arrow", typed)
    if found is None:
        return
    assert not slow.bad
    assert [a.tolist() for a in found.arrays] == [
        slow.row_start.tolist(), slow.column.tolist(), slow.value.tolist()
    ]  # fmt: skip
    ours = [None if k < 0 else found.label_names[k] for k in found.label.tolist()]
    theirs = [None if k < 0 else slow.label_names[k] for k in slow.label.tolist()]
    assert ours == theirs
    both = [np.ones(len(ours)) if i is None else i for i in (found.importance, slow.importance)]
    assert both[0].tolist() == both[1].tolist()


def test_a_simple_table_is_read_by_columns() -> None:
    reader = arrow.Arrow(Recipe(), NAMES)
    assert reader._columns is not None
    simple = pa.record_batch({"label": [1, 0], "a": [0.5, None], "b": ["x", "y"]})
    assert reader._columns.read(simple) is not None
    with_list = pa.record_batch({"label": [1], "a": [["x"]]})
    assert reader._columns.read(with_list) is None


def test_a_compressed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    path.write_bytes(gzip.compress(written(tmp_path, pa.table({"a": [1]}), "arrow").read_bytes()))
    with pytest.raises(FormatError, match="unpack it first"):
        read_examples(path)

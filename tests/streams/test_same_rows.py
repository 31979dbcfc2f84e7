"""The same rows in every format give the same rows, to the bit."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings

from tests.streams.examples import batches, joined, read_examples
from thresher import Batch, Perceptron
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.writers import WRITABLE, Examples, format_of, writing
from thresher.streams.writers.column_names import ColumnNames

FILES = [
    "a.svm", "a.vw", "a.jsonl", "a.csv", "a.tsv", "a.parquet", "a.arrow", "a.thb", "a.svm.gz",
    "a.vw.zst", "a.jsonl.gz", "a.csv.zst", "a.thb.gz", "a.thb.zst",
]  # fmt: skip


def test_every_format_that_can_be_written_is_compared() -> None:
    assert {format_of(name) for name in FILES} == set(WRITABLE)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=25)
@given(batch=batches())
def test_rows_survive_a_format(
    tmp_path_factory: pytest.TempPathFactory, name: str, batch: Batch
) -> None:
    path = tmp_path_factory.mktemp("same") / name
    with writing(str(path), format_of(name)) as writer:
        writer.write(Examples.of(batch[: len(batch) // 2]))
        writer.write(Examples.of(batch[len(batch) // 2 :]))
    found = joined(path)
    assert found == batch
    assert found.digest() == batch.digest()


def test_a_learner_learns_the_same_from_every_format(tmp_path: Path) -> None:
    batch = Batch.of(
        [{t % 7: 1.0, 7 + t % 11: 0.1 * (t % 5 + 1), 40: -1 / 3} for t in range(200)],
        [1 if t % 7 in (2, 3) else -1 for t in range(200)],
    )
    weights = set()
    for name in FILES:
        path = tmp_path / name
        with writing(str(path), format_of(name)) as writer:
            writer.write(Examples.of(batch))
        learner = Perceptron(n_features=64)
        learner.learn(joined(path))
        weights.add((learner.mistakes, learner.weights.tobytes()))
    assert len(weights) == 1


def test_names_mean_the_same_in_every_format(tmp_path: Path) -> None:
    """The same named features, each written as its format writes them."""
    (tmp_path / "a.jsonl").write_text('{"label":1,"age":2.5,"colour":"red","7":1,"new":true}\n')
    (tmp_path / "b.jsonl").write_text(
        '{"label":1,"features":{"age":2.5,"colour=red":1,"7":1,"new":1}}\n'
    )
    (tmp_path / "a.csv").write_text("label,age,colour,7,new\n1,2.5,red,1,1\n")
    (tmp_path / "a.vw").write_text("1 | age:2.5 colour=red 7 new\n")
    table = pa.table({"label": [1], "age": [2.5], "colour": ["red"], "7": [1], "new": [True]})
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    with gzip.open(tmp_path / "a.csv.gz", "wb") as file:
        file.write((tmp_path / "a.csv").read_bytes())
    found = [read_examples(path)[1:] for path in sorted(tmp_path.iterdir())]
    assert len(found) == 6
    assert found == [found[0]] * 6
    names = NameTable(2**18, True)
    columns = {names.column_of(name) for name in ("age", "colour=red", "new")}
    assert {*found[0][0][0]} == {*columns, 7}


@pytest.mark.parametrize("name", ["a.vw", "a.jsonl", "a.csv", "a.parquet"])
def test_names_are_kept(tmp_path: Path, name: str) -> None:
    table = NameTable(None, False)
    table.vocabulary.update({"free": 0, "colour=red": 1, "7": 2, "ns^x": 3})
    batch = Batch.of([{0: 1, 2: 0.5}, {1: 1, 3: 2}], [1, -1])
    path = tmp_path / name
    with writing(str(path), format_of(name), names=ColumnNames(table)) as writer:
        writer.write(Examples.of(batch))
    again = NameTable(None, False)
    _, rows, labels, _ = read_examples(path, again)
    shown = {column: name for name, column in again.vocabulary.items()}
    assert [{shown[c]: v for c, v in row.items()} for row in rows] == [
        {"free": 1.0, "7": 0.5},
        {"colour=red": 1.0, "ns^x": 2.0},
    ]
    assert labels == ["1", "-1"]

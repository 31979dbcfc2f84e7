"""Remarks about columns of tables, and first lines that are no header."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from thresher import train
from thresher.errors import FormatError
from thresher.models.input_data import InputData
from thresher.models.prediction import Predictions
from thresher.streams.formats.column_remarks import absent_remark
from thresher.streams.labelled_rows import read
from thresher.streams.recipe import Recipe


def table(folder: Path, cell: Callable[[int], str], rows: int = 60) -> Path:
    file = folder / "t.csv"
    file.write_text("label,x,y\n" + "".join(f"{k % 2},{cell(k)},{k}\n" for k in range(rows)))
    return file


def remarks(file: Path, **said: tuple[str, ...]) -> list[str]:
    stream = read(file, recipe=Recipe(**said))  # type: ignore[arg-type]
    list(stream)
    list(stream)
    return stream.bad.remarks()


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (lambda k: f"N{k}", "the column 'x' has 60 different values in the first 60 rows"),
        (lambda k: f"see you at {k}", "Words are read from texts alone"),
        (lambda k: "inf" if k == 7 else f"{k}", "has numbers in 59 of the first 60 rows, and is"),
        (lambda k: f'"{k},5"', "has numbers with a comma, such as '0,5', and is read as"),
    ],
)
def test_an_odd_column_is_told_once(tmp_path: Path, cell: Callable[[int], str], told: str) -> None:
    (said,) = remarks(table(tmp_path, cell))
    assert said.startswith(str(tmp_path / "t.csv"))
    assert told in said


@pytest.mark.parametrize(
    "cell",
    [lambda k: f"{k % 9}", lambda k: "abc"[k % 3], lambda k: "", lambda k: f"{k}" if k % 2 else ""],
)
def test_a_plain_column_is_not_spoken_of(tmp_path: Path, cell: Callable[[int], str]) -> None:
    assert remarks(table(tmp_path, cell)) == []


def test_nothing_is_said_of_a_column_that_somebody_spoke_of(tmp_path: Path) -> None:
    file = table(tmp_path, lambda k: f"N{k}")
    assert remarks(file, ignored=("x",)) == remarks(file, categorical=("x",)) == []


@pytest.mark.parametrize(
    "lines",
    [
        "5.1,3.5,setosa\n4.9,3.0,setosa\n",
        "39,clerk,no\n50,smith,yes\n38,clerk,yes\n",
        "0,0,no\n1,2,no\n",
    ],
)
def test_a_first_line_that_is_a_record_is_no_header(tmp_path: Path, lines: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(lines)
    with pytest.raises(FormatError, match=r"the first line, .*, looks like data\. The first line"):
        list(read(file))


def test_a_header_that_comes_again_is_one_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("kind,job\nyes,clerk\nkind,job\nno,smith\n")
    assert sum(map(len, read(file, recipe=Recipe(label_field="kind"), positive="yes"))) == 3


def test_a_model_reads_its_table_whatever_separates_the_fields(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text("label,x,y\n1,2,red\n0,3,blue\n")
    other.write_text("label;x;y\n1;2;red\n0;3;blue\n")
    first = read(one)
    rows = [list(batch.examples()) for batch in first]
    again = read(other, recipe=first.recipe)
    assert [list(batch.examples()) for batch in again] == rows


def test_columns_without_a_name_are_told_once(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("label,,x,\n1,2,3,4\n-1,2,3,4\n")
    (said,) = remarks(file)
    assert said.startswith(f"{file}: columns 2 and 4 have no name, and are not read.")
    # Whoever says what columns are has looked at them: a model does.
    assert remarks(file, numeric=("x",)) == []
    file.write_text(f"label{',' * 20}\n1{',2' * 20}\n-1{',2' * 20}\n")
    assert "columns 2, 3, 4, 5, 6 and 15 more have no name" in remarks(file)[0]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_to_ignore_that_is_not_there_is_told_to_who_learns(
    tmp_path: Path, ending: str
) -> None:
    file = table(tmp_path, lambda k: f"{k % 3}")
    if ending == "parquet":
        pd.read_csv(file).to_parquet(file := tmp_path / "t.parquet")
    assert remarks(file, ignored=("x",)) == []
    (said,) = remarks(file, ignored=("X",))
    assert said.startswith(f"{file}: there is no column 'X', although it was named.")
    assert said.endswith("Columns are: label, x, y.")
    # New rows may well lack what was ignored in the old ones.
    model = train(file, "perceptron", ignored=("x",))
    if ending == "csv":
        file.write_text("y\n4\n")
    else:
        pd.DataFrame({"y": [4]}).to_parquet(file)
    data = InputData.of_paths(file)
    assert data is not None
    predictions = Predictions(model, data)
    assert sum(len(part.labels) for part in predictions) == 1
    assert predictions.bad.remarks() == []


def test_columns_that_are_not_there_are_told_however_many_others_there_are() -> None:
    columns = [f"c{k}" for k in range(3000)]
    (said,) = absent_remark("a.csv", columns, ["age", "size"])
    assert str(said).startswith("a.csv: there are no columns 'age' and 'size', although they were")
    assert str(said).endswith(" c18, c19 and 2,980 more.")

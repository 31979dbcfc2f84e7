from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import thresher as th
from thresher.errors import LabelError, RowError, UnsoundBatchError
from thresher.streams.arrays import as_rows
from thresher.streams.frames import with_categories

TABLE = "size,colour,7,label\n2.5,red,1,1\n,blue,0,0\n1,,2,1\n"


def test_a_frame_with_texts_has_the_rows_that_its_csv_has(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    (batch,) = list(th.read(file, n_features=2**18))
    frame = pd.read_csv(file)
    learner = th.Perceptron(n_features=2**18)
    learner.learn(frame.drop(columns="label"), frame["label"])
    other = th.Perceptron(n_features=2**18)
    other.learn(batch)
    assert learner == other
    assert learner.scores(frame.drop(columns="label")).tolist() == other.scores(batch).tolist()


@pytest.mark.parametrize("kind", ["category", "string", object])
def test_texts_of_any_dtype_are_categories_and_what_is_missing_has_no_feature(
    kind: object,
) -> None:
    frame = pd.DataFrame({"c": pd.Series(["a", None, "b"], dtype=kind)})
    learner = th.Perceptron(names=th.Vocabulary())
    learner.learn(frame, [1, -1, 1])
    assert learner.name_table is not None
    assert list(learner.name_table.vocabulary) == ["c=a", "c=b"]


def test_a_frame_of_numbers_has_its_columns_by_position() -> None:
    frame = pd.DataFrame({"a": [1, 0], "b": [0.5, 2.0]})
    assert list(as_rows(frame)) == [{0: 1.0, 1: 0.5}, {1: 2.0}]


def test_texts_without_a_table_of_names_are_refused() -> None:
    with pytest.raises(UnsoundBatchError, match="column 'c' holds object values"):
        as_rows(pd.DataFrame({"c": np.array(["a", "b"], object)}))
    with pytest.raises(UnsoundBatchError, match="column 'c' holds a list"):
        th.Perceptron().learn(pd.DataFrame({"c": [["a"], ["b"]]}), [1, 0])


@pytest.mark.parametrize(
    "learner",
    [th.Perceptron(n_features=3), th.Perceptron(), th.Committee(n_features=3), th.Winnow(3)],
    ids=lambda learner: type(learner).__name__,
)
def test_a_table_that_lacks_columns_is_refused(learner: th.Perceptron) -> None:
    learner.learn(np.eye(3), [1, 0, 1])
    name = type(learner).__name__
    with pytest.raises(UnsoundBatchError, match=f"a table of 2 columns, and {name} has .* of 3"):
        learner.predict(np.eye(2))
    with pytest.raises(UnsoundBatchError, match="a table of 1 column,"):
        learner.predict([[1.0]])
    assert len(learner.predict([{0: 1}])) == len(learner.predict(np.eye(3)[:1])) == 1


def test_several_classes_want_all_columns_too() -> None:
    for learner in (th.OneVersusRest(th.Perceptron(n_features=3)), th.MulticlassPerceptron()):
        learner.learn(np.eye(3), ["a", "b", "c"])
        with pytest.raises(UnsoundBatchError, match="a table of 2 columns"):
            learner.predict(np.eye(2))


def test_a_table_that_was_refused_or_empty_is_not_what_others_are_measured_by() -> None:
    for learner in (
        th.Perceptron(),
        th.OneVersusRest(th.Perceptron()),
        th.MulticlassPerceptron(),
    ):
        learner.learn(np.eye(3), [1, -1, 1])
        with pytest.raises(RowError, match="nan"):
            learner.learn(np.full((1, 5), np.nan), [1])
        with pytest.raises(LabelError):
            learner.learn(np.ones((2, 5)), [1])
        learner.learn(np.ones((0, 5)), [])
        learner.learn(pd.DataFrame(np.ones((0, 5))), [])
        assert len(learner.predict(np.eye(3))) == 3
        assert len(learner.predict(np.ones((0, 2)))) == 0
        with pytest.raises(UnsoundBatchError, match="a table of 2 columns"):
            learner.predict(np.eye(2))


def test_room_for_more_columns_is_no_reason_to_refuse() -> None:
    learner = th.Perceptron(n_features=100)
    learner.learn(np.eye(3), [1, 0, 1])
    assert learner.predict(np.eye(3)).tolist() == [1, -1, 1]


def test_masked_arrays_are_refused_with_a_remedy() -> None:
    masked = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    with pytest.raises(UnsoundBatchError, match=r"masked array.*X\.filled\(0\)"):
        th.Perceptron().learn(masked, [1, 0])
    with pytest.raises(LabelError, match="masked labels"):
        th.Perceptron().learn(masked.filled(0), np.ma.masked_array([1, 0], mask=[False, True]))


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
def test_a_column_of_numbers_of_which_some_are_missing_is_one_of_numbers(missing: object) -> None:
    numbers = pd.Series([2.5, missing, 1], dtype=object)
    learner = th.Perceptron()
    learner.learn(pd.DataFrame({"size": numbers, "colour": ["red", "red", "blue"]}), [1, 0, 1])
    assert list(learner.vocabulary) == ["size", "colour=red", "colour=blue"]
    assert list(as_rows(pd.DataFrame({"size": numbers.iloc[::2]}))) == [{0: 2.5}, {0: 1.0}]
    with pytest.raises(RowError, match="row 1, feature 0: found nan"):
        as_rows(pd.DataFrame({"size": numbers}))


def test_whole_numbers_that_may_be_missing_are_numbers() -> None:
    frame = pd.DataFrame({"size": pd.array([3, None], "Int64")})
    with pytest.raises(RowError, match="row 1, feature 0: found nan"):
        th.Perceptron().learn(frame, [1, 0])
    assert th.Perceptron().learn(frame.dropna(), [1]).mistakes == 0


ANY = pytest.mark.parametrize(
    "make",
    [th.Perceptron, th.Committee, th.MulticlassPerceptron, lambda: th.OneVersusRest(th.AROW())],
    ids=["two", "mixed", "several", "each"],
)


@ANY
def test_columns_by_position_are_those_that_were_learned(make: Callable[[], Any]) -> None:
    learner = make()
    frame = pd.DataFrame({"size": [1.0, 0.0], "age": [0.0, 2.0]})
    learner.learn(frame, [1, 0])
    before = learner.n_rounds
    for other in (frame[["age", "size"]], pl.DataFrame(frame[["age", "size"]])):
        with pytest.raises(UnsoundBatchError, match="column 0 of the frame is called 'age', and"):
            learner.predict(other)
        with pytest.raises(UnsoundBatchError, match=r"was 'size' when .* learned; columns of"):
            learner.learn(other, [1, 0])
    with pytest.raises(UnsoundBatchError, match=r"learned frames of numbers alone, by position\."):
        learner.predict(frame.assign(size=["large", "small"]))
    assert learner.n_rounds == before
    assert learner.predict(pl.DataFrame(frame)).tolist() == learner.predict(frame).tolist()
    assert learner.predict(frame.to_numpy()).tolist() == learner.predict(frame).tolist()
    learner.learn(frame.assign(more=1.0), [1, 0])
    with pytest.raises(UnsoundBatchError, match="column 2 of the frame is called 'less', and"):
        learner.predict(frame.assign(less=1.0))


@ANY
def test_columns_by_name_stand_in_any_order_but_not_by_position(make: Callable[[], Any]) -> None:
    learner = make()
    frame = pd.DataFrame({"size": [1.0, 0.0], "colour": ["red", "blue"]})
    learner.learn(frame, [1, 0])
    said = learner.predict(frame).tolist()
    assert learner.predict(frame[["colour", "size"]]).tolist() == said
    with pytest.raises(UnsoundBatchError, match="a frame of numbers alone, by position, and"):
        learner.predict(frame.assign(colour=[3, 4]))


def test_negations_are_those_of_columns_that_were_learned() -> None:
    learner = th.Winnow(n_features=4, literals=True)
    frame = pd.DataFrame({"old": [1.0, 0.0], "rich": [0.0, 1.0]})
    learner.learn(frame, [1, 0])
    with pytest.raises(UnsoundBatchError, match="column 0 of the frame is called 'rich'"):
        learner.predict(frame[["rich", "old"]])
    with pytest.raises(UnsoundBatchError, match="column 0 of the frame is called 'rich'"):
        learner.learn(frame[["rich", "old"]], [1, 0])
    with pytest.raises(UnsoundBatchError, match="a table of 1 column"):
        learner.predict(frame[["old"]])


@ANY
def test_a_frame_without_rows_says_nothing_about_columns(make: Callable[[], Any]) -> None:
    learner, empty = make(), pd.DataFrame(columns=["size", "age"])
    assert empty["size"].dtype == object
    frame = pd.DataFrame({"size": [1.0, 0.0], "age": [0.0, 2.0]})
    learner.learn(empty, [])
    learner.learn(frame, [1, 0])
    learner.learn(empty, [])
    assert len(learner.predict(empty)) == 0
    assert len(learner.predict(frame)) == 2


@pytest.mark.parametrize("kind", [np.float64, np.int8, bool])
def test_columns_of_numbers_are_told_by_their_kind_without_a_look_into_them(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.DataFrame(np.eye(3, dtype=kind), columns=["a", "b", "c"])
    mixed = frame.assign(b=pd.array([1, None, 2], "Int64"), c=["x", "y", "z"])
    assert with_categories(mixed)
    assert not with_categories(mixed[["a", "b"]])
    monkeypatch.setattr(pd.DataFrame, "__getitem__", None)
    assert not with_categories(frame)

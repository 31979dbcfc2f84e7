"""What cannot be learned from Dask collections, and who says so."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from tests.sklearn.cuts import NAMES, N, X, Y, array, cut, dicts
from thresher.cluster.engine import InProcess
from thresher.errors import (
    ClusterError,
    ImportanceError,
    LabelError,
    ParameterError,
    RequestError,
    UnsoundBatchError,
)
from thresher.sklearn import (
    AROWClassifier,
    PerceptronClassifier,
)
from thresher.sklearn.dask import DaskClassifier


def test_columns_of_another_name_or_number_are_refused() -> None:
    frame = pd.DataFrame(X, columns=NAMES)
    model = DaskClassifier(PerceptronClassifier()).fit(
        dd.from_pandas(frame, npartitions=2), array(120, Y)
    )
    other = dd.from_pandas(frame.rename(columns={"f3": "g"}), npartitions=2)
    with pytest.raises(UnsoundBatchError, match=r"partition \d: The feature names should match"):
        model.predict(other).compute(scheduler="synchronous")
    with pytest.raises(UnsoundBatchError, match=r"epoch 1, partition 1 of 2: The feature names"):
        model.partial_fit(other, array(120, Y))
    with pytest.raises(UnsoundBatchError, match=r"partition \d: X has 5 features"):
        DaskClassifier(PerceptronClassifier()).fit(*cut(80)).predict(
            da.from_array(X[:, :5], chunks=(80, 5))
        ).compute(scheduler="synchronous")


def nan_at(row: int) -> Any:
    return np.where(np.arange(N)[:, None] == row, np.nan, X)


def broken(block: Any) -> Any:
    raise OSError("the disk is gone")


@pytest.mark.parametrize(
    ("data", "labels", "said"),
    [
        (array(80, nan_at(100)), array(80, Y), "epoch 1, partition 2 of 3: Input X contains NaN"),
        (
            array(80),
            array(80, np.where(np.arange(N) > 200, np.nan, 1.0)),
            "partition 3 of 3: .*NaN",
        ),
        (array(80, X.astype(object) + 0j), array(80, Y), "epoch 1, partition 1 of 3: "),
        (array(80), array(120, Y), "X has 3 partitions, and y has 2"),
        (array((80, 160)), array((100, 140), Y), "partition 1 of 2 has 80 rows in X, and 100 in y"),
        (array(80), Y, r"X has 3 partitions, and y has 1.*dask.array.from_array\(y"),
        (da.from_array(X, chunks=(80, 4)), array(80, Y), r"cut into 3 pieces.*rechunk"),
        (array(80)[:, 0], array(80, Y), "2D array"),
        (array(80), None, "labels are missing"),
        (array(80), "label", "X has no such column"),
        (
            db.from_sequence(dicts(), npartitions=3),
            array(120, Y),
            "X has 3 partitions, and y has 2",
        ),
        (
            db.from_sequence(dicts()[:-1], npartitions=1),
            array(N, Y),
            "partition 1 of 1: there are 239 rows in X, and 240 labels",
        ),
        (
            db.from_sequence([1, 2], npartitions=1),
            db.from_sequence(["a", "b"], npartitions=1),
            "partition 1 of 1: a row is a dict from feature to value, found int",
        ),
        (array(80), array(80, np.arange(N) / 7.0), "partition 1 of 3: Unknown label type"),
        (array(80), array(80, np.full(N, "yes")), "needs rows of at least 2 classes"),
        (array(80).sum(), array(80, Y), "2D array|dimension"),
        (dask.delayed(X), array(80, Y), "found a Dask Delayed.*, which has no partitions"),
        (array(80), dask.delayed(Y), "found a Dask Delayed.*, which has no partitions"),
        (db.from_sequence(dicts()).count(), array(80, Y), "found a Dask Item"),
        (dd.from_pandas(pd.Series(X[:, 0]), npartitions=3), array(80, Y), "2D array.*frame"),
        (db.from_sequence([1, 2]), None, "partition 1 of 2: .*pairs .dict, label., found int"),
        (db.from_sequence([({}, 1, 2)]), None, "partition 1 of 1: .*found tuple"),
    ],
)
def test_what_cannot_be_learned_is_told_with_its_partition(
    data: Any, labels: Any, said: str
) -> None:
    model = DaskClassifier(AROWClassifier())
    with pytest.raises(UnsoundBatchError, match=said):
        model.fit(data, labels)
    assert not hasattr(model, "estimator_")


def test_labels_that_are_numbers_here_and_texts_there_are_refused() -> None:
    labels = db.from_sequence([0, 1] * 60 + ["0", "1"] * 60, npartitions=2)
    with pytest.raises(LabelError, match="numbers for labels, and others have texts"):
        DaskClassifier(AROWClassifier()).fit(array(120), labels)


def test_what_fails_in_a_graph_is_told_with_its_partition() -> None:
    with pytest.raises(ClusterError, match=r"epoch 1, partition 1 of 3: .*the disk is gone"):
        DaskClassifier(AROWClassifier()).fit(array(80).map_blocks(broken, meta=X), array(80, Y))


@pytest.mark.parametrize(
    "estimator",
    [
        PerceptronClassifier(calibrate="platt"),
        PerceptronClassifier(new_features=True),
    ],
)
def test_learners_that_nobody_can_combine_are_refused_before_rows_are_read(estimator: Any) -> None:
    unread = array(80).map_blocks(broken, meta=X)
    with pytest.raises(RequestError, match="cannot be combined"):
        DaskClassifier(estimator).fit(unread, array(80, Y))


@pytest.mark.parametrize("odd", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_none_is_told_as_such(odd: float) -> None:
    weights = array(80, np.where(np.arange(N) == 90, odd, 1.0))
    model = DaskClassifier(AROWClassifier())
    with pytest.raises(ImportanceError, match="partition 2 of 3: row 10: found importance"):
        model.fit(*cut(80), sample_weight=weights)
    with pytest.raises(ImportanceError, match="partition 2 of 3: row 10: found importance"):
        model.fit(*cut(80)).score(*cut(80), sample_weight=weights)


def test_answers_for_a_single_column_are_refused_at_once() -> None:
    with pytest.raises(UnsoundBatchError, match="2D array"):
        DaskClassifier(AROWClassifier()).fit(*cut(80)).predict(array(80)[:, 0])


def test_other_classes_than_at_first_are_refused() -> None:
    model = DaskClassifier(AROWClassifier()).partial_fit(*cut(80), classes=["no", "yes"])
    model.partial_fit(*cut(80), classes=["yes", "no"])
    with pytest.raises(LabelError, match=r"found the classes \['maybe'\]"):
        model.partial_fit(*cut(80), classes=["maybe", "yes"])


def test_the_deadline_holds_in_this_process_too() -> None:
    model = DaskClassifier(AROWClassifier(), client=InProcess(), deadline=1e-9)
    said = "not done within 1e-09 seconds: a first look, partition 1 of 4, .* and 1 more"
    with pytest.raises(ClusterError, match=said):
        model.fit(*cut(60))
    assert not hasattr(model, "estimator_")


def test_a_client_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="client must be a distributed"):
        DaskClassifier(AROWClassifier(), client=3).fit(*cut(80))


def test_only_estimators_of_thresher_are_taken() -> None:
    with pytest.raises(ParameterError, match="an estimator of thresher"):
        DaskClassifier("arow").fit(*cut(80))  # type: ignore[arg-type]

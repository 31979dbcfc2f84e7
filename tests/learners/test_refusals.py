"""A batch with a fault anywhere is refused whole, and the fault is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import thresher as th
from tests.learners.makers import LINEAR, MAKERS, NAMED, Maker, stream
from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    LabelError,
    ParameterError,
    RowError,
    StateError,
    ThresherError,
    UnsoundBatchError,
)

every_learner = pytest.mark.parametrize("maker", MAKERS, ids=str)
every_linear_learner = pytest.mark.parametrize("maker", LINEAR, ids=str)


def experienced(maker: Maker) -> Any:
    learner = maker.make()
    learner.learn(*stream(maker, 20))
    return learner


def csr(table: Any, row: int, column: list[int], value: list[float]) -> Any:
    """The table as a CSR matrix, one of its rows replaced as it stands, checked by nobody."""
    good = scipy.sparse.csr_array(table)
    a, b = good.indptr[row : row + 2]
    grown = good.indptr.copy()
    grown[row + 1 :] += len(column) - (b - a)
    made = scipy.sparse.csr_array(good.shape)
    made.data = np.concatenate((good.data[:a], value, good.data[b:]))
    made.indices = np.concatenate((good.indices[:a], column, good.indices[b:])).astype(np.int32)
    made.indptr = grown.astype(np.int32)
    return made


FAULTS = [
    ([0], [float("nan")], RowError, "row {t}, feature 0: found nan"),
    ([1], [float("inf")], RowError, "row {t}, feature 1: found inf"),
    ([-1], [1.0], RowError, "row {t}, feature -1.*negative"),
    ([1, 1], [1.0, 1.0], RowError, "row {t}, feature 1: found the index twice"),
    ([2, 1], [1.0, 1.0], RowError, "row {t}, feature 1: found the index after index 2"),
]


@every_learner
@pytest.mark.parametrize("row", [0, 7, 19])
@pytest.mark.parametrize(("column", "value", "error", "message"), FAULTS)
def test_an_unsound_row_anywhere_refuses_the_batch(
    maker: Maker, row: int, column: list[int], value: list[float], error: Any, message: str
) -> None:
    learner = experienced(maker)
    before = learner.copy()
    table, labels = stream(maker, 20, seed=1)
    bad = csr(table, row, column, value)
    with pytest.raises(error, match=message.format(t=row)):
        learner.learn(bad, labels)
    with pytest.raises(error, match=message.format(t=row)):
        learner.predict(bad)
    assert learner == before


@every_learner
@pytest.mark.parametrize("row", [0, 19])
def test_a_feature_without_a_weight_refuses_the_batch(maker: Maker, row: int) -> None:
    if maker.grows:
        return
    learner = experienced(maker)
    before = learner.copy()
    table, labels = stream(maker, 20, seed=1)
    wide = np.hstack((table, np.zeros((20, 5))))
    wide[row, -1] = 1.0
    with pytest.raises(DimensionError, match=rf"row {row}.*feature"):
        learner.learn(wide, labels)
    with pytest.raises(DimensionError, match=rf"row {row}"):
        learner.predict(wide)
    with pytest.raises(DimensionError, match=str(wide.shape[1] - 1)):
        learner.learn_one({wide.shape[1] - 1: 1.0}, 1)
    assert learner == before


@every_learner
@pytest.mark.parametrize("value", [1.0 + 2.0**-52, -1.5, 7.0])
def test_a_value_outside_the_theory_refuses_the_batch(maker: Maker, value: float) -> None:
    if maker.unbounded:
        value *= 1e101
    learner = experienced(maker)
    before = learner.copy()
    table, labels = stream(maker, 20, seed=1)
    table[11, 2] = value
    with pytest.raises((FeatureRangeError, UnsoundBatchError), match=r"row 11.*feature 2.*\d"):
        learner.learn(table, labels)
    with pytest.raises((FeatureRangeError, UnsoundBatchError), match="row 11"):
        learner.predict(table)
    with pytest.raises((FeatureRangeError, UnsoundBatchError), match="feature 2"):
        learner.learn_one({0: 1.0, 2: value}, 1)
    assert learner == before


@pytest.mark.parametrize("maker", [m for m in MAKERS if m.values == "binary"], ids=str)
@pytest.mark.parametrize("value", [0.5, -1.0, 1e-300])
def test_a_learner_of_zeros_and_ones_takes_nothing_else(maker: Maker, value: float) -> None:
    if maker.title in ("winnow", "winnow-floor"):
        return
    learner = experienced(maker)
    before = learner.copy()
    with pytest.raises(ThresherError, match="feature 1"):
        learner.learn([[1, 0, 0], [0, value, 1]], [1, -1])
    with pytest.raises(ThresherError, match="feature 1"):
        learner.learn_one({1: value}, 1)
    assert learner == before


@every_learner
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, -1], "found 2 labels for 3 rows"),
        ([1, 2, 1], "row 1: found label 2"),
        ([1, -1, float("nan")], "row 2: found label nan"),
        ([1, -1, 0], "row 2: found label 0, but row 1 has -1"),
        (["a", "b", "a"], "row 0: found label 'a'"),
        ([[1], [1], [1]], "1 dimension"),
    ],
)
def test_bad_labels_refuse_the_batch(maker: Maker, labels: Any, message: str) -> None:
    learner = experienced(maker)
    before = learner.copy()
    with pytest.raises(LabelError, match=message):
        learner.learn([{0: 1.0}, {1: 1.0}, {}], labels)
    assert learner == before


@every_linear_learner
@pytest.mark.parametrize("label", [2, -2, 0.5, "1", None, float("nan")])
def test_one_bad_label_refuses_the_round(maker: Maker, label: Any) -> None:
    learner = experienced(maker)
    before = learner.copy()
    with pytest.raises(LabelError):
        learner.learn_one({0: 1.0}, label)
    assert learner == before


@every_learner
@pytest.mark.parametrize(
    "rows",
    [{0: 1.0}, "rows", [["a"]], [1.0, 2.0], np.ones((2, 2, 2)), [[1 + 1j]], [{0: 1.0}, [1.0]]],
    ids=lambda rows: type(rows).__name__ + str(len(rows)),
)
def test_what_is_not_a_table_of_rows_is_refused(maker: Maker, rows: Any) -> None:
    learner = experienced(maker)
    before = learner.copy()
    with pytest.raises(ValueError, match=r"."):
        learner.learn(rows, [1] * len(rows))
    with pytest.raises(ValueError, match=r"."):
        learner.predict(rows)
    assert learner == before


@every_learner
def test_rows_without_labels_are_refused(maker: Maker) -> None:
    with pytest.raises(UnsoundBatchError, match="labels are missing"):
        maker.make().learn([[1.0]])


@pytest.mark.parametrize("maker", NAMED, ids=str)
@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ([{"new": 1.0}, {"other": float("nan")}], [1, -1]),
        ([{"new": 1.0}, {"other": "red"}], [1, -1]),
        ([{"new": 1.0}, {"other": 1e200}], [1, -1]),
        ([{"new": 1.0}, {"other": 1.0}], [1]),
        ([{"new": 1.0}, {"other": 1.0}], [1, 5]),
        ([{"new": 1.0}, {"other": 1.0}], [[1], [1, 2]]),
        ([{"new": 1.0}, {-1: 1.0}], [1, -1]),
        ([dict.fromkeys("abcdefghijklmnop", 1.0), {"z": 1e200}], [1, -1]),
    ],
)
def test_names_of_a_refused_batch_are_forgotten(maker: Maker, rows: Any, labels: Any) -> None:
    learner = maker.make(names=th.Vocabulary())
    learner.learn([{"known": 1.0}], [1])
    before = learner.copy()
    with pytest.raises(ValueError, match=r"."):
        learner.learn(rows, labels)
    assert learner.vocabulary == {"known": 0}
    if len(np.shape(labels[0])) == 0 and len(labels) == 2 and labels[1] != 5:
        with pytest.raises(ValueError, match=r"."):
            learner.learn_one({**rows[0], **rows[1]}, 1)
        assert learner.vocabulary == {"known": 0}
    assert learner == before


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: th.Winnow(0), "n_features must be"),
        (lambda: th.Winnow(True), "n_features must be"),
        (lambda: th.Winnow(2.0), "n_features must be"),  # type: ignore[arg-type]
        (lambda: th.Winnow(3, beta=0), "beta must be a positive number"),
        (lambda: th.Winnow(3, beta=-1), "beta must be a positive number"),
        (lambda: th.Winnow(3, beta=2.0**41), "beta must be a positive number"),
        (lambda: th.Winnow(3, beta=float("nan")), "beta must be a finite number"),
        (lambda: th.Winnow(3, beta="one"), "beta must be a finite number"),
        (lambda: th.Winnow(3, threshold=0), "threshold must be a positive number"),
        (lambda: th.Winnow(3, threshold=1e101), "threshold must be a positive number"),
        (lambda: th.NormalizedWinnow(3, eta=0), "eta must be positive"),
        (lambda: th.NormalizedWinnow(3, eta=1001), "eta must be positive"),
        (lambda: th.NormalizedWinnow(3, margin=2), "margin must be above 0"),
        (lambda: th.NormalizedWinnow(3, eta=1, margin=0.1), "eta must be below 0.2013"),
        (lambda: th.SignedWinnow(3, eta=1, radius=0.5, bias=True), "radius must be at least 1"),
        (lambda: th.SignedWinnow(3, eta=1, radius=0), "radius must be a positive number"),
        (lambda: th.WeightedMajority(3, beta=1), "beta must be 0, or"),
        (lambda: th.WeightedMajority(3, beta=-0.5), "beta must be 0, or"),
        (lambda: th.RandomizedWeightedMajority(3, seed=-1), "seed must be"),
        (lambda: th.Perceptron(names=th.Hashed()), "names must be"),
        (lambda: th.Perceptron(3, names="hash"), "names must be"),  # type: ignore[arg-type]
        (lambda: th.Perceptron(3, names=th.Hashed(-1)), "seed"),
        (lambda: th.Perceptron(3, journal_bytes=-1), "journal_bytes must be"),
        (lambda: th.Winnow(3, journal_bytes=1.5), "journal_bytes"),  # type: ignore[arg-type]
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize("dual", [[1.0], [1.0, float("inf")], [1.0, float("nan")], [[1.0, 2.0]]])
def test_a_dual_vector_that_does_not_fit_is_refused(dual: Any) -> None:
    with pytest.raises(StateError, match="2 entries"):
        th.Winnow(2).with_dual(dual)


@pytest.mark.parametrize(
    "make", [th.Winnow, th.BalancedWinnow, th.NormalizedWinnow, th.SignedWinnow]
)
def test_only_learners_that_silence_features_start_with_silent_ones(make: Any) -> None:
    with pytest.raises(StateError, match="2 entries, each a finite number;"):
        make(2).with_dual([float("-inf"), 0.0])
    assert th.Elimination(2).with_dual([float("-inf"), 0.0]).hypothesis == ("x1",)
    zeroed = th.Winnow(2, threshold=1, zeroing=True).with_dual([float("-inf"), -1.0])
    assert zeroed.learn([[1, 1], [1, 1]], [1, 1]).scores.tolist() == [0.5, 1.0]
    assert zeroed.dual.tolist() == [float("-inf"), 0.0]

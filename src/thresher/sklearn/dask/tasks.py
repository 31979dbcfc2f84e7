"""What a worker does with a partition: functions of the epoch's state and of data, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from thresher.cluster.hindsight import Measured, Question
from thresher.cluster.mixing import AnyChange, change_between
from thresher.errors import LabelError, SourceError, ThresherError, UnsoundBatchError
from thresher.records import record
from thresher.sklearn.dask.features import Hashed
from thresher.sklearn.estimator import Estimator
from thresher.streams.importance import as_importance
from thresher.streams.rows import Rows

Found = TypeVar("Found")

#: Rows, labels and weights of a partition.
Parts = tuple[Any, Any, NDArray[np.float64] | None]


@record(eq=False)
class Seen:
    """What the labels of a partition are, before anything is learned."""

    classes: NDArray[Any]
    #: How often each comes, and how often where the rows count that do not weigh 0.
    counts: NDArray[np.int64]
    counting: NDArray[np.int64]
    #: How often the label changes from one row to the next.
    changes: int
    #: Whether some value is out of the bounds of the learner; False if that was not asked.
    misfits: bool


@record(eq=False)
class PartitionLearned:
    """What became of a partition in an epoch."""

    change: AnyChange
    #: The classes that are known behind it, sorted.
    classes: NDArray[Any]
    measured: Measured | None = None


def look(
    estimator: Estimator, hashed: Hashed | None, values: bool, X: Any, y: Any, weight: Any
) -> Seen | ThresherError | None:
    """What there is in a partition; the values are looked at if that is asked."""

    def seen() -> Seen | None:
        # Labels alone where nothing else is asked: then Dask need not compute the rows.
        labels = _labels(_unpaired(X)[1] if y is None else y)
        if not len(labels):
            return None
        check_classification_targets(labels)
        classes, number = np.unique(labels, return_inverse=True)
        weights = as_importance(weight, len(labels))
        counting = number if weights is None else number[weights > 0.0]
        n, misfits = len(classes), False
        if values:
            rows = _parts(hashed, X, y, weight)[0]
            misfits = bool(len(estimator._example.domain.misfits(Rows.of(rows))))
        return Seen(
            classes,
            np.bincount(number, minlength=n),
            np.bincount(counting, minlength=n),
            int(np.count_nonzero(number[1:] != number[:-1])),
            misfits,
        )

    return _sound(seen)


def learn(
    hashed: Hashed | None,
    question: Question | None,
    estimator: Estimator,
    X: Any,
    y: Any,
    weight: Any,
) -> PartitionLearned | ThresherError | None:
    """Play a round on every row of a partition; the estimator is not changed.

    None if there is no row. With a `question`, the estimator that is not changed is asked about
    every row.
    """

    def learned() -> PartitionLearned | None:
        rows, labels, weights = _parts(hashed, X, y, weight)
        if not _count(labels, weights):
            return None
        began, pupil = estimator._inner, copy(estimator)
        pupil._inner = began.copy()
        pupil._partial_fit(rows, labels, None, weights)
        measured = None
        if question is not None:
            sign = np.where(labels == estimator.classes_[1], 1, -1).astype(np.int8)
            measured = Measured.of_rows(question, began, estimator._rows(rows), sign)
        change = change_between(began.shared_numbers(), pupil._inner.shared_numbers())
        return PartitionLearned(change, pupil.classes_, measured)

    return _sound(learned)


def score(
    hashed: Hashed | None, estimator: Estimator, X: Any, y: Any, weight: Any
) -> tuple[float, float] | ThresherError | None:
    """The weight of the rows that are predicted right, and of all."""

    def right() -> tuple[float, float] | None:
        rows, labels, weights = _parts(hashed, X, y, weight)
        if not _count(labels, weights):
            return None
        total = float(len(labels)) if weights is None else float(weights.sum())
        predicted = estimator.predict(rows)
        found = accuracy_score(labels, predicted, normalize=False, sample_weight=weights)
        return float(found), total

    return _sound(right)


def _sound(work: Callable[[], Found]) -> Found | ThresherError:
    """What is wrong with the data is a result, for to try again would find the same."""
    try:
        return work()
    except SourceError:
        raise
    except ThresherError as error:
        return error
    except (TypeError, ValueError) as error:
        return UnsoundBatchError(str(error))


def _parts(hashed: Hashed | None, X: Any, y: Any, weight: Any) -> Parts:
    """Rows as the estimator takes them, labels and weights; as many of each."""
    if y is None:
        X, y = _unpaired(X)
    rows = X if hashed is None else hashed.matrix(X)
    labels = _labels(y)
    n_rows = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if n_rows != len(labels):
        raise LabelError(f"there are {n_rows} rows in X, and {len(labels)} labels in y.")
    return rows, labels, as_importance(weight, n_rows)


def _unpaired(pairs: Any) -> tuple[list[Any], list[Any]]:
    """The rows and the labels of pairs (dict, label)."""
    found = list(pairs)
    for pair in found:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise UnsoundBatchError(
                f"without y a bag holds pairs (dict, label), found {type(pair).__name__}.",
                "Give the labels as y.",
            )
    return [row for row, _ in found], [label for _, label in found]


def _count(labels: NDArray[Any], weights: NDArray[np.float64] | None) -> bool:
    """Whether some row counts."""
    return len(labels) > 0 and (weights is None or bool(weights.any()))


def _labels(y: Any) -> NDArray[Any]:
    labels: NDArray[Any] = column_or_1d(np.asarray(y), warn=True)
    assert_all_finite(labels, input_name="y")
    return labels

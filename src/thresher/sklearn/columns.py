"""From what scikit-learn users bring to a matrix whose columns are the estimator's features."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from thresher.errors import ParameterError, UnsoundBatchError
from thresher.parameters import checked_count


def checked_matrix(estimator: Any, X: Any, y: Any, *, reset: bool) -> tuple[Any, Any]:
    """The matrix and the labels, checked; features are those of the first fit, or are added."""
    taken = {"accept_sparse": "csr", "dtype": np.float64}
    if estimator.new_features and not reset:
        X, y = _with_new_features(estimator, X, y, taken)
    elif y is None:
        X = validate_data(estimator, X, reset=reset, **taken)
    else:
        X, y = validate_data(estimator, X, y, reset=reset, **taken)
    if issparse(X) and not X.has_canonical_format:
        # Two entries in one place are their sum; the caller's matrix stays as it is.
        X = X.copy()
        X.sum_duplicates()
    return X, y


def room_for(estimator: Any) -> int | None:
    """The number of features the learner must have room for; None where it grows."""
    seen, given = int(estimator.n_features_in_), estimator.new_features
    if not estimator._must_know_n_features():
        return None if given else seen
    if given is False:
        return seen
    owner = type(estimator).__name__
    if given is True:
        raise ParameterError(
            owner,
            "new_features",
            "False, or the number of features that there may ever be",
            True,
            "The algorithm depends on that number.",
        )
    room = checked_count(owner, "new_features", given, 1)
    if room < seen:
        raise ParameterError(
            owner, "new_features", f"at least {seen}, for so many features have come", room
        )
    return room


def _with_new_features(estimator: Any, X: Any, y: Any, taken: dict[str, Any]) -> tuple[Any, Any]:
    """Columns by name where both sides have names, by position otherwise."""
    learning = y is not None
    names = getattr(X, "columns", None)
    known = getattr(estimator, "feature_names_in_", None)
    X = check_array(X, estimator=estimator, **taken)
    if learning:
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
    if known is None or names is None:
        X = _by_position(estimator, X, known is not None, learning=learning)
    else:
        X = _by_name(estimator, X, list(map(str, names)), learning=learning)
    # More features than were announced are refused here.
    room_for(estimator)
    return X, y


def _by_position(estimator: Any, X: Any, named: bool, *, learning: bool) -> Any:
    """The matrix as it is; new columns stand at the end, and count only once learned."""
    width = estimator.n_features_in_
    if X.shape[1] <= width:
        return X
    if not learning:
        return X[:, :width]
    if named:
        raise UnsoundBatchError(
            f"found {X.shape[1]} columns without names; the {width} features so far have "
            "names, and new ones need some. Give a frame."
        )
    estimator.n_features_in_ = X.shape[1]
    return X


def _by_name(estimator: Any, X: Any, names: list[str], *, learning: bool) -> Any:
    """The matrix with its columns where the features are; new ones are added at the end."""
    known = estimator.feature_names_in_.tolist()
    place = {name: at for at, name in enumerate(known)}
    if learning:
        new = [name for name in names if name not in place]
        place |= {name: len(known) + at for at, name in enumerate(new)}
        estimator.feature_names_in_ = np.array([*known, *new], dtype=object)
        estimator.n_features_in_ = len(place)
    rows = csr_array(X)
    kept = [at for at, name in enumerate(names) if name in place]
    if len(kept) < len(names):
        rows = rows[:, kept]
    column = np.array([place[names[at]] for at in kept], np.int32)[rows.indices]
    shape = (rows.shape[0], estimator.n_features_in_)
    moved = csr_array((rows.data, column, rows.indptr), shape=shape)
    moved.sort_indices()
    return moved

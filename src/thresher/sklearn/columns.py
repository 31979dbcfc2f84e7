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

from thresher.errors import UnsoundBatchError


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
        width = estimator.n_features_in_
        if learning and X.shape[1] > width:
            if known is not None:
                raise UnsoundBatchError(
                    f"found {X.shape[1]} columns without names; the {width} features so far have "
                    "names, and new ones need some. Give a frame."
                )
            estimator.n_features_in_ = X.shape[1]
        return X, y
    place = {name: at for at, name in enumerate(known)}
    new = [name for name in map(str, names) if name not in place]
    if learning and new:
        estimator.feature_names_in_ = np.array([*known, *new], dtype=object)
        estimator.n_features_in_ = len(estimator.feature_names_in_)
    place |= {name: len(known) + at for at, name in enumerate(new)}
    return _moved(X, [place[name] for name in map(str, names)]), y


def _moved(X: Any, places: list[int]) -> Any:
    """The matrix with its columns in other places, of which some may stay empty."""
    rows = csr_array(X)
    column = np.asarray(places, np.int32)[rows.indices]
    shape = (rows.shape[0], max(places) + 1)
    moved = csr_array((rows.data, column, rows.indptr), shape=shape)
    moved.sort_indices()
    return moved

"""River's logistic regression behind two of its scalers, one dict a row."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import numpy as np

from benchmarks.accuracy.competitors import Classes, Competitor, Play
from benchmarks.accuracy.datasets import Dataset

#: A scaler that subtracts a mean must be told of zeros too, which takes a dict of all columns.
NARROW = 1000


def river(scaler_name: str, zeros: bool = False) -> Play:
    """Logistic regression behind a scaler, with the features that are absent or without."""

    def play(data: Dataset) -> Classes:
        logistic = importlib.import_module("river.linear_model").LogisticRegression
        scaler = getattr(importlib.import_module("river.preprocessing"), scaler_name)
        several = importlib.import_module("river.multiclass").OneVsRestClassifier
        model = scaler() | (several(logistic()) if data.n_classes > 2 else logistic())
        found = np.zeros(len(data.classes), np.int64)
        for t, row in enumerate(dicts(data, zeros)):
            label = int(data.classes[t])
            found[t] = int(model.predict_one(row) or 0)
            model.learn_one(row, label if data.n_classes > 2 else bool(label))
        return found

    return play


def dicts(data: Dataset, zeros: bool) -> Iterator[dict[int, float]]:
    """Row after row, from column to value."""
    X = data.rows
    for t in range(X.shape[0]):
        if zeros:
            yield dict(enumerate(X[t].toarray()[0].tolist()))
        else:
            own = slice(X.indptr[t], X.indptr[t + 1])
            yield dict(zip(X.indices[own].tolist(), X.data[own].tolist(), strict=True))


def is_narrow(data: Dataset) -> bool:
    """Whether rows can be written with all their zeros."""
    return bool(data.rows.shape[1] <= NARROW)


RIVER = [
    Competitor("River", river("MaxAbsScaler"), slow=True),
    Competitor("River standard", river("StandardScaler", zeros=True), is_narrow, slow=True),
]

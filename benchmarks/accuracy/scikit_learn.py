"""Linear models of scikit-learn, one `partial_fit` a row."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.accuracy.competitors import Classes, Competitor, Play
from benchmarks.accuracy.datasets import Dataset

#: Not asked where a pass would take hours: it pays for all weights a row.
LONG = 2_000_000_000


def scikit_learn(name: str, **options: Any) -> Play:
    """A linear model, on rows as they come."""

    def play(data: Dataset) -> Classes:
        classes, found = np.arange(data.n_classes), np.zeros(len(data.classes), np.int64)
        X = data.rows
        checked = importlib.import_module("sklearn").config_context
        with warnings.catch_warnings(), checked(assume_finite=True, skip_parameter_validation=True):
            # Some models are about to be renamed; the figures are theirs all the same.
            warnings.simplefilter("ignore", FutureWarning)
            model = getattr(importlib.import_module("sklearn.linear_model"), name)(**options)
            for t in range(len(data.classes)):
                own = slice(X.indptr[t], X.indptr[t + 1])
                index, value = X.indices[own], X.data[own]
                if t:
                    # What `predict` does, without its checks, which take longer than the sums.
                    scores = model.coef_[:, index] @ value + model.intercept_
                    found[t] = scores.argmax() if data.n_classes > 2 else scores[0] > 0
                row = csr_matrix((value, index, [0, len(index)]), (1, X.shape[1]))
                model.partial_fit(row, data.classes[t : t + 1], classes)
        return found

    return play


def takes_less_than_hours(data: Dataset) -> bool:
    """Whether a pass ends while one waits."""
    several = data.n_classes if data.n_classes > 2 else 1
    return bool(data.rows.shape[0] * data.rows.shape[1] * several <= LONG)


SCIKIT_LEARN = [
    Competitor(f"sklearn {short}", scikit_learn(name, **options), takes_less_than_hours, slow=True)
    for short, name, options in (
        ("SGD", "SGDClassifier", {"loss": "log_loss", "random_state": 0}),
        ("PA", "PassiveAggressiveClassifier", {"random_state": 0}),
        ("Perceptron", "Perceptron", {"random_state": 0}),
    )
]

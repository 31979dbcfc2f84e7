"""Who is compared: each gives the class it predicts for every row before it learns from it.

Everybody sees the rows once, in the same order, with the settings it has by default. Sets of
more than two classes are learned one against the rest, by those who leave the choice to us.
"""

from __future__ import annotations

import importlib
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

import thresher as th
from benchmarks.accuracy.datasets import Dataset
from thresher.learners.two_class.committee import DEFAULT_MEMBERS, Member

Classes = NDArray[np.int64]
Competitor = Callable[[Dataset], Classes]


def labels_of(data: Dataset, positive: int) -> NDArray[np.int8]:
    """+1 for one class, -1 for the rest."""
    return np.where(data.classes == positive, 1, -1).astype(np.int8)


def by_scores(data: Dataset, scores: Callable[[NDArray[np.int8]], NDArray[np.float64]]) -> Classes:
    """The class with the best score among learners of one class against the rest."""
    if data.n_classes == 2:
        return np.asarray(scores(labels_of(data, 1)) >= 0, np.int64)
    every = [scores(labels_of(data, positive)) for positive in range(data.n_classes)]
    return np.asarray(np.argmax(every, axis=0), np.int64)


def committee(data: Dataset, members: tuple[Member, ...] | None = None) -> Classes:
    """The Committee as it comes."""
    return by_scores(
        data, lambda y: th.Committee(data.rows.shape[1], members).learn(data.rows, y).scores
    )


def member_errors(data: Dataset) -> NDArray[np.float64]:
    """The error of each member of the default Committee on its own."""
    if data.n_classes == 2:
        learner = th.Committee(data.rows.shape[1])
        learner.learn(data.rows, labels_of(data, 1))
        mistakes = [member.mistakes for member in learner.members[: len(DEFAULT_MEMBERS)]]
        return np.array(mistakes) / len(data.classes)
    # The sign of a committee of one is that of its member; to compare classes it is calibrated.
    alone = [committee(data, (member,)) for member in DEFAULT_MEMBERS]
    return np.array([np.mean(predicted != data.classes) for predicted in alone])


def vowpal_wabbit(loss: str) -> Competitor:
    """Vowpal Wabbit through its own text format, with this loss and nothing else changed."""

    def play(data: Dataset) -> Classes:
        several = data.n_classes > 2
        with tempfile.TemporaryDirectory() as folder:
            rows, predictions = Path(folder) / "rows.vw", Path(folder) / "predictions"
            rows.write_text(as_text(data))
            options = f"--oaa {data.n_classes}" if several else ""
            workspace = importlib.import_module("vowpalwabbit").Workspace
            files = f"-d {rows} -p {predictions} --quiet"
            workspace(f"{files} --loss_function {loss} -b {bits(data)} {options}").finish()
            found = np.loadtxt(predictions)
        return (found - 1 if several else found >= 0).astype(np.int64)

    return play


def bits(data: Dataset) -> int:
    """How many bits tell all weights apart: 18, as by default, or what several classes need."""
    several = data.n_classes if data.n_classes > 2 else 1
    # The weights of a feature take the next power of two.
    return max(18, (int(data.rows.shape[1]) << (several - 1).bit_length()).bit_length())


def as_text(data: Dataset) -> str:
    """The rows in Vowpal Wabbit's text format, features by number."""
    X = data.rows
    several = data.n_classes > 2
    lines = []
    for t, label in enumerate(data.classes.tolist()):
        own = slice(X.indptr[t], X.indptr[t + 1])
        pairs = zip(X.indices[own].tolist(), X.data[own].tolist(), strict=True)
        features = " ".join(f"{i}:{v:.9g}" for i, v in pairs)
        lines.append(f"{label + 1 if several else 2 * label - 1} | {features}\n")
    return "".join(lines)


def scikit_learn(name: str, **options: Any) -> Competitor:
    """A linear model of scikit-learn, one `partial_fit` a row."""

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


def river(data: Dataset) -> Classes:
    """River's logistic regression, each value over the largest of its feature, one dict a row."""
    from_river = importlib.import_module
    logistic = from_river("river.linear_model").LogisticRegression
    scaler = from_river("river.preprocessing").MaxAbsScaler
    several = from_river("river.multiclass").OneVsRestClassifier
    model = scaler() | (several(logistic()) if data.n_classes > 2 else logistic())
    found = np.zeros(len(data.classes), np.int64)
    X = data.rows
    for t, label in enumerate(data.classes.tolist()):
        own = slice(X.indptr[t], X.indptr[t + 1])
        row = dict(zip(X.indices[own].tolist(), X.data[own].tolist(), strict=True))
        truth = label if data.n_classes > 2 else bool(label)
        found[t] = int(model.predict_one(row) or 0)
        model.learn_one(row, truth)
    return found


#: By the heading of the column; those who take long play fewer orders.
QUICK: dict[str, Competitor] = {
    "Committee": committee,
    "VW logistic": vowpal_wabbit("logistic"),
    "VW hinge": vowpal_wabbit("hinge"),
}
SLOW: dict[str, Competitor] = {
    "sklearn SGD": scikit_learn("SGDClassifier", loss="log_loss", random_state=0),
    "sklearn PA": scikit_learn("PassiveAggressiveClassifier", random_state=0),
    "sklearn Perceptron": scikit_learn("Perceptron", random_state=0),
    "River": river,
}

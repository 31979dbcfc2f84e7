"""The vote of all weights a Perceptron has had, worked out from its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.base.options import class_weights
from thresher.streams.arrays import as_rows

if TYPE_CHECKING:
    from thresher.learners.two_class.perceptron import Perceptron

#: Scores held at a time.
CELLS = 2**22


def votes(learner: Perceptron, X: Any) -> NDArray[np.float64]:
    """For each row the share of +1 votes less that of -1 votes; see `Perceptron.vote`."""
    journal, n_rounds = learner.journal, learner.n_rounds
    _check(learner, journal.complete)
    rows = as_rows(X, names=learner._engine.names, add=False).clipped(learner.n_features)
    # How many rounds each weight vector lasted, the one to come included.
    ends = np.concatenate((journal.round_number + 1, [n_rounds + 1]))
    lasted = np.diff(ends, prepend=0).astype(np.float64)
    negative, positive = class_weights("Perceptron", learner.parameters["class_weight"])
    step = np.where(journal.label > 0, positive, -negative)
    if journal.importance is not None:
        step = step * journal.importance
    past = journal.to_scipy(learner.n_features).T.tocsc()
    matrix = rows.to_scipy(learner.n_features)
    found = np.empty(len(rows))
    at_once = max(1, CELLS // len(lasted))
    for first in range(0, len(rows), at_once):
        part = slice(first, min(first + at_once, len(rows)))
        products = (matrix[part] @ past).toarray() + learner._engine.has_bias
        scores = np.zeros((part.stop - part.start, len(lasted)))
        np.cumsum(products * step, axis=1, out=scores[:, 1:])
        found[part] = np.where(scores >= 0.0, lasted, -lasted).sum(axis=1) / (n_rounds + 1)
    return found


def _check(learner: Perceptron, complete: bool) -> None:
    given = learner.parameters
    if not complete or learner.warm_start:
        raise StateError(
            "a vote needs every update since the beginning: a complete journal (raise "
            "journal_bytes) of a learner that started at zero."
        )
    if given["scaling"] is not None or given["decay"]:
        raise StateError("a vote is known for learners without scaling and decay only.")

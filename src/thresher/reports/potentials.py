"""What the proof behind a learner follows, round by round: the potential, and its bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from thresher.errors import AuditError
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.two_class.winnow import Winnow

Number = Fraction | float
#: By learner, where an audit writes down the potential, and what the proof allows it at most.
COLUMNS: dict[str, tuple[str, str | None]] = {
    "perceptron": ("norm_squared", "sum_of_squares"),
    "winnow": ("total_weight", "most_weight"),
    "normalized_winnow": ("potential", "potential_envelope"),
    "signed_winnow": ("potential", "potential_envelope"),
    "weighted_majority": ("total_weight", None),
    "elimination": ("size", None),
    "conjunction": ("size", None),
}


class Potentials:
    """The potential of a learner after each round of its journal.

    Of the Perceptron it is the squared length of the weights, which is at most the sum of the
    squared lengths of the rows it was wrong on. Of Winnow it is the sum of the weights: they begin
    with n, a false negative adds less than beta times the threshold, and a false positive takes
    away at least beta/(1 + beta) times it.

    >>> import thresher as th
    >>> learner = th.Perceptron(n_features=2)
    >>> _ = learner.learn([[1, 1], [1, 0], [0, 1]], [-1, 1, 1])
    >>> found = Potentials(learner)
    >>> [found.after(t) for t in (1, 2, 3)]
    [(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(3, 1)), (Fraction(0, 1), \
Fraction(4, 1))]
    """

    def __init__(self, learner: Learner) -> None:
        self._rounds: list[int] = []
        self._table: dict[str, Any] = {}
        self._columns = COLUMNS.get(learner.name)
        if self._columns is None or not isinstance(learner, LinearLearner):
            return
        try:
            self._table = dict(learner.audit().table)
        except AuditError:
            # It is a variation of which no proof is known.
            return
        self._rounds = (np.asarray(self._table["round"]) + 1).tolist()
        if isinstance(learner, Winnow):
            self._table["most_weight"] = _most_weight(learner, self._table)

    def after(self, round_number: int) -> tuple[Number | None, Number | None]:
        """Potential and bound after a round, counted from 1; None where nobody knows."""
        at = int(np.searchsorted(self._rounds, round_number, side="right")) - 1
        if self._columns is None or at < 0:
            return None, None
        potential, bound = self._columns
        return _number(self._table[potential][at]), (
            None if bound is None else _number(self._table[bound][at])
        )


def _most_weight(learner: Winnow, table: dict[str, Any]) -> list[Fraction]:
    """What Winnow's weights add up to at most, after so many mistakes of both kinds."""
    gain = learner.beta
    loss = 1 if learner.parameters["zeroing"] else gain / (1 + gain)
    theta = Fraction(learner.threshold)
    kinds = zip(table["false_negatives"], table["false_positives"], strict=True)
    return [learner.n_features + theta * (gain * int(m) - loss * int(n)) for m, n in kinds]


def _number(found: Any) -> Number:
    """A number of an audit, exact where it is."""
    if isinstance(found, float | np.floating):
        return float(found)
    return Fraction(int(found) if isinstance(found, np.integer) else found)

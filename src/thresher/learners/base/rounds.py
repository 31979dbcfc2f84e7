"""Rounds: the scores of a run, and the verdicts that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The scores of a run, each taken before the learner saw the label.

    Predictions and mistakes are *derived* from the scores, here and nowhere else:
    the prediction is +1 exactly when ``score >= threshold``, and a mistake is a
    prediction that differs from the label. Where rounding could put a score on the
    wrong side of the threshold the learner has decided exactly, and the score is
    the nearest number on the right side.

    ``refuted_at`` is the round of the learner's life, counted from 0, in which the mistakes
    exceeded what the claim given to `learn` allows: from then on no target of the claimed
    class fits the stream. It is None while the stream fits, and without a claim.

    >>> rounds = Rounds(np.array([0.0, 0.0, -1.0]), np.array([1, -1, -1], np.int8), 0.0)
    >>> rounds.predictions.tolist(), rounds.mistaken.tolist(), rounds.mistakes
    ([1, 1, -1], [False, True, False], 1)
    """

    scores: NDArray[np.float64]
    labels: NDArray[np.int8]
    threshold: float
    refuted_at: int | None = field(default=None, kw_only=True)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def predictions(self) -> NDArray[np.int8]:
        """-1 or +1 for each round."""
        return np.where(self.scores >= self.threshold, 1, -1).astype(np.int8)

    @property
    def mistaken(self) -> NDArray[np.bool_]:
        """For each round, whether the prediction was wrong."""
        return np.not_equal(self.scores >= self.threshold, self.labels > 0)

    @property
    def mistakes(self) -> int:
        """Number of wrong predictions."""
        return int(np.count_nonzero(self.mistaken))

    @property
    def false_negatives(self) -> int:
        """Number of positive rows predicted -1 (m+ in the bounds)."""
        return int(np.count_nonzero(self.mistaken & (self.labels > 0)))

    @property
    def false_positives(self) -> int:
        """Number of negative rows predicted +1 (m- in the bounds)."""
        return int(np.count_nonzero(self.mistaken & (self.labels < 0)))

    def __repr__(self) -> str:
        return f"Rounds({len(self)} rounds, {self.mistakes} mistakes)"

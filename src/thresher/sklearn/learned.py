"""Learned: what a fitted estimator tells about what it learned, and how it proves it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack

from thresher.certifier import certify
from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.sklearn.answers import Answers
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows
from thresher.theory import Concept
from thresher.verifier import Certificate


class Part(NamedTuple):
    """A learner without calibration, the class that is its +1, and the first row it has seen.

    That is row 0, but for classes that came late to an estimator that release 0.2.0 pickled.
    """

    label: Any
    learner: Learner
    first_row: int


class Learned(Answers):
    """The part of an estimator that shows the learner, its weights and its certificates."""

    n_features_in_: int
    n_rounds_: int
    n_iter_: int

    @property
    def learner_(self) -> Learner:
        """The thresher learner behind the estimator."""
        return self._checked_learner()

    @property
    def learners_(self) -> list[Learner]:
        """The two-class learners: that of `classes_[1]`, or copies of those of each class."""
        parts = self._parts()
        if parts[0].label is None:
            raise AttributeError("one table of weights serves all classes: see learner_")
        return [part.learner for part in parts]

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights, one line for two classes and one for each of several.

        With `scaling` they are those of the scaled rows, with `calibrate` those of the scores
        behind the probabilities.
        """
        weights, _ = self._coefficients()
        # A learner has weights for features up to the last that it has seen, or for all it
        # may ever see.
        found = np.zeros((len(weights), self.n_features_in_))
        width = min(weights.shape[1], self.n_features_in_)
        found[:, :width] = weights[:, :width]
        return found

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The weight of the constant feature, if there is one, minus the threshold."""
        return self._coefficients()[1]

    def _coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        learner = self._checked_learner()
        try:
            weights, added = learner.coefficients()
        except ExportError as error:
            raise AttributeError(f"no coef_: {error}") from error
        if not learner.several:
            return weights, added
        weights, added = weights[self._order()], added[self._order()]
        if len(weights) == 2:
            return weights[1:] - weights[:1], added[1:] - added[:1]
        return weights, added

    def _parts(self) -> list[Part]:
        """The learner of each class, or the only one there is."""
        learner = self._checked_learner()
        if not learner.several:
            return [Part(self.classes_[1], learner.uncalibrated, 0)]
        if learner.each_class is None:
            return [Part(None, learner, 0)]
        each = {label: learner.learner_of(label).uncalibrated for label in self.classes_.tolist()}
        return [Part(label, one, self.n_rounds_ - one.n_rounds) for label, one in each.items()]

    def certificate(
        self,
        X: Any = None,
        y: Any = None,
        *,
        claim: Concept | None = None,
        witness: Any = None,
        delta: float | Fraction = 0.05,
    ) -> Certificate | dict[Any, Certificate]:
        """The strongest certificate for the run: what the theorems allow, and what was.

        Parameters
        ----------
        X, y
            The rows that `fit` was given, or all that `partial_fit` was given, in order.
        claim, witness, delta
            As for :func:`thresher.certify`.

        Returns
        -------
        Certificate or dict
            One for two classes; otherwise one for the learner of each class.
        """
        found = {}
        for part in self._parts():
            stream = None if X is None else self._stream(X, y, part)
            found[part.label] = certify(
                part.learner, stream, claim=claim, witness=witness, delta=delta
            )
        return next(iter(found.values())) if len(found) == 1 else found

    def _stream(self, X: Any, y: Any, part: Part) -> Batch:
        """What one learner has seen, all passes."""
        rows = self._rows(X).to_scipy(self.n_features_in_)
        repeated = vstack([rows] * self.n_iter_, format="csr")[part.first_row :]
        if part.label is None:
            return Batch.of_classes(repeated, np.tile(np.asarray(y), self.n_iter_).tolist())
        sign = np.where(np.asarray(y) == part.label, 1, -1).astype(np.int8)
        return Batch.from_rows(Rows.of(repeated), np.tile(sign, self.n_iter_)[part.first_row :])

"""Rounds: the scores of a run, and the verdicts that follow from them."""

from __future__ import annotations

from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError
from thresher.records import record
from thresher.streams.labels import SIGNS, Label, named

if TYPE_CHECKING:
    from thresher.pictures import Svg


@record(eq=False)
class Rounds:
    """The scores of a run, each taken before the learner saw the label.

    With two classes, -1 and +1, predictions and mistakes are *derived* from the scores, here
    and nowhere else: the prediction is +1 exactly when ``score >= threshold``, and a mistake
    is a prediction that differs from the label. Where rounding could put a score on the wrong
    side of the threshold the learner has decided exactly, and the score is the nearest number
    on the right side.

    With several classes ``predicted[t]`` is the number of the class of the best score, which is
    ``scores[t]``; -1 where no class had appeared yet. A class never seen before always makes a
    mistake.

    ``label`` holds signs or numbers of classes, as in a `Batch`. ``changed[t]`` says whether
    round ``t`` changed the learner, where the learner keeps count of that; otherwise it is None.

    ``refuted_at`` is the round of the learner's life, counted from 0, in which the mistakes
    exceeded what the claim given to `learn` allows: from then on no target of the claimed class
    fits the stream, if sums did not round (`certify` finds out). It is None as long as the stream
    fits, and without a claim.

    >>> rounds = Rounds(np.array([0.0, 0.0, -1.0]), np.array([1, -1, -1], np.int8), 0.0)
    >>> rounds.predictions.tolist(), rounds.mistaken.tolist(), rounds.mistakes
    ([1, 1, -1], [False, True, False], 1)
    >>> number, nothing = np.array([0, 1], np.int32), np.zeros(2)
    >>> several = Rounds(nothing, number, classes=("ham", "spam"), predicted=number - 1)
    >>> several, several.predictions.tolist(), several.labels.tolist()
    (Rounds(2 rounds, 2 mistakes), [None, 'ham'], ['ham', 'spam'])
    """

    scores: NDArray[np.float64]
    label: NDArray[Any]
    threshold: float = 0.0
    classes: tuple[Label, ...] = field(default=SIGNS, kw_only=True)
    predicted: NDArray[np.int32] | None = field(default=None, kw_only=True)
    changed: NDArray[np.bool_] | None = field(default=None, kw_only=True)
    refuted_at: int | None = field(default=None, kw_only=True)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def predictions(self) -> NDArray[Any]:
        """The label predicted in each round; None where there was no class to predict."""
        if self.predicted is None:
            return np.where(self.scores >= self.threshold, 1, -1).astype(np.int8)
        return named(self.classes, self.predicted)

    @property
    def labels(self) -> NDArray[Any]:
        """The label of each round by its name; -1 and +1 are called so."""
        return self.label if self.predicted is None else named(self.classes, self.label)

    @property
    def mistaken(self) -> NDArray[np.bool_]:
        """For each round, whether the prediction was wrong."""
        if self.predicted is None:
            return np.asarray((self.scores >= self.threshold) != (self.label > 0))
        return np.asarray(self.predicted != self.label)

    @property
    def mistakes(self) -> int:
        """Number of wrong predictions."""
        return int(np.count_nonzero(self.mistaken))

    @property
    def false_negatives(self) -> int:
        """Number of positive rows predicted -1 (m+ in the bounds)."""
        return int(np.count_nonzero(self.mistaken & (self._signs() > 0)))

    @property
    def false_positives(self) -> int:
        """Number of negative rows predicted +1 (m- in the bounds)."""
        return int(np.count_nonzero(self.mistaken & (self._signs() < 0)))

    def _signs(self) -> NDArray[np.int8]:
        if self.predicted is not None:
            raise LabelError("false positives and negatives are of two classes, -1 and +1.")
        return self.label

    def _curve(self) -> Any:
        """Mistakes along the rounds, in few points."""
        # By name: curves are a stage above the learners, which know nothing else of them.
        curve = import_module("thresher.models.mistake_curve").MistakeCurve()
        curve.add(self.mistaken)
        return curve

    def plot(self) -> Svg:
        """The mistakes along the rounds, as a picture that notebooks show.

        >>> rounds = Rounds(np.array([0.0, 0.0, -1.0]), np.array([1, -1, -1], np.int8), 0.0)
        >>> rounds.plot()
        Svg(640 x 300: 1 mistakes in 3 rounds)
        """
        pictures, curve = import_module("thresher.pictures"), self._curve()
        line = pictures.Line(
            points=curve.steps(), label=f"{self.mistakes:,} made", steps=curve.exact
        )
        title = f"{self.mistakes} mistakes in {len(self)} rounds"
        picture: Svg = pictures.Chart(lines=[line], title=title, x="rounds").svg()
        return picture

    def _repr_html_(self) -> str:
        pictures, curve = import_module("thresher.pictures"), self._curve()
        rows = [("rounds", f"{len(self):,}"), ("mistakes", f"{self.mistakes:,}")]
        if curve.error is not None:
            rows.append(("error", f"{curve.error:.2%}"))
        if self.predicted is None:
            rows.append(("missed", f"{self.false_negatives:,}"))
            rows.append(("false alarms", f"{self.false_positives:,}"))
        if self.refuted_at is not None:
            rows.append(("claim refuted in round", f"{self.refuted_at + 1:,}"))
        picture = pictures.sparkline(curve.steps(), steps=curve.exact)
        shown: str = pictures.display(type(self).__name__, rows, picture)
        return shown

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rounds, {self.mistakes} mistakes)"

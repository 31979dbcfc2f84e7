"""ClassScorecard: predictions of several classes held against labels, in bounded memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cli.scorecard import DISTINCT_SCORES, ClassFigures, Ranking

#: With more classes than this, the area under the ROC curve is not given: each class would have
#: too few of the scores that are told apart.
MOST_RANKED = 100


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over all labels that occur or were predicted; a figure that is undefined counts 0."""

    precision: float
    recall: float
    f1: float


class ClassScorecard:
    """Counts of labels and predictions, and the ranking of the scores of each class.

    Parameters
    ----------
    classes
        The classes that the model knows.
    ranked
        Whether the scores of a class can be compared between rows, so that they rank them.

    Examples
    --------
    >>> card = ClassScorecard(["law", "sport"], ranked=True)
    >>> card.add(np.array([[2.0, 1.0], [0.5, 0.25], [0.0, 3.0]]), ["law", "sport", "art"])
    >>> card.rows, card.mistakes, card.unseen
    (3, 2, ['art'])
    >>> [(f.label, f.precision, f.recall, f.rows) for f in card.figures()]
    [('law', 0.5, 1.0, 1), ('sport', 0.0, 0.0, 1), ('art', None, 0.0, 1)]
    """

    def __init__(self, classes: list[str], *, ranked: bool) -> None:
        #: The classes of the model, then labels that it does not know.
        self.names = list(classes)
        self._known = len(classes)
        self._number = {name: r for r, name in enumerate(classes)}
        #: How often a label (first) was given for a row whose prediction is the second.
        self.counts: Counter[tuple[int, int]] = Counter()
        limit = DISTINCT_SCORES // max(1, len(classes))
        wanted = ranked and len(classes) <= MOST_RANKED
        self._rankings = [Ranking(limit) for _ in classes] if wanted else []

    def add(self, scores: NDArray[np.float64], labels: Any) -> None:
        """Count rows with these scores, a column for each class, and labels."""
        given = np.array([self._number_of(label) for label in labels], np.int64)
        said = np.argmax(scores, axis=1) if self._known else np.full(len(given), -1, np.int64)
        pairs, counts = np.unique(np.stack((given, said)), axis=1, return_counts=True)
        for label, prediction, rows in zip(*pairs.tolist(), counts.tolist(), strict=True):
            self.counts[label, prediction] += rows
        for r, ranking in enumerate(self._rankings):
            ranking.add(np.ascontiguousarray(scores[:, r]), given == r)

    def _number_of(self, label: str) -> int:
        found = self._number.get(label)
        if found is None:
            found = self._number[label] = len(self.names)
            self.names.append(label)
        return found

    @property
    def unseen(self) -> list[str]:
        """Labels in the data that the model does not know."""
        return self.names[self._known :]

    @property
    def rows(self) -> int:
        """Rows counted."""
        return self.counts.total()

    @property
    def mistakes(self) -> int:
        """Rows whose prediction is not their label."""
        return sum(rows for (label, said), rows in self.counts.items() if label != said)

    @property
    def error(self) -> float | None:
        """Share of mistakes; None without rows."""
        return self.mistakes / self.rows if self.rows else None

    def figures(self) -> list[ClassFigures]:
        """Precision, recall and F1 of each label, in the order of `names`."""
        present: Counter[int] = Counter()
        predicted: Counter[int] = Counter()
        for (label, said), rows in self.counts.items():
            present[label] += rows
            predicted[said] += rows
        return [
            ClassFigures.of(name, self.counts[r, r], predicted[r], present[r])
            for r, name in enumerate(self.names)
        ]

    def macro(self) -> Macro:
        """The means of the figures of all labels that occur or were predicted."""
        met = [f for f in self.figures() if f.rows or f.precision is not None]
        means = (
            sum(getattr(f, name) or 0.0 for f in met) / len(met) if met else 0.0
            for name in ("precision", "recall", "f1")
        )
        return Macro(*means)

    def areas(self) -> list[tuple[float, float] | None]:
        """The area under the ROC curve of each class against the rest, as `Ranking` has it.

        Empty where it is not given.
        """
        return [ranking.area() for ranking in self._rankings]

    def confusions(self) -> list[tuple[str, str, int]]:
        """Label, prediction and how often, the most frequent first; mistakes alone."""
        wrong = [(pair, rows) for pair, rows in self.counts.items() if pair[0] != pair[1]]
        wrong.sort(key=lambda item: (-item[1], item[0]))
        return [(self.names[label], self._said(said), rows) for (label, said), rows in wrong]

    def _said(self, r: int) -> str:
        return self.names[r] if r >= 0 else ""

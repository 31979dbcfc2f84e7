"""Scorecard: predictions held against labels, chunk by chunk, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.models.mistake_curve import MistakeCurve
from thresher.models.ranking import DISTINCT_SCORES, Area, Bin, Ranking
from thresher.models.window import WindowError
from thresher.parameters import checked_count

if TYPE_CHECKING:
    from thresher.models.model import Model

#: With more classes than this, the area under the ROC curve is not given: each class would have
#: too few of the scores that are told apart.
MOST_RANKED = 100


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """How well one label was found. A figure whose denominator is 0 is None."""

    label: str
    precision: float | None
    recall: float | None
    f1: float | None
    rows: int

    @classmethod
    def of(cls, label: str, hits: int, predicted: int, rows: int) -> ClassFigures:
        """The figures of a label: predicted and present so often, `hits` times both."""
        f1 = _share(2 * hits, predicted + rows)
        return cls(label, _share(hits, predicted), _share(hits, rows), f1, rows)


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over all labels that occur or were predicted; a figure that is undefined counts 0."""

    precision: float
    recall: float
    f1: float


class Scorecard:
    """Counts of labels and predictions, and how well scores rank the rows.

    Parameters
    ----------
    classes
        What the classes of the model are called, by number.
    several
        Whether there is a column of scores for each class. Otherwise there are two classes and
        one score, which is large for the second of them.
    ranked
        Whether the scores of a class can be compared between rows, so that they rank them.
    window
        Also report the error over this many last rows; None: do not.

    Examples
    --------
    >>> card = Scorecard(["ham", "spam"])
    >>> card.add(np.array([3.0, 1.0, -1.0]), np.array([1, 1, 0]), np.array([1, 0, 0]))
    >>> card
    Scorecard(3 rows, 1 mistakes)
    >>> card.confusion["ham", "spam"], card.error, card.area
    (1, 0.3333333333333333, 1.0)

    Labels that the model does not know are mistakes.

    >>> card = Scorecard(["law", "sport"], several=True)
    >>> given = np.array([card.number_of(label) for label in ("law", "sport", "art")])
    >>> card.add(np.array([[2.0, 1.0], [0.5, 0.25], [0.0, 3.0]]), np.array([0, 0, 1]), given)
    >>> card.mistakes, card.unseen
    (2, ['art'])
    >>> [(f.label, f.precision, f.recall, f.rows) for f in card.figures()]
    [('law', 0.5, 1.0, 1), ('sport', 0.0, 0.0, 1), ('art', None, 0.0, 1)]
    """

    def __init__(
        self,
        classes: Iterable[object],
        *,
        several: bool = False,
        ranked: bool = True,
        window: int | None = None,
    ) -> None:
        size = None if window is None else checked_count("test", "window", window, 1)
        #: The error of the last rows, and of the worst and the best so many in a row.
        self.window = None if size is None else WindowError(size)
        #: The classes of the model, then labels that it does not know.
        self.names = [*map(str, classes)]
        self.several = several
        self._known = len(self.names)
        self._number = {name: r for r, name in enumerate(self.names)}
        #: How often a label (first) was given for a row whose prediction is the second, by number;
        #: -1 is the prediction of a model without classes.
        self.counts: Counter[tuple[int, int]] = Counter()
        of = range(self._known) if several else (1,)
        wanted = of if ranked and self._known <= MOST_RANKED else ()
        #: One for each column of scores, by the class that large scores speak for.
        self._rankings = {r: Ranking(DISTINCT_SCORES // len(of)) for r in wanted}
        #: Mistakes along the stream.
        self.curve = MistakeCurve()

    @classmethod
    def of(cls, model: Model, window: int | None = None) -> Scorecard:
        """An empty card for a model."""
        learner = model.learner
        if not learner.several:
            return cls(model.label_names, window=window)
        # A learner for all classes compares them within a row; its scores rank no rows.
        ranked = learner.each_class is not None
        return cls(learner.classes, several=True, ranked=ranked, window=window)

    def add(
        self, scores: NDArray[np.float64], predicted: NDArray[Any], given: NDArray[Any]
    ) -> None:
        """Count rows with these scores, predictions and labels; the last two by number."""
        pairs = given.astype(np.int64) * (self._known + 1) + predicted + 1
        for pair, rows in zip(*map(np.ndarray.tolist, np.unique_counts(pairs)), strict=True):
            label, said = divmod(pair, self._known + 1)
            self.counts[label, said - 1] += rows
        mistaken = np.asarray(given != predicted)
        self.curve.add(mistaken)
        if self.window is not None:
            self.window.add(mistaken)
        columns = scores if self.several else scores[:, None]
        for (r, ranking), column in zip(self._rankings.items(), columns.T, strict=False):
            ranking.add(np.ascontiguousarray(column), given == r)

    def number_of(self, label: str) -> int:
        """The number of a label; one that the model does not know gets the next."""
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
        return _share(self.mistakes, self.rows)

    @property
    def confusion(self) -> dict[tuple[str, str | None], int]:
        """How many rows have a label (first) and a prediction (second).

        Pairs that never occur are left out, unless there are only two classes. The prediction
        of a model that knows no class is None.
        """
        all_pairs = [] if self.several else [(r, s) for r in (0, 1) for s in (0, 1)]
        return {
            (self.names[r], self.names[s] if s >= 0 else None): self.counts[r, s]
            for r, s in all_pairs or sorted(self.counts)
        }

    def mix_ups(self) -> list[tuple[str, str | None, int]]:
        """Label, prediction and count of the mistakes, the most frequent first."""
        wrong = [(*pair, rows) for pair, rows in self.confusion.items() if pair[0] != pair[1]]
        return sorted(wrong, key=lambda found: -found[2])

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

    def areas(self) -> list[Area | None]:
        """The area under the ROC curve of each class against the rest, as `Ranking` has it.

        Two classes have the same one. Empty where it is not given.
        """
        found = [ranking.area() for ranking in self._rankings.values()]
        return found if self.several else 2 * found

    @property
    def area(self) -> float | None:
        """The area under the ROC curve: the mean over all classes that have one."""
        given = [sum(area) / 2 for area in self.areas() if area is not None]
        return sum(given) / len(given) if given else None

    def roc(self) -> list[tuple[float, float]]:
        """Of two classes, the ROC curve from (0, 0) to (1, 1); empty where there is none."""
        return [] if self.several else self._rankings[1].curve()

    def score_bins(self, most: int = 10) -> list[Bin]:
        """Of two classes, rows with neighbouring scores, in bins of about equal counts."""
        return [] if self.several else self._rankings[1].bins(most)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON-ready values; None where there is no figure."""
        areas = [*self.areas(), *[None] * len(self.names)]
        figures = [asdict(found) for found in self.figures()]
        if self.several:
            for found, area in zip(figures, areas, strict=False):
                found["area_under_roc"] = None if area is None else sum(area) / 2
        return {
            "rows": self.rows,
            "mistakes": self.mistakes,
            "error": self.error,
            **({} if self.window is None else {"window": self.window.to_dict()}),
            **({"macro": asdict(self.macro())} if self.several else {}),
            "area_under_roc": self.area,
            **(
                {"unseen_labels": self.unseen}
                if self.several
                else {"area_under_roc_between": areas[0]}
            ),
            "confusion": [
                {"label": label, "predicted": said, "rows": rows}
                for (label, said), rows in self.confusion.items()
            ],
            "labels": figures,
            "curve": self.curve.to_dict(),
        }

    def __repr__(self) -> str:
        return f"Scorecard({self.rows:,} rows, {self.mistakes:,} mistakes)"

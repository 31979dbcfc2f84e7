"""What an export computes: the scores of a model and the label that they mean, as plain numbers.

Two classes have one score, which is compared with a threshold; several have one each, and the
largest wins, among equals the class that appeared first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.two_class.committee_form import CommitteeForm
from thresher.models.linear_form import forms_of
from thresher.models.model import Model
from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True, eq=False)
class LinearScorer:
    """Weights for each score."""

    forms: tuple[LinearForm, ...]
    #: What the labels are called, by number; of two the negative one comes first.
    labels: tuple[str, ...]
    several: bool
    #: The columns that have a weight of their own in some score, the heaviest first.
    columns: NDArray[np.int64]

    @property
    def sizes(self) -> list[int]:
        """How many features each score knows; others are not part of a row."""
        return [len(form.weights) for form in self.forms]

    @property
    def scaling(self) -> str | None:
        """What is done to a row first."""
        return self.forms[0].scaling

    @property
    def threshold(self) -> float:
        """Of two classes, the score from which on the second is predicted."""
        return self.forms[0].threshold

    def weights(self, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """A line for each of the columns, with a weight for each score."""
        return _lines(columns, [(form.weights, form.default) for form in self.forms])

    def largest(self, columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same of the largest values, where features are scaled by them."""
        nothing = np.zeros(0)
        each = [nothing if form.largest is None else form.largest for form in self.forms]
        return _lines(columns, [(largest, 0.0) for largest in each])

    def predicted(self, rows: Rows) -> NDArray[np.int32]:
        """The number of the label of each row."""
        scores = np.stack([form.scores(rows) for form in self.forms], axis=1)
        if self.several:
            return np.asarray(np.argmax(scores, axis=1), np.int32)
        return (scores[:, 0] >= self.threshold).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class CommitteeScorer:
    """A committee for each score; of two classes the second is predicted from a score of 0 on."""

    forms: tuple[CommitteeForm, ...]
    labels: tuple[str, ...]
    several: bool
    #: The columns that some committee has seen, increasing.
    columns: NDArray[np.int64]

    @property
    def threshold(self) -> float:
        """Of two classes, the score from which on the second is predicted."""
        return 0.0

    @property
    def sizes(self) -> list[int]:
        """How many features each score knows; others are not part of a row."""
        return [form.n_features for form in self.forms]

    def slots(self) -> NDArray[np.int64]:
        """The slot of each column for each score, among those that are standardised; 0: none."""
        found = np.zeros((len(self.columns), len(self.forms)), np.int64)
        for r, form in enumerate(self.forms):
            slotted = form.standard.columns
            found[np.searchsorted(self.columns, slotted), r] = np.arange(1, len(slotted) + 1)
        return found

    def lines(self, name: str, unseen: Any) -> NDArray[Any]:
        """One of the numbers of features: a line for each column, with one part for each score."""
        parts = []
        for form in self.forms:
            own = getattr(form, name)
            found = np.full((len(self.columns), *own.shape[1:]), unseen, own.dtype)
            found[np.searchsorted(self.columns, form.columns)] = own
            parts.append(found)
        return np.stack(parts, axis=1)


def linear_scorer(model: Model, top: int | None = None) -> LinearScorer:
    """The weights behind the scores of a model; with `top`, so many features, the heaviest.

    >>> import thresher as th
    >>> learner = th.OneVersusRest(th.Perceptron(3))
    >>> _ = learner.learn([[1, 0, 0], [0, 1, 0], [1, 0, 0]], ["law", "art", "law"])
    >>> scorer = linear_scorer(Model(learner=learner))
    >>> scorer.labels, scorer.weights(scorer.columns).tolist()
    (('law', 'art'), [[0.0, -1.0], [-1.0, 0.0]])
    """
    learner = model.learner
    _require_classes(model)
    if _is_committee(model):
        raise ExportError(
            "a Committee mixes learners that see a row in different ways: no list of weights "
            "scores as it does.",
            "Export it as C, JavaScript or JSON, which hold all that it takes; or train a single "
            "learner, such as AROW.",
            code="export.committee",
        )
    forms = forms_of(learner)
    size = max(len(form.weights) for form in forms)
    weight = np.zeros(size)
    touched = np.zeros(size, bool)
    for form in forms:
        own = form.touched()
        touched[own] = True
        weight[own] = np.maximum(weight[own], np.abs(form.weights[own]))
    columns = np.flatnonzero(touched)
    columns = columns[np.argsort(-weight[columns], kind="stable")]
    if top is not None:
        forms = tuple(_only(form, columns[:top]) for form in forms)
    return LinearScorer(forms, _labels(model), learner.several, columns[:top])


def scorer_of(model: Model, top: int | None = None) -> LinearScorer | CommitteeScorer:
    """The numbers behind the scores of a model, whether it is linear or a committee."""
    if not _is_committee(model):
        return linear_scorer(model, top)
    _require_classes(model)
    if top is not None:
        raise ExportError(
            "a Committee is exported whole: its members disagree about which features are heavy.",
            "Leave top out.",
            code="export.committee_top",
        )
    learner = model.learner
    asked = learner.classes if learner.several else (None,)
    forms = tuple(form for label in asked if (form := learner.mixture_form(label)) is not None)
    seen = [each for form in forms for each in (form.columns, form.standard.columns)]
    columns = np.unique(np.concatenate(seen)).astype(np.int64)
    return CommitteeScorer(forms, _labels(model), learner.several, columns)


def _is_committee(model: Model) -> bool:
    return bool(model.learner.innermost.members)


def _require_classes(model: Model) -> None:
    if not model.learner.classes:
        raise ExportError("the model has not seen a class yet, so there is nothing to export.")


def _labels(model: Model) -> tuple[str, ...]:
    learner = model.learner
    return tuple(map(str, learner.classes)) if learner.several else model.label_names


def _only(form: LinearForm, columns: NDArray[np.int64]) -> LinearForm:
    """The form with the weights of these columns; the others are as if never touched."""
    weights = np.full(len(form.weights), form.default)
    kept = columns[columns < len(weights)]
    weights[kept] = form.weights[kept]
    return replace(form, weights=weights)


def _lines(
    columns: NDArray[np.int64], each: list[tuple[NDArray[np.float64], float]]
) -> NDArray[np.float64]:
    found = np.empty((len(columns), len(each)))
    for r, (numbers, default) in enumerate(each):
        known = columns < len(numbers)
        found[:, r] = default
        found[known, r] = numbers[columns[known]]
    return found

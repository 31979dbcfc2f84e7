"""What a model with several classes has learned: for each class the features that speak for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.export.class_forms import class_called
from thresher.export.explanation import Contribution, contributions
from thresher.export.summary import facts_of
from thresher.learners.base.linear_form import LinearForm
from thresher.models.model import Model
from thresher.streams.rows import Rows


def class_summary(model: Model, top: int, name: str | None = None) -> dict[str, Any]:
    """The model as JSON-ready values, with the `top` features of each class, or of one.

    Of one class: the heaviest features, of any sign. Of all: those that speak for a class, by their
    weight times the root of the rows that had them, where names were kept: by weights alone the
    rarest words would come first.

    >>> import thresher as th
    >>> learner = th.MulticlassPerceptron()
    >>> _ = learner.learn([{"vote": 1}, {"goal": 1}, {"vote": 1, "law": 1}], ["law", "art", "law"])
    >>> found = class_summary(Model(learner=learner), 1)
    >>> [(one["label"], one["features"]) for one in found["classes"]]
    [('law', [{'column': 1, 'names': ['goal'], 'weight': -1.0}]), \
('art', [{'column': 1, 'names': ['goal'], 'weight': 1.0}])]
    """
    learner = model.learner
    chosen = learner.classes if name is None else [class_called(learner, name)]
    found = facts_of(model) | {"n_classes": len(learner.classes)}
    often = None if name is not None else _rows_with(model)
    try:
        classes = [_class(model, label, top, often) for label in chosen]
    except ExportError as error:
        return found | {"classes": None, "why_no_features": str(error)}
    return found | {"classes": classes}


def _rows_with(model: Model) -> NDArray[np.float64]:
    """In how many updates the commonest name of each column was; 0 where none was kept."""
    kept = model.kept
    if kept is None or not kept.table.hashed:
        return np.zeros(0)
    updates = kept.updates()
    rows = np.zeros(kept.table.n_features)
    for column, names in kept.columns().items():
        rows[column] = max(updates[name] for name in names)
    return rows


def _class(model: Model, label: Any, top: int, often: NDArray[np.float64] | None) -> dict[str, Any]:
    form = model.learner.linear_form(label)
    touched = form.touched()
    if often is not None:
        speaks = form.weights[touched].copy()
        if len(often) >= len(form.weights):
            speaks *= np.sqrt(1.0 + often[touched])
        touched = touched[np.argsort(-speaks, kind="stable")]
    return {
        "label": str(label),
        "constant": form.constant / form.divisor,
        "default": form.default / form.divisor,
        "touched": len(touched),
        "features": [
            {
                "column": column,
                "names": list(model.names_of(column)),
                "weight": float(form.weights[column]) / form.divisor,
            }
            for column in touched[:top].tolist()
        ],
    }


@dataclass(frozen=True, slots=True)
class ClassExplanation:
    """The score of a row for one class taken apart, and who else came near."""

    #: The class that is predicted, and the one whose score this is.
    predicted: str
    label: str
    score: float
    #: The best of the other classes; None if there is none.
    rival: str | None
    rival_score: float | None
    constant: float
    #: Largest first, whatever the sign.
    contributions: tuple[Contribution, ...]


class ClassExplainer:
    """Takes scores for several classes apart; the weights of a class are looked up once."""

    def __init__(self, model: Model, name: str | None = None) -> None:
        self._model = model
        self._called = None if name is None else str(class_called(model.learner, name))
        self._forms: dict[str, LinearForm] = {}

    def explain(
        self, row: Mapping[int, float], named: Mapping[int, tuple[str, ...]] | None = None
    ) -> ClassExplanation:
        """Take the score of a row apart: for the class asked for, or the one predicted."""
        learner = self._model.learner
        classes = [*map(str, learner.classes)]
        if not classes:
            raise ExportError("the model has not seen a class yet, so there is no score.")
        scores = learner.scores(Rows.of([dict(row)]))[0].tolist()
        order = sorted(range(len(classes)), key=lambda r: -scores[r])
        chosen = order[0] if self._called is None else classes.index(self._called)
        other = next((r for r in order if r != chosen), None)
        label = classes[chosen]
        if label not in self._forms:
            self._forms[label] = learner.linear_form(learner.classes[chosen])
        form = self._forms[label]
        return ClassExplanation(
            predicted=classes[order[0]],
            label=label,
            score=scores[chosen],
            rival=None if other is None else classes[other],
            rival_score=None if other is None else scores[other],
            constant=form.constant / form.divisor,
            contributions=contributions(self._model, form, row, named),
        )

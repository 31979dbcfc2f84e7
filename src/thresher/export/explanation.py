"""Why a row has the score it has: what each of its features adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thresher.export.form import form_of
from thresher.learners.base.linear_form import LinearForm
from thresher.models.model import Model
from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature of a row: what it is called, its value, its weight, and what the two make."""

    column: int
    names: tuple[str, ...]
    value: float
    weight: float
    adds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score taken apart; the parts add up to it, but for rounding."""

    score: float
    threshold: float
    label: str
    #: What every row has to begin with: a bias, for instance.
    constant: float
    #: Largest first, whatever the sign.
    contributions: tuple[Contribution, ...]


def explain(
    model: Model, row: Mapping[int, float], named: Mapping[int, tuple[str, ...]] | None = None
) -> Explanation:
    """Take the score of a row apart.

    Parameters
    ----------
    model
        A model that is linear in its features.
    row
        Columns and values.
    named
        What the features of this row are called, where that is known; otherwise the names
        that the model has kept.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron(3).with_dual([0.5, -2.0, 0.0])
    >>> why = explain(Model(learner=learner), {0: 1.0, 1: 3.0})
    >>> why.score, why.label, [(c.names, c.adds) for c in why.contributions]
    (-5.5, '-1', [(('1',), -6.0), (('0',), 0.5)])
    """
    form = form_of(model.learner)
    score = float(model.learner.scores(Rows.of([dict(row)]))[0])
    label = model.label_names[score >= form.threshold]
    constant = form.constant / form.divisor
    return Explanation(
        score, form.threshold, label, constant, contributions(model, form, row, named)
    )


def contributions(
    model: Model,
    form: LinearForm,
    row: Mapping[int, float],
    named: Mapping[int, tuple[str, ...]] | None = None,
) -> tuple[Contribution, ...]:
    """What the features of a row add to its score, the largest first."""
    names = named or {}
    parts = [
        Contribution(
            column,
            names.get(column) or model.names_of(column),
            value,
            float(form.weights[column]) / form.divisor,
            float(form.weights[column]) * value / form.divisor,
        )
        for column, value in row.items()
        if column < len(form.weights)
    ]
    return tuple(sorted(parts, key=lambda part: (-abs(part.adds), part.column)))

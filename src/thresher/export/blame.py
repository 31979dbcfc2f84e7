"""Which updates made a weight: the journal, played again, one column watched."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from thresher.errors import ExportError
from thresher.export.form import form_of
from thresher.learners.base.journal import Journal
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.literals import LiteralLearner
from thresher.models.model import Model
from thresher.streams.batch import Batch


@dataclass(frozen=True, slots=True)
class Entry:
    """An update in which the feature took part, and its weight afterwards."""

    #: Round of the learner's life, counted from 0.
    round_number: int
    label: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True)
class Blame:
    """The history of one weight."""

    column: int
    names: tuple[str, ...]
    #: The weight before the first update.
    start: float
    entries: tuple[Entry, ...]
    #: The weight in the model.
    weight: float
    #: Whether the journal, played again, ends at this weight; None if it is not complete.
    matches: bool | None
    omitted: int


def blame(model: Model, feature: str) -> Blame:
    """The updates that moved the weight of a feature, in order.

    Parameters
    ----------
    model
        A model with weights and a journal.
    feature
        The name of the feature, or the number of its column.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Winnow(n_features=4)
    >>> _ = learner.learn([[1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 0, 0]], [+1, -1, +1])
    >>> history = blame(Model(learner=learner), "1")
    >>> history.start, [(e.round_number, e.label, e.weight) for e in history.entries]
    (1.0, [(0, '+1', 2.0), (1, '-1', 1.0), (2, '+1', 2.0)])
    >>> history.weight, history.matches
    (2.0, True)
    """
    learner = model.learner.uncalibrated
    form = form_of(learner)
    if not isinstance(learner, LinearLearner):
        raise ExportError(f"{type(learner).__name__} has no journal of one weight.")
    column = column_of(model, feature, len(form.weights))
    if learner.warm_start:
        raise ExportError(
            "the learner began with given weights, and the journal does not know them, so the "
            "history of a weight cannot be told."
        )
    journal = _over_variables(learner)
    fresh = learner.started_anew()
    weight = _weight(fresh, column)
    start, entries = weight, []
    places = (
        np.searchsorted(journal.row_start, np.flatnonzero(journal.column == column), "right") - 1
    )
    # Once: every look at the journal takes a snapshot of all of it.
    omitted, round_number = learner.journal.omitted, learner.journal.round_number
    for before, place in pairwise([-1, *places.tolist()]):
        fresh.learn(journal[before + 1 : place + 1])
        weight = _weight(fresh, column)
        row = dict(journal._pairs(place))
        label = model.label_names[int(journal.label[place]) > 0]
        entries.append(Entry(int(round_number[place]), label, row[column], weight))
    fresh.learn(journal[(int(places[-1]) + 1 if len(places) else 0) :])
    final = float(form.weights[column]) / form.divisor
    matches = None if omitted else bool(_weight(fresh, column) == _weight(learner, column))
    return Blame(column, model.names_of(column), start, tuple(entries), final, matches, omitted)


def column_of(model: Model, feature: str, n_features: int) -> int:
    """The column of a feature given as a name or a number, as in the files."""
    table = model.name_table
    column: int | None
    canonical = feature.isascii() and feature.isdigit() and str(int(feature)) == feature
    if feature in table.vocabulary:
        column = table.vocabulary[feature]
    elif canonical and not table.vocabulary:
        column = int(feature)
    else:
        column = table.column_of(feature)
    if column is None or column >= n_features:
        raise ExportError(
            f"the model has no feature {feature!r}."
            + (f" Columns are numbered 0 to {n_features - 1}." if canonical else "")
        )
    return column


def _over_variables(learner: LinearLearner) -> Batch:
    """The journal as rows that `learn` takes; a learner over literals remembers literals."""
    journal = learner.journal
    if not isinstance(learner, LiteralLearner) or not learner.parameters["literals"]:
        weights = journal.importance
        return Batch(
            journal.row_start, journal.column, journal.value, journal.label, importance=weights
        )
    rows = Journal.clipped(journal, learner.n_variables)
    return Batch(rows.row_start, rows.column, rows.value, journal.label)


def _weight(learner: LinearLearner, column: int) -> float:
    """The weight of one column: what it adds to a row that has nothing else."""
    unit = min(1.0, learner.domain.highest)
    return (learner.score_one({column: unit}) - learner.score_one({})) / unit

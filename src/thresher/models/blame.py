"""Which updates made a weight: the journal, played again, one column watched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.models.one_class import model_of_class
from thresher.streams.labels import Label


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


def blame(model: Model, feature: str, label: Label | None = None) -> Blame:
    """The updates that moved the weight of a feature, in order.

    Parameters
    ----------
    model
        A model with weights and a journal.
    feature
        The name of the feature, or the number of its column.
    label
        Of several classes, the one whose weight is meant; it has a learner of its own.

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
    model = model if label is None else model_of_class(model, label)
    learner = model.learner.uncalibrated
    form = form_of(learner)
    column = column_of(model, feature, len(form.weights))
    # Once: every look at the journal takes a snapshot of all of it.
    journal = learner.journal_as_given
    if journal is None:
        raise ExportError(
            f"{type(learner).__name__} keeps no journal, so the history of a weight cannot be told."
        )
    if learner.warm_start:
        raise ExportError(
            "the learner began with given weights, and the journal does not know them, so the "
            "history of a weight cannot be told."
        )
    fresh = learner.started_anew()
    start, entries, played = _weight(fresh, column), [], 0
    places = np.flatnonzero(journal.column == column)
    rows = np.searchsorted(journal.row_start, places, "right") - 1
    for place, row in zip(places.tolist(), rows.tolist(), strict=True):
        fresh.learn(journal[played : row + 1])
        played = row + 1
        label_name = model.label_names[int(journal.label[row]) > 0]
        told = (int(journal.round_number[row]), label_name, float(journal.value[place]))
        entries.append(Entry(*told, _weight(fresh, column)))
    fresh.learn(journal[played:])
    return Blame(
        column=column,
        names=model.names_of(column),
        start=start,
        entries=tuple(entries),
        # Of values as they come, as in the entries.
        weight=float(form.weights[column]) / form.divisor
        if form.scaling is None
        else _weight(learner, column),
        matches=None if journal.omitted else _weight(fresh, column) == _weight(learner, column),
        omitted=journal.omitted,
    )


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


def _weight(learner: Learner, column: int) -> float:
    """The weight of one column: what it adds to a row that has nothing else."""
    unit = min(1.0, learner.domain.highest)
    with_it, without = learner.scores([{column: unit}, {}]).tolist()
    return float(with_it - without) / unit

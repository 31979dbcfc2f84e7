"""Epochs: partitions learn apart, and are combined into one estimator."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thresher.cluster.engine import Engine, failed, unpacked_for
from thresher.cluster.hindsight import Measured, allowed, question_for
from thresher.cluster.mixing import mixed
from thresher.errors import LabelError, ThresherError, UnsoundBatchError
from thresher.models.label_order import LabelOrder
from thresher.records import record
from thresher.sklearn.columns import checked_matrix
from thresher.sklearn.dask.features import Hashed, example_of
from thresher.sklearn.dask.partitions import Table
from thresher.sklearn.dask.tasks import Seen, learn, look
from thresher.sklearn.estimator import ClassWeights, Estimator
from thresher.streams.rows import Rows
from thresher.theory.mixing import MixingWithLosses


@record(eq=False)
class Work:
    """Who works on which partitions, and how long at most."""

    engine: Engine
    deadline: float
    table: Table
    hashed: Hashed | None

    def each(
        self, what: str, function: Callable[..., Any], estimator: Estimator | None, *more: Any
    ) -> list[Any]:
        """The results of all partitions in order, without those that have no rows.

        A function is given `more`, the estimator if there is one, and the parts of a partition.
        """
        table, n = self.table, len(self.table)
        states: list[tuple[Any, ...]] = [()] * n
        if estimator is not None:
            packed = pickle.dumps(estimator, protocol=5)
            states = [(one,) for one in unpacked_for(self.engine, f"the state {what}", packed, n)]
        names = [f"{what}, {table.name(number)}" for number in range(n)]
        tasks = [
            self.engine.submit(name, function, *more, *state, *table.parts(number))
            for number, (name, state) in enumerate(zip(names, states, strict=True))
        ]
        found: list[Any] = [None] * n
        for place, result in self.engine.gather(tasks, self.deadline):
            found[place] = result
        for name, result in zip(names, found, strict=True):
            if isinstance(result, ThresherError):
                raise failed(name, result)
        return [result for result in found if result is not None]


class Labels:
    """What all partitions have of labels and values."""

    def __init__(self, seen: list[Seen]) -> None:
        if not seen:
            raise UnsoundBatchError("there is not a single row: all partitions are empty.")
        self.classes = _together([one.classes for one in seen])
        self.misfits = any(one.misfits for one in seen)
        self.counts = self._summed([(one.classes, one.counts) for one in seen])
        self.counting = self._summed([(one.classes, one.counting) for one in seen])
        self._changes = sum(one.changes for one in seen)

    def _summed(self, parts: list[tuple[NDArray[Any], NDArray[np.int64]]]) -> NDArray[np.int64]:
        total = np.zeros(len(self.classes), np.int64)
        for classes, counts in parts:
            total[np.searchsorted(self.classes, classes)] += counts
        return total

    @property
    def sorted_rows(self) -> str | None:
        """What to say, if rows with the same label stand together in the partitions."""
        return LabelOrder.counted(self.counts, self._changes).together


def _together(classes: list[NDArray[Any]]) -> NDArray[Any]:
    """The classes of all partitions, sorted."""
    if len({one.dtype.kind in "OUS" for one in classes}) > 1:
        raise LabelError(
            "some partitions have numbers for labels, and others have texts.",
            "Make them alike: y.astype(str).",
        )
    return np.unique(np.concatenate(classes))


def looked_at(work: Work, estimator: Estimator) -> Labels:
    """What there is in all partitions; the rows are computed only if their values decide."""
    values = decides_scaling(estimator)
    if not values and not work.table.pairs:
        work = replace(work, table=work.table.labels_alone())
    return Labels(work.each("a first look", look, None, clone(estimator), work.hashed, values))


def decides_scaling(estimator: Estimator) -> bool:
    """Whether the values of the first rows decide how rows are scaled."""
    return estimator._bounded() and getattr(estimator, "scaling", None) == "auto"


def begun(
    estimator: Estimator,
    work: Work,
    classes: NDArray[Any],
    of_class: ClassWeights,
    *,
    misfits: bool,
) -> Estimator:
    """A copy of the estimator that knows its classes and features, and has seen nothing."""
    made: Estimator = clone(estimator)
    given = made.get_params(deep=False)
    example, _ = checked_matrix(made, example_of(work.table.rows, work.hashed), None, reset=True)
    if decides_scaling(made):
        made.scaling = "online" if misfits else None
    if "journal_bytes" in given:
        # No journal rebuilds a learner that was combined.
        made.journal_bytes = 0
    made._start(Rows.of(example), classes, of_class)
    made.set_params(**given)
    # Asked now: a learner that cannot be combined is refused before anything is computed.
    made._inner.shared_numbers()
    return made


def balanced(labels: Labels) -> ClassWeights:
    """The inverse of how often each class comes, as scikit-learn weighs them."""
    each = labels.counts.sum() / (len(labels.classes) * labels.counts.astype(np.float64))
    return dict(zip(labels.classes.tolist(), each.tolist(), strict=True))


@record(eq=False)
class Epoch:
    """An estimator after an epoch, and what the partitions did that had rows."""

    estimator: Estimator
    mistakes: tuple[int, ...]
    #: What the theorem for mixing allows, if it was asked.
    theorem: MixingWithLosses | None


def epoch(work: Work, began: Estimator, number: int, *, last_of: int | None) -> Epoch:
    """Let every partition learn, beginning with one estimator, and combine what they became.

    In the last of several epochs, every row is also scored as the theorem for mixing asks.
    """
    learner = began._inner
    question = question_for(learner) if number == last_of and number > 1 else None
    found = work.each(f"epoch {number}", learn, began, work.hashed, question)
    if not found:
        raise UnsoundBatchError("there is not a single row that counts in any partition.")
    changes = [one.change for one in found]
    after = copy(began)
    after._inner = learner.with_shared(mixed(learner.shared_numbers(), changes))
    after.mistakes_ += sum(change.mistakes for change in changes)
    after.n_rounds_ += sum(change.counts[0] for change in changes)
    after.classes_ = _together([one.classes for one in found])
    theorem = None
    if question is not None:
        measured = Measured.of_all(one.measured for one in found)
        theorem = allowed(learner, question, measured, len(found), number)
    return Epoch(after, tuple(change.mistakes for change in changes), theorem)

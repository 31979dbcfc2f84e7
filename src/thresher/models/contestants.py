"""Who runs in a race: learners, and the commonest label, which they have to beat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from thresher.errors import ParameterError, RequestError
from thresher.learners.base.class_table import ClassTable
from thresher.learners.base.learner import Learner
from thresher.learners.base.rounds import Rounds
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.choice import LearnerChoice
from thresher.models.usual_learners import (
    BASELINE,
    TRACKING_LEARNERS,
    USUAL_LEARNERS,
    USUAL_MULTICLASS_LEARNERS,
)
from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.theory import MistakeBound

#: Learners, or names with parameters, by the titles they race by; or names alone.
Learners = Mapping[str, Learner] | Mapping[str, str] | Mapping[str, Learner | str] | Iterable[str]


class Contestant(Protocol):
    """Whoever predicts and learns, batch by batch; every learner is one."""

    @property
    def bytes_of_a_class(self) -> int:
        """The memory that a class with a learner of its own takes; 0 where classes share."""

    def learn(self, X: Batch) -> Rounds:
        """Predict, compare and update, row by row."""

    def bound(self) -> MistakeBound | None:
        """The theorem that bounds the mistakes of any run, with this run's figures put in."""


class CommonestLabel:
    """What to beat: always the label that was most frequent so far.

    Among equals it is +1 of two classes, and of several the one that appeared first; before
    the first of several it is none.

    >>> CommonestLabel().learn(Batch.of([[1]] * 4, [-1, -1, 1, -1])).mistakes
    2
    >>> batch = Batch.of_classes([[1]] * 5, ["law", "art", "art", "art", "law"])
    >>> CommonestLabel().learn(batch).predictions.tolist()
    [None, 'law', 'law', 'art', 'art']
    """

    bytes_of_a_class = 0

    def __init__(self) -> None:
        self._table = ClassTable()
        self._counts: list[int] = []
        self._leader = -1
        #: How many more +1 than -1 there were.
        self._balance = 0

    def learn(self, X: Batch) -> Rounds:
        """Predict, then count; with two classes the score is how many more +1 came before."""
        if not X.signed:
            return self._learn_several(X)
        after = self._balance + np.cumsum(X.label, dtype=np.int64)
        self._balance = int(after[-1]) if len(after) else self._balance
        return Rounds((after - X.label).astype(np.float64), X.label)

    def _learn_several(self, X: Batch) -> Rounds:
        label = self._table.numbers(X, None, len(X))
        counts = self._counts
        counts += [0] * (len(self._table) - len(counts))
        predicted = np.empty(len(label), np.int32)
        leader = self._leader
        for t, number in enumerate(label.tolist()):
            predicted[t] = leader
            counts[number] += 1
            ahead = leader < 0 or counts[number] > counts[leader]
            if ahead or (counts[number] == counts[leader] and number < leader):
                leader = number
        self._leader = leader
        classes = tuple(self._table.labels)
        return Rounds(np.zeros(len(label)), label, classes=classes, predicted=predicted)

    def bound(self) -> None:
        """No theorem speaks of it."""


def contestants(
    learners: Learners | None,
    n_features: int | None,
    *,
    several: bool,
    tracking: bool = False,
    class_weight: Mapping[Any, float] | None = None,
) -> dict[str, Contestant]:
    """Who runs on a stream of two or of several classes, by title, and what they have to beat.

    Parameters
    ----------
    learners
        Learners by their titles, or names with parameters, such as ``"winnow:beta=1/2"``, by
        titles or as titles. None: the usual ones.
    n_features
        How many features those have that are given by name; None means 2^18.
    several
        Whether there are several classes: a two-class learner then runs once for each class
        against the rest.
    tracking
        Whether variants that forget run along, for targets that move.
    class_weight
        How much the rows of a class count, by its name, or of -1 and +1; 1 unless given. Of the
        usual learners those run that can take it.
    """
    usual = not learners
    if isinstance(learners, str):
        learners = (learners,)
    if not isinstance(learners, Mapping):
        names = USUAL_MULTICLASS_LEARNERS if several else USUAL_LEARNERS
        learners = {text: text for text in learners or names}
    if tracking:
        learners = {**{text: text for text in TRACKING_LEARNERS}, **learners}
    suited: dict[str, Learner] = {}
    for title, learner in learners.items():
        try:
            suited[title] = _suited(_made(learner, n_features), class_weight, several=several)
        except RequestError as error:
            if not usual or error.code != "request.no_class_weights":
                raise
    return {**suited, BASELINE: CommonestLabel()}


def _suited(
    learner: Learner, class_weight: Mapping[Any, float] | None, *, several: bool
) -> Learner:
    """The learner, arranged for the classes, which count so much."""
    if class_weight and not several:
        learner.weigh_classes(class_weight)
    return arranged(learner, several=several, class_weight=class_weight if several else None)


def _made(learner: Any, n_features: int | None) -> Learner:
    """The learner, made if it was given by name."""
    if isinstance(learner, str):
        # A race is no proof: nobody needs a journal.
        return LearnerChoice.parse(learner).create(n_features=n_features, journal=False)
    if not isinstance(learner, Learner) or learner.n_rounds:
        must = "learners that have seen nothing, or names of learners"
        raise ParameterError("race", "learners", must, learner)
    return learner

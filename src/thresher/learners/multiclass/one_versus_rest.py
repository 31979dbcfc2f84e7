"""Several classes, with one two-class learner for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError, StateError
from thresher.kernels.rows.named_rows import NameTable, pack
from thresher.learners.base.class_table import ClassTable, weights_of_classes
from thresher.learners.base.learner import Features
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import LinearLearner, as_dict
from thresher.learners.base.multiclass_predictions import MulticlassPredictions
from thresher.learners.base.probability_map import ProbabilityMap
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.learners.base.stateful import Stateful
from thresher.learners.base.uninterrupted import Uninterrupted
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.class_learners import ClassLearners
from thresher.learners.multiclass.classes_state import ClassesState
from thresher.learners.two_class.committee_form import CommitteeForm
from thresher.streams.arrays import as_rows
from thresher.streams.batch import Batch
from thresher.streams.labels import Label
from thresher.streams.rows import Rows
from thresher.streams.value_limits import ValueLimits


class OneVersusRest(MulticlassPredictions, ClassesState):
    """One two-class learner per class, which separates the class from all others.

    Each class has a copy of the given learner. A row is +1 for the copy of its class and -1 for
    all others. The prediction is the class whose score exceeds its threshold by most (or misses it
    by least); of equal ones, the class that appeared first.

    The label set is open: a class may appear in any round, which is then a mistake. One more copy,
    the background, sees every row as -1. A new class starts from what the background has learned,
    as if it had seen all rows before, none of them of its class. So classes that are stated
    beforehand learn what they would have learned anyway; they can be predicted before they appear.
    On text this saves mistakes. On a dense table :class:`~thresher.AROW` would be too confident by
    then: while it waits for its class, rows of -1 leave no variance below 1/4. No mistake bound is
    known for the whole: each class has that of its learner.

    A model saved by release 0.2.0 has no background: there, a new class starts from nothing in the
    round in which it appears.

    **Cost.** k + 1 times the cost and the memory of the given learner, for k classes. A right
    round changes whatever it changes in the copies. The background is never wrong once it predicts
    -1 for everything, so with learners that change only on mistakes it costs little more than one
    pass over each row.

    Parameters
    ----------
    learner
        A two-class learner that has seen nothing. :class:`~thresher.Calibrated` ones and the
        :class:`~thresher.Committee` give probabilities, see `predict_proba`.
    classes
        Labels that are known beforehand; others may still appear.
    class_weight
        A dict from label to the weight of its rows in the learner of that class, 1 unless given,
        for learners that take importance. In the learners of the other classes these rows count 1.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.OneVersusRest(th.Perceptron(n_features=3))
    >>> rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]]
    >>> labels = ["red", "green", "blue", "red", "green"]
    >>> [learner.learn(rows, labels).mistakes for _ in range(3)]
    [4, 1, 0]
    >>> learner.predict_top(rows, 2)[3].tolist()
    ['red', 'blue']
    >>> learner.learner_of("blue")
    Perceptron(n_features=3): 15 rounds, 2 mistakes
    """

    name: ClassVar[str] = "one_versus_rest"
    _class_weight: dict[Label, float] | None  # type: ignore[assignment]
    _learner: LinearLearner | Calibrated

    def __init__(
        self,
        learner: LinearLearner | Calibrated,
        classes: Sequence[Label] | None = None,
        class_weight: Mapping[Any, float] | None = None,
    ) -> None:
        owner = type(self).__name__
        self._take_prototype(learner, (LinearLearner, Calibrated))
        self._labels = ClassTable.stated(owner, classes)
        self._classes = self._labels.given(classes)
        self._class_weight = weights_of_classes(owner, class_weight)
        self._each = ClassLearners(self._learner, len(self._labels), self._class_weight)
        self._n_rounds = 0
        self._mistakes = 0
        # Names become columns here, once; the members see columns alone.
        given = learner.name_table
        n_features = None if given.growing else given.n_features
        self._variables = NameTable(n_features, given.hashed, given.seed, given.strongest)

    def share_names(self, table: NameTable) -> None:
        """Find columns in a table that the reader of the stream fills.

        It must be of the kind that the learner asks for. Call this before the first round.
        """
        # The table may grow while we look at it, so that only its kind can be compared.
        ours, theirs = (
            (one.n_features, one.growing, one.hashed, one.seed, one.strongest)
            for one in (self._variables, table)
        )
        if ours != theirs or self._n_rounds:
            raise StateError("the table of names is not the one that the learner asks for.")
        self._variables = table

    # ---- learning -----------------------------------------------------------------------

    def learn(self, X: Any, y: Any = None, *, importance: Any = None) -> Rounds:
        """Predict, compare and update, one row after another, in order.

        Parameters
        ----------
        X, y
            As for :meth:`thresher.MulticlassPerceptron.learn`.
        importance
            How much each row counts, for learners that take it.
        """
        # A generator may ask this very learner for predictions: run it before taking the turn.
        X, y = (list(given) if isinstance(given, Iterator) else given for given in (X, y))
        with self._writing(), Uninterrupted():
            self._tables.require_order(type(self).__name__, X)
            names, classes = len(self._variables.vocabulary), len(self._labels)
            try:
                rows = as_rows(X, names=self._variables)
                label = self._labels.numbers(X, y, len(rows))
                given = X.importance if importance is None and isinstance(X, Batch) else importance
                rounds = self._played(rows, label, given)
            except BaseException:
                self._variables.forget(names)
                self._labels.forget(classes)
                self._each.forget(classes)
                raise
            self._tables = self._tables.with_one(X)
            self._n_rounds += len(rounds)
            self._mistakes += rounds.mistakes
        return rounds

    def _played(self, rows: Rows, label: NDArray[np.int32], importance: Any) -> Rounds:
        """Every class learns the batch."""
        found = self._each.learn(rows, label, self._weights(), importance, self.threads)
        best, predicted, changed = found
        return Rounds(best, label, classes=self.classes, predicted=predicted, changed=changed)

    def _weights(self) -> list[float]:
        """What the rows of each class count in its own learner."""
        given = self._class_weight or {}
        return [given.get(label, 1.0) for label in self._labels.labels]

    def learn_one(self, features: Features, label: Label, importance: float = 1.0) -> Label | None:
        """Play one round on a dict; return the prediction made before the label was used."""
        row = as_dict(features)
        with self._writing(), Uninterrupted():
            names, classes = len(self._variables.vocabulary), len(self._labels)
            try:
                columns = self._columns(row, add=True)
                number = self._labels.number(label)
                predicted = self._each.learn_one(columns, number, self._weights(), importance)
            except BaseException:
                self._variables.forget(names)
                self._labels.forget(classes)
                self._each.forget(classes)
                raise
            self._n_rounds += 1
            self._mistakes += predicted != number
            return self._labels.labels[predicted] if classes else None

    def _columns(self, row: dict[Any, float], *, add: bool) -> dict[int, float]:
        """The row by columns, which are the same for all members."""
        _, column, value = pack([row], self._variables, add)
        return dict(zip(column.tolist(), value.tolist(), strict=True))

    # ---- predicting ---------------------------------------------------------------------

    def scores(self, X: Any) -> NDArray[np.float64]:
        """By how much each row exceeds the threshold of each class; nothing changes."""
        self._tables.require_width(type(self).__name__, X)
        self._tables.require_order(type(self).__name__, X)
        rows = as_rows(X, names=self._variables, add=False)
        with self._reading():
            if not self._each.members:
                self._learner.scores(rows)
            return self._each.scores(rows, self.threads)

    def scores_one(self, features: Features) -> dict[Label, float]:
        """The same for a dict of features and each class; names never seen weigh nothing."""
        # Before the turn is taken: to become a number, a value may ask this very learner.
        columns = self._columns(as_dict(features), add=False)
        with self._reading():
            if not self._each.members:
                self._learner.score_one(columns)
            each = [member.score_one(columns) - member.threshold for member in self._each.members]
            return dict(zip(self._labels.labels, each, strict=True))

    @property
    def gives_probabilities(self) -> bool:
        """Whether the learner of each class says how probable it is."""
        return self._learner.gives_probabilities

    def probabilities_of(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each class, from scores as `scores` gives them.

        Each class has its own probability against the rest; they are divided by their sum.
        """
        if not self.gives_probabilities:
            raise self._without_probabilities()
        with self._reading():
            maps = [member.probability_map() for member in self._each.members]
        each = [known.probabilities(scores[:, r]) for r, known in enumerate(maps) if known]
        if not each:
            return np.empty((len(scores), 0))
        raw = np.stack(each, axis=1)
        return np.asarray(raw / raw.sum(axis=1, keepdims=True))

    def probability_map(self, label: Label | None = None) -> ProbabilityMap | None:
        """How the scores of one class become its probability against the rest."""
        with self._reading():
            return self._member_of(label).probability_map()

    def probabilities_one(self, features: Features) -> dict[Label, float]:
        """The probability of each class for a dict of features; nothing changes."""
        if not self.gives_probabilities:
            raise self._without_probabilities()
        columns = self._columns(as_dict(features), add=False)
        with self._reading():
            each = [member.probability_one(columns) for member in self._each.members]
        whole = np.sum(each)
        return {label: float(one / whole) for label, one in zip(self.classes, each, strict=True)}

    # ---- what was learned ---------------------------------------------------------------

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes so far, in the order in which they appeared."""
        return tuple(self._labels.labels)

    @property
    def n_features(self) -> int:
        """Number of features that have weights (so far, for learners that grow)."""
        with self._reading():
            return self._each.n_features or self._variables.n_features

    @property
    def takes_importance(self) -> bool:
        """Whether rows may count more or less than others."""
        return bool(self._learner.takes_importance)

    @property
    def n_rounds(self) -> int:
        """Rounds played."""
        return self._n_rounds

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self._mistakes

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights behind the scores: a line per class, a column per feature."""
        with self._reading():
            each = [member.weights for member in self._each.members]
        found = np.zeros((len(each), max(map(len, each), default=0)))
        for line, weights in zip(found, each, strict=True):
            line[: len(weights)] = weights
        return found

    @property
    def bias_weights(self) -> NDArray[np.float64]:
        """The weight of the constant feature minus the threshold, for each class."""
        with self._reading():
            return np.array(
                [member.bias_weight - member.threshold for member in self._each.members]
            )

    def coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weights behind the scores, and what is added: a line per class."""
        self._learner.coefficients()  # refuses where the learner of a class has none
        return self.weights, self.bias_weights

    @property
    def name_table(self) -> NameTable:
        """How names of features find their columns, once for all classes."""
        return self._variables

    @property
    def domain(self) -> ValueLimits:
        """The values that features may have: those of the learner that each class has."""
        return self._learner.domain

    @property
    def each_class(self) -> LinearLearner | Calibrated:
        """The learner of which every class has a copy; it has seen nothing."""
        return self._learner

    @property
    def bytes_of_a_class(self) -> int:
        """The memory that the learner of a class takes."""
        return self._learner.most_bytes

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows for one class are made of: those of its learner."""
        with self._reading():
            member = self._member_of(label)
            return member.score_parts(rows).less(member.threshold)

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """What features add alone to the score of one class."""
        with self._reading():
            member = self._member_of(label)
            found = member.lone_effects()
        return found._replace(constant=found.constant - member.threshold)

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """The numbers behind the scores of one class; what exceeds its threshold is compared."""
        with self._reading():
            form = self._member_of(label).linear_form()
        return replace(form, threshold=0.0, minus=form.threshold)

    def mixture_form(self, label: Label | None = None) -> CommitteeForm | None:
        """The numbers behind the scores of one class, where each has a committee."""
        with self._reading():
            return self._member_of(label).mixture_form()

    @property
    def settled_parameters(self) -> dict[str, Any]:
        """The parameters, classes by the texts that name them."""
        given = self._class_weight
        weights = [{"class": str(name), "weight": w} for name, w in (given or {}).items()]
        return super().settled_parameters | {"class_weight": weights or None}

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """The state of the learner of each class, under its number, and of the background."""
        with self._reading():
            return {"classes": self._class_names(), **self._each.learned_state()}

    def learner_of(self, label: Label) -> LinearLearner | Calibrated:
        """The learner of a class, in its present state."""
        with self._reading():
            return self._member_of(label).copy()

    def _member_of(self, label: Label | None) -> LinearLearner | Calibrated:
        """The learner of a class, itself."""
        if label is None or label not in self._labels.labels:
            raise ParameterError(type(self).__name__, "label", "one of its classes", label)
        return self._each.members[self._labels.labels.index(label)]

    def __repr__(self) -> str:
        played = f"{self.n_rounds} rounds, {self.mistakes} mistakes"
        given = Stateful.__repr__(self._learner)
        return f"OneVersusRest({given}): {len(self._labels)} classes, {played}"

"""DaskClassifier: an estimator that learns from Dask arrays, frames and bags."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from math import fsum
from typing import Any, Self
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.cluster.engine import checked_deadline
from thresher.cluster.train import engine_for
from thresher.cluster.training import DEADLINE
from thresher.errors import LabelError, ParameterError, SortedRowsWarning
from thresher.parameters import checked_count
from thresher.sklearn.answers import gives_probabilities
from thresher.sklearn.classes import classes_now, stated_classes
from thresher.sklearn.dask.answers import answered
from thresher.sklearn.dask.epochs import Work, balanced, begun, decides_scaling, epoch, looked_at
from thresher.sklearn.dask.features import Hashed, hashed_features
from thresher.sklearn.dask.partitions import Partitions, Table
from thresher.sklearn.dask.tasks import score
from thresher.sklearn.estimator import Estimator
from thresher.sklearn.weighted import WeightedEstimator
from thresher.theory.mixing import MixingWithLosses


def _in_force() -> Any:
    """The client that Dask itself would use; None if nobody has made one."""
    if sys.modules.get("distributed") is None:
        return None
    # Not taken from `sys.modules`: another thread may be about to import it, and this waits.
    import distributed  # noqa: PLC0415

    try:
        return distributed.default_client()
    except ValueError:
        return None


def _has_probabilities(self: Any) -> bool:
    return gives_probabilities(self.estimator)


class DaskClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator of `thresher.sklearn` for Dask arrays, frames and bags, as they are cut.

    The partitions are shards: in an epoch each learns from its rows, beginning with the same
    learner, and what they have become is combined. The model depends on the rows, on how they
    are cut, on the estimator and its `max_iter`, which are the epochs, and on nothing else: not
    on how many workers there are, which of them are lost, or who is done first. With one
    partition it is the model of the estimator itself; a matrix in memory is one partition.

    Rows are those of arrays, dense or with blocks of SciPy's matrices; of frames of numbers; of
    frames that have texts, too, whose cells become names such as ``colour=red``; and of bags of
    dicts from names to values. Names are hashed into columns as `learn_one` does. Partitions
    without rows do nothing, and neither do those whose rows all weigh 0. A collection is computed
    in every epoch, and once before for its labels: `persist` it where it fits.

    Parameters
    ----------
    estimator
        An estimator of `thresher.sklearn` whose learner can be combined (docs/cluster.md has a
        table).
    client
        A `distributed.Client`; an address or ``"local:2"``, which is connected to for each call;
        or None: the client in force, and if there is none, this process.
    deadline
        How many seconds an epoch may take, and a score.
    n_features
        Into how many columns names are hashed.

    Attributes
    ----------
    estimator_
        The estimator that has learned, with all it knows: `coef_`, `learner_`, `mistakes_`.
    classes_ : ndarray
        The classes, sorted.
    partition_mistakes_ : list of tuple
        Of each epoch, the mistakes of each partition that has rows.
    theorem_ : MixingWithLosses or None
        How many mistakes all partitions in all epochs may make; known after a `fit` of several
        epochs, for the learners of which the theorem speaks.

    Examples
    --------
    >>> import dask.array as da, numpy as np
    >>> from thresher.sklearn import PerceptronClassifier
    >>> from thresher.sklearn.dask import DaskClassifier
    >>> X = da.from_array(np.tile([[1, 0], [0, 1], [1, 1], [0, 1]], (30, 1)), chunks=(40, 2))
    >>> y = da.from_array(np.tile(["ham", "spam", "ham", "spam"], 30), chunks=40)
    >>> model = DaskClassifier(PerceptronClassifier(max_iter=2)).fit(X, y)
    >>> model.partition_mistakes_, model.score(X, y)
    ([(4, 4, 4), (0, 0, 0)], 1.0)
    >>> model.predict(X)[:3].compute().tolist()
    ['ham', 'spam', 'ham']
    """

    def __init__(
        self,
        estimator: Estimator,
        *,
        client: Any = None,
        deadline: float = DEADLINE,
        n_features: int = 2**18,
    ) -> None:
        self.estimator = estimator
        self.client = client
        self.deadline = deadline
        self.n_features = n_features

    # ---- learning ----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from the beginning, `max_iter` epochs.

        Parameters
        ----------
        X
            A Dask array, frame or bag, or a matrix in memory.
        y
            The class of each row, cut as X is; the name of a column of the frame X; or None for
            a bag of pairs (dict, label).
        sample_weight
            How much each row counts, cut as X is.
        """
        given = self._checked_estimator(sample_weight)
        passes = checked_count(type(given).__name__, "max_iter", given.max_iter, 1)
        with self._work(X, y, sample_weight, fresh=True) as work:
            labels = looked_at(work, given)
            counting = int(np.count_nonzero(labels.counting))
            if counting < 2 and not given.new_classes:
                raise LabelError(
                    f"{type(given).__name__} needs rows of at least 2 classes that count, found "
                    f"{counting} class."
                )
            if (told := labels.sorted_rows) is not None:
                warn(f"{told} Shuffle them first.", SortedRowsWarning, stacklevel=2)
            weighs = getattr(given, "class_weight", None)
            if isinstance(weighs, str) and weighs == "balanced":
                of_class = balanced(labels)
            else:
                of_class = given._weights_of_classes(labels.classes, labels.classes)
            one = begun(given, work, labels.classes, of_class, misfits=labels.misfits)
            mistakes, theorem = [], None
            for number in range(1, passes + 1):
                done = epoch(work, one, number, last_of=passes)
                one, theorem = done.estimator, done.theorem
                mistakes.append(done.mistakes)
        one.n_iter_ = passes
        self._take(one, work.hashed, mistakes, theorem)
        self._label_column = y if isinstance(y, str) else None
        return self

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on learning from more rows, one epoch.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        classes
            All classes there are; needed in the first call, unless the estimator has
            ``new_classes=True``, with which partitions may bring classes at any time.
        """
        given = self._checked_estimator(sample_weight)
        if getattr(given, "class_weight", None) == "balanced":
            raise ParameterError(
                type(given).__name__,
                "class_weight",
                "a dict for partial_fit",
                "balanced",
                "How often a class comes is not known before the stream has ended.",
            )
        first = not hasattr(self, "estimator_")
        with self._work(X, y, sample_weight, fresh=first) as work:
            if first:
                stated = stated_classes(classes, open_ended=given.new_classes)
                of_class = given._weights_of_classes(stated, stated)
                misfits = decides_scaling(given) and looked_at(work, given).misfits
                one = begun(given, work, stated, of_class, misfits=misfits)
            else:
                one = self.estimator_
                # Refuses classes that were not stated; new ones come with their rows.
                classes_now(one, one.classes_, classes)
            done = epoch(work, one, 1, last_of=None)
        done.estimator.n_iter_ = 1
        before = [] if first else self.partition_mistakes_
        self._take(done.estimator, work.hashed, [*before, done.mistakes], None)
        if first:
            self._label_column = y if isinstance(y, str) else None
        return self

    def _take(
        self,
        estimator: Estimator,
        hashed: Hashed | None,
        mistakes: list[tuple[int, ...]],
        theorem: MixingWithLosses | None,
    ) -> None:
        self.estimator_, self._hashed = estimator, hashed
        self.partition_mistakes_, self.theorem_ = mistakes, theorem
        self.classes_ = estimator.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            # What an earlier fit has left may be of other rows.
            self.__dict__.pop(name, None)
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    # ---- answers -----------------------------------------------------------------------------

    def predict(self, X: Any) -> Any:
        """The class of each row: a collection that is cut as X is, and computed when asked."""
        return self._answered("predict", X)

    def decision_function(self, X: Any) -> Any:
        """By how much the score of each row exceeds the threshold, in the same form."""
        return self._answered("decision_function", X)

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row, in the same form."""
        return self._answered("predict_proba", X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows that are predicted right, at once; as for `fit`."""
        check_is_fitted(self, "estimator_")
        with self._work(X, y, sample_weight, fresh=False) as work:
            found = work.each("scoring", score, self.estimator_, work.hashed)
        if not found:
            raise LabelError("there is not a single row to score.")
        return fsum(right for right, _ in found) / fsum(total for _, total in found)

    def _answered(self, method: str, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        column = self._label_column
        if column is not None and column in getattr(X, "columns", ()):
            X = X.drop(columns=column)
        rows = Partitions.of_rows(X)
        return answered(self.estimator_, self._hashed, method, rows)

    # ---- who works ---------------------------------------------------------------------------

    @contextmanager
    def _work(self, X: Any, y: Any, sample_weight: Any, *, fresh: bool) -> Iterator[Work]:
        """The partitions, and an engine for them while the block lasts."""
        table = Table.of(X, y, sample_weight)
        if fresh:
            room = checked_count(type(self).__name__, "n_features", self.n_features, 1)
            names = self.estimator._example.name_table
            strongest = names is not None and names.strongest
            hashed = hashed_features(table.rows, room, strongest=strongest)
        else:
            hashed = self._hashed
        deadline = checked_deadline(self.deadline)
        engine = engine_for(_in_force() if self.client is None else self.client)
        try:
            yield Work(engine, deadline, table, hashed)
        finally:
            engine.close()

    def _checked_estimator(self, sample_weight: Any) -> Estimator:
        given = self.estimator
        if not isinstance(given, Estimator):
            raise ParameterError(
                type(self).__name__, "estimator", "an estimator of thresher.sklearn", given
            )
        if sample_weight is not None and not isinstance(given, WeightedEstimator):
            raise ParameterError(
                type(given).__name__, "sample_weight", "None: it takes no weights", sample_weight
            )
        return given

    def __sklearn_clone__(self) -> Self:
        """A copy that has learned nothing; a client, which cannot be copied, is the same."""
        made = type(self)(
            clone(self.estimator),
            client=self.client,
            deadline=self.deadline,
            n_features=self.n_features,
        )
        # As for other estimators, what was said with `set_fit_request` is kept.
        if hasattr(self, "_metadata_request"):
            made._metadata_request = deepcopy(self._metadata_request)
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Without a client, which belongs to this process: where it is read, it is None."""
        state: dict[str, Any] = super().__getstate__()
        there = isinstance(self.client, str)
        return state | {"client": self.client if there else None}

    def __sklearn_tags__(self) -> Any:
        return self.estimator.__sklearn_tags__()

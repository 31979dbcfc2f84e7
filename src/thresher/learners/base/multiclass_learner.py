"""MulticlassLearner: what the learners with several classes and one table of weights share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    ImportanceError,
    JournalTruncatedWarning,
    ParameterError,
    StateError,
)
from thresher.learners.base.class_table import ClassTable
from thresher.learners.base.journal import Journal
from thresher.learners.base.learner import Features
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import as_dict
from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer
from thresher.learners.base.multiclass_predictions import MulticlassPredictions
from thresher.learners.base.reserve import Reserve
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.row_limits import check_fit
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.learners.base.shared_numbers import SharedTable
from thresher.learners.base.stateful import Stateful, take_vocabulary
from thresher.learners.base.uninterrupted import Uninterrupted
from thresher.streams.arrays import as_rows
from thresher.streams.batch import Batch
from thresher.streams.importance import as_importance
from thresher.streams.labels import Label

if TYPE_CHECKING:
    from thresher.kernels.engines.multiclass_engine import MulticlassEngine
    from thresher.streams.rows import Rows

#: In each round the class that wins and its score, and whether anything changes.
Said = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.bool_]]


class MulticlassLearner(MulticlassPredictions, Stateful):
    """A learner that scores every class by a dot product and predicts the best.

    The label set is open: a class may appear in any round. It can be predicted from the next
    round on, and the round in which it appears is a mistake. Classes that are stated with
    ``classes=`` are there from the start. Among classes of equal score the one that appeared
    first is predicted.

    Learning is all or nothing per batch. Predictions may run in any number of threads; they
    wait while a batch is being learned.
    """

    _engine: MulticlassEngine  # type: ignore[assignment]
    _labels: ClassTable
    _journal: MulticlassJournalBuffer

    @abstractmethod
    def __init__(self) -> None:
        """Make the engine; a subclass knows its parameters."""

    # ---- learning -----------------------------------------------------------------------

    def learn(self, X: Any, y: Any = None, *, importance: Any = None) -> Rounds:
        """Predict, compare and update, one row after another, in order.

        Parameters
        ----------
        X
            A SciPy sparse matrix, a two-dimensional array or frame, `Rows`, or a list of
            dicts from feature names (or column numbers) to values; or a `Batch`.
        y
            One label per row, texts or whole numbers; left out when X is a `Batch`, which
            brings them along.
        importance
            Rows all count alike: any weight but 1 is refused.
        """
        # A generator may ask this very learner for predictions: run it before taking the turn.
        X, y = (list(given) if isinstance(given, Iterator) else given for given in (X, y))
        engine = self._engine
        engine.begin_learning()
        try:
            # The journal has what the weights have learned, whenever an interrupt comes.
            with Uninterrupted():
                rows, label, (predicted, best, changed) = self._admit(X, y, importance)
                first = engine.n_rounds
                arrays = (rows.row_start, rows.column, rows.value)
                engine.learn(*arrays, label, predicted, best, changed.view(np.uint8))
                self._journal.append(rows, label, changed, first)
        finally:
            engine.end_learning()
        self._warn_if_truncated()
        return Rounds(best, label, classes=self.classes, predicted=predicted, changed=changed)

    def _admit(self, X: Any, y: Any, importance: Any) -> tuple[Rows, NDArray[np.int32], Said]:
        """Rows and classes, checked, with room made for them; or an error, and no trace.

        Then room for what will be said: the class and the score that win, and what changes.
        """
        engine = self._engine
        self._tables.require_order(type(self).__name__, X)
        names, classes = len(engine.names.vocabulary), len(self._labels)
        try:
            rows = as_rows(X, names=engine.names)
            label = self._labels.numbers(X, y, len(rows))
            given = X.importance if importance is None and isinstance(X, Batch) else importance
            weight = as_importance(given, len(rows))
            if weight is not None:
                row = int(np.argmax(weight != 1.0))
                raise ImportanceError.useless(type(self).__name__, row, float(weight[row]))
            check_fit(type(self).__name__, engine, rows)  # type: ignore[arg-type]
            engine.make_ready(rows.column, rows.n_features, len(self._labels))
            n = len(rows)
            said = np.empty(n, np.int32), np.empty(n), np.empty(n, bool)
            # The journal asks for memory when the rows have been learned.
            Reserve(n + len(rows.column) // 8, 1).release()
        except BaseException:
            engine.names.forget(names)
            self._labels.forget(classes)
            raise
        self._tables = self._tables.with_one(X)
        return rows, label, said

    def learn_one(self, features: Features, label: Label, importance: float = 1.0) -> Label | None:
        """Play one round on a dict; return the prediction made before the label was used.

        The updates have no place for weights: any importance but 1 is refused.
        """
        if importance != 1.0:
            as_importance([importance], 1)
            raise ImportanceError.useless(type(self).__name__, 0, importance)
        engine, labels = self._engine, self._labels
        row = as_dict(features)
        engine.begin_learning()
        try:
            with Uninterrupted():
                known = len(labels)
                number = labels.number(label)
                try:
                    predicted, changed = engine.learn_one(row, number)
                except BaseException:
                    labels.forget(known)
                    raise
                if changed is not None:
                    self._journal.append_row(changed, number, engine.n_rounds - 1)
        finally:
            engine.end_learning()
        self._warn_if_truncated()
        return None if predicted < 0 else labels.labels[predicted]

    # ---- predicting ---------------------------------------------------------------------

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row for each class, in the order of `classes`; nothing changes."""
        engine = self._engine
        self._tables.require_width(type(self).__name__, X)
        self._tables.require_order(type(self).__name__, X)
        rows = as_rows(X, names=engine.names, add=False)
        with self._between_batches():
            if engine.names.growing:
                rows = rows.clipped(engine.n_features)
            check_fit(type(self).__name__, engine, rows)  # type: ignore[arg-type]
            scores = np.empty((len(rows), engine.n_classes))
            engine.scores(rows.row_start, rows.column, rows.value, scores)
        return scores

    def scores_one(self, features: Features) -> dict[Label, float]:
        """The score of a dict of features for each class; names never seen weigh nothing."""
        scores = self._engine.score_one(as_dict(features)).tolist()
        return dict(zip(self._labels.labels, scores, strict=False))

    # ---- what was learned ---------------------------------------------------------------

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes so far, in the order in which they appeared."""
        return tuple(self._labels.labels)

    @property
    def n_features(self) -> int:
        """Number of features that can have a weight (so far, for a learner that grows)."""
        return self._engine.n_features

    @property
    def n_rounds(self) -> int:
        """Rounds played."""
        return self._engine.n_rounds

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self._engine.mistakes

    @property
    def updates(self) -> int:
        """Rounds in which a weight changed."""
        return self._engine.updates

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the scores: a line per class, a column per feature."""
        with self._between_batches():
            table, line = self._engine.weights(), self._engine.lines()
        # Line 0 of the table is the bias; a feature without a line weighs nothing.
        table[0] = 0.0
        return np.ascontiguousarray(table[line].T)

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """The numbers behind the scores of one class.

        >>> import thresher as th
        >>> learner = th.MulticlassPerceptron(2)
        >>> _ = learner.learn([[1, 0], [0, 1], [2, 1]], ["law", "art", "law"])
        >>> learner.linear_form("art").weights.tolist()
        [-2.0, 0.0]
        """
        if label is None:
            raise ParameterError(type(self).__name__, "label", "one of its classes", label)
        weights, constant = self.weights_of(label)
        return LinearForm(weights, 0.0, constant)

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows for one class are made of."""
        form, total = self.linear_form(label), self.scores(rows)
        return ScoreParts.weighed(rows, form, total[:, self.classes.index(label)])

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """The weights of one class."""
        return LoneEffects.of(self.linear_form(label))

    def weights_of(self, label: Label) -> tuple[NDArray[np.float64], float]:
        """The weights of one class, one per feature, and its weight of the constant feature."""
        if label not in self._labels.labels:
            raise ParameterError(type(self).__name__, "label", "one of its classes", label)
        with self._between_batches():
            column = self._engine.weights()[:, self._labels.labels.index(label)].copy()
            line = self._engine.lines()
        constant = float(column[0]) if self._engine.has_bias else 0.0
        # Line 0 of the table is the bias; a feature without a line weighs nothing.
        column[0] = 0.0
        return column[line], constant

    @property
    def bias_weights(self) -> NDArray[np.float64]:
        """The weight of the constant feature for each class; 0 for a learner without one."""
        with self._between_batches():
            table = self._engine.weights()
        return table[0] if self._engine.has_bias else np.zeros(table.shape[1])

    def coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weights of the scores, and what is added: a line per class."""
        return self.weights, self.bias_weights

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """The numbers that decide what it will say and learn, by name.

        There is a line for each feature that an update has changed, and in it a number for each
        of ``classes``.
        """
        # The verifier's room is not needed to learn.
        from thresher.verifier.state import sparse_state  # noqa: PLC0415

        with self._between_batches():
            line, duals = self._engine.lines(), self._engine.duals()
            other = self._other_numbers()
        touched = np.flatnonzero(line)
        numbers, fresh = self._numbers_of_features(duals[line[touched]])
        state = sparse_state(numbers, fresh, classes=self._class_names(), **other)
        return state | {"columns": touched[state["columns"]].astype(np.int64)}

    def _numbers_of_features(
        self, duals: NDArray[np.float64]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
        """The lines of the features by name, and what they start with unless with 0."""
        return {"weight": duals}, {}

    def _other_numbers(self) -> dict[str, NDArray[Any]]:
        """What belongs to no feature and decides what comes."""
        return {"bias": self._engine.duals()[0]}

    @property
    def journal(self) -> Journal:
        """The rows so far that changed the learner, in order."""
        with self._between_batches():
            return Journal.snapshot(self._journal, self.classes)

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Column of each name, where names are kept exactly; empty where they are hashed."""
        return dict(self._engine.names.vocabulary)

    def column_of(self, name: str | int) -> int | None:
        """The column in which a feature's weights stand, or None if it has none yet."""
        return self._engine.names.column_of(name)

    def _warn_if_truncated(self) -> None:
        if self._journal.warn_once():
            warnings.warn(
                f"the journal of {type(self).__name__} reached {self._journal.limit} bytes; "
                "later updates are counted but not kept. Raise journal_bytes to keep more.",
                JournalTruncatedWarning,
                stacklevel=3,
            )

    def __repr__(self) -> str:
        played = f"{self.n_rounds} rounds, {self.mistakes} mistakes"
        return f"{super().__repr__()}: {len(self._labels)} classes, {played}"

    # ---- state --------------------------------------------------------------------------

    def started_anew(self, dual: Any = None) -> Self:
        """A learner with these parameters and names that has seen nothing."""
        if dual is not None:
            raise StateError(f"{type(self).__name__} has a table of duals, not a vector.")
        fresh = type(self)(**self.parameters)
        fresh._take_names(self)
        return fresh

    def _state(self) -> tuple[Any, ...]:
        with self._between_batches():
            engine = self._engine
            table = (engine.lines(), engine.duals(), self._other_state())
            journal = MulticlassJournalBuffer.restored(self._journal.state())
            return (*table, engine.counts(), journal, engine.names, tuple(self._labels.labels))

    def _restore(self, state: tuple[Any, ...]) -> None:
        lines, duals, other, counts, journal, names, classes = state
        engine = self._engine
        take_vocabulary(engine.names, names)
        self._labels.restore(classes)
        engine.set_duals(lines, duals)
        if duals.shape[1] != len(self._labels):
            raise StateError(f"there are {len(self._labels)} classes and {duals.shape[1]} duals.")
        self._set_other_state(other)
        check_counts(counts, journal, (engine.n_features, len(self._labels)))
        engine.set_counts(counts)
        self._journal = journal

    # ---- shards that learned apart ---------------------------------------------------------

    def shared_numbers(self) -> SharedTable:
        """What shards that learned apart would combine; refused where nobody knows how."""
        self._require_mixable()
        lines, duals, other, counts, _, _, classes = self._state()
        columns = np.flatnonzero(lines)
        return SharedTable(
            classes=classes,
            columns=columns,
            duals=duals[np.append(0, lines[columns])],
            shift=other[0] if other else 0.0,
            counts=counts,
        )

    def with_shared(self, shared: SharedTable) -> Self:
        """A learner with these parameters and names that stands for shards that were combined."""
        made = self.started_anew()
        lines = np.zeros(self.n_features, np.int32)
        lines[shared.columns] = np.arange(1, len(shared.columns) + 1, dtype=np.int32)
        # No journal rebuilds it.
        journal = MulticlassJournalBuffer(type(self).__name__, made._journal.limit)
        journal.omitted, journal.warned = shared.counts[2], True
        other = (shared.shift,) if self._other_state() else ()
        names = self._engine.names
        made._restore((lines, shared.duals, other, shared.counts, journal, names, shared.classes))
        made.warm_start = True
        return made

    def _other_state(self) -> tuple[Any, ...]:
        """What the state holds beside the duals."""
        return ()

    def _set_other_state(self, other: tuple[Any, ...]) -> None:
        if other != ():
            raise StateError("there is nothing beside the duals in this state.")


def check_counts(counts: tuple[int, ...], journal: object, sizes: tuple[int, int]) -> None:
    """Refuse saved counts (rounds, mistakes, updates) that cannot be."""
    whole = all(type(count) is int and 0 <= count < 2**62 for count in counts)
    if not whole or len(counts) != 3 or max(counts[1:]) > counts[0]:
        raise StateError(f"rounds, mistakes and updates of a run cannot be counted as {counts}.")
    if (
        not isinstance(journal, MulticlassJournalBuffer)
        or len(journal) + journal.omitted > counts[0]
    ):
        raise StateError("the journal has more rows than there were rounds.")
    _, column, _, label, round_number = journal.arrays()
    if len(round_number) and round_number[-1] >= counts[0]:
        raise StateError("the journal has a row after the last round.")
    if np.max(column, initial=-1) >= sizes[0] or np.max(label, initial=-1) >= sizes[1]:
        raise StateError("the journal has a feature or a class that the learner has not.")

"""LinearLearner: what every linear learner can do; the algorithms supply an engine."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import JournalTruncatedWarning, UnsoundBatchError
from thresher.learners.base.conservative import Conservative
from thresher.learners.base.journal import Journal
from thresher.learners.base.learner import Features
from thresher.learners.base.learning_ahead import learn_ahead
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.options import SCALINGS
from thresher.learners.base.quiet_rows import play
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.row_limits import check_fit
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.streams.arrays import as_batch, as_rows
from thresher.streams.crew import at_once, shares, threads_for
from thresher.streams.labels import Label

if TYPE_CHECKING:
    from types import ModuleType

    from thresher.proofs.report import Audit
    from thresher.streams.batch import Batch
    from thresher.streams.rows import Rows
    from thresher.theory import Concept


class LinearLearner(Conservative):
    """A learner that scores a row by a dot product and changes only on an update.

    Learning is all or nothing per batch: a batch with a fault anywhere raises and leaves
    the learner as it was. Predictions may run in any number of threads; they wait while a
    batch is being learned, so each sees the learner between two batches.
    """

    #: Whether the score of a row is a sum over its features, each with a weight of its own.
    _by_weights_alone: ClassVar[bool] = True
    #: Whether it compares the sum of weight times value itself, so that fractions give the score.
    compares_plain_sums: ClassVar[bool] = False
    #: Whether each feature stands for its negative, too.
    mirrored: ClassVar[bool] = False
    _quiet: int = 0  #: rows since it changed, if it has several threads; no part of the state

    # ---- learning and predicting ------------------------------------------------------

    def learn(
        self, X: Any, y: Any = None, *, claim: Concept | None = None, importance: Any = None
    ) -> Rounds:
        """Predict, compare and update, one row after another, in order.

        Parameters
        ----------
        X
            A `Batch`, a SciPy sparse matrix, a two-dimensional array or frame, or a list of
            dicts from feature names (or column numbers) to values.
        y
            One label per row, -1/+1 or 0/1; left out when X is a `Batch`.
        claim
            What is believed about the whole stream, from the learner's first round on:
            `thresher.theory.Disjunction` and its like. The result says in `refuted_at` in
            which round the mistakes exceeded what the claim allows, if they did: then no
            target of that class fits. A claim that no theorem covers for this learner is
            refused, and nothing is learned.
        importance
            How much each row counts, from 0 (it only makes mistakes) to 1e9, for learners
            whose step can be scaled by it; the class says how. Mistakes are counted as ever.
        """
        limits = None if claim is None else evidence().limits_for(self, claim)
        # A generator may ask this very learner for predictions: run it before taking the turn.
        X, y, importance = (
            list(given) if isinstance(given, Iterator) else given for given in (X, y, importance)
        )
        engine = self._engine
        engine.begin_learning()
        try:
            learned = learn_ahead(self, X, y) if claim is importance is None else None
            batch = learned[0] if learned else self._admit(X, y, importance)
            if claim is not None:
                evidence().check_premises(self, claim, batch)
            scores = learned[1] if learned else np.empty(len(batch))
            if not learned:
                play(self, batch, scores)
        finally:
            engine.end_learning()
        self._warn_if_truncated()
        rounds = Rounds(scores, batch.label, engine.threshold)
        return rounds if limits is None else evidence().judged(self, rounds, claim, limits)

    def check_importance(self, row: int, importance: float) -> None:
        """Refuse what no row may count here, with the weight of its class."""
        self._engine.check_importance(row, importance)

    def wait_for_class(self) -> None:
        """Learn as one of several from here on: +1 is a class that may come much later than -1.

        Called after every restoration. Only learners that grow sure of what they know mind.
        """

    def _admit(self, X: Any, y: Any, importance: Any) -> Batch:
        """The batch, checked, with room made for it; or an error, and nothing has changed."""
        engine = self._engine
        self._tables.require_order(type(self).__name__, X)
        known = len(engine.names.vocabulary)
        batch = as_batch(X, y, names=engine.names, importance=importance)
        try:
            check_fit(type(self).__name__, engine, batch)
            if batch.importance is not None:
                for row in (np.argmax(batch.importance != 1.0), np.argmax(batch.importance)):
                    self.check_importance(int(row), float(batch.importance[row]))
            values = (batch.lowest, batch.highest)
            sizes = (len(batch), len(batch.column), batch.n_features)
            engine.make_ready(*sizes, values, batch.integral, batch.importance)
        except BaseException:
            engine.names.forget(known)
            raise
        self._tables = self._tables.with_one(X)
        return batch

    def make_space(self, rows: Rows, *, weighted: bool) -> None:
        """Take the memory that learning these rows takes, if there is so much."""
        sizes = (len(rows), len(rows.column), rows.n_features)
        with self._between_batches() as engine:
            engine.make_space(*sizes, rows.only_ones, weighted)

    def learn_one(self, features: Features, label: int, importance: float = 1.0) -> int:
        """Play one round on a dict; return the prediction made before the label was used."""
        row = features if type(features) is dict else as_dict(features)
        score = self._score_of_round(row, label, importance)
        return 1 if score >= self._engine.threshold else -1

    def _score_of_round(self, row: dict[Any, float], label: int, importance: float) -> float:
        """Play one round; the score before the label was used."""
        engine = self._engine
        score = engine.learn_one(row, label, importance)
        if engine.journal.omitted:
            self._warn_if_truncated()
        return score

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row; nothing changes."""
        engine = self._engine
        self._tables.require_width(type(self).__name__, X)
        self._tables.require_order(type(self).__name__, X)
        rows = as_rows(X, names=engine.names, add=False)
        engine.begin_scoring()
        try:
            if engine.names.growing:
                rows = rows.clipped(engine.n_features)
            check_fit(type(self).__name__, engine, rows)
            scores = np.empty(len(rows))
            self._score(rows, scores)
        finally:
            engine.end_scoring()
        return scores

    def _score(self, rows: Rows, scores: NDArray[np.float64]) -> None:
        """Score rows that fit, shared by as many threads as there are for it."""
        threads = threads_for(rows, self.threads)
        if threads == 1:
            # A service scores row by row: to share the work with nobody would take as long again.
            self._engine.scores(rows.row_start, rows.column, rows.value, rows.only_ones, scores)
            return
        parts = shares(len(rows), threads)
        at_once([partial(self._score_part, rows, scores, part) for part in parts], threads)

    def _score_part(self, rows: Rows, scores: NDArray[np.float64], part: slice) -> None:
        """Score some of the rows; nothing changes, so that parts can be scored side by side."""
        self._engine.scores(*rows.arrays_of(part), rows.only_ones, scores[part])

    def predict(self, X: Any) -> NDArray[np.int8]:
        """-1 or +1 for each row; nothing changes."""
        return np.where(self.scores(X) >= self.threshold, np.int8(1), np.int8(-1))

    def score_one(self, features: Features) -> float:
        """The score of a dict of features; names never seen weigh nothing."""
        return self._engine.score_one(as_dict(features))

    def scores_one(self, features: Features) -> dict[Label, float]:
        """By how much the score of a dict of features exceeds the threshold, for +1."""
        return {1: self.score_one(features) - self.threshold}

    def predict_one(self, features: Features) -> int:
        """-1 or +1 for a dict of features."""
        return 1 if self._engine.score_one(as_dict(features)) >= self._engine.threshold else -1

    # ---- what was learned --------------------------------------------------------------

    @property
    def n_features(self) -> int:
        """Number of features that have a weight (so far, for a learner that grows)."""
        return self._engine.n_features

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The prediction is +1 exactly when the score is at least this."""
        return self._engine.threshold

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights w of the score <w, x>, one per feature, without the bias."""
        with self._between_batches() as engine:
            return self._weights()[: engine.n_features]

    @property
    def bias_weight(self) -> float:
        """The weight of the constant feature; 0 for a learner without one."""
        with self._between_batches() as engine:
            return float(self._weights()[engine.n_features]) if engine.has_bias else 0.0

    def _weights(self) -> NDArray[np.float64]:
        return self._engine.stored()

    def coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weights, in one line, and the weight of the constant feature less the threshold."""
        if not self._by_weights_alone:
            return super().coefficients()
        with self._between_batches():
            weights, constant, divisor = self._form()
        return weights[np.newaxis] / divisor, np.array([constant / divisor - self.threshold])

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """The numbers behind the scores, for whoever wants to compute them elsewhere."""
        if not self._by_weights_alone:
            return super().linear_form(label)
        return self._numbers_of_form()

    def _numbers_of_form(self) -> LinearForm:
        """Weights and what is done to rows before they meet them."""
        with self._between_batches() as engine:
            weights, constant, divisor = self._form()
            never = np.flatnonzero(engine.dual()[: len(weights)] == 0.0)
            scaling = SCALINGS[engine.scaling - 1] if engine.scaling else None
            largest = engine.scales() if scaling == "online" else None
        return LinearForm(
            weights,
            self.threshold,
            constant,
            divisor,
            default=float(weights[never[0]]) if len(never) else 0.0,
            scaling=scaling,
            largest=largest,
        )

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of: weight times value, scaled if rows are."""
        return ScoreParts.weighed(rows, self._numbers_of_form(), self.scores(rows))

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """The weights; with `scaling` those of scaled rows, in which a lone feature is 1."""
        return LoneEffects.of(self._numbers_of_form())

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        """Weights, constant and divisor of the linear form, between two batches."""
        weights, n = self._weights(), self._engine.n_features
        return weights[:n], float(weights[n]) if self._engine.has_bias else 0.0, 1.0

    @property
    def power_base(self) -> Fraction | None:
        """The number whose powers, by the duals, are the weights; None where they are no powers."""
        return None

    @property
    def takes_importance(self) -> bool:
        """Whether rows may count more or less than others."""
        return self._engine.takes_importance

    @property
    def dual(self) -> NDArray[np.float64]:
        """The dual vector, to which updates are added; with a bias, its entry is the last."""
        with self._between_batches() as engine:
            return np.asarray(engine.dual(), np.float64)

    def __repr__(self) -> str:
        return f"{super().__repr__()}: {self.n_rounds} rounds, {self.mistakes} mistakes"

    @property
    def n_rounds(self) -> int:
        """Rounds played."""
        return self._engine.n_rounds

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.false_negatives + self.false_positives

    @property
    def false_negatives(self) -> int:
        """Mistakes on positive rows."""
        return self._engine.false_negatives

    @property
    def false_positives(self) -> int:
        """Mistakes on negative rows."""
        return self._engine.false_positives

    @property
    def close_calls(self) -> int:
        """Scores that rounding left undecided and exact arithmetic settled."""
        return self._engine.close_calls

    @property
    def journal(self) -> Journal:
        """The updating rows so far, in order."""
        with self._between_batches() as engine:
            return Journal.snapshot(engine.journal)

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Column of each name, where names are kept exactly; empty where they are hashed."""
        return dict(self._engine.names.vocabulary)

    def column_of(self, name: str | int) -> int | None:
        """The column in which a feature's weight stands, or None if it has none yet."""
        return self._engine.names.column_of(name)

    def audit(
        self,
        X: Any = None,
        y: Any = None,
        *,
        comparator: Any = None,
        margin: Any = None,
        start: Any = None,
    ) -> Audit:
        """Follow the proof behind this learner through its journal; nothing changes.

        The cost is that of the journal, not of the stream (and one look at the weights).

        Parameters
        ----------
        X, y
            A stream, as for `learn`. A new learner with the same parameters is run over it
            and audited, so that rounds are rows of `X`. Without it, the journal of this one.
        comparator, margin
            A declared target and its margin; see :func:`thresher.proofs.audit_run`.
        start
            The dual vector before the first update, for a learner that began `with_dual`.

        Examples
        --------
        >>> import thresher as th
        >>> learner = th.Winnow(n_features=4)
        >>> _ = learner.learn([[1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 0, 0]], [+1, -1, +1])
        >>> audit = learner.audit(comparator={0})
        >>> audit.table["total_weight"].tolist() == [6, 4, 7], audit.holds
        (True, True)
        >>> noisy = learner.audit([[1, 1, 0, 0], [1, 1, 1, 1]], [+1, -1], comparator={0})
        >>> noisy.sound, noisy.first_failure.name, noisy.first_failure.failure.round_number
        (True, 'relevant features demoted', 1)
        """
        audit: Audit = evidence().audited(self, X, y, (comparator, margin, start))
        return audit

    def _warn_if_truncated(self) -> None:
        if self._engine.journal.warn_once():
            warnings.warn(
                f"the journal of {type(self).__name__} reached {self._engine.journal.limit} bytes; "
                "later updates are counted but not kept. Raise journal_bytes to keep more.",
                JournalTruncatedWarning,
                stacklevel=_levels_to_the_caller(),
            )


def as_dict(features: Features) -> dict[Any, float]:
    """A row as the dict that the kernels read."""
    if type(features) is dict:
        return features
    if not isinstance(features, Mapping):
        raise UnsoundBatchError(
            f"a row is a dict from feature to value, found {type(features).__name__}. "
            "For rows in arrays use learn and predict."
        )
    return dict(features)


def _levels_to_the_caller() -> int:
    """How many calls up the code is that called into this package: where a warning points."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("thresher."):
        level, frame = level + 1, frame.f_back
    return level


def evidence() -> ModuleType:
    """Audits and claims, imported when one is asked for: they bring all theorems along."""
    return import_module("thresher.learners.base.evidence")

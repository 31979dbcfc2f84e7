"""Variables and their negations as features: rows are written out twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher.errors import DimensionError, FeatureRangeError
from thresher.kernels.rows.named_rows import NameTable
from thresher.learners.base.journal import Journal
from thresher.learners.base.learner import Features
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import LinearLearner, evidence
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.score_parts import ScoreParts
from thresher.learners.base.stateful import take_vocabulary
from thresher.names.tables import name_table
from thresher.streams.arrays import as_batch, as_rows
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.streams.labels import Label
    from thresher.theory import Concept

#: Literals written out at a time: memory stays bounded whatever the size of a batch.
CELLS = 2**24


def with_negations(rows: Rows, n: int) -> Rows:
    """Rows over 2n literals: column i where variable i is on, n + i where it is off.

    >>> [sorted(row) for row in with_negations(Rows.of([[1, 0, 1], [0, 0, 0]]), 3)]
    [[0, 2, 4], [3, 4, 5]]
    """
    on = np.zeros((len(rows), n), bool)
    row = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
    on[row, rows.column] = True
    column = np.nonzero(np.hstack((on, ~on)))[1].astype(np.int32)
    return Rows(np.arange(0, len(column) + 1, n, dtype=np.int64), column, np.ones(len(column)))


class VariableLearner(LinearLearner):
    """A learner over variables, or over variables and their negations (`literals=True`)."""

    _n_features: int
    _literals: bool
    _variables: NameTable | None = None
    #: What the second weight of a variable stands for, before its name.
    _contrary_word: ClassVar[str] = "not"

    def _name_variables(self) -> None:
        """Names stand for variables, of which there are half as many as weights."""
        owner = type(self).__name__
        names = getattr(self, "_names", None)
        self._variables = name_table(owner, names, self._n_features, bounded=True)

    @staticmethod
    def _spell(rows: Rows, n: int) -> Rows:
        """Rows over n variables as rows over 2n literals."""
        return with_negations(rows, n)

    @property
    def name_table(self) -> NameTable:
        """How names of variables find their columns."""
        return self._variables or super().name_table

    @property
    def n_variables(self) -> int:
        """Number of variables; half the number of weights when literals are learned."""
        return self._n_features

    @property
    def journal_as_given(self) -> Journal:
        """The journal over variables; what it remembers are literals."""
        journal = self.journal
        if self._variables is None:
            return journal
        # The negations of a row follow from the variables that are on.
        rows = Journal.clipped(journal, self._n_features)
        arrays = (rows.row_start, rows.column, rows.value, journal.label)
        return Journal(
            *arrays, journal.round_number, journal.omitted, importance=journal.importance
        )

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Column of each name, where names are kept exactly; empty where they are hashed."""
        return dict(self._variables.vocabulary) if self._variables else super().vocabulary

    def column_of(self, name: str | int) -> int | None:
        """The column of a variable, or None if it has none yet."""
        return self._variables.column_of(name) if self._variables else super().column_of(name)

    def learn(
        self, X: Any, y: Any = None, *, claim: Concept | None = None, importance: Any = None
    ) -> Rounds:
        """Predict, compare and update, one row after another, in order."""
        if self._variables is None:
            return super().learn(X, y, claim=claim, importance=importance)
        limits = None if claim is None else evidence().limits_for(self, claim)
        self._tables.require_order(type(self).__name__, X)
        known = len(self._variables.vocabulary)
        batch = as_batch(X, y, names=self._variables, importance=importance)
        try:
            self._check_variables(batch)
            if claim is not None:
                evidence().check_premises(self, claim, batch)
            if batch.importance is not None:
                row = int(np.argmax(batch.importance != 1.0))
                self._engine.check_importance(row, float(batch.importance[row]))
        except BaseException:
            self._variables.forget(known)
            raise
        weight = batch.importance
        scores = [
            super(VariableLearner, self)
            .learn(
                Batch.from_rows(rows, batch.label[part], None if weight is None else weight[part])
            )
            .scores
            for part, rows in self._spelled_out(batch)
        ]
        self._tables = self._tables.with_one(X)
        rounds = Rounds(np.concatenate([np.empty(0), *scores]), batch.label, self.threshold)
        return rounds if limits is None else evidence().judged(self, rounds, claim, limits)

    def _score_of_round(self, row: dict[Any, float], label: int, importance: float) -> float:
        if self._variables is None:
            return super()._score_of_round(row, label, importance)
        return float(self.learn([row], [label], importance=[importance]).scores[0])

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row; nothing changes."""
        if self._variables is None:
            return super().scores(X)
        self._tables.require_width(type(self).__name__, X)
        self._tables.require_order(type(self).__name__, X)
        rows = as_rows(X, names=self._variables, add=False)
        self._check_variables(rows)
        scores = [super(VariableLearner, self).scores(part) for _, part in self._spelled_out(rows)]
        return np.concatenate([np.empty(0), *scores])

    def score_one(self, features: Features) -> float:
        """The score of a dict of features."""
        if self._variables is None:
            return super().score_one(features)
        return float(self.scores([features])[0])

    def predict_one(self, features: Features) -> int:
        """-1 or +1 for a dict of features."""
        return 1 if self.score_one(features) >= self.threshold else -1

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of: the weights of the literals that are true."""
        if self._variables is None:
            return super().score_parts(rows, label)
        total = self.scores(rows)
        spelled = self._spell(rows, self._n_features)
        with self._between_batches():
            weights, constant, divisor = super()._form()
        form = LinearForm(weights, self.threshold, constant, divisor)
        return self._of_variables(ScoreParts.weighed(spelled, form, total))

    def _of_variables(self, parts: ScoreParts) -> ScoreParts:
        """Parts over literals as parts over variables; literals that weigh nothing are left out."""
        n = self._n_features
        kept = parts.weight != 0.0
        before = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
        return replace(
            parts,
            row_start=before[parts.row_start],
            column=parts.column[kept] % n,
            value=parts.value[kept],
            seen=parts.seen[kept],
            weight=parts.weight[kept],
            adds=parts.adds[kept],
            contrary=parts.column[kept] >= n,
            contrary_word=self._contrary_word,
        )

    def _spelled_out(self, rows: Rows) -> list[tuple[slice, Rows]]:
        """Rows over the variables as rows over the literals, some at a time."""
        step = max(1, CELLS // self._n_features)
        parts = [slice(t, min(t + step, len(rows))) for t in range(0, len(rows), step)]
        plain = Rows(rows.row_start, rows.column, rows.value)
        return [(part, self._spell(plain[part], self._n_features)) for part in parts]

    def _check_variables(self, rows: Rows) -> None:
        """Refuse what does not fit before any of it is learned."""
        n = self._n_features
        if rows.n_features > n:
            at = int(np.argmax(rows.column >= n))
            row = int(np.searchsorted(rows.row_start, at, side="right")) - 1
            raise DimensionError(row, int(rows.column[at]), n)
        self._check_values(rows)

    def _check_values(self, rows: Rows) -> None:
        if rows.lowest != rows.highest or rows.highest not in (0.0, 1.0):
            at = int(np.argmax(rows.value != 1.0))
            row = int(np.searchsorted(rows.row_start, at, side="right")) - 1
            raise FeatureRangeError(
                type(self).__name__, row, int(rows.column[at]), float(rows.value[at]), "{0, 1}"
            )

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        weights, constant, divisor = super()._form()
        if self._variables is None:
            return weights, constant, divisor
        folded, more = self._fold(*np.split(weights, 2))
        return folded, constant + more, divisor

    def _fold(
        self, on: NDArray[np.float64], off: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        """Weights of variables and a constant, from those of variables and of negations."""
        # A variable that is off counts its negation: begin with all off, then turn some on.
        return on - off, float(off.sum())

    def _take_names(self, other: Self) -> None:
        super()._take_names(other)
        if self._variables is not None and other._variables is not None:
            self._variables.vocabulary.update(other._variables.vocabulary)

    def _state(self) -> tuple[Any, ...]:
        state = super()._state()
        return (*state, self._variables) if self._keeps_variables else state

    def _restore(self, state: tuple[Any, ...]) -> None:
        if not self._keeps_variables:
            super()._restore(state)
            return
        *rest, variables = state
        super()._restore(tuple(rest))
        if self._variables is not None:
            take_vocabulary(self._variables, variables)

    @property
    def _keeps_variables(self) -> bool:
        """Whether the state has a place for the names of variables."""
        return self._variables is not None

"""The conjunction learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.conjunction import ConjunctionEngine
from thresher.learners.base.journal import DEFAULT_BYTES, journal_buffer
from thresher.learners.base.learned_state import LearnedState
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.literals import LiteralLearner
from thresher.learners.base.negations import with_negations
from thresher.learners.base.power_link import BINARY
from thresher.learners.base.score_parts import ScoreParts
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, checked_count, checked_flag

if TYPE_CHECKING:
    from thresher.streams.labels import Label
    from thresher.streams.rows import Rows


class Conjunction(LiteralLearner):
    r"""The variables that were on in every positive row so far.

    The hypothesis :math:`f` starts with all variables; the prediction is +1 exactly when
    all variables of :math:`f` are on; a false negative keeps those of them that are on.
    The score is minus the number of variables of :math:`f` that are off, the threshold 0.

    On a monotone conjunction of :math:`k` of :math:`n` variables there are at most
    :math:`n - k` mistakes, all of them false negatives. A false positive changes nothing:
    it proves that no conjunction explains the labels.

    **Cost.** A round reads the non-zeros of the row once, or all n variables with ``literals``; a
    false negative reads them once more, and what it removes. A right round changes nothing.

    Parameters
    ----------
    n_features
        Number of variables; features are 0/1.
    literals
        Learn conjunctions of variables and negated variables, as for
        :class:`~thresher.Elimination`. The first positive row then removes half of the 2n
        literals, so there are at most n + 1 mistakes, and at most 2n - k.
    names, journal_bytes
        As for :class:`~thresher.Perceptron`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Conjunction(n_features=4)
    >>> learner.learn([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 1]], [+1, +1, -1]).scores.tolist()
    [-1.0, -1.0, -1.0]
    >>> learner.hypothesis
    ('x0', 'x3')
    """

    name: ClassVar[str] = "conjunction"
    _conservative: ClassVar[bool] = True
    _word: ClassVar[str] = "and"

    def __init__(
        self,
        n_features: int,
        literals: bool = False,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        literals = self._literals = checked_flag(type(self).__name__, "literals", literals)
        self._names = names
        self._journal_bytes = journal_bytes
        n_weights = self._n_features * (2 if literals else 1)
        engine = ConjunctionEngine(
            owner,
            name_table(owner, names, n_weights, bounded=True),
            journal_buffer(owner, journal_bytes),
            n_weights,
            False,
            0.0,
            BINARY,
        )
        engine.start_afresh()
        self._engine = engine
        if literals:
            self._name_variables()

    def learned_state(self) -> LearnedState:
        """Which variables are left, once some were removed."""
        with self._between_batches() as engine:
            left = np.flatnonzero(engine.dual() == 0.0)
            removed = len(left) < engine.n_features
        columns = left if removed else left[:0]
        return {"columns": columns.astype(np.int64), "removed": np.array([removed], np.int8)}

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of: -1 for each literal of the hypothesis that fails."""
        n, weights = self._n_features, np.zeros(2 * self._n_features)
        for column, on in self.formula.literals:
            # It fails where its negation is true.
            weights[column + n if on else column] = -1.0
        form = LinearForm(weights, self.threshold)
        return self._of_variables(
            ScoreParts.weighed(with_negations(rows, n), form, self.scores(rows))
        )

    def _form(self) -> tuple[NDArray[np.float64], float, float]:
        weights, constant, divisor = super()._form()
        return weights, constant - float(np.count_nonzero(self._engine.dual() == 0.0)), divisor

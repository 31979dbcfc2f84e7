"""Normalised Winnow: the exponentiated form, weights that sum to one."""

from __future__ import annotations

from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.learners.base.exponentiated import ExponentiatedLearner
from thresher.learners.base.negations import VariableLearner
from thresher.learners.base.options import Options
from thresher.learners.base.row_limits import check_values
from thresher.parameters import Exact, checked_flag
from thresher.streams.rows import Rows


class NormalizedWinnow(VariableLearner, ExponentiatedLearner):
    r"""Winnow with weights that sum to one (exponentiated gradient on mistakes).

    The duals :math:`\theta_i` start at 0; the weights are

    .. math:: w_i = \frac{e^{\eta\theta_i}}{\sum_j e^{\eta\theta_j}},

    the prediction is the sign of :math:`\langle w, x\rangle` (0 predicts +1), and after a mistake
    :math:`\theta \leftarrow \theta + y\,x`. Scores are the normalised :math:`\langle w, x\rangle`;
    a step costs no more than the row, because the sum of the weights is kept up to date. The
    learner stores duals, not weights, so no stream is long enough to overflow or to lose a weight.

    If :math:`y\langle u, x\rangle \ge \gamma` for some :math:`u \ge 0` with :math:`\sum u_i = 1`
    and :math:`|x_i| \le X`, the step :math:`\eta = \operatorname{atanh}(\gamma/X)/X` allows at
    most :math:`2 X^2 \ln n/\gamma^2` mistakes. From about twice that step on there is no bound at
    all; if ``margin`` is given, an ``eta`` above that is refused.

    **Cost.** A round reads the non-zeros of the row once, a mistake once more, with an exponential
    for each. The learner stores two numbers per feature. A right round changes nothing; a restart
    costs one pass over all weights.

    Parameters
    ----------
    n_features
        Number of weights; of variables with ``literals``.
    eta
        The step. With neither ``eta`` nor ``margin`` the learner guesses the margin X/2, X/4, ...
        and starts over whenever the number of mistakes refutes a guess (``phase`` says which guess
        is in use).
    margin
        The expected margin; without ``eta``, the best step for it is used.
    radius
        X: the largest absolute value of a feature.
    bias
        Whether to add a constant feature 1, to learn a threshold other than 0. Weights are
        non-negative: a negative threshold needs :class:`~thresher.SignedWinnow`.
    literals
        Learn over features and their opposites: weight n + i is that of :math:`-x_i`, the expert
        that says the opposite of expert i. Predictions are those of
        :class:`~thresher.SignedWinnow`, which stores one dual for both; here both weights can be
        read. ln n becomes ln 2n in the bound. Audits do not support this form; certificates do.
    class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.Perceptron`. A row of importance h moves the duals by
        :math:`h\,y\,x`; with guessed margins every row must count 1. Where hashed names
        collide in one row, the stronger value counts.

    Examples
    --------
    Experts as features: column i holds the prediction of expert i.

    >>> import thresher as th
    >>> advice = [[1, 1, -1], [1, -1, -1], [-1, -1, 1]]
    >>> learner = th.NormalizedWinnow(n_features=3, margin=0.5)
    >>> learner.learn(advice, [+1, +1, -1]).mistakes
    1
    >>> learner.weights.round(3).tolist()
    [0.6, 0.2, 0.2]
    """

    name: ClassVar[str] = "normalized_winnow"
    _signed: ClassVar[bool] = False
    _varying: ClassVar[tuple[str, ...]] = ("literals",)
    _contrary_word: ClassVar[str] = "minus"

    def __init__(
        self,
        n_features: int,
        eta: Exact | None = None,
        margin: Exact | None = None,
        radius: Exact = 1,
        bias: bool = False,
        literals: bool = False,
        **options: Unpack[Options],
    ) -> None:
        literals = self._literals = checked_flag(type(self).__name__, "literals", literals)
        super().__init__(n_features, eta, margin, radius, bias, **options)
        if literals and self._scaling is not None:
            owner = type(self).__name__
            raise ParameterError(owner, "scaling", "None with literals", self._scaling)
        if literals:
            self._name_variables()

    @property
    def _copies(self) -> int:
        return 2 if self._literals else 1

    @staticmethod
    def _spell(rows: Rows, n: int) -> Rows:
        """Rows over n features as rows over (x, -x)."""
        start, sizes = 2 * rows.row_start, np.diff(rows.row_start)
        first = np.repeat(rows.row_start[:-1], sizes) + np.arange(len(rows.column))
        column = np.empty(2 * len(rows.column), np.int32)
        value = np.empty(2 * len(rows.column))
        second = first + np.repeat(sizes, sizes)
        column[first], value[first] = rows.column, rows.value
        column[second], value[second] = rows.column + n, -rows.value
        return Rows(start, column, value)

    def _check_values(self, rows: Rows) -> None:
        check_values(type(self).__name__, self._engine, rows)

    def _fold(
        self, first: NDArray[np.float64], second: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        """Opposites weigh against each other, and add no constant."""
        return first - second, 0.0

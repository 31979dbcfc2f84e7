"""Normalised Winnow: the exponentiated form, weights that sum to one."""

from __future__ import annotations

from typing import ClassVar

from thresher.learners.base.exponentiated import ExponentiatedLearner


class NormalizedWinnow(ExponentiatedLearner):
    r"""Winnow with weights that sum to one (exponentiated gradient on mistakes).

    The duals :math:`\theta_i` start at 0; the weights are

    .. math:: w_i = \frac{e^{\eta\theta_i}}{\sum_j e^{\eta\theta_j}},

    the prediction is the sign of :math:`\langle w, x\rangle` (0 predicts +1), and after a
    mistake :math:`\theta \leftarrow \theta + y\,x`. Scores are the normalised
    :math:`\langle w, x\rangle`; a step costs no more than the row, because the sum of the
    weights is kept up to date. Duals, not weights, are stored, so no stream is long
    enough to overflow or to lose a weight.

    If :math:`y\langle u, x\rangle \ge \gamma` for some :math:`u \ge 0` with
    :math:`\sum u_i = 1` and :math:`|x_i| \le X`, the step
    :math:`\eta = \operatorname{atanh}(\gamma/X)/X` allows at most
    :math:`2 X^2 \ln n/\gamma^2` mistakes. From about twice that step on there is no bound
    at all: an ``eta`` above it is refused when ``margin`` is given.

    **Cost.** A round looks at the non-zeros of the row once, a mistake once more, with an
    exponential for each. Two numbers per feature are kept. A right round changes nothing; a
    restart costs one look at all weights.

    Parameters
    ----------
    n_features
        Number of weights.
    eta
        The step. With neither ``eta`` nor ``margin`` the learner guesses the margin X/2,
        X/4, ... and starts over whenever a guess has been refuted by the number of its
        mistakes (``phase`` tells which guess is in use).
    margin
        The margin that is hoped for; without ``eta``, the best step for it is used.
    radius
        X: the largest absolute value of a feature.
    bias
        Whether to add a constant feature 1, to learn a threshold other than 0. Weights are
        non-negative: a negative threshold needs :class:`~thresher.SignedWinnow`.
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

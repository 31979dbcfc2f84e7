"""Signed Winnow: the exponentiated form for targets with weights of both signs."""

from __future__ import annotations

from typing import ClassVar

from thresher.learners.base.exponentiated import ExponentiatedLearner


class SignedWinnow(ExponentiatedLearner):
    r"""Normalised Winnow on every feature and its negative (EG±, Kivinen and Warmuth 1997).

    The two weights of a feature are kept as one dual :math:`\theta_i`; with both together summing
    to one, the weight used in the score is

    .. math:: w_i = \frac{\sinh(\eta\theta_i)}{\sum_j \cosh(\eta\theta_j)}.

    The prediction is the sign of :math:`\langle w, x\rangle` (0 predicts +1), and after a
    mistake :math:`\theta \leftarrow \theta + y\,x`.

    This is the multiplicative learner to use for signed targets: if :math:`y\langle u, x\rangle
    \ge \gamma` with :math:`\lVert u\rVert_1 = 1` and :math:`|x_i| \le X`, there are at most
    :math:`2X^2\ln(2n)/\gamma^2` mistakes, with the step for that margin. The thresholded
    :class:`~thresher.BalancedWinnow` has no such bound.

    **Cost.** As :class:`~thresher.NormalizedWinnow`, with two exponentials for each
    non-zero of a mistake. A right round changes nothing.

    Parameters
    ----------
    n_features, eta, margin, radius, bias, class_weight, scaling, names, journal_bytes
        As for :class:`~thresher.NormalizedWinnow`. A target with a threshold, such as
        "not x1", needs ``bias=True``.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.SignedWinnow(n_features=2, margin=0.2, bias=True)
    >>> rounds = learner.learn([[1, 0], [0, 1], [0, 0], [1, 1]] * 4, [-1, +1, +1, -1] * 4)
    >>> learner.predict([[1, 0], [0, 1], [0, 0], [1, 1]]).tolist()
    [-1, 1, 1, -1]
    """

    name: ClassVar[str] = "signed_winnow"
    _signed: ClassVar[bool] = True

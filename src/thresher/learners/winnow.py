"""Winnow with a threshold."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from thresher.hashing.names import Hashed, Vocabulary
from thresher.learners.exact_sign import Base
from thresher.learners.journal import DEFAULT_BYTES
from thresher.learners.multiplicative import (
    BINARY,
    REAL_UNIT,
    Link,
    MultiplicativeLearner,
    Rule,
    checked_beta,
    checked_threshold,
    rate_of,
)
from thresher.parameters import MAX_FEATURES, Exact, checked_count


class Winnow(MultiplicativeLearner):
    r"""Winnow of Littlestone (1988), in its threshold form.

    Every weight starts at 1. The learner predicts +1 exactly when
    :math:`\langle w, x\rangle \ge \theta`, and after a mistake sets

    .. math:: w_i \leftarrow w_i\,(1+\beta)^{y\,x_i} \qquad\text{for all } i.

    For 0/1 features: a false negative multiplies the weights of the active features by
    :math:`1+\beta` (promotion), a false positive divides them (demotion). The classical
    choice is :math:`\beta = 1`, :math:`\theta = n`.

    A dual :math:`c_i` is kept for each feature and :math:`w_i = (1+\beta)^{c_i}`. For 0/1
    features duals are whole numbers: they do not round, and a weight that was halved a
    million times still recovers. The comparison with :math:`\theta` is exact: a sum too
    close for floating point is settled in rational arithmetic (``close_calls`` counts how
    often). ``beta`` and ``threshold`` are taken exactly as given: ``Fraction(13, 5)`` is
    13/5, and 2.6 is the double next to it.

    On a monotone disjunction of :math:`r` of :math:`n` features, with :math:`\beta = 1` and
    :math:`\theta = n`, there are at most :math:`r(3\lceil\log_2 n\rceil - 2)` mistakes,
    whatever the number of active features: dense rows and few relevant features suit it.
    It is not a learner for linear thresholds in general: with a fixed :math:`\beta` it
    may cycle for ever on them.

    Parameters
    ----------
    n_features
        Number of weights.
    beta
        The step, positive.
    threshold
        :math:`\theta`, positive; the number of features unless given.
    zeroing
        Littlestone's Winnow1: a false positive sets the active weights to 0 for good
        instead of dividing them. For 0/1 features and labels without noise; its bound is
        :math:`n/\theta + (1+\beta)\,r\,K`, with :math:`K` the least integer for which
        :math:`(1+\beta)^K \ge \theta`.
    names, journal_bytes
        As for :class:`~thresher.Perceptron`. Where hashed names collide in one row, the
        larger value counts.

    Examples
    --------
    The target is "feature 0 or feature 3":

    >>> import thresher as th
    >>> rows = [{0: 1, 2: 1}, {1: 1, 2: 1}, {1: 1, 2: 1, 3: 1}, {}]
    >>> learner = th.Winnow(n_features=5)
    >>> for _ in range(5):
    ...     _ = learner.learn(rows, [+1, -1, +1, -1])
    >>> learner.weights.tolist(), learner.mistakes
    ([4.0, 0.5, 2.0, 4.0, 1.0], 7)
    >>> learner.dual.tolist()
    [2.0, -1.0, 1.0, 2.0, 0.0]
    """

    name: ClassVar[str] = "winnow"

    def __init__(
        self,
        n_features: int,
        beta: Exact = 1,
        threshold: Exact | None = None,
        zeroing: bool = False,
        names: Hashed | Vocabulary | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        owner = type(self).__name__
        self._n_features = n_features
        self._beta = beta
        self._threshold = threshold
        self._zeroing = zeroing
        self._names = names
        self._journal_bytes = journal_bytes
        n = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        step = checked_beta(owner, beta)
        link = Link(
            Base(1 + step),
            rate_of(step),
            threshold=checked_threshold(owner, threshold, n),
        )
        self._start(link, Rule(zeroing=zeroing), BINARY if zeroing else REAL_UNIT, n)

    @property
    def beta(self) -> Fraction:
        """The step, exactly."""
        return checked_beta("Winnow", self._beta)
